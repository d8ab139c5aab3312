//! The lists of words in the types of Python and Node are those of Rust: no word is missing, and none
//! is one too many.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use toolwire::call::{Action, AnswerSource, AnswerState, Marker, SessionAction};
use toolwire::event::Level;
use toolwire::legacy::LegacyFormat;
use toolwire::mcp::{Fate, Revision};
use toolwire::provider::{self, Family, Resources, Structured};
use toolwire::question::{RefusalAbout, RefusalReason, SecretReason, SecretTier};
use toolwire::schema::Provider;
use toolwire::session::{ActionStyle, EndReason, SessionState, SessionView, Timer, TurnPolicy};
use toolwire::{BlockKind, Code, Receipt, Role, Severity, Status, Style, Target, Verdict};
use toolwire_contract::convert::Form;
use toolwire_contract::diff;
use toolwire_contract::hidden::HiddenKind;
use toolwire_contract::lock::State;
use toolwire_contract::profile::{Deviation, SchemaValidation};
use toolwire_host::{End, Environment, HostErrorKind, StopReason, Unanswered};
use toolwire_mcp::client::ClientErrorKind;
use toolwire_source::SourceErrorKind;

type Words = BTreeSet<String>;

/// Whom a question of a manifest's tool may be for: an answerer is asked no other ones.
const WHO: [&str; 2] = ["user", "assistant"];

/// Who writes a line of the line transport (LINE-10).
const WRITERS: [&str; 2] = ["host", "tool"];

/// A list of words in a file: the name of what it is the type of, and the words.
type List = (String, Words);

#[test]
fn python_has_the_words_of_rust() {
    let folder = "bindings-python/python/toolwire";
    let action = set(Action::ALL, |word| word.as_str());
    let unanswered = set(Unanswered::ALL, |word| word.as_str());
    let host = [
        ("End", named(&End::WORDS)),
        ("Stopped", set(StopReason::ALL, |word| word.as_str())),
    ];
    hold(&format!("{folder}/_host.py"), literals, &host);
    let options = [
        ("Inherit", named(&Environment::WORDS)),
        ("action", without(action.clone(), "describe")),
        ("session", named(&["pipe", "pty"])),
    ];
    hold(&format!("{folder}/_options.py"), literals, &options);
    let extension = [("state", session_state()), ("unanswered", unanswered)];
    hold(
        &format!("{folder}/_toolwire.pyi"),
        words_of_rust,
        &extension,
    );
    hold(&format!("{folder}/types.py"), literal_types, &generated());
}

#[test]
fn node_has_the_words_of_rust() {
    let folder = "bindings-node";
    let action = set(Action::ALL, |word| word.as_str());
    let of_run = without(action.clone(), "describe");
    // What ends by itself is not told to end.
    let ending = set(EndReason::ALL, |word| word.as_str());
    let ending = without(without(ending, "exited"), "crashed");
    let author = [("action", of_run.clone()), ("reason", ending)];
    hold(&format!("{folder}/author.d.ts"), unions, &author);
    let run = [
        ("action", of_run),
        ("end", named(&End::WORDS)),
        ("inherit", named(&Environment::WORDS)),
        ("stopped", set(StopReason::ALL, |word| word.as_str())),
        ("who", named(&WHO)),
    ];
    hold(&format!("{folder}/run.d.ts"), unions, &run);
    let session = [
        ("EndReason", set(EndReason::ALL, |word| word.as_str())),
        ("SessionState", session_state()),
        ("of", set(Timer::ALL, |word| word.as_str())),
        ("policy", set(TurnPolicy::ALL, |word| word.as_str())),
    ];
    hold(&format!("{folder}/session.d.ts"), unions, &session);
    let sessions = [
        // How a program is driven that knows nothing of sessions.
        ("session", named(&["pipe", "pty"])),
        ("turn", set(TurnPolicy::ALL, |word| word.as_str())),
        ("view", set(SessionView::ALL, |word| word.as_str())),
    ];
    hold(&format!("{folder}/sessions.d.ts"), unions, &sessions);
    let types = format!("{folder}/types.generated.d.ts");
    hold(&types, union_types, &generated());
}

/// What became of a tool since it was locked.
const LOCK_STATES: [State; 5] = [
    State::Same,
    State::Changed,
    State::Added,
    State::Removed,
    State::NotVerified,
];

