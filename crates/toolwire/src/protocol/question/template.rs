//! The text with which an editor begins, and what is read out of it (Q-12 to Q-15, Q-16, Q-17).

use super::skeleton::{self, comment};
use crate::base::json::Document;
use crate::block::Question;
use crate::{Error, Json};

/// The most bytes of what is asked, in its lines of comment (Q-16).
const MOST_COMMENT: usize = 64 * 1024;

/// The text that an editor starts with: the question in comments, and an answer to fill in (Q-12).
///
/// It is never longer than 321 KiB: a long text is cut (Q-16), and a value that would be too large is
/// `null` (Q-17).
///
/// # Examples
///
/// ```
/// use toolwire::question::{read_question, read_template, template};
///
/// let question = read_question(
///     r#"{"id":"q","text":"Which tags?","schema":{"type":"array"},"default":["a"]}"#,
/// )?;
/// let text = template(&question);
/// assert!(text.starts_with("// Which tags?\n"));
/// assert_eq!(read_template(&text)?.unwrap().as_str(), "[\n  \"a\"\n]");
/// # Ok::<(), toolwire::Error>(())
/// ```
#[must_use]
pub fn template(question: &Question) -> String {
    let schema = Document::new(question.schema.as_str()).ok();
    let schema = schema.as_ref().map(Document::root);
    let about = schema
        .and_then(|schema| schema.get("description")?.as_str())
        .unwrap_or_default();
    let mut out = String::new();
    for line in comment(&question.text).chain(comment(&about)) {
        if out.len() + line.len() + "// \n".len() > MOST_COMMENT {
            out.push_str("// …\n");
            break;
        }
        out.push_str("// ");
        out.push_str(&line);
        out.push('\n');
    }
    out.push_str(
        "//\n\
         // Write your answer as JSON. Lines that start with // are ignored.\n\
         // Save and close to answer. To cancel, delete everything but comments.\n",
    );
    let value = match (&question.default, schema) {
        (Some(default), _) => Document::new(default.as_str())
            .ok()
            .and_then(|default| skeleton::of_value(default.root())),
        (None, Some(schema)) => skeleton::of_schema(schema),
        (None, None) => None,
    };
    out.push_str(value.as_deref().unwrap_or("null"));
    out.push('\n');
    out
}

/// The answer in an edited template; `None` if only comments and whitespace are left, which means to
/// cancel (Q-14, Q-15).
///
/// # Errors
///
/// The code and the offset of the first place that is not strict JSON.
///
/// # Examples
///
/// ```
/// use toolwire::question::read_template;
///
/// assert_eq!(read_template("// What?\n  // so\n 1")?.unwrap().as_str(), "1");
/// assert!(read_template("// What?\n\n")?.is_none());
/// assert_eq!(read_template("// What?\n[1,]").unwrap_err().offset(), Some(12));
/// # Ok::<(), toolwire::Error>(())
/// ```
pub fn read_template(text: &str) -> Result<Option<Json>, Error> {
    let mut json = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        if line.trim_start().starts_with("//") {
            // Blanks of the same length leave every other offset where it was.
            let end = line.trim_end_matches(['\n', '\r']).len();
            json.extend(std::iter::repeat_n(' ', end));
            json.push_str(&line[end..]);
        } else {
            json.push_str(line);
        }
    }
    if json.trim().is_empty() {
        return Ok(None);
    }
    Document::new(&json).map(|document| Some(Json::from(document.root())))
}
