//! JSON for people.

use toolwire::Json;
use toolwire::json::{Document, Kind, Node, string};

/// JSON as people read it: a member or an element a line, numbers and strings as they are.
pub(crate) fn indented(json: &Json) -> String {
    let mut out = String::new();
    if let Ok(document) = Document::new(json.as_str()) {
        write(document.root(), "\n", &mut out);
    }
    out.push('\n');
    out
}

fn write(node: Node<'_>, line: &str, out: &mut String) {
    let parts: Vec<(String, Node<'_>)> = match node.kind() {
        Kind::Object => {
            let members = node.members();
            members
                .map(|(name, value)| (string(&name) + ": ", value))
                .collect()
        }
        _ => node
            .elements()
            .map(|value| (String::new(), value))
            .collect(),
    };
    if parts.is_empty() {
        return out.push_str(match node.kind() {
            Kind::Object => "{}",
            Kind::Array => "[]",
            _ => node.raw(),
        });
    }
    let [open, close] = if node.kind() == Kind::Object {
        ["{", "}"]
    } else {
        ["[", "]"]
    };
    let inside = format!("{line}  ");
    for (index, (name, value)) in parts.into_iter().enumerate() {
        out.push_str(if index == 0 { open } else { "," });
        out.push_str(&inside);
        out.push_str(&name);
        write(value, &inside, out);
    }
    out.push_str(line);
    out.push_str(close);
}