fn host_error() -> Words {
    &set(HostErrorKind::ALL, |word| word.as_str()) | &server_error()
}

/// Why `connect`, `serve` and `Tools` can't go on.
fn server_error() -> Words {
    let client = [
        ClientErrorKind::NotStarted,
        ClientErrorKind::NotConnected,
        ClientErrorKind::Timeout,
        ClientErrorKind::Unauthorized,
        ClientErrorKind::NoCommonRevision,
        ClientErrorKind::BadTools,
    ];
    let source = [
        SourceErrorKind::Unknown,
        SourceErrorKind::BadWord,
        SourceErrorKind::BadFile,
        SourceErrorKind::BadManifest,
        SourceErrorKind::BadLock,
        SourceErrorKind::Unresolved,
        SourceErrorKind::Untrusted,
        SourceErrorKind::System,
    ];
    let client = set(&client, |word| word.as_str());
    let source = set(&source, |word| word.as_str());
    &(&client | &source) | &named(&["not_locked", "not_served", "unexpected_tools"])
}

fn server_form() -> Words {
    Form::all().map(|form| form.as_str().to_owned()).collect()
}

fn deviation() -> Words {
    let all = [
        Deviation::Gone,
        Deviation::Contract,
        Deviation::Text,
        Deviation::Safety,
        Deviation::Unknown,
        Deviation::Hash,
        Deviation::NoHash,
    ];
    set(&all, |word| word.as_str())
}

fn session_state() -> Words {
    set(SessionState::ALL, |word| word.as_str())
}

/// The lists that are generated, which those of Rust are not.
fn generated() -> Vec<(&'static str, Words)> {
    let session_action = set(SessionAction::ALL, |word| word.as_str());
    let about = set(RefusalAbout::ALL, |word| word.as_str());
    vec![
        ("Action", set(Action::ALL, |word| word.as_str())),
        ("ActionStyle", set(ActionStyle::ALL, |word| word.as_str())),
        ("AnswerSource", set(AnswerSource::ALL, |word| word.as_str())),
        ("AnswerState", set(AnswerState::ALL, |word| word.as_str())),
        ("Carrier", named(&["document", "meta"])),
        (
            "ChangeVerdict",
            set(diff::Verdict::ALL, |word| word.as_str()),
        ),
        ("DeviationKind", deviation()),
        ("DiagnosticCode", set(Code::ALL, |word| word.as_str())),
        ("Fate", set(Fate::ALL, |word| word.as_str())),
        ("Asked", named(&WHO)),
        ("BlockType", set(BlockKind::ALL, |word| word.as_str())),
        ("HostErrorCode", host_error()),
        ("HiddenKind", set(HiddenKind::ALL, |word| word.as_str())),
        ("LegacyFormat", set(LegacyFormat::ALL, |word| word.as_str())),
        ("Level", set(Level::ALL, |word| word.as_str())),
        ("LineSource", named(&WRITERS)),
        ("LockState", set(&LOCK_STATES, |word| word.as_str())),
        ("Marker", set(Marker::ALL, |word| word.as_str())),
        ("McpRevision", set(Revision::ALL, |word| word.as_str())),
        ("MessageFamily", set(Family::ALL, |word| word.as_str())),
        (
            "MessageProvider",
            set(provider::Provider::ALL, |word| word.as_str()),
        ),
        ("Provider", set(Provider::ALL, |word| word.as_str())),
        ("Receipt", set(Receipt::ALL, |word| word.as_str())),
        // A secret is never an `input`.
        ("SecretAbout", without(about.clone(), "input")),
        ("RefusalAbout", about),
        (
            "RefusalReason",
            set(RefusalReason::ALL, |word| word.as_str()),
        ),
        ("Role", set(Role::ALL, |word| word.as_str())),
        ("ResourceForm", set(Resources::ALL, |word| word.as_str())),
        (
            "StructuredPolicy",
            set(Structured::ALL, |word| word.as_str()),
        ),
        (
            "SchemaValidation",
            set(SchemaValidation::ALL, |word| word.as_str()),
        ),
        ("SecretReason", set(SecretReason::ALL, |word| word.as_str())),
        ("SecretTier", set(SecretTier::ALL, |word| word.as_str())),
        ("ServerForm", server_form()),
        ("SessionAction", session_action),
        ("SessionView", set(SessionView::ALL, |word| word.as_str())),
        ("Severity", set(Severity::ALL, |word| word.as_str())),
        ("Status", set(Status::ALL, |word| word.as_str())),
        ("Style", set(Style::ALL, |word| word.as_str())),
        ("Target", set(Target::ALL, |word| word.as_str())),
        ("Unanswered", set(Unanswered::ALL, |word| word.as_str())),
        ("Verdict", set(Verdict::ALL, |word| word.as_str())),
    ]
}

