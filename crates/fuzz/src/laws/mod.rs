//! The laws: statements that hold for every input.
//!
//! A law gets bytes and a number (the *salt*), from which it draws the options that it varies, so that
//! law, input and salt say all there is to know about a failure.

mod author;
mod elicitation;
mod event;
mod fingerprint;
mod format;
mod json;
mod launch;
mod legacy;
mod line;
mod mcp;
mod output;
mod provider;
mod reading;
mod schema;
mod session;
mod text;
mod told;
mod uri;
mod verdict;

#[cfg(test)]
mod red;

use crate::subject::Subject;
use fastrand::Rng;
use toolwire::Limits;

/// What a law is fed with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Feed {
    /// The output of a tool.
    Document,
    /// One number, or what looks like one.
    Number,
    /// A URI, or what people write for one.
    Uri,
    /// Outputs, a line each.
    Log,
    /// A JSON Schema.
    Schema,
    /// The schema of a tool's arguments, of which a law makes others.
    Contract,
    /// A text that is in a format of JSON Schema, or nearly.
    Format,
    /// A profile.
    Profile,
    /// A lock file.
    Lock,
    /// A launch URI or a profile word, or what people write for one.
    Launch,
}

/// A law by name.
pub struct Law {
    /// What `--law` calls it.
    pub name: &'static str,
    /// What it states, for a person.
    pub about: &'static str,
    /// What it is fed with.
    pub feed: Feed,
    /// The operation that a regression case for it would use.
    pub op: &'static str,
    /// The check: subject, input and salt in, what is wrong out.
    pub check: Check,
}

/// The check of a law.
pub type Check = fn(&dyn Subject, &[u8], u64) -> Result<(), String>;

