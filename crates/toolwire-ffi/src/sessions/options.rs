//! What is set for handles, as JSON text.

use std::time::Duration;

use toolwire::call::SessionAction;
use toolwire::{Code, Error, Json};
use toolwire_host::{ExchangeOptions, SessionRules, SessionTool, SessionsOptions, TurnEnd};

use super::command::Members;

/// What is set for the tools of a program.
#[derive(Debug)]
pub struct Settings {
    rules: Option<SessionRules>,
    options: Json,
    root: Option<String>,
    only: Option<Vec<String>>,
}

impl Settings {
    /// Reads `{"rules","options","root","only"}`, each of which may be absent.
    ///
    /// # Errors
    ///
    /// `bad_option`.
    pub fn read(text: &str) -> Result<Self, Error> {
        let members = Members(Json::new(text)?.to_value()?);
        members
            .only(&["rules", "options", "root", "only"])
            .map_err(as_option)?;
        let rules = members
            .get("rules")
            .map(rules)
            .transpose()
            .map_err(as_option)?;
        Ok(Settings {
            rules,
            options: members.object("options").map_err(as_option)?,
            root: members.text("root").map_err(as_option)?,
            only: members
                .texts("only", "a list of names")
                .map_err(as_option)?,
        })
    }

    pub(super) fn takes(&self, tool: &str) -> bool {
        let only = self.only.as_ref();
        only.is_none_or(|only| only.iter().any(|name| name == tool))
    }

    pub(super) fn applied_to(
        &self,
        mut tool: SessionTool,
        exchange: &ExchangeOptions,
    ) -> SessionTool {
        tool.rules.clone_from(&self.rules);
        tool.exchange = exchange.clone();
        tool.options = self.options.clone();
        tool.root.clone_from(&self.root);
        tool
    }
}

/// Reads `{"rules","maxHandles","maxMemory","keep","firstWait","quiet","maxReply","maxWait"}`, times in seconds.
///
/// # Errors
///
/// `bad_option` at an unknown option and at one with a wrong value.
pub fn read_options(text: &str) -> Result<SessionsOptions, Error> {
    let members = Members(Json::new(text)?.to_value()?);
    let read = || {
        members.only(&[
            "rules",
            "maxHandles",
            "maxMemory",
            "keep",
            "firstWait",
            "quiet",
            "maxReply",
            "maxWait",
        ])?;
        let usual = SessionsOptions::default();
        Ok(SessionsOptions {
            rules: match members.get("rules") {
                Some(given) => rules(given)?,
                None => usual.rules,
            },
            max_handles: members.count("maxHandles")?.unwrap_or(usual.max_handles),
            max_memory: members.count("maxMemory")?.unwrap_or(usual.max_memory),
            keep: members.seconds("keep")?.unwrap_or(usual.keep),
            first_wait: members.seconds("firstWait")?.unwrap_or(usual.first_wait),
            quiet: members.seconds("quiet")?.unwrap_or(usual.quiet),
            max_reply: members.count("maxReply")?.unwrap_or(usual.max_reply),
            max_wait: members.seconds("maxWait")?.unwrap_or(usual.max_wait),
            ..usual
        })
    };
    read().map_err(as_option)
}

/// Reads `{"turn","turnWait","approve","sessionTime","idleTime","grace","maxBlocks","maxBytes","maxQuestions"}`.
fn rules(given: &Json) -> Result<SessionRules, Error> {
    let members = Members(
        given
            .to_value()
            .map_err(|_| Error::new(Code::BadOption, "/rules", None, "`rules` is an object"))?,
    );
    members.only(&[
        "turn",
        "turnWait",
        "approve",
        "sessionTime",
        "idleTime",
        "grace",
        "maxBlocks",
        "maxBytes",
        "maxQuestions",
    ])?;
    let usual = SessionRules::default();
    let wait = members
        .seconds("turnWait")?
        .unwrap_or(Duration::from_secs(60));
    let turn = match members.text("turn")?.as_deref() {
        None => usual.turn,
        Some("abort") => TurnEnd::Abort,
        Some("wait") => TurnEnd::Wait(wait),
        Some("keep") => TurnEnd::Keep,
        Some("ask") => TurnEnd::Ask,
        Some(_) => return Err(members.wrong("turn", "`abort`, `wait`, `keep` or `ask`")),
    };
    let approve = members.texts("approve", "a list of actions")?;
    let approve = match approve {
        Some(words) => {
            let actions = words.iter().map(|word| word.parse::<SessionAction>());
            let expected = "a list of `spawn`, `fetch`, `apply` and `abort`";
            actions
                .collect::<Result<_, _>>()
                .map_err(|_| members.wrong("approve", expected))?
        }
        None => usual.approve,
    };
    Ok(SessionRules {
        turn,
        approve,
        session_time: members.seconds("sessionTime")?,
        idle_time: members.seconds("idleTime")?,
        grace: members.seconds("grace")?.unwrap_or(usual.grace),
        max_blocks: members.count("maxBlocks")?.unwrap_or(usual.max_blocks),
        max_bytes: members.count("maxBytes")?.unwrap_or(usual.max_bytes),
        max_questions: members
            .count("maxQuestions")?
            .unwrap_or(usual.max_questions),
    })
}

/// The same as a mistake in an option.
fn as_option(error: Error) -> Error {
    Error::new(
        Code::BadOption,
        error.pointer().to_owned(),
        None,
        error.message().to_owned(),
    )
}