fn set<T: Copy>(all: &[T], as_str: fn(T) -> &'static str) -> Words {
    all.iter().map(|word| as_str(*word).to_owned()).collect()
}

fn named(words: &[&str]) -> Words {
    words.iter().map(|word| (*word).to_owned()).collect()
}

fn without(mut words: Words, word: &str) -> Words {
    assert!(words.remove(word), "there is no `{word}`");
    words
}

/// Holds the lists of a file against those that it must have: each list is one of these, and each of
/// these is there.
fn hold(file: &str, read: fn(&str) -> Vec<List>, expected: &[(&str, Words)]) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let found = read(&fs::read_to_string(root.join(file)).expect("a file of types"));
    for (name, words) in &found {
        let of_name = expected.iter().filter(|(known, _)| known == name);
        let known: Vec<&Words> = of_name.map(|(_, words)| words).collect();
        assert!(
            known.contains(&words),
            "`{name}` in `{file}` has {words:?}, and must have one of {known:?}"
        );
    }
    for (name, words) in expected {
        let one = ((*name).to_owned(), words.clone());
        assert!(found.contains(&one), "`{file}` has no `{name}` {words:?}");
    }
}

/// Each `Literal[...]` of Python.
fn literals(text: &str) -> Vec<List> {
    let mut lists = Vec::new();
    for (at, start) in text.match_indices("Literal[") {
        let inside = text[at + start.len()..].split(']').next();
        let words = inside.unwrap_or_default().split('"').skip(1).step_by(2);
        let words = words.map(str::to_owned).collect();
        lists.push((name_before(&text[..at]), words));
    }
    lists
}

/// These without the names of members.
fn words_of_rust(text: &str) -> Vec<List> {
    let mut lists = literals(text);
    lists.retain(|(name, _)| name != "name");
    lists
}

/// Each union of strings of TypeScript.
fn unions(text: &str) -> Vec<List> {
    let text = without_comments(text);
    let parts: Vec<&str> = text.split('\'').collect();
    let mut lists: Vec<List> = Vec::new();
    for pair in parts.chunks_exact(2) {
        let (outside, word) = (pair[0], pair[1].to_owned());
        match lists.last_mut() {
            Some((_, words)) if outside.trim() == "|" => drop(words.insert(word)),
            _ => lists.push((name_before(outside), Words::from([word]))),
        }
    }
    // A word alone is no list; the types of JSON Schema and the names of members are not Rust's.
    let others = [
        "extends",
        "ProcessOptions",
        "RefusalOptions",
        "RunOptions",
        "SessionReplyOptions",
    ];
    lists.retain(|(name, words)| words.len() > 1 && !others.contains(&name.as_str()));
    lists
}

fn literal_types(text: &str) -> Vec<List> {
    types(literals(text))
}

fn union_types(text: &str) -> Vec<List> {
    types(unions(text))
}

/// The lists that are types with a name, not types of members.
fn types(mut lists: Vec<List>) -> Vec<List> {
    lists.retain(|(name, _)| name.starts_with(char::is_uppercase));
    lists
}

fn without_comments(text: &str) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while let Some((before, comment)) = rest.split_once("/*") {
        kept.push_str(before);
        rest = comment.split_once("*/").map_or("", |(_, after)| after);
    }
    kept.push_str(rest);
    let mut lines: Vec<&str> = kept.lines().collect();
    lines.retain(|line| !line.trim_start().starts_with("//"));
    lines.join("\n")
}

/// The last name of a text, which is that of the type or member that a list belongs to.
fn name_before(text: &str) -> String {
    let skipped = ["", "TypeAlias", "self"];
    let mut names = text.rsplit(|c: char| !c.is_alphanumeric() && c != '_');
    let name = names.find(|name| !skipped.contains(name));
    name.unwrap_or_default().to_owned()
}
