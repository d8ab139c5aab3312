//! Which words of a command look like secrets.

use toolwire::Json;
use toolwire::block::Question;
use toolwire::question::{SecretContext, find_secret, shows_secret};

/// Whether a name, such as that of an option, is that of a secret.
pub(crate) fn is_secret_name(name: &str) -> bool {
    let name = name.trim_start_matches('-');
    // What asks for a secret by this name is judged as a question would be.
    let question = Question {
        id: name.to_owned(),
        text: String::new(),
        schema: Json::empty_object(),
        default: None,
        url: None,
        extra: Default::default(),
    };
    !name.is_empty() && find_secret(&question, &SecretContext::default()).is_some()
}

/// Whether a word holds something that begins as secrets of some services do.
pub(crate) fn is_secret_value(word: &str) -> bool {
    shows_secret(word)
}

/// The name of a variable made of others, in capitals.
pub(crate) fn variable_name(words: &[&str]) -> String {
    let mut name = String::new();
    for c in words.join("_").chars() {
        match c.to_ascii_uppercase() {
            c if c.is_ascii_alphanumeric() => name.push(c),
            _ if name.ends_with('_') || name.is_empty() => {}
            _ => name.push('_'),
        }
    }
    let name = name.trim_end_matches('_');
    match name.starts_with(|c: char| c.is_ascii_digit()) || name.is_empty() {
        true => format!("SERVER_{name}"),
        false => name.to_owned(),
    }
}
