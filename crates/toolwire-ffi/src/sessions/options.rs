//! What is set for handles, as JSON text.

use std::time::Duration;

use toolwire::call::{SessionAction, ToolDescription};
use toolwire::session::TerminalInput;
use toolwire::{Code, Error, Json};
use toolwire_host::manifest::SessionKind;
use toolwire_host::{
    Command, ExchangeOptions, SessionRules, SessionTool, SessionsOptions, TurnEnd,
};
use toolwire_source::AddOptions;

use super::command::Members;

/// What is set for the tools of a program.
#[derive(Debug)]
pub struct Settings {
    rules: Option<SessionRules>,
    options: Json,
    root: Option<String>,
    only: Option<Vec<String>>,
    driven: Option<Driven>,
}

/// How a program that knows nothing of sessions is driven as one tool.
#[derive(Debug)]
pub(super) struct Driven {
    pub(super) kind: SessionKind,
    pub(super) size: Option<(u16, u16)>,
    name: Option<String>,
    about: Option<String>,
}

impl Driven {
    /// Reads `{"session","size","name","description"}`; nothing without the first.
    fn read(members: &Members) -> Result<Option<Self>, Error> {
        let kind = members.word("session")?;
        let size = members.get("size").map(size).transpose()?;
        let (name, about) = (members.text("name")?, members.text("description")?);
        let Some(kind) = kind else {
            let mut others = ["size", "name", "description"].into_iter();
            return match others.find(|name| members.get(name).is_some()) {
                Some(other) => {
                    Err(members.wrong(other, "for a program that is driven; set `session` too"))
                }
                None => Ok(None),
            };
        };
        if size.is_some() && kind != SessionKind::Pty {
            return Err(members.wrong("size", "that of a pseudo-terminal: set `session` to `pty`"));
        }
        if name.as_ref().is_some_and(|name| !is_tool_name(name)) {
            return Err(members.wrong("name", TOOL_NAME));
        }
        Ok(Some(Driven {
            kind,
            size,
            name,
            about,
        }))
    }

    /// What the tool is, for a model.
    pub(super) fn description(&self, command: &Command) -> Result<ToolDescription, Error> {
        let stem = std::path::Path::new(command.program()).file_stem();
        let stem = stem.and_then(|stem| stem.to_str());
        let name = self
            .name
            .as_deref()
            .or(stem.filter(|stem| is_tool_name(stem)));
        let name = name.ok_or_else(|| {
            let message =
                format!("`name` is needed, since the program's is none for a tool: {TOOL_NAME}");
            Error::new(Code::BadOption, "/name", None, message)
        })?;
        let nothing = r#"{"type":"object","properties":{},"additionalProperties":false}"#;
        let mut tool = ToolDescription::new(name, Json::new(nothing)?);
        tool.description.clone_from(&self.about);
        self.kind.describe(&mut tool);
        Ok(tool)
    }
}

/// What can be the name of a tool.
const TOOL_NAME: &str = "1 to 128 ASCII letters, digits, `_`, `-` and `.`";

fn is_tool_name(name: &str) -> bool {
    let fits = |letter: u8| letter.is_ascii_alphanumeric() || b"_-.".contains(&letter);
    (1..=128).contains(&name.len()) && name.bytes().all(fits)
}

fn size(given: &Json) -> Result<(u16, u16), Error> {
    let input = Json::new(format!(r#"{{"size":{}}}"#, given.as_str()))?;
    match TerminalInput::read(&input) {
        Ok(TerminalInput::Size { columns, rows }) => Ok((columns, rows)),
        Ok(_) => Err(Error::new(
            Code::BadOption,
            "/size",
            None,
            "`size` is two numbers",
        )),
        Err(error) => {
            let message = error.message().to_owned();
            Err(Error::new(Code::BadOption, "/size", None, message))
        }
    }
}

impl Settings {
    /// Reads `{"rules","options","root","only"}` and, for a program that knows nothing of sessions,
    /// `{"session","size","name","description"}`, each of which may be absent.
    ///
    /// # Errors
    ///
    /// `bad_option`.
    pub fn read(text: &str) -> Result<Self, Error> {
        let members = Members(Json::new(text)?.to_value()?);
        members
            .only(&[
                "rules",
                "options",
                "root",
                "only",
                "session",
                "size",
                "name",
                "description",
            ])
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
            driven: Driven::read(&members).map_err(as_option)?,
        })
    }

    pub(super) fn not_driven(&self) -> Result<(), Error> {
        match &self.driven {
            None => Ok(()),
            Some(_) => {
                let message = "`session` is for programs; a manifest says it of its tools";
                Err(Error::new(Code::BadOption, "/session", None, message))
            }
        }
    }

    pub(super) fn driven(&self) -> Option<&Driven> {
        self.driven.as_ref()
    }

    pub(super) fn takes(&self, tool: &str) -> bool {
        let only = self.only.as_ref();
        only.is_none_or(|only| only.iter().any(|name| name == tool))
    }

    /// The same for a source that is added by a word or a command.
    pub(super) fn add_to(self, options: &mut AddOptions) {
        options.only = self.only;
        options.rules = self.rules;
        options.options = self.options;
        options.root = self.root;
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
