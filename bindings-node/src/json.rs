//! The JSON text in which views cross to JavaScript.

use std::borrow::Borrow;

use toolwire::BlockView;
use toolwire::json::{Kind, Node};
pub use toolwire::json::{array, string};

/// An object in the making.
pub struct Object {
    out: String,
}

impl Object {
    pub fn new() -> Self {
        Object {
            out: String::from("{"),
        }
    }

    /// A member whose value is JSON text already.
    pub fn raw(mut self, name: &str, json: &str) -> Self {
        if self.out.len() > 1 {
            self.out.push(',');
        }
        self.out.push_str(&string(name));
        self.out.push(':');
        self.out.push_str(json);
        self
    }

    pub fn text(self, name: &str, text: &str) -> Self {
        self.raw(name, &string(text))
    }

    pub fn number(self, name: &str, number: f64) -> Self {
        self.raw(name, &number.to_string())
    }

    pub fn flag(self, name: &str, flag: bool) -> Self {
        self.raw(name, if flag { "true" } else { "false" })
    }

    pub fn optional(self, name: &str, text: Option<impl Borrow<str>>) -> Self {
        match text {
            Some(text) => self.text(name, text.borrow()),
            None => self,
        }
    }

    pub fn optional_number(self, name: &str, number: Option<f64>) -> Self {
        match number {
            Some(number) => self.number(name, number),
            None => self,
        }
    }

    pub fn optional_raw(self, name: &str, json: Option<impl Borrow<str>>) -> Self {
        match json {
            Some(json) => self.raw(name, json.borrow()),
            None => self,
        }
    }

    pub fn end(mut self) -> String {
        self.out.push('}');
        self.out
    }
}

/// The integers past 2^53 − 1 in a JSON text, which a number of JavaScript would round: an array of
/// their paths, arrays of names and indices, each with the digits.
pub fn big_integers(root: Node<'_>) -> String {
    let mut found = Vec::new();
    collect_big(root, &mut Vec::new(), &mut found);
    array(found)
}

fn collect_big(node: Node<'_>, path: &mut Vec<String>, found: &mut Vec<String>) {
    let mut inside = |step: String, node| {
        path.push(step);
        collect_big(node, path, found);
        path.pop();
    };
    match node.kind() {
        Kind::Object => {
            for (name, member) in node.members() {
                inside(string(&name), member);
            }
        }
        Kind::Array => {
            for (index, element) in node.elements().enumerate() {
                inside(index.to_string(), element);
            }
        }
        Kind::Number if is_big(node.raw()) => {
            found.push(format!("[[{}],{}]", path.join(","), string(node.raw())));
        }
        _ => {}
    }
}

fn is_big(number: &str) -> bool {
    const MAX_SAFE: u64 = (1 << 53) - 1;
    let digits = number.strip_prefix('-').unwrap_or(number);
    digits.bytes().all(|byte| byte.is_ascii_digit())
        && digits.parse().map_or(true, |number: u64| number > MAX_SAFE)
}

/// The place of a value in the bytes that were read: where it begins and ends.
pub fn place(node: Node<'_>) -> String {
    format!("[{},{}]", node.start(), node.end())
}

/// A block as the core reads it, but for its content, which may be long; fields that read as absent
/// are left out.
pub fn block(block: BlockView<'_>) -> String {
    let audience = block
        .audience()
        .map(|roles| array(roles.iter().map(|role| string(role.as_str()))));
    let question = block.question().map(|question| {
        Object::new()
            .text("id", &question.id)
            .text("text", &question.text)
            .text("schemaText", question.schema.raw())
            .optional("defaultText", question.default.map(|node| node.raw()))
            .optional("url", question.url)
            .end()
    });
    Object::new()
        .number("index", block.index() as f64)
        .text("pointer", &block.pointer())
        .text("type", block.kind().as_str())
        .raw("place", &place(block.node()))
        .optional("uri", block.uri())
        .optional("name", block.name())
        .optional("title", block.title())
        .optional("description", block.description())
        .optional("mimeType", block.mime_type())
        .optional("formatted", block.formatted())
        .optional_number("size", block.size().map(|size| size as f64))
        .optional_raw("audience", audience)
        .optional_number("priority", block.priority())
        .optional("lastModified", block.last_modified())
        .optional_raw("question", question)
        .optional("metaText", block.meta().map(|node| node.raw()))
        .end()
}
