//! What is said beside a question: the warning above one that seems to ask for a secret (ELI-4), and names
//! of clients, which anybody can choose.

use crate::base::json::brief;
use crate::protocol::format::hidden::is_hidden;
use crate::protocol::question::refusal::warning_that;
use crate::protocol::question::{RefusalAbout, RefusalOptions};

/// Maximum number of shown characters of a client's name, and of a question's text.
const MAX_NAME: usize = 80;
const MAX_TEXT: usize = 200;

/// A text that a stranger chose, on one line, without invisible characters.
fn safe(text: &str, most: usize) -> String {
    let text: String = text
        .chars()
        .map(|c| if is_hidden(c) { ' ' } else { c })
        .collect();
    let words: Vec<&str> = text.split_whitespace().collect();
    brief(&words.join(" "), most).into_owned()
}

/// How a client is called inside of a sentence.
pub(super) fn client(name: &str) -> String {
    named(name, "this client")
}

/// How it is called at the beginning of one.
pub(super) fn client_first(name: &str) -> String {
    named(name, "This client")
}

fn named(name: &str, unnamed: &str) -> String {
    match safe(name, MAX_NAME) {
        name if name.is_empty() => unnamed.to_owned(),
        name => name,
    }
}

/// The text of a question inside of another text.
pub(super) fn asked(text: &str) -> String {
    safe(text, MAX_TEXT)
}

/// A message under a warning.
pub(super) fn warned(message: &str, options: &RefusalOptions, about: RefusalAbout) -> String {
    let options = RefusalOptions {
        host: client(&options.host),
        about,
        ..options.clone()
    };
    let host = &options.host;
    let then =
        format!("it gets what you type, and {host} may show it to the assistant and keep it");
    format!("{}\n\n{message}", warning_that(&options, &then))
}
