//! What a text hides, said to a person.

use toolwire::Json;

use super::in_json::count_hidden_in;
use super::show;

/// The most findings of one value that are told.
const MOST: usize = 5;

/// A sentence for each thing that a value hides from its reader, as [`find_hidden_in`](super::find_hidden_in) finds it, and nothing if it
/// hides nothing. After five sentences, the rest is counted. `whose` names the value in them, such as
/// ``the tool `add` ``. Nothing in them is hidden, so they can be printed.
///
/// # Examples
///
/// ```
/// use toolwire::Json;
/// use toolwire_contract::hidden::say_hidden;
///
/// let tool = Json::new(r#"{"name": "add", "description": "Adds.\u200b"}"#)?;
/// assert_eq!(
///     say_hidden("the tool `add`", &tool),
///     ["the tool `add` hides something from its reader: ZERO WIDTH SPACE at `/description`, byte 5"],
/// );
/// # Ok::<(), toolwire::Error>(())
/// ```
#[must_use]
pub fn say_hidden(whose: &str, value: &Json) -> Vec<String> {
    let (found, count) = count_hidden_in(value);
    if found.is_empty() {
        return Vec::new();
    }
    let whose = show(whose);
    let more = count.saturating_sub(MOST);
    let mut said: Vec<String> = found
        .iter()
        .take(MOST)
        .map(|one| {
            let place = match (one.pointer.as_str(), one.in_name) {
                ("", _) => String::new(),
                (pointer, false) => format!(" at `{}`", show(pointer)),
                (pointer, true) => format!(" in the name at `{}`", show(pointer)),
            };
            let says = one.hidden.says.as_deref();
            let says = says.map_or_else(String::new, |says| format!("; it says `{}`", show(says)));
            format!(
                "{whose} hides something from its reader: {}{place}, byte {}{says}",
                one.hidden.name, one.hidden.offset
            )
        })
        .collect();
    if more > 0 {
        said.push(format!("{whose} hides {more} more like these"));
    }
    said
}