/// All laws there are.
pub const LAWS: &[Law] = &[
    Law {
        name: "nothing-lost",
        about: "parse loses no input: raw() is the input, and the document holds every block, skipped ones too",
        feed: Feed::Document,
        op: "parse",
        check: reading::nothing_lost,
    },
    Law {
        name: "round-trip",
        about: "parse, write, parse gives the same document, blocks and diagnostics",
        feed: Feed::Document,
        op: "parse",
        check: reading::round_trip,
    },
    Law {
        name: "raw-is-text",
        about: "raw text is one text block of the same text, and its envelope is canonical and valid",
        feed: Feed::Document,
        op: "parse",
        check: reading::raw_is_text,
    },
    Law {
        name: "diagnostics",
        about: "diagnostics are sorted, their pointers resolve and their offsets stand where the pointers do",
        feed: Feed::Document,
        op: "parse",
        check: reading::diagnostics,
    },
    Law {
        name: "limits",
        about: "a smaller limit only ever turns an envelope into raw text, and says so",
        feed: Feed::Document,
        op: "parse",
        check: reading::limits,
    },
    Law {
        name: "validate",
        about: "validate agrees with the verdict",
        feed: Feed::Document,
        op: "validate",
        check: reading::validate,
    },
    Law {
        name: "verdict",
        about: "a text is strict JSON for us exactly if it is for serde_json, names twice, depth and counts included",
        feed: Feed::Document,
        op: "canonicalize",
        check: json::verdict,
    },
    Law {
        name: "canonical",
        about: "the canonical form is idempotent and what serde_json with serde_json_canonicalizer makes of the text",
        feed: Feed::Document,
        op: "canonicalize",
        check: json::canonical,
    },
    Law {
        name: "number",
        about: "a number's canonical text is that of an independent implementation, and strictness too",
        feed: Feed::Number,
        op: "canonicalize",
        check: json::number,
    },
    Law {
        name: "typed",
        about: "the typed envelope, written, is the document in exact form",
        feed: Feed::Document,
        op: "parse",
        check: json::typed,
    },
    Law {
        name: "uri",
        about: "normalize_uri is idempotent, with a root and without, and blind to the case of escapes",
        feed: Feed::Uri,
        op: "normalize_uri",
        check: uri::normal,
    },
    Law {
        name: "format",
        about: "format keeps within max_bytes, gives the same twice, and never harms a terminal",
        feed: Feed::Document,
        op: "format",
        check: output::format,
    },
    Law {
        name: "explain",
        about: "explain always has an answer that is safe to print",
        feed: Feed::Document,
        op: "parse",
        check: output::explain,
    },
    Law {
        name: "identify",
        about: "identities are of the raw content, and known ones are recognized",
        feed: Feed::Document,
        op: "identify",
        check: output::identify,
    },
    Law {
        name: "receive",
        about: "receive reads stdout as parse does, and an error status is an error",
        feed: Feed::Document,
        op: "receive",
        check: output::receive,
    },
    Law {
        name: "lines",
        about: "the lines of a log are read as each one alone",
        feed: Feed::Log,
        op: "parse",
        check: output::lines,
    },
    Law {
        name: "tidy",
        about: "a tidy schema is in exact form, and tidying it again changes nothing",
        feed: Feed::Schema,
        op: "tidy_schema",
        check: author::tidy,
    },
    Law {
        name: "project",
        about: "a projection is an object schema that is its own projection without a loss",
        feed: Feed::Schema,
        op: "project_schema",
        check: author::project,
    },
    Law {
        name: "find-secret",
        about: "the sign of a secret stands in the question, and a mark is found wherever it stands",
        feed: Feed::Schema,
        op: "find_secret",
        check: author::secret,
    },
    Law {
        name: "ask",
        about: "a question of a kind has the prompt of that kind, which offers its default",
        feed: Feed::Document,
        op: "ask",
        check: author::ask,
    },
    Law {
        name: "open",
        about: "what is no call is answered with a valid error envelope",
        feed: Feed::Document,
        op: "author",
        check: author::open,
    },
    Law {
        name: "session",
        about: "a handle stays in the table of its states, and a reader gets each block once or hears that it was dropped",
        feed: Feed::Document,
        op: "session",
        check: session::stays_in_the_table,
    },
    Law {
        name: "legacy",
        about: "a document in a legacy format becomes an envelope, and the report tells of each member",
        feed: Feed::Document,
        op: "read_legacy",
        check: legacy::becomes_an_envelope,
    },
    Law {
        name: "event",
        about: "an event makes sense, and written and read again it is the same",
        feed: Feed::Document,
        op: "read_event",
        check: event::reads_again,
    },
    Law {
        name: "line",
        about: "a line of the line transport is one line, and written and read again it is the same",
        feed: Feed::Document,
        op: "read_line",
        check: line::reads_again,
    },
    Law {
        name: "check",
        about: "a value fits a schema for us exactly if it does for another validator, and both refuse the same schemas",
        feed: Feed::Schema,
        op: "check_answer",
        check: schema::agrees,
    },
    Law {
        name: "schema-format",
        about: "a text is in a format of JSON Schema for us exactly if it is for another validator",
        feed: Feed::Format,
        op: "check_answer",
        check: format::agrees,
    },
    Law {
        name: "mcp",
        about: "an envelope that went to MCP comes back as it was, but for what the report calls lost",
        feed: Feed::Document,
        op: "to_result",
        check: mcp::round_trip,
    },
    Law {
        name: "mcp-report",
        about: "reports of the way to MCP and back point to what there is, and a spoilt result forges nothing",
        feed: Feed::Document,
        op: "from_result",
        check: mcp::report,
    },
    Law {
        name: "provider-message",
        about: "to_message gives JSON for any output, an error is seen, and a companion has what was moved",
        feed: Feed::Document,
        op: "to_message",
        check: provider::message,
    },
    Law {
        name: "provider-call",
        about: "a call comes back from a provider's history, and no two names or ids become one",
        feed: Feed::Document,
        op: "from_call",
        check: provider::call,
    },
    Law {
        name: "mcp-tool",
        about: "a tool that went to MCP comes back as it was",
        feed: Feed::Schema,
        op: "to_tool",
        check: mcp::tool,
    },
    Law {
        name: "elicit-form",
        about: "a form has only what its revision knows, and what the report calls kept stands in it",
        feed: Feed::Schema,
        op: "to_elicitation",
        check: elicitation::form,
    },
    Law {
        name: "elicit-answer",
        about: "an answer that went through a form comes back with its digits",
        feed: Feed::Schema,
        op: "answer_from_elicit_result",
        check: elicitation::answer,
    },
    Law {
        name: "diff",
        about: "a tool that takes more is never breaking, one that refuses what it took is never compatible",
        feed: Feed::Contract,
        op: "diff_tools",
        check: verdict::tools,
    },
    Law {
        name: "close",
        about: "a closed schema allows nothing more than before, and refuses only for a member too many",
        feed: Feed::Contract,
        op: "diff_tools",
        check: verdict::closing,
    },
    Law {
        name: "launch",
        about: "a launch URI, written and read again, is the same, and starts what it names",
        feed: Feed::Launch,
        op: "parse_launch_uri",
        check: launch::reads_again,
    },
    Law {
        name: "launch-fields",
        about: "whatever stands in the fields of a launch, it comes back from its URI, or is refused",
        feed: Feed::Launch,
        op: "format_launch_uri",
        check: launch::fields,
    },
    Law {
        name: "hidden",
        about: "what a text hides stands where it is said to, and what is shown of it hides nothing",
        feed: Feed::Document,
        op: "find_hidden",
        check: text::hidden,
    },
    Law {
        name: "profile",
        about: "a profile, written and read again, is the same",
        feed: Feed::Profile,
        op: "read_profile",
        check: text::profile,
    },
    Law {
        name: "fingerprint",
        about: "spelling, order and names of definitions make no other fingerprint, words only another text",
        feed: Feed::Contract,
        op: "fingerprint",
        check: fingerprint::same,
    },
    Law {
        name: "fingerprint-change",
        about: "whatever else changes in a schema changes the contract",
        feed: Feed::Contract,
        op: "fingerprint",
        check: fingerprint::other,
    },
    Law {
        name: "fingerprint-meaning",
        about: "two schemas of one contract allow the same values for two other validators",
        feed: Feed::Contract,
        op: "fingerprint",
        check: fingerprint::meaning,
    },
    Law {
        name: "lock",
        about: "a lock file, written and read again, is the same",
        feed: Feed::Lock,
        op: "read_lock",
        check: text::lock,
    },
];

