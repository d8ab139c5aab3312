//! A table of TOML with one server.

use std::borrow::Cow;

use toolwire::Json;
use toolwire::json::{Document, Kind, Node, string};

/// `[KEY.NAME]` with these members: strings, booleans, arrays of strings and objects of strings.
pub(super) fn table(key: &str, name: &str, members: &Json) -> String {
    let mut text = format!("[{key}.{}]\n", bare_or_quoted(name));
    if let Ok(document) = Document::new(members.as_str()) {
        for (name, value) in document.root().members() {
            text.push_str(&format!("{} = {}\n", bare_or_quoted(&name), inline(value)));
        }
    }
    text
}

fn inline(node: Node<'_>) -> String {
    match node.kind() {
        Kind::String => quoted(&node.as_str().unwrap_or(Cow::Borrowed(""))),
        Kind::Array => {
            let all: Vec<String> = node.elements().map(inline).collect();
            format!("[{}]", all.join(", "))
        }
        Kind::Object => {
            let members = node.members();
            let all = members
                .map(|(name, value)| format!("{} = {}", bare_or_quoted(&name), inline(value)));
            let all: Vec<String> = all.collect();
            format!("{{ {} }}", all.join(", "))
        }
        _ => node.raw().to_owned(),
    }
}

fn bare_or_quoted(name: &str) -> String {
    let bare = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    match !name.is_empty() && name.bytes().all(bare) {
        true => name.to_owned(),
        false => quoted(name),
    }
}

/// A basic string, which has the escapes of JSON and one more.
fn quoted(text: &str) -> String {
    string(text).replace('\u{7f}', "\\u007F")
}
