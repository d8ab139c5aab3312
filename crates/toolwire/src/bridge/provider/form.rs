//! The columns of the table of providers.

use super::{Family, Provider};
use crate::schema;

/// What one provider takes, for one family of models.
pub(super) struct Form {
    pub(super) provider: Provider,
    /// The family; none for all others.
    pub(super) family: Option<Family>,
    pub(super) result: ResultForm,
    pub(super) call: CallForm,
    pub(super) tool: ToolForm,
    pub(super) id: Id,
    pub(super) name: NameRule,
}

/// The result of a call.
pub(super) struct ResultForm {
    /// Template of a result: `$id`, `$name`, `$kind`, `$content`, `$error`, `$echo`, `$cache`, `$media`,
    /// `$structured`.
    pub(super) result: &'static str,
    /// Template of an element of a turn, around `$result`.
    pub(super) element: &'static str,
    /// Template of the message around all `$results`; empty if each result is a message.
    pub(super) message: &'static str,
    /// Whether the message stands around a single result too.
    pub(super) wraps_one: bool,
    /// Template of the message for what has no room inside; empty if there is none.
    pub(super) companion: &'static str,
    /// Whether that stands behind the results in their own message.
    pub(super) joins: bool,
    /// Members of a call that its result repeats.
    pub(super) echoed: &'static [&'static str],
    pub(super) content: Content,
    /// The content of an empty result as JSON text; empty if it has no content then.
    pub(super) empty: &'static str,
    /// Template of a text in a list, with `$text`, and `$cache` in the last one.
    pub(super) text: &'static str,
    /// Template of structured data in a list, with `$data`; empty if it is written as text.
    pub(super) data: &'static str,
    /// Template of a text resource as a document, and as a search result.
    pub(super) document: &'static str,
    pub(super) search_result: &'static str,
    pub(super) error: ErrorForm,
    pub(super) inside: &'static [Accepted],
    pub(super) beside: &'static [Accepted],
    /// The value of `$cache`.
    pub(super) cache: &'static str,
    /// What stands behind a result that is cached.
    pub(super) cache_after: &'static str,
}

/// How content is put together.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Content {
    /// One text as a string, anything else as a list.
    StringOrList,
    /// All texts as one string, and a list only if there are media.
    Joined,
    /// Always a list.
    List,
    /// An object with `output` or `error`, and a list of media beside it.
    Response,
    /// An object with `type` and `value`.
    Typed,
}

/// How an error is shown.
pub(super) struct ErrorForm {
    /// The value of `$error`: of an error, and of a result that is none; empty for no value. Without the first,
    /// the first line of the text says it.
    pub(super) flag: &'static str,
    pub(super) success: &'static str,
    /// Whether an error can have media.
    pub(super) has_media: bool,
}

/// Media that a provider takes.
pub(super) struct Accepted {
    /// The media types, each with the provider's word for it.
    pub(super) types: &'static [(&'static str, &'static str)],
    /// Template of the part.
    pub(super) part: &'static str,
    /// The most bytes of one.
    pub(super) max_bytes: usize,
    /// The most of them in a turn.
    pub(super) max_count: usize,
}

/// A call as a model makes it.
pub(super) struct CallForm {
    /// The member that says what it is, and its value; empty if there is none.
    pub(super) kind: (&'static str, &'static str),
    /// The member with the object that the others stand in; empty if they stand in the call itself.
    pub(super) holder: &'static str,
    pub(super) id: &'static str,
    /// Whether the id stands in that object too.
    pub(super) id_inside: bool,
    pub(super) name: &'static str,
    pub(super) arguments: &'static str,
    /// Whether arguments are written as the text of a JSON object.
    pub(super) as_text: bool,
    /// Where arguments stand that could not be read: the member of an object; empty if text is taken.
    pub(super) invalid: &'static str,
    /// The kind of a call whose arguments could not be read, if there is one; they are text then.
    pub(super) invalid_kind: &'static str,
    /// The kind of a call with free text as its input, and the object that it stands in.
    pub(super) custom: (&'static str, &'static str),
}

/// The definition of a tool.
pub(super) struct ToolForm {
    /// Template: `$name`, `$description`, `$schema`, `$strict`, `$is_strict`, `$output`.
    pub(super) tool: &'static str,
    /// The text after the last tool if the definitions are cached, and the text at its end.
    pub(super) cache_after: &'static str,
    pub(super) cache: &'static str,
    pub(super) schema: schema::Provider,
    /// The same for strict tools; none if there are none.
    pub(super) strict: Option<schema::Provider>,
    pub(super) max_tools: usize,
    /// The most characters of a description.
    pub(super) max_description: usize,
    /// The most strict tools, optional parameters and unions in all strict tools together.
    pub(super) max_strict: [usize; 3],
}

/// Which ids a provider takes.
#[derive(Clone, Copy)]
pub(super) enum Id {
    Any,
    /// Letters, digits, `_`, `-` and some others, up to a length.
    Word(usize, &'static [u8]),
    /// Nine letters and digits.
    Nine,
}

/// Which names of tools a provider takes: a length, the characters other than letters and digits, and whether a
/// letter or `_` comes first.
#[derive(Clone, Copy)]
pub(super) struct NameRule {
    pub(super) max: usize,
    pub(super) others: &'static [u8],
    pub(super) begins_with_letter: bool,
}

impl Form {
    /// Whether a definition can have an output schema, which the text of a result then has to follow.
    pub(super) fn takes_output_schema(&self) -> bool {
        self.tool.tool.contains("\"output_schema\"")
    }
}

impl ErrorForm {
    /// Whether a flag says that a result is an error.
    pub(super) fn is_flag(&self) -> bool {
        !self.flag.is_empty()
    }
}

impl CallForm {
    /// Whether this kind of call has free text as its input.
    pub(super) fn is_custom(&self, kind: &str) -> bool {
        !self.custom.0.is_empty() && self.custom.0 == kind
    }
}
