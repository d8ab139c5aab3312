//! Reading a lock file (LOCK-1 to LOCK-5).

use std::collections::BTreeMap;

use toolwire::json::{Document, Place};
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
    let root = Place::new(document.root(), "", Code::BadLock).object()?;
    version(&root)?;
    let mut diagnostics = Vec::new();
    let mut lock = Lock::default();
    for (name, place) in required(&root, "sources")?.object()?.members() {
        let source = source(place, &mut diagnostics)?;
        lock.sources.insert(name.into_owned(), source);
    }
    let known = ["$schema", "lockVersion", "sources"];
    lock.extra = extra(&root, &known, &mut diagnostics);
    let schema = root.member("$schema");
    let schema = schema.map(|schema| ("$schema".to_owned(), Json::from(schema.node)));
    lock.extra.extend(schema);
    diagnostics.sort_by_key(|one| one.offset);
    diagnostics.truncate(MOST_WARNINGS);
    Ok(ReadLock { lock, diagnostics })
}

fn required<'a>(place: &Place<'a>, name: &str) -> Result<Place<'a>, Error> {
    let message = || format!("`{name}` is missing; write the lock anew with `toolwire lock`");
    let member = place.member(name);
    member.ok_or_else(|| place.lacks(name, message()))
}

fn version(root: &Place<'_>) -> Result<(), Error> {
    let version = required(root, "lockVersion")?;
    match version.node.as_u64() {
        Some(LOCK_VERSION) => Ok(()),
        Some(newer) if newer > LOCK_VERSION => {
            let message = format!(
                "the lock has version {newer}, and this Toolwire reads version {LOCK_VERSION}: \
                 what is new in it might say that a tool is not to be used; update Toolwire"
            );
            Err(version.refuse_as(Code::NewerLock, message))
        }
        _ => Err(version.refuse("`lockVersion` is 1; write the lock anew with `toolwire lock`")),
    }
}

fn source(place: Place<'_>, said: &mut Vec<Diagnostic>) -> Result<LockedSource, Error> {
    let place = place.object()?;
    let launch = place.optional("launch", |launch| launched(launch, said))?;
    let instructions = place.optional("instructions", |text| instructions(text, said))?;
    let mut tools = BTreeMap::new();
    for (name, place) in required(&place, "tools")?.object()?.members() {
        let tool = tool(&name, place, said)?;
        tools.insert(name.into_owned(), tool);
    }
    Ok(LockedSource {
        launch: launch.unwrap_or_default(),
        instructions,
        tools,
        extra: extra(&place, &["launch", "instructions", "tools"], said),
    })
}

fn instructions(place: Place<'_>, said: &mut Vec<Diagnostic>) -> Result<String, Error> {
    let place = place.object()?;
    let text = required(&place, "text")?.string()?;
    let digest = required(&place, "digest")?;
    if digest.string()? != text_digest(&text) {
        let message = "the digest is not that of the text beside it; write the lock anew";
        return Err(digest.refuse(message));
    }
    extra(&place, &["text", "digest"], said);
    Ok(text)
}

fn tool(name: &str, place: Place<'_>, said: &mut Vec<Diagnostic>) -> Result<LockedTool, Error> {
    let place = place.object()?;
    let digests = required(&place, "fingerprints")?.object()?;
    let digest = |name: &str| {
        let digest = required(&digests, name)?;
        let text = digest.string()?;
        match is_digest(&text) {
            true => Ok(text),
            false => Err(digest.refuse("a fingerprint is `sha256:` and 64 hexadecimal digits")),
        }
    };
    let fingerprints = Fingerprint {
        contract: digest("contract")?,
        text: digest("text")?,
        safety: digest("safety")?,
    };
    extra(&digests, &["contract", "text", "safety"], said);
    let tool = required(&place, "tool")?.object()?;
    let own = required(&tool, "name")?;
    if own.string()? != name {
        return Err(own.refuse(format!("the tool is called `{name}` in the lock")));
    }
    Ok(LockedTool {
        fingerprints,
        tool: Json::from(tool.node),
        extra: extra(&place, &["fingerprints", "tool"], said),
    })
}

/// Reads what a source was started with.
pub(super) fn launched(place: Place<'_>, said: &mut Vec<Diagnostic>) -> Result<Launched, Error> {
    let place = place.object()?;
    let members = Launched::default().members();
    for (name, empty) in &members {
        match (place.member(name), empty.as_str()) {
            (None, _) => {}
            (Some(text), "null") => drop(text.string()?),
            (Some(words), _) => drop(words.strings()?),
        }
    }
    let mut launched: Launched = Json::from(place.node).to_value()?;
    let known: Vec<&str> = members.iter().map(|(name, _)| name.as_str()).collect();
    launched.extra = extra(&place, &known, said);
    Ok(launched)
}

/// The members that are not known, which are kept and reported.
fn extra(place: &Place<'_>, known: &[&str], said: &mut Vec<Diagnostic>) -> BTreeMap<String, Json> {
    for (name, member) in place.members() {
        if !known.contains(&name.as_ref()) {
            let message = format!(
                "a lock of version {LOCK_VERSION} has no `{name}` here; it is kept, and means nothing"
            );
            let warning = member.refuse_as(Code::UnknownLockMember, message);
            said.extend_from_slice(warning.diagnostics());
        }
    }
    place.rest(known)
}

fn is_digest(text: &str) -> bool {
    let digits = text.strip_prefix("sha256:").unwrap_or_default();
    digits.len() == 64
        && digits
            .bytes()
            .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}
