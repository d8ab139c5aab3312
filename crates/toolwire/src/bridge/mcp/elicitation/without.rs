//! Clients that cannot ask, and the error that they get (ELI-60 to ELI-66).

use std::collections::BTreeMap;

use super::super::Revision;
use super::wording::{asked, client, client_first};
use crate::base::json::{Document, Kind, ObjectWriter};
use crate::block::Question;
use crate::protocol::build::{ErrorOptions, error};
use crate::protocol::question::refusal::{each_way, list, main_password, why};
use crate::protocol::question::{
    RefusalAbout, RefusalOptions, RefusalReason, SecretContext, find_secret, refuse_declared,
};
use crate::{Envelope, Error, Json};

/// The error for a client that cannot ask its user.
///
/// ```
/// use std::collections::BTreeMap;
/// use toolwire::mcp::without_elicitation;
/// use toolwire::question::read_question;
///
/// let question = read_question(r#"{"id":"b","text":"Which branch?","schema":{"type":"string"}}"#)?;
/// let answer = without_elicitation(&[question], Some("Ada"), None, &BTreeMap::new())?;
/// assert!(answer.envelope.to_json().contains("Ada has no way to ask you for an answer here"));
/// assert!(!answer.has_way);
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct WithoutElicitation {
    /// The error envelope.
    pub envelope: Envelope,
    /// Whether it offers another way to each question. If not, a client of 2026-07-28 is better refused with
    /// `MissingRequiredClientCapability`.
    pub has_way: bool,
}

/// The envelope for a client that cannot ask its user: it has `isError`, names the client, says what was
/// asked and which other ways there are, the best first, and warns where a password was wanted (ELI-60).
///
/// `client` is the name that the client gives itself, which is shown safely; without one it is called "this
/// client". `refusals` has the ways by the ids of questions, `*` for any other (Q-88); what else it says is
/// ignored.
///
/// # Errors
///
/// None that a caller can cause.
///
/// # Examples
///
/// ```
/// use std::collections::BTreeMap;
/// use toolwire::mcp::without_elicitation;
/// use toolwire::question::{RefusalOptions, read_question};
///
/// let question = read_question(r#"{"id":"branch","text":"Which branch?","schema":{"type":"string"}}"#)?;
/// let way = RefusalOptions { up_front: Some("the argument `branch`".into()), ..RefusalOptions::default() };
/// let ways = BTreeMap::from([("branch".to_owned(), way)]);
/// let answer = without_elicitation(&[question], None, Some("merge"), &ways)?;
/// let text = answer.envelope.to_json();
/// assert!(text.contains("This client has no way to ask you"));
/// assert!(text.contains("Supply it before the tool starts (the argument `branch`)."));
/// assert!(answer.has_way);
/// # Ok::<(), toolwire::Error>(())
/// ```
pub fn without_elicitation(
    questions: &[Question],
    client_name: Option<&str>,
    tool: Option<&str>,
    refusals: &BTreeMap<String, RefusalOptions>,
) -> Result<WithoutElicitation, Error> {
    let name = client_name.unwrap_or_default();
    let mut whole = RefusalOptions {
        host: client_first(name),
        tool: tool.map(str::to_owned),
        reason: RefusalReason::Unavailable,
        about: RefusalAbout::Input,
        ..RefusalOptions::default()
    };
    let mut kinds: [Vec<String>; 3] = Default::default();
    let mut warning = None;
    let mut has_way = !questions.is_empty();
    for question in questions {
        let entry = refusals.get(&question.id).or_else(|| refusals.get("*"));
        let mut options = RefusalOptions {
            host: client(name),
            about: about(question),
            ..entry.cloned().unwrap_or_default()
        };
        if question.url.is_some() {
            options.url.clone_from(&question.url);
        }
        if rank(options.about) > rank(whole.about) {
            whole.about = options.about;
            whole.service.clone_from(&options.service);
        }
        if options.about == RefusalAbout::Password && warning.is_none() {
            warning = Some(main_password(&options));
        }
        let ways = each_way(&options);
        has_way &= ways.iter().any(Option::is_some);
        for (kind, way) in kinds.iter_mut().zip(ways) {
            kind.extend(way.filter(|way| !kind.contains(way)));
        }
    }
    let mut parts = vec![why(&whole)];
    let texts: Vec<String> = questions
        .iter()
        .map(|question| asked(&question.text))
        .collect();
    parts.extend(list("What was asked", &texts));
    let ways = kinds.concat();
    parts.extend(list("What you can do instead, the best way first", &ways));
    parts.extend(warning);
    let envelope = error(&parts.join("\n\n"), ErrorOptions::default())?;
    Ok(WithoutElicitation { envelope, has_way })
}

fn about(question: &Question) -> RefusalAbout {
    let secret = find_secret(question, &SecretContext::default());
    secret.map_or(RefusalAbout::Input, |secret| secret.about)
}

fn rank(about: RefusalAbout) -> u8 {
    match about {
        RefusalAbout::Input => 0,
        RefusalAbout::Secret => 1,
        RefusalAbout::Password => 2,
    }
}

/// Whether a client can be asked a question: it has declared the mode that the question needs, and the
/// question declares no secret. `elicitation` is the member of that name in the client's capabilities; an
/// object that names no mode means forms (ELI-65).
///
/// # Examples
///
/// ```
/// use toolwire::Json;
/// use toolwire::mcp::{Revision, can_elicit};
/// use toolwire::question::read_question;
///
/// let question = read_question(r#"{"id":"ok","text":"Go on?","schema":{"type":"boolean"}}"#)?;
/// let can = |text: &str| can_elicit(&question, Revision::LATEST, Json::new(text).ok().as_ref());
/// assert!(can("{}") && can(r#"{"form":{}}"#));
/// assert!(!can(r#"{"url":{}}"#));
/// assert!(!can_elicit(&question, Revision::LATEST, None));
/// # Ok::<(), toolwire::Error>(())
/// ```
#[must_use]
pub fn can_elicit(question: &Question, revision: Revision, elicitation: Option<&Json>) -> bool {
    let document = elicitation.and_then(|json| Document::new(json.as_str()).ok());
    let Some(document) = document else {
        return false;
    };
    let declared = document.root();
    if declared.kind() != Kind::Object || refuse_declared(question).is_err() {
        return false;
    }
    let has = |mode: &str| {
        let mode = declared.get(mode);
        mode.is_some_and(|mode| mode.kind() == Kind::Object)
    };
    let knows_modes = revision > Revision::V2025_06_18;
    match question.url {
        Some(_) => knows_modes && has("url"),
        None => !knows_modes || has("form") || !has("url"),
    }
}

/// The client capabilities that these questions need, as `requiredCapabilities` lists them.
///
/// ```
/// use toolwire::mcp::required_capabilities;
/// use toolwire::question::read_question;
///
/// let question = read_question(r#"{"id":"ok","text":"Go on?","schema":{"type":"boolean"}}"#)?;
/// assert_eq!(required_capabilities(&[question]).as_str(), r#"{"elicitation":{"form":{}}}"#);
/// # Ok::<(), toolwire::Error>(())
/// ```
#[must_use]
pub fn required_capabilities(questions: &[Question]) -> Json {
    let mut modes = ObjectWriter::new();
    for (mode, is_page) in [("form", false), ("url", true)] {
        if questions
            .iter()
            .any(|question| question.url.is_some() == is_page)
        {
            modes.json(mode, "{}");
        }
    }
    let modes = modes.end();
    Json::written(ObjectWriter::new().json("elicitation", modes).end())
}