/// The law of this name.
pub fn by_name(name: &str) -> Option<&'static Law> {
    LAWS.iter().find(|law| law.name == name)
}

/// Limits drawn from a salt: mostly the usual ones, sometimes tight ones.
fn limits_of(rng: &mut Rng) -> Limits {
    let usual = Limits::default();
    if rng.bool() {
        return usual;
    }
    let mut limits = usual;
    match rng.u8(..5) {
        0 => limits.max_bytes = rng.usize(..400),
        1 => limits.max_depth = rng.usize(..10),
        2 => limits.max_values = rng.usize(..40),
        3 => limits.max_blocks = rng.usize(..5),
        _ => limits.max_depth = rng.usize(..=toolwire::MAX_DEPTH),
    }
    if rng.u8(..3) == 0 {
        limits.max_diagnostics = rng.usize(..4);
    }
    limits
}

/// Text of bytes for a message, short enough to read.
fn shown(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let mut short: String = text.chars().take(300).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    format!("`{}`", short.escape_debug())
}

/// An error if two things that a law calls equal are not.
fn same(what: &str, one: &[u8], other: &[u8]) -> Result<(), String> {
    if one == other {
        return Ok(());
    }
    let at = one.iter().zip(other).take_while(|(a, b)| a == b).count();
    let from = at.saturating_sub(40);
    let (one, other) = (
        one.get(from..).unwrap_or_default(),
        other.get(from..).unwrap_or_default(),
    );
    Err(format!(
        "{what}: they differ at byte {at}: {} against {}",
        shown(one),
        shown(other)
    ))
}

/// Whether a text is canonical but for its numbers, and for the order of members (CANON-9): it has the same bytes.
fn same_but_for_order(what: &str, text: &str, canonical: &[u8]) -> Result<(), String> {
    let sorted = |bytes: &[u8]| {
        let mut bytes = bytes.to_vec();
        bytes.sort_unstable();
        bytes
    };
    let text = crate::oracle::with_canonical_numbers(text);
    same(what, &sorted(text.as_bytes()), &sorted(canonical))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_found() {
        for law in LAWS {
            assert_eq!(by_name(law.name).map(|l| l.about), Some(law.about));
        }
        assert!(by_name("no such law").is_none());
    }

    #[test]
    fn a_difference_is_shown_where_it_is() {
        let text = same("x", b"aaaab", b"aaaac").expect_err("they differ");
        assert!(text.contains("at byte 4"), "{text}");
    }
}
