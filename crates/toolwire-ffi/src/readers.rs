// Generated from schema/api.json. Do not edit: run `cargo xtask codegen`.

//! Options from JSON text: `null` means absent, and unknown names are refused (API-3, API-18).
#![allow(clippy::single_match, unused_qualifications)]
use toolwire::Error;
use crate::options::{self, Options, missing};
/// Reads `Limits`.
///
/// # Errors
///
/// `bad_option` with a pointer to the first option that is unknown or has a wrong value.
pub fn limits(text: &str) -> Result<toolwire::Limits, Error> {
    let given = Options::read(
        text,
        &["maxBytes", "maxDepth", "maxValues", "maxBlocks", "maxDiagnostics"],
    )?;
    let mut options = <toolwire::Limits>::default();
    for (name, value) in given.members() {
        match name.as_ref() {
            "maxBytes" => options.max_bytes = given.count(&name, value, 0..=4294967295)?,
            "maxDepth" => options.max_depth = given.count(&name, value, 0..=1024)?,
            "maxValues" => {
                options.max_values = given.count(&name, value, 0..=4294967295)?;
            }
            "maxBlocks" => {
                options.max_blocks = given.count(&name, value, 0..=4294967295)?;
            }
            "maxDiagnostics" => {
                options.max_diagnostics = given.count(&name, value, 0..=4294967295)?;
            }
            _ => {}
        }
    }
    Ok(options)
}
/// Reads `FormatOptions`.
///
/// # Errors
///
/// `bad_option` with a pointer to the first option that is unknown or has a wrong value.
pub fn format_options(text: &str) -> Result<toolwire::FormatOptions, Error> {
    let given = Options::read(
        text,
        &["target", "style", "header", "maxBytes", "audience", "nonce", "color"],
    )?;
    let mut options = <toolwire::FormatOptions>::default();
    for (name, value) in given.members() {
        match name.as_ref() {
            "target" => options.target = given.choice(&name, value)?,
            "style" => options.style = given.choice(&name, value)?,
            "header" => options.header = given.flag(&name, value)?,
            "maxBytes" => {
                options.max_bytes = Some(given.count(&name, value, 256..=4294967295)?);
            }
            "audience" => options.audience = Some(given.choice(&name, value)?),
            "nonce" => options.nonce = given.owned(&name, value)?,
            "color" => options.color = given.flag(&name, value)?,
            _ => {}
        }
    }
    options.check()?;
    Ok(options)
}
/// Reads `ExplainOptions`.
///
/// # Errors
///
/// `bad_option` with a pointer to the first option that is unknown or has a wrong value.
pub fn explain_options(text: &str) -> Result<toolwire::ExplainOptions, Error> {
    let given = Options::read(text, &["color"])?;
    let mut options = <toolwire::ExplainOptions>::default();
    for (name, value) in given.members() {
        match name.as_ref() {
            "color" => options.color = given.flag(&name, value)?,
            _ => {}
        }
    }
    Ok(options)
}
/// Reads `IdentifyOptions`.
///
/// # Errors
///
/// `bad_option` with a pointer to the first option that is unknown or has a wrong value.
pub fn identify_options(text: &str) -> Result<toolwire::IdentifyOptions, Error> {
    let given = Options::read(text, &["root", "known"])?;
    let mut options = <toolwire::IdentifyOptions>::default();
    for (name, value) in given.members() {
        match name.as_ref() {
            "root" => options.root = given.owned(&name, value)?,
            "known" => options.known = options::known(value)?,
            _ => {}
        }
    }
    Ok(options)
}
/// Reads `FingerprintOptions`.
///
/// # Errors
///
/// `bad_option` with a pointer to the first option that is unknown or has a wrong value.
pub fn fingerprint_options(
    text: &str,
) -> Result<toolwire_contract::fingerprint::FingerprintOptions, Error> {
    let given = Options::read(text, &["launch", "maxSchemas"])?;
    let mut options = <toolwire_contract::fingerprint::FingerprintOptions>::default();
    for (name, value) in given.members() {
        match name.as_ref() {
            "launch" => options.launch = Some(given.object(&name, value)?),
            "maxSchemas" => {
                options.max_schemas = given.count(&name, value, 0..=9007199254740991)?;
            }
            _ => {}
        }
    }
    Ok(options)
}
/// Reads `DiffOptions`.
///
/// # Errors
///
/// `bad_option` with a pointer to the first option that is unknown or has a wrong value.
pub fn diff_options(text: &str) -> Result<toolwire_contract::diff::DiffOptions, Error> {
    let given = Options::read(text, &["open", "budget"])?;
    let mut options = <toolwire_contract::diff::DiffOptions>::default();
    for (name, value) in given.members() {
        match name.as_ref() {
            "open" => options.open = given.flag(&name, value)?,
            "budget" => options.budget = given.count(&name, value, 0..=9007199254740991)?,
            _ => {}
        }
    }
    Ok(options)
}
/// What [`read_options`] reads.
pub struct ReadOptions {
    /// Limits for reading an output that was not read before.
    pub limits: toolwire::Limits,
}
/// Reads `ReadOptions`.
///
/// # Errors
///
/// `bad_option` with a pointer to the first option that is unknown or has a wrong value.
pub fn read_options(text: &str) -> Result<ReadOptions, Error> {
    let given = Options::read(text, &["limits"])?;
    let mut limits: toolwire::Limits = Default::default();
    for (name, value) in given.members() {
        match name.as_ref() {
            "limits" => limits = self::limits(value.raw())?,
            _ => {}
        }
    }
    Ok(ReadOptions { limits })
}
/// Reads `CheckOptions`.
///
/// # Errors
///
/// `bad_option` with a pointer to the first option that is unknown or has a wrong value.
pub fn check_options(
    text: &str,
) -> Result<toolwire_contract::lock::CheckOptions, Error> {
    let given = Options::read(text, &["offline", "open", "budget"])?;
    let mut options = <toolwire_contract::lock::CheckOptions>::default();
    for (name, value) in given.members() {
        match name.as_ref() {
            "offline" => options.offline = given.flag(&name, value)?,
            "open" => options.diff.open = given.flag(&name, value)?,
            "budget" => {
                options.diff.budget = given.count(&name, value, 0..=9007199254740991)?;
            }
            _ => {}
        }
    }
    Ok(options)
}
/// Reads `ConvertOptions`.
///
/// # Errors
///
/// `bad_option` with a pointer to the first option that is unknown or has a wrong value.
pub fn convert_options(
    text: &str,
) -> Result<toolwire_contract::convert::ConvertOptions, Error> {
    let given = Options::read(text, &["name", "folder"])?;
    let mut options = <toolwire_contract::convert::ConvertOptions>::default();
    for (name, value) in given.members() {
        match name.as_ref() {
            "name" => options.name = given.owned(&name, value)?,
            "folder" => options.folder = given.owned(&name, value)?,
            _ => {}
        }
    }
    Ok(options)
}
/// What [`to_result_options`] reads.
pub struct ToResultOptions {
    /// The revision that the client speaks.
    pub revision: toolwire::mcp::Revision,
    /// Repeat structured content without a text block as text.
    pub mirror: bool,
    /// Whether `to_tool` wrapped the output schema of the tool.
    pub wrapped: bool,
    /// Limits for reading.
    pub limits: toolwire::Limits,
}
/// Reads `ToResultOptions`.
///
/// # Errors
///
/// `bad_option` with a pointer to the first option that is unknown or has a wrong value.
pub fn to_result_options(text: &str) -> Result<ToResultOptions, Error> {
    let given = Options::read(text, &["revision", "mirror", "wrapped", "limits"])?;
    let mut revision: Option<toolwire::mcp::Revision> = None;
    let mut mirror: bool = true;
    let mut wrapped: bool = Default::default();
    let mut limits: toolwire::Limits = Default::default();
    for (name, value) in given.members() {
        match name.as_ref() {
            "revision" => revision = Some(given.choice(&name, value)?),
            "mirror" => mirror = given.flag(&name, value)?,
            "wrapped" => wrapped = given.flag(&name, value)?,
            "limits" => limits = self::limits(value.raw())?,
            _ => {}
        }
    }
    Ok(ToResultOptions {
        revision: revision.ok_or_else(|| missing("revision"))?,
        mirror,
        wrapped,
        limits,
    })
}
/// Reads `MessageOptions`.
///
/// # Errors
///
/// `bad_option` with a pointer to the first option that is unknown or has a wrong value.
pub fn message_options(text: &str) -> Result<toolwire::provider::MessageOptions, Error> {
    let given = Options::read(
        text,
        &[
            "family",
            "structured",
            "resources",
            "maxBytes",
            "companion",
            "cache",
            "outputSchema",
        ],
    )?;
    let mut options = <toolwire::provider::MessageOptions>::default();
    for (name, value) in given.members() {
        match name.as_ref() {
            "family" => options.family = Some(given.choice(&name, value)?),
            "structured" => options.structured = given.choice(&name, value)?,
            "resources" => options.resources = given.choice(&name, value)?,
            "maxBytes" => {
                options.max_bytes = Some(given.count(&name, value, 256..=4294967295)?);
            }
            "companion" => options.companion = given.flag(&name, value)?,
            "cache" => options.cache = given.flag(&name, value)?,
            "outputSchema" => options.output_schema = given.flag(&name, value)?,
            _ => {}
        }
    }
    Ok(options)
}
/// Reads `ToolsOptions`.
///
/// # Errors
///
/// `bad_option` with a pointer to the first option that is unknown or has a wrong value.
pub fn tools_options(text: &str) -> Result<toolwire::provider::ToolsOptions, Error> {
    let given = Options::read(text, &["family", "strict", "cache", "outputSchemas"])?;
    let mut options = <toolwire::provider::ToolsOptions>::default();
    for (name, value) in given.members() {
        match name.as_ref() {
            "family" => options.family = Some(given.choice(&name, value)?),
            "strict" => options.strict = given.flag(&name, value)?,
            "cache" => options.cache = given.flag(&name, value)?,
            "outputSchemas" => options.output_schemas = given.flag(&name, value)?,
            _ => {}
        }
    }
    Ok(options)
}
/// What [`from_call_options`] reads.
pub struct FromCallOptions {
    /// Why the model stopped, in the provider's word.
    pub stop_reason: Option<String>,
    /// Whether it is the last call of its message: only that one can be cut off.
    pub is_last: bool,
    /// The tools that were given to `to_tools`, so that names and arguments come back as the tool has them.
    pub tools: Option<toolwire::Json>,
    /// As for `to_tools`.
    pub family: Option<toolwire::provider::Family>,
    /// As for `to_tools`.
    pub strict: bool,
}
/// Reads `FromCallOptions`.
///
/// # Errors
///
/// `bad_option` with a pointer to the first option that is unknown or has a wrong value.
pub fn from_call_options(text: &str) -> Result<FromCallOptions, Error> {
    let given = Options::read(
        text,
        &["stopReason", "isLast", "tools", "family", "strict"],
    )?;
    let mut stop_reason: Option<String> = None;
    let mut is_last: bool = true;
    let mut tools: Option<toolwire::Json> = None;
    let mut family: Option<toolwire::provider::Family> = None;
    let mut strict: bool = Default::default();
    for (name, value) in given.members() {
        match name.as_ref() {
            "stopReason" => stop_reason = Some(given.owned(&name, value)?),
            "isLast" => is_last = given.flag(&name, value)?,
            "tools" => tools = Some(toolwire::Json::from(value)),
            "family" => family = Some(given.choice(&name, value)?),
            "strict" => strict = given.flag(&name, value)?,
            _ => {}
        }
    }
    Ok(FromCallOptions {
        stop_reason,
        is_last,
        tools,
        family,
        strict,
    })
}
/// What [`revision_options`] reads.
pub struct RevisionOptions {
    /// The revision that the client speaks.
    pub revision: toolwire::mcp::Revision,
}
/// Reads `RevisionOptions`.
///
/// # Errors
///
/// `bad_option` with a pointer to the first option that is unknown or has a wrong value.
pub fn revision_options(text: &str) -> Result<RevisionOptions, Error> {
    let given = Options::read(text, &["revision"])?;
    let mut revision: Option<toolwire::mcp::Revision> = None;
    for (name, value) in given.members() {
        match name.as_ref() {
            "revision" => revision = Some(given.choice(&name, value)?),
            _ => {}
        }
    }
    Ok(RevisionOptions {
        revision: revision.ok_or_else(|| missing("revision"))?,
    })
}
/// What [`from_elicitation_options`] reads.
pub struct FromElicitationOptions {
    /// The id of the question.
    pub id: String,
}
/// Reads `FromElicitationOptions`.
///
/// # Errors
///
/// `bad_option` with a pointer to the first option that is unknown or has a wrong value.
pub fn from_elicitation_options(text: &str) -> Result<FromElicitationOptions, Error> {
    let given = Options::read(text, &["id"])?;
    let mut id: Option<String> = None;
    for (name, value) in given.members() {
        match name.as_ref() {
            "id" => id = Some(given.owned(&name, value)?),
            _ => {}
        }
    }
    Ok(FromElicitationOptions {
        id: id.ok_or_else(|| missing("id"))?,
    })
}
/// Reads `Alternatives`.
///
/// # Errors
///
/// `bad_option` with a pointer to the first option that is unknown or has a wrong value.
pub fn alternatives(text: &str) -> Result<toolwire_host::Alternatives, Error> {
    let given = Options::read(
        text,
        &["service", "oauth", "url", "upFront", "appPasswords"],
    )?;
    let mut options = <toolwire_host::Alternatives>::default();
    for (name, value) in given.members() {
        match name.as_ref() {
            "service" => options.service = given.owned(&name, value)?,
            "oauth" => options.oauth = given.owned(&name, value)?,
            "url" => options.url = given.owned(&name, value)?,
            "upFront" => options.up_front = given.owned(&name, value)?,
            "appPasswords" => options.app_passwords = given.owned(&name, value)?,
            _ => {}
        }
    }
    Ok(options)
}
/// Reads `ElicitOptions`.
///
/// # Errors
///
/// `bad_option` with a pointer to the first option that is unknown or has a wrong value.
pub fn elicit_options(text: &str) -> Result<crate::options::Asked, Error> {
    let given = Options::read(
        text,
        &[
            "revision",
            "context",
            "client",
            "elicitationId",
            "tool",
            "service",
            "oauth",
            "url",
            "upFront",
            "appPasswords",
        ],
    )?;
    let mut options = <crate::options::Asked>::default();
    for (name, value) in given.members() {
        match name.as_ref() {
            "revision" => options.revision = Some(given.choice(&name, value)?),
            "context" => options.context = given.texts(&name, value)?,
            "client" => options.about.host = given.owned(&name, value)?,
            "elicitationId" => options.elicitation_id = given.owned(&name, value)?,
            "tool" => options.about.tool = given.owned(&name, value)?,
            "service" => options.about.service = given.owned(&name, value)?,
            "oauth" => options.about.oauth = given.owned(&name, value)?,
            "url" => options.about.url = given.owned(&name, value)?,
            "upFront" => options.about.up_front = given.owned(&name, value)?,
            "appPasswords" => options.about.app_passwords = given.owned(&name, value)?,
            _ => {}
        }
    }
    Ok(options)
}
/// Reads `InputRequiredOptions`.
///
/// # Errors
///
/// `bad_option` with a pointer to the first option that is unknown or has a wrong value.
pub fn input_required_options(text: &str) -> Result<crate::options::Asked, Error> {
    let given = Options::read(
        text,
        &[
            "state",
            "context",
            "client",
            "tool",
            "service",
            "oauth",
            "url",
            "upFront",
            "appPasswords",
        ],
    )?;
    let mut options = <crate::options::Asked>::default();
    for (name, value) in given.members() {
        match name.as_ref() {
            "state" => options.state = given.owned(&name, value)?,
            "context" => options.context = given.texts(&name, value)?,
            "client" => options.about.host = given.owned(&name, value)?,
            "tool" => options.about.tool = given.owned(&name, value)?,
            "service" => options.about.service = given.owned(&name, value)?,
            "oauth" => options.about.oauth = given.owned(&name, value)?,
            "url" => options.about.url = given.owned(&name, value)?,
            "upFront" => options.about.up_front = given.owned(&name, value)?,
            "appPasswords" => options.about.app_passwords = given.owned(&name, value)?,
            _ => {}
        }
    }
    Ok(options)
}
/// What [`without_elicitation_options`] reads.
pub struct WithoutElicitationOptions {
    /// The name that the client gives itself.
    pub client: Option<String>,
    /// The tool that asks.
    pub tool: Option<String>,
    /// What people can do instead, by the ids of the questions.
    pub refusals: Option<
        std::collections::BTreeMap<String, toolwire_host::Alternatives>,
    >,
}
/// Reads `WithoutElicitationOptions`.
///
/// # Errors
///
/// `bad_option` with a pointer to the first option that is unknown or has a wrong value.
pub fn without_elicitation_options(
    text: &str,
) -> Result<WithoutElicitationOptions, Error> {
    let given = Options::read(text, &["client", "tool", "refusals"])?;
    let mut client: Option<String> = None;
    let mut tool: Option<String> = None;
    let mut refusals: Option<
        std::collections::BTreeMap<String, toolwire_host::Alternatives>,
    > = None;
    for (name, value) in given.members() {
        match name.as_ref() {
            "client" => client = Some(given.owned(&name, value)?),
            "tool" => tool = Some(given.owned(&name, value)?),
            "refusals" => {
                refusals = Some(options::each(value, &name, self::alternatives)?);
            }
            _ => {}
        }
    }
    Ok(WithoutElicitationOptions {
        client,
        tool,
        refusals,
    })
}
/// Reads `RefusalOptions`.
///
/// # Errors
///
/// `bad_option` with a pointer to the first option that is unknown or has a wrong value.
pub fn refusal_options(text: &str) -> Result<toolwire::question::RefusalOptions, Error> {
    let given = Options::read(
        text,
        &[
            "host",
            "tool",
            "service",
            "reason",
            "about",
            "oauth",
            "url",
            "upFront",
            "appPasswords",
        ],
    )?;
    let mut options = <toolwire::question::RefusalOptions>::default();
    for (name, value) in given.members() {
        match name.as_ref() {
            "host" => options.host = given.owned(&name, value)?,
            "tool" => options.tool = given.owned(&name, value)?,
            "service" => options.service = given.owned(&name, value)?,
            "reason" => options.reason = given.choice(&name, value)?,
            "about" => options.about = given.choice(&name, value)?,
            "oauth" => options.oauth = given.owned(&name, value)?,
            "url" => options.url = given.owned(&name, value)?,
            "upFront" => options.up_front = given.owned(&name, value)?,
            "appPasswords" => options.app_passwords = given.owned(&name, value)?,
            _ => {}
        }
    }
    options.check()?;
    Ok(options)
}
/// What [`project_options`] reads.
pub struct ProjectOptions {
    /// Whether the schema is for the answer to a question; then it is always wrapped.
    pub answer: bool,
    /// The provider that gets the schema.
    pub provider: Option<toolwire::schema::Provider>,
}
/// Reads `ProjectOptions`.
///
/// # Errors
///
/// `bad_option` with a pointer to the first option that is unknown or has a wrong value.
pub fn project_options(text: &str) -> Result<ProjectOptions, Error> {
    let given = Options::read(text, &["answer", "provider"])?;
    let mut answer: bool = Default::default();
    let mut provider: Option<toolwire::schema::Provider> = None;
    for (name, value) in given.members() {
        match name.as_ref() {
            "answer" => answer = given.flag(&name, value)?,
            "provider" => provider = Some(given.choice(&name, value)?),
            _ => {}
        }
    }
    Ok(ProjectOptions { answer, provider })
}
/// What [`lint_options`] reads.
pub struct LintOptions {
    /// The provider that gets the schema.
    pub provider: Option<toolwire::schema::Provider>,
}
/// Reads `LintOptions`.
///
/// # Errors
///
/// `bad_option` with a pointer to the first option that is unknown or has a wrong value.
pub fn lint_options(text: &str) -> Result<LintOptions, Error> {
    let given = Options::read(text, &["provider"])?;
    let mut provider: Option<toolwire::schema::Provider> = None;
    for (name, value) in given.members() {
        match name.as_ref() {
            "provider" => provider = Some(given.choice(&name, value)?),
            _ => {}
        }
    }
    Ok(LintOptions { provider })
}
/// What [`read_call_options`] reads.
pub struct ReadCallOptions {
    /// Where the call is.
    pub carrier: Option<String>,
    /// Limits for reading.
    pub limits: toolwire::Limits,
}
/// Reads `ReadCallOptions`.
///
/// # Errors
///
/// `bad_option` with a pointer to the first option that is unknown or has a wrong value.
pub fn read_call_options(text: &str) -> Result<ReadCallOptions, Error> {
    let given = Options::read(text, &["carrier", "limits"])?;
    let mut carrier: Option<String> = None;
    let mut limits: toolwire::Limits = Default::default();
    for (name, value) in given.members() {
        match name.as_ref() {
            "carrier" => carrier = Some(given.word(&name, value, &["document", "meta"])?),
            "limits" => limits = self::limits(value.raw())?,
            _ => {}
        }
    }
    Ok(ReadCallOptions { carrier, limits })
}
/// What [`terminal_options`] reads.
pub struct TerminalOptions {
    /// Whether the program has switched on application cursor keys.
    pub application_cursor: bool,
    /// Whether the program has switched on bracketed paste.
    pub bracketed_paste: bool,
}
/// Reads `TerminalOptions`.
///
/// # Errors
///
/// `bad_option` with a pointer to the first option that is unknown or has a wrong value.
pub fn terminal_options(text: &str) -> Result<TerminalOptions, Error> {
    let given = Options::read(text, &["applicationCursor", "bracketedPaste"])?;
    let mut application_cursor: bool = Default::default();
    let mut bracketed_paste: bool = Default::default();
    for (name, value) in given.members() {
        match name.as_ref() {
            "applicationCursor" => application_cursor = given.flag(&name, value)?,
            "bracketedPaste" => bracketed_paste = given.flag(&name, value)?,
            _ => {}
        }
    }
    Ok(TerminalOptions {
        application_cursor,
        bracketed_paste,
    })
}
/// What [`action_schema_options`] reads.
pub struct ActionSchemaOptions {
    /// The form of the schema.
    pub style: Option<toolwire::session::ActionStyle>,
}
/// Reads `ActionSchemaOptions`.
///
/// # Errors
///
/// `bad_option` with a pointer to the first option that is unknown or has a wrong value.
pub fn action_schema_options(text: &str) -> Result<ActionSchemaOptions, Error> {
    let given = Options::read(text, &["style"])?;
    let mut style: Option<toolwire::session::ActionStyle> = None;
    for (name, value) in given.members() {
        match name.as_ref() {
            "style" => style = Some(given.choice(&name, value)?),
            _ => {}
        }
    }
    Ok(ActionSchemaOptions { style })
}
/// Reads `SessionMachineOptions`.
///
/// # Errors
///
/// `bad_option` with a pointer to the first option that is unknown or has a wrong value.
pub fn session_machine_options(
    text: &str,
) -> Result<toolwire::session::SessionMachineOptions, Error> {
    let given = Options::read(
        text,
        &["actions", "maxBlocks", "maxBytes", "maxQuestions"],
    )?;
    let mut options = <toolwire::session::SessionMachineOptions>::default();
    for (name, value) in given.members() {
        match name.as_ref() {
            "actions" => options.actions = options::actions(value)?,
            "maxBlocks" => {
                options.max_blocks = given.count(&name, value, 1..=1000000000)?;
            }
            "maxBytes" => options.max_bytes = given.count(&name, value, 1..=1000000000)?,
            "maxQuestions" => {
                options.max_questions = given.count(&name, value, 1..=1000000000)?;
            }
            _ => {}
        }
    }
    Ok(options)
}
/// Reads `ExchangeOptions`.
///
/// # Errors
///
/// `bad_option` with a pointer to the first option that is unknown or has a wrong value.
pub fn exchange_options(text: &str) -> Result<toolwire_host::ExchangeOptions, Error> {
    let given = Options::read(
        text,
        &["host", "maxRounds", "maxTries", "given", "unanswered", "refusals"],
    )?;
    let mut options = <toolwire_host::ExchangeOptions>::default();
    for (name, value) in given.members() {
        match name.as_ref() {
            "host" => options.host = options::host(value)?,
            "maxRounds" => options.max_rounds = given.count(&name, value, 1..=1000000)?,
            "maxTries" => options.max_tries = given.count(&name, value, 1..=1000000)?,
            "given" => options.given = options::given(value)?,
            "unanswered" => options.unanswered = options::unanswered(value)?,
            "refusals" => {
                options.refusals = options::each(value, &name, self::alternatives)?;
            }
            _ => {}
        }
    }
    Ok(options)
}
