//! The laws: statements that hold for every input.
//!
//! A law gets bytes and a number (the *salt*), from which it draws the options that it varies, so that input and salt
//! say all there is to know about a failure.

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

use crate::rng::Rng;
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

/// The check of a law: input and salt in, what is wrong out.
pub type Check = fn(&[u8], u64) -> Result<(), String>;

/// All laws there are, by name.
pub const LAWS: &[(&str, Feed, Check)] = &[
    // Parse loses no input: raw() is the input, and the document holds every block, skipped ones too.
    ("nothing-lost", Feed::Document, reading::nothing_lost),
    // Parse, write, parse gives the same document, blocks and diagnostics.
    ("round-trip", Feed::Document, reading::round_trip),
    // Raw text is one text block of the same text, and its envelope is canonical and valid.
    ("raw-is-text", Feed::Document, reading::raw_is_text),
    // Diagnostics are sorted, their pointers resolve and their offsets stand where the pointers do.
    ("diagnostics", Feed::Document, reading::diagnostics),
    // A smaller limit only ever turns an envelope into raw text, and says so.
    ("limits", Feed::Document, reading::limits),
    // Validate agrees with the verdict.
    ("validate", Feed::Document, reading::validate),
    // A text is strict JSON for us exactly if it is for serde_json, names twice, depth and counts included.
    ("verdict", Feed::Document, json::verdict),
    // The canonical form is idempotent and what serde_json with serde_json_canonicalizer makes of the text.
    ("canonical", Feed::Document, json::canonical),
    // A number's canonical text is that of an independent implementation, and strictness too.
    ("number", Feed::Number, json::number),
    // The typed envelope, written, is the document in exact form.
    ("typed", Feed::Document, json::typed),
    // Normalize_uri is idempotent, with a root and without, and blind to the case of escapes.
    ("uri", Feed::Uri, uri::normal),
    // Format keeps within max_bytes, gives the same twice, and never harms a terminal.
    ("format", Feed::Document, output::format),
    // Explain always has an answer that is safe to print.
    ("explain", Feed::Document, output::explain),
    // Identities are of the raw content, and known ones are recognized.
    ("identify", Feed::Document, output::identify),
    // Receive reads stdout as parse does, and an error status is an error.
    ("receive", Feed::Document, output::receive),
    // The lines of a log are read as each one alone.
    ("lines", Feed::Log, output::lines),
    // A tidy schema is in exact form, and tidying it again changes nothing.
    ("tidy", Feed::Schema, author::tidy),
    // A projection is an object schema that is its own projection without a loss.
    ("project", Feed::Schema, author::project),
    // The sign of a secret stands in the question, and a mark is found wherever it stands.
    ("find-secret", Feed::Schema, author::secret),
    // A question of a kind has the prompt of that kind, which offers its default.
    ("ask", Feed::Document, author::ask),
    // What is no call is answered with a valid error envelope.
    ("open", Feed::Document, author::open),
    // A handle stays in the table of its states, and a reader gets each block once or hears that it was dropped.
    ("session", Feed::Document, session::stays_in_the_table),
    // A document in a legacy format becomes an envelope, and the report tells of each member.
    ("legacy", Feed::Document, legacy::becomes_an_envelope),
    // An event makes sense, and written and read again it is the same.
    ("event", Feed::Document, event::reads_again),
    // A line of the line transport is one line, and written and read again it is the same.
    ("line", Feed::Document, line::reads_again),
    // A value fits a schema for us exactly if it does for another validator, and both refuse the same schemas.
    ("check", Feed::Schema, schema::agrees),
    // A text is in a format of JSON Schema for us exactly if it is for another validator.
    ("schema-format", Feed::Format, format::agrees),
    // An envelope that went to MCP comes back as it was, but for what the report calls lost.
    ("mcp", Feed::Document, mcp::round_trip),
    // Reports of the way to MCP and back point to what there is, and a spoilt result forges nothing.
    ("mcp-report", Feed::Document, mcp::report),
    // A tool that went to MCP comes back as it was.
    ("mcp-tool", Feed::Schema, mcp::tool),
    // A form has only what its revision knows, and what the report calls kept stands in it.
    ("elicit-form", Feed::Schema, elicitation::form),
    // A message is JSON for any output, an error is seen, and a companion has what was moved.
    ("provider-message", Feed::Document, provider::message),
    // A call comes back from a provider's history, and no two names or ids become one.
    ("provider-call", Feed::Document, provider::call),
    // An answer that went through a form comes back with its digits.
    ("elicit-answer", Feed::Schema, elicitation::answer),
    // A tool that takes more is never breaking, one that refuses what it took is never compatible.
    ("diff", Feed::Contract, verdict::tools),
    // A closed schema allows nothing more than before, and refuses only for a member too many.
    ("close", Feed::Contract, verdict::closing),
    // A launch URI, written and read again, is the same, and starts what it names.
    ("launch", Feed::Launch, launch::reads_again),
    // Whatever stands in the fields of a launch, it comes back from its URI, or is refused.
    ("launch-fields", Feed::Launch, launch::fields),
    // What a text hides stands where it is said to, and what is shown of it hides nothing.
    ("hidden", Feed::Document, text::hidden),
    // A profile, written and read again, is the same.
    ("profile", Feed::Profile, text::profile),
    // Spelling, order and names of definitions make no other fingerprint, words only another text.
    ("fingerprint", Feed::Contract, fingerprint::same),
    // Whatever else changes in a schema changes the contract.
    ("fingerprint-change", Feed::Contract, fingerprint::other),
    // Two schemas of one contract allow the same values for two other validators.
    ("fingerprint-meaning", Feed::Contract, fingerprint::meaning),
    // A lock file, written and read again, is the same.
    ("lock", Feed::Lock, text::lock),
];

/// Tries all laws that take such an input.
///
/// # Errors
///
/// The law that is broken, and how.
pub fn hold(feed: Feed, input: &[u8], salt: u64) -> Result<(), String> {
    for (name, _, check) in LAWS.iter().filter(|(_, takes, _)| *takes == feed) {
        check(input, salt).map_err(|why| {
            format!(
                "the law `{name}` is broken by {} with salt {salt}: {why}",
                input.escape_ascii()
            )
        })?;
    }
    Ok(())
}

/// As [`hold`], with a salt that the input decides.
///
/// # Panics
///
/// If a law is broken.
pub fn judge(feed: Feed, input: &[u8]) {
    let mut hasher = std::hash::DefaultHasher::new();
    std::hash::Hash::hash(input, &mut hasher);
    if let Err(why) = hold(feed, input, std::hash::Hasher::finish(&hasher)) {
        panic!("{why}");
    }
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
    fn a_difference_is_shown_where_it_is() {
        let text = same("x", b"aaaab", b"aaaac").expect_err("they differ");
        assert!(text.contains("at byte 4"), "{text}");
    }
}
