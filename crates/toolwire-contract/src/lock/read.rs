//! Reading a lock file (LOCK-1 to LOCK-5).

use std::collections::BTreeMap;

use toolwire::json::{Document, Kind, Node, pointer};
use toolwire::{Code, Diagnostic, Error, Json};

use super::launched::Launched;
use super::{LOCK_VERSION, Lock, LockedSource, LockedTool, text_digest};
use crate::fingerprint::Fingerprint;

/// A lock that was read.
///
/// ```
/// use toolwire_contract::lock::read_lock;
///
/// let read = read_lock(r#"{"lockVersion": 1, "sources": {}, "mine": true}"#)?;
/// assert_eq!(read.diagnostics[0].pointer, "/mine");
/// assert!(read.lock.extra.contains_key("mine"));
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReadLock {
    /// What it says.
    pub lock: Lock,
    /// Warnings about members that this version does not know.
    pub diagnostics: Vec<Diagnostic>,
}

/// No more warnings are kept than this.
const MOST_WARNINGS: usize = 100;

/// Reads the text of a lock file: at most 64 MiB, and nested at most 128 deep.
///
/// # Errors
///
/// - The code of the first place that is not strict JSON, or is over a limit.
/// - `newer_lock` for a version that is newer than [`LOCK_VERSION`]: what it says more can't be judged here.
/// - `bad_lock` for anything else that is no lock; the pointer says where.
///
/// # Examples
///
/// ```
/// use toolwire::Code;
/// use toolwire_contract::lock::read_lock;
///
/// let read = read_lock(r#"{"lockVersion": 1, "sources": {}}"#)?;
/// assert!(read.lock.sources.is_empty() && read.diagnostics.is_empty());
///
/// let newer = read_lock(r#"{"lockVersion": 2, "sources": {}}"#);
/// assert_eq!(newer.unwrap_err().code(), Code::NewerLock);
/// # Ok::<(), toolwire::Error>(())
/// ```
pub fn read_lock(text: &str) -> Result<ReadLock, Error> {
    let document = Document::new(text)?;
    let root = document.root();
    let mut diagnostics = Vec::new();
    object(root, "", "a lock")?;
    version(root)?;
    let Some(named) = root.get("sources") else {
        return Err(bad(
            "",
            "a lock has `sources`; write it anew with `toolwire lock`",
        ));
    };
    object(named, "/sources", "`sources`")?;
    let mut lock = Lock::default();
    for (name, node) in named.members() {
        let place = pointer::join("/sources", &name);
        let source = source(node, &place, &mut diagnostics)?;
        lock.sources.insert(name.into_owned(), source);
    }
    let known = ["$schema", "lockVersion", "sources"];
    lock.extra = extra(root, "", &known, &mut diagnostics);
    if let Some(schema) = root.get("$schema") {
        lock.extra.insert("$schema".to_owned(), Json::from(schema));
    }
    diagnostics.sort_by_key(|one| one.offset);
    diagnostics.truncate(MOST_WARNINGS);
    Ok(ReadLock { lock, diagnostics })
}

/// A newer version is refused before anything else in it is judged.
fn version(root: Node<'_>) -> Result<(), Error> {
    let version = root.get("lockVersion");
    match version.map(|version| version.as_u64()) {
        Some(Some(LOCK_VERSION)) => Ok(()),
        Some(Some(newer)) if newer > LOCK_VERSION => {
            let message = format!(
                "the lock has version {newer}, and this Toolwire reads version {LOCK_VERSION}: \
                 what is new in it might say that a tool is not to be used; update Toolwire"
            );
            Err(Error::new(Code::NewerLock, "/lockVersion", None, message))
        }
        Some(_) => Err(bad(
            "/lockVersion",
            "`lockVersion` is 1; write the lock anew with `toolwire lock`",
        )),
        None => Err(bad(
            "",
            "a lock has `lockVersion`; write it anew with `toolwire lock`",
        )),
    }
}

fn source(node: Node<'_>, place: &str, said: &mut Vec<Diagnostic>) -> Result<LockedSource, Error> {
    object(node, place, "a source")?;
    let mut source = LockedSource::default();
    if let Some(launch) = node.get("launch") {
        source.launch = launched(launch, &format!("{place}/launch"), Code::BadLock, said)?;
    }
    if let Some(node) = node.get("instructions") {
        source.instructions = Some(instructions(node, &format!("{place}/instructions"), said)?);
    }
    let Some(tools) = node.get("tools") else {
        return Err(bad(place, "a source has `tools`"));
    };
    let within = format!("{place}/tools");
    object(tools, &within, "`tools`")?;
    for (name, node) in tools.members() {
        let place = pointer::join(&within, &name);
        let tool = tool(&name, node, &place, said)?;
        source.tools.insert(name.into_owned(), tool);
    }
    source.extra = extra(node, place, &["launch", "instructions", "tools"], said);
    Ok(source)
}

