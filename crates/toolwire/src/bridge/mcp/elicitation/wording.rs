//! What is said beside a question: the warning above one that seems to ask for a secret (ELI-4), and names
//! of clients, which anybody can choose.

use crate::base::json::brief;
use crate::protocol::format::hidden::is_hidden;
use crate::protocol::question::refusal::{each_way, list, main_password, one_line, what};
use crate::protocol::question::{RefusalAbout, RefusalOptions};

/// The most characters of a client's name, and of a question's text, that are shown.
const MOST_NAME: usize = 80;
const MOST_TEXT: usize = 200;

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
    match safe(name, MOST_NAME) {
        name if name.is_empty() => unnamed.to_owned(),
        name => name,
    }
}

/// The text of a question inside of another text.
pub(super) fn asked(text: &str) -> String {
    safe(text, MOST_TEXT)
}

/// A message under a warning.
pub(super) fn warned(message: &str, options: &RefusalOptions, about: RefusalAbout) -> String {
    let options = RefusalOptions {
        host: client(&options.host),
        about,
        ..options.clone()
    };
    let tool = options.tool.as_deref().map(one_line);
    let tool = tool.filter(|tool| !tool.is_empty());
    let tool = tool.map_or_else(|| "The tool".to_owned(), |tool| format!("`{tool}`"));
    let ways: Vec<String> = each_way(&options).into_iter().flatten().collect();
    let lead = "What is better than typing it, the best way first";
    format!(
        "{tool} seems to ask you for {}. Answer only if you expected that and trust it: it gets what you \
         type, and {} may show it to the assistant and keep it.\n\n{}\n\n{}\n\n{message}",
        what(&options),
        options.host,
        list(lead, &ways).unwrap_or_default(),
        main_password(&options),
    )
}