/// The text of instructions, which has its digest beside it.
fn instructions(node: Node<'_>, place: &str, said: &mut Vec<Diagnostic>) -> Result<String, Error> {
    object(node, place, "`instructions`")?;
    let text = required(node, place, "text")?;
    let digest = required(node, place, "digest")?;
    if digest != text_digest(&text) {
        let place = format!("{place}/digest");
        return Err(bad(
            &place,
            "the digest is not that of the text beside it; write the lock anew",
        ));
    }
    extra(node, place, &["text", "digest"], said);
    Ok(text)
}

fn tool(
    name: &str,
    node: Node<'_>,
    place: &str,
    said: &mut Vec<Diagnostic>,
) -> Result<LockedTool, Error> {
    object(node, place, "a tool")?;
    let Some(digests) = node.get("fingerprints") else {
        return Err(bad(place, "a tool has `fingerprints`"));
    };
    let within = format!("{place}/fingerprints");
    object(digests, &within, "`fingerprints`")?;
    let digest = |name: &str| {
        let text = required(digests, &within, name)?;
        match is_digest(&text) {
            true => Ok(text),
            false => Err(bad(
                &format!("{within}/{name}"),
                "a fingerprint is `sha256:` and 64 hexadecimal digits",
            )),
        }
    };
    let fingerprints = Fingerprint {
        contract: digest("contract")?,
        text: digest("text")?,
        safety: digest("safety")?,
    };
    extra(digests, &within, &["contract", "text", "safety"], said);
    let within = format!("{place}/tool");
    let Some(tool) = node.get("tool") else {
        return Err(bad(place, "a tool has `tool`, what it says about itself"));
    };
    object(tool, &within, "`tool`")?;
    if required(tool, &within, "name")? != name {
        let message = format!("the tool is called `{name}` in the lock");
        return Err(bad(&format!("{within}/name"), &message));
    }
    Ok(LockedTool {
        fingerprints,
        tool: Json::from(tool),
        extra: extra(node, place, &["fingerprints", "tool"], said),
    })
}

/// The facts of a launch.
pub(super) fn launched(
    node: Node<'_>,
    place: &str,
    code: Code,
    said: &mut Vec<Diagnostic>,
) -> Result<Launched, Error> {
    let refuse = |place: String, message: String| Error::new(code, place, None, message);
    if node.kind() != Kind::Object {
        return Err(refuse(place.to_owned(), "`launch` is an object".to_owned()));
    }
    let members = Launched::default().members();
    for (name, value) in node.members() {
        let Some((_, empty)) = members.iter().find(|(known, _)| *known == name) else {
            continue;
        };
        let (is_good, what) = match empty.as_str() {
            "null" => (value.kind() == Kind::String, "a string"),
            _ => {
                let all = value.elements().all(|word| word.kind() == Kind::String);
                (value.kind() == Kind::Array && all, "an array of strings")
            }
        };
        if !is_good {
            return Err(refuse(
                pointer::join(place, &name),
                format!("`{name}` is {what}"),
            ));
        }
    }
    let mut launched: Launched = Json::from(node).to_value()?;
    let known: Vec<&str> = members.iter().map(|(name, _)| name.as_str()).collect();
    launched.extra = extra(node, place, &known, said);
    Ok(launched)
}

/// The members that are not known, each with a warning.
fn extra(
    node: Node<'_>,
    place: &str,
    known: &[&str],
    said: &mut Vec<Diagnostic>,
) -> BTreeMap<String, Json> {
    let mut extra = BTreeMap::new();
    for (name, value) in node.members() {
        if known.contains(&&*name) {
            continue;
        }
        let message = format!(
            "a lock of version {LOCK_VERSION} has no `{name}` here; it is kept, and means nothing"
        );
        let warning = Error::new(
            Code::UnknownLockMember,
            pointer::join(place, &name),
            u64::try_from(value.start()).ok(),
            message,
        );
        said.extend(warning.diagnostics().first().cloned());
        extra.insert(name.into_owned(), Json::from(value));
    }
    extra
}

fn required(node: Node<'_>, place: &str, name: &str) -> Result<String, Error> {
    match node.get(name) {
        None => Err(bad(place, &format!("`{name}` is missing"))),
        Some(value) => match value.as_str() {
            Some(text) => Ok(text.into_owned()),
            None => Err(bad(
                &format!("{place}/{name}"),
                &format!("`{name}` is a string"),
            )),
        },
    }
}

fn object(node: Node<'_>, place: &str, what: &str) -> Result<(), Error> {
    match node.kind() {
        Kind::Object => Ok(()),
        other => Err(bad(
            place,
            &format!("{what} is an object, not {}", other.name()),
        )),
    }
}

fn is_digest(text: &str) -> bool {
    let digits = text.strip_prefix("sha256:").unwrap_or_default();
    digits.len() == 64
        && digits
            .bytes()
            .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

fn bad(place: &str, message: &str) -> Error {
    Error::new(Code::BadLock, place, None, message)
}
