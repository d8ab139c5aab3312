// Generated from schema/api.json. Do not edit: run `cargo xtask codegen`.

//! Options from JSON text: `null` means absent, and unknown names are refused (API-3, API-18).
#![allow(clippy::single_match, unused_qualifications)]
use toolwire::Error;
use crate::options::{self, Options, Unit, missing};
/// Reads `Limits`.
///
/// # Errors
///
/// `bad_option` with a pointer to the first option that is unknown or has a wrong value.
pub fn limits(text: &str) -> Result<toolwire::Limits, Error> {
    limits_in(
        &Options::read(
            text,
            &["maxBytes", "maxDepth", "maxValues", "maxBlocks", "maxDiagnostics"],
        )?,
    )
}
/// Those of more options.
pub(crate) fn limits_in(given: &Options<'_>) -> Result<toolwire::Limits, Error> {
    let mut options = <toolwire::Limits>::default();
    for (member, value) in given.members() {
        match member.as_ref() {
            "maxBytes" => {
                options.max_bytes = given.count(&member, value, 0..=4294967295)?;
            }
            "maxDepth" => options.max_depth = given.count(&member, value, 0..=1024)?,
            "maxValues" => {
                options.max_values = given.count(&member, value, 0..=4294967295)?;
            }
            "maxBlocks" => {
                options.max_blocks = given.count(&member, value, 0..=4294967295)?;
            }
            "maxDiagnostics" => {
                options.max_diagnostics = given.count(&member, value, 0..=4294967295)?;
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
    format_options_in(
        &Options::read(
            text,
            &["target", "style", "header", "maxBytes", "audience", "nonce", "color"],
        )?,
    )
}
/// Those of more options.
pub(crate) fn format_options_in(
    given: &Options<'_>,
) -> Result<toolwire::FormatOptions, Error> {
    let mut options = <toolwire::FormatOptions>::default();
    for (member, value) in given.members() {
        match member.as_ref() {
            "target" => options.target = given.choice(&member, value)?,
            "style" => options.style = given.choice(&member, value)?,
            "header" => options.header = given.flag(&member, value)?,
            "maxBytes" => {
                options.max_bytes = Some(given.count(&member, value, 256..=4294967295)?);
            }
            "audience" => options.audience = Some(given.choice(&member, value)?),
            "nonce" => options.nonce = given.owned(&member, value)?,
            "color" => options.color = given.flag(&member, value)?,
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
    explain_options_in(&Options::read(text, &["color"])?)
}
/// Those of more options.
pub(crate) fn explain_options_in(
    given: &Options<'_>,
) -> Result<toolwire::ExplainOptions, Error> {
    let mut options = <toolwire::ExplainOptions>::default();
    for (member, value) in given.members() {
        match member.as_ref() {
            "color" => options.color = given.flag(&member, value)?,
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
    identify_options_in(&Options::read(text, &["root", "known"])?)
}
/// Those of more options.
pub(crate) fn identify_options_in(
    given: &Options<'_>,
) -> Result<toolwire::IdentifyOptions, Error> {
    let mut options = <toolwire::IdentifyOptions>::default();
    for (member, value) in given.members() {
        match member.as_ref() {
            "root" => options.root = given.path(&member, value)?,
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
    fingerprint_options_in(&Options::read(text, &["launch", "maxSchemas"])?)
}
/// Those of more options.
pub(crate) fn fingerprint_options_in(
    given: &Options<'_>,
) -> Result<toolwire_contract::fingerprint::FingerprintOptions, Error> {
    let mut options = <toolwire_contract::fingerprint::FingerprintOptions>::default();
    for (member, value) in given.members() {
        match member.as_ref() {
            "launch" => options.launch = Some(given.object(&member, value)?),
            "maxSchemas" => {
                options.max_schemas = given.count(&member, value, 0..=9007199254740991)?;
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
    diff_options_in(&Options::read(text, &["open", "budget"])?)
}
/// Those of more options.
pub(crate) fn diff_options_in(
    given: &Options<'_>,
) -> Result<toolwire_contract::diff::DiffOptions, Error> {
    let mut options = <toolwire_contract::diff::DiffOptions>::default();
    for (member, value) in given.members() {
        match member.as_ref() {
            "open" => options.open = given.flag(&member, value)?,
            "budget" => {
                options.budget = given.count(&member, value, 0..=9007199254740991)?;
            }
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
    read_options_in(&Options::read(text, &["limits"])?)
}
/// Those of more options.
pub(crate) fn read_options_in(given: &Options<'_>) -> Result<ReadOptions, Error> {
    let mut limits: toolwire::Limits = Default::default();
    for (member, value) in given.members() {
        match member.as_ref() {
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
    check_options_in(&Options::read(text, &["offline", "open", "budget"])?)
}
/// Those of more options.
pub(crate) fn check_options_in(
    given: &Options<'_>,
) -> Result<toolwire_contract::lock::CheckOptions, Error> {
    let mut options = <toolwire_contract::lock::CheckOptions>::default();
    for (member, value) in given.members() {
        match member.as_ref() {
            "offline" => options.offline = given.flag(&member, value)?,
            "open" => options.diff.open = given.flag(&member, value)?,
            "budget" => {
                options.diff.budget = given.count(&member, value, 0..=9007199254740991)?;
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
    convert_options_in(&Options::read(text, &["name", "folder"])?)
}
/// Those of more options.
pub(crate) fn convert_options_in(
    given: &Options<'_>,
) -> Result<toolwire_contract::convert::ConvertOptions, Error> {
    let mut options = <toolwire_contract::convert::ConvertOptions>::default();
    for (member, value) in given.members() {
        match member.as_ref() {
            "name" => options.name = given.owned(&member, value)?,
            "folder" => options.folder = given.owned(&member, value)?,
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
    to_result_options_in(
        &Options::read(text, &["revision", "mirror", "wrapped", "limits"])?,
    )
}
/// Those of more options.
pub(crate) fn to_result_options_in(
    given: &Options<'_>,
) -> Result<ToResultOptions, Error> {
    let mut revision: Option<toolwire::mcp::Revision> = None;
    let mut mirror: bool = true;
    let mut wrapped: bool = Default::default();
    let mut limits: toolwire::Limits = Default::default();
    for (member, value) in given.members() {
        match member.as_ref() {
            "revision" => revision = Some(given.choice(&member, value)?),
            "mirror" => mirror = given.flag(&member, value)?,
            "wrapped" => wrapped = given.flag(&member, value)?,
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
    message_options_in(
        &Options::read(
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
        )?,
    )
}
/// Those of more options.
pub(crate) fn message_options_in(
    given: &Options<'_>,
) -> Result<toolwire::provider::MessageOptions, Error> {
    let mut options = <toolwire::provider::MessageOptions>::default();
    for (member, value) in given.members() {
        match member.as_ref() {
            "family" => options.family = Some(given.choice(&member, value)?),
            "structured" => options.structured = given.choice(&member, value)?,
            "resources" => options.resources = given.choice(&member, value)?,
            "maxBytes" => {
                options.max_bytes = Some(given.count(&member, value, 256..=4294967295)?);
            }
            "companion" => options.companion = given.flag(&member, value)?,
            "cache" => options.cache = given.flag(&member, value)?,
            "outputSchema" => options.output_schema = given.flag(&member, value)?,
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
    tools_options_in(
        &Options::read(text, &["family", "strict", "cache", "outputSchemas"])?,
    )
}
/// Those of more options.
pub(crate) fn tools_options_in(
    given: &Options<'_>,
) -> Result<toolwire::provider::ToolsOptions, Error> {
    let mut options = <toolwire::provider::ToolsOptions>::default();
    for (member, value) in given.members() {
        match member.as_ref() {
            "family" => options.family = Some(given.choice(&member, value)?),
            "strict" => options.strict = given.flag(&member, value)?,
            "cache" => options.cache = given.flag(&member, value)?,
            "outputSchemas" => options.output_schemas = given.flag(&member, value)?,
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
    from_call_options_in(
        &Options::read(text, &["stopReason", "isLast", "tools", "family", "strict"])?,
    )
}
/// Those of more options.
pub(crate) fn from_call_options_in(
    given: &Options<'_>,
) -> Result<FromCallOptions, Error> {
    let mut stop_reason: Option<String> = None;
    let mut is_last: bool = true;
    let mut tools: Option<toolwire::Json> = None;
    let mut family: Option<toolwire::provider::Family> = None;
    let mut strict: bool = Default::default();
    for (member, value) in given.members() {
        match member.as_ref() {
            "stopReason" => stop_reason = Some(given.owned(&member, value)?),
            "isLast" => is_last = given.flag(&member, value)?,
            "tools" => tools = Some(toolwire::Json::from(value)),
            "family" => family = Some(given.choice(&member, value)?),
            "strict" => strict = given.flag(&member, value)?,
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
    revision_options_in(&Options::read(text, &["revision"])?)
}
/// Those of more options.
pub(crate) fn revision_options_in(
    given: &Options<'_>,
) -> Result<RevisionOptions, Error> {
    let mut revision: Option<toolwire::mcp::Revision> = None;
    for (member, value) in given.members() {
        match member.as_ref() {
            "revision" => revision = Some(given.choice(&member, value)?),
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
    from_elicitation_options_in(&Options::read(text, &["id"])?)
}
/// Those of more options.
pub(crate) fn from_elicitation_options_in(
    given: &Options<'_>,
) -> Result<FromElicitationOptions, Error> {
    let mut id: Option<String> = None;
    for (member, value) in given.members() {
        match member.as_ref() {
            "id" => id = Some(given.owned(&member, value)?),
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
    alternatives_in(
        &Options::read(text, &["service", "oauth", "url", "upFront", "appPasswords"])?,
    )
}
/// Those of more options.
pub(crate) fn alternatives_in(
    given: &Options<'_>,
) -> Result<toolwire_host::Alternatives, Error> {
    let mut options = <toolwire_host::Alternatives>::default();
    for (member, value) in given.members() {
        match member.as_ref() {
            "service" => options.service = given.owned(&member, value)?,
            "oauth" => options.oauth = given.owned(&member, value)?,
            "url" => options.url = given.owned(&member, value)?,
            "upFront" => options.up_front = given.owned(&member, value)?,
            "appPasswords" => options.app_passwords = given.owned(&member, value)?,
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
    elicit_options_in(
        &Options::read(
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
        )?,
    )
}
/// Those of more options.
pub(crate) fn elicit_options_in(
    given: &Options<'_>,
) -> Result<crate::options::Asked, Error> {
    let mut options = <crate::options::Asked>::default();
    for (member, value) in given.members() {
        match member.as_ref() {
            "revision" => options.revision = Some(given.choice(&member, value)?),
            "context" => options.context = given.texts(&member, value)?,
            "client" => options.about.host = given.owned(&member, value)?,
            "elicitationId" => options.elicitation_id = given.owned(&member, value)?,
            "tool" => options.about.tool = given.owned(&member, value)?,
            "service" => options.about.service = given.owned(&member, value)?,
            "oauth" => options.about.oauth = given.owned(&member, value)?,
            "url" => options.about.url = given.owned(&member, value)?,
            "upFront" => options.about.up_front = given.owned(&member, value)?,
            "appPasswords" => options.about.app_passwords = given.owned(&member, value)?,
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
    input_required_options_in(
        &Options::read(
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
        )?,
    )
}
/// Those of more options.
pub(crate) fn input_required_options_in(
    given: &Options<'_>,
) -> Result<crate::options::Asked, Error> {
    let mut options = <crate::options::Asked>::default();
    for (member, value) in given.members() {
        match member.as_ref() {
            "state" => options.state = given.owned(&member, value)?,
            "context" => options.context = given.texts(&member, value)?,
            "client" => options.about.host = given.owned(&member, value)?,
            "tool" => options.about.tool = given.owned(&member, value)?,
            "service" => options.about.service = given.owned(&member, value)?,
            "oauth" => options.about.oauth = given.owned(&member, value)?,
            "url" => options.about.url = given.owned(&member, value)?,
            "upFront" => options.about.up_front = given.owned(&member, value)?,
            "appPasswords" => options.about.app_passwords = given.owned(&member, value)?,
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
    without_elicitation_options_in(
        &Options::read(text, &["client", "tool", "refusals"])?,
    )
}
/// Those of more options.
pub(crate) fn without_elicitation_options_in(
    given: &Options<'_>,
) -> Result<WithoutElicitationOptions, Error> {
    let mut client: Option<String> = None;
    let mut tool: Option<String> = None;
    let mut refusals: Option<
        std::collections::BTreeMap<String, toolwire_host::Alternatives>,
    > = None;
    for (member, value) in given.members() {
        match member.as_ref() {
            "client" => client = Some(given.owned(&member, value)?),
            "tool" => tool = Some(given.owned(&member, value)?),
            "refusals" => {
                refusals = Some(options::each(value, &member, self::alternatives)?);
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
    refusal_options_in(
        &Options::read(
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
        )?,
    )
}
/// Those of more options.
pub(crate) fn refusal_options_in(
    given: &Options<'_>,
) -> Result<toolwire::question::RefusalOptions, Error> {
    let mut options = <toolwire::question::RefusalOptions>::default();
    for (member, value) in given.members() {
        match member.as_ref() {
            "host" => options.host = given.owned(&member, value)?,
            "tool" => options.tool = given.owned(&member, value)?,
            "service" => options.service = given.owned(&member, value)?,
            "reason" => options.reason = given.choice(&member, value)?,
            "about" => options.about = given.choice(&member, value)?,
            "oauth" => options.oauth = given.owned(&member, value)?,
            "url" => options.url = given.owned(&member, value)?,
            "upFront" => options.up_front = given.owned(&member, value)?,
            "appPasswords" => options.app_passwords = given.owned(&member, value)?,
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
    project_options_in(&Options::read(text, &["answer", "provider"])?)
}
/// Those of more options.
pub(crate) fn project_options_in(given: &Options<'_>) -> Result<ProjectOptions, Error> {
    let mut answer: bool = Default::default();
    let mut provider: Option<toolwire::schema::Provider> = None;
    for (member, value) in given.members() {
        match member.as_ref() {
            "answer" => answer = given.flag(&member, value)?,
            "provider" => provider = Some(given.choice(&member, value)?),
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
    lint_options_in(&Options::read(text, &["provider"])?)
}
/// Those of more options.
pub(crate) fn lint_options_in(given: &Options<'_>) -> Result<LintOptions, Error> {
    let mut provider: Option<toolwire::schema::Provider> = None;
    for (member, value) in given.members() {
        match member.as_ref() {
            "provider" => provider = Some(given.choice(&member, value)?),
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
    read_call_options_in(&Options::read(text, &["carrier", "limits"])?)
}
/// Those of more options.
pub(crate) fn read_call_options_in(
    given: &Options<'_>,
) -> Result<ReadCallOptions, Error> {
    let mut carrier: Option<String> = None;
    let mut limits: toolwire::Limits = Default::default();
    for (member, value) in given.members() {
        match member.as_ref() {
            "carrier" => {
                carrier = Some(given.word(&member, value, &["document", "meta"])?);
            }
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
    terminal_options_in(&Options::read(text, &["applicationCursor", "bracketedPaste"])?)
}
/// Those of more options.
pub(crate) fn terminal_options_in(
    given: &Options<'_>,
) -> Result<TerminalOptions, Error> {
    let mut application_cursor: bool = Default::default();
    let mut bracketed_paste: bool = Default::default();
    for (member, value) in given.members() {
        match member.as_ref() {
            "applicationCursor" => application_cursor = given.flag(&member, value)?,
            "bracketedPaste" => bracketed_paste = given.flag(&member, value)?,
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
    action_schema_options_in(&Options::read(text, &["style"])?)
}
/// Those of more options.
pub(crate) fn action_schema_options_in(
    given: &Options<'_>,
) -> Result<ActionSchemaOptions, Error> {
    let mut style: Option<toolwire::session::ActionStyle> = None;
    for (member, value) in given.members() {
        match member.as_ref() {
            "style" => style = Some(given.choice(&member, value)?),
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
    session_machine_options_in(
        &Options::read(text, &["actions", "maxBlocks", "maxBytes", "maxQuestions"])?,
    )
}
/// Those of more options.
pub(crate) fn session_machine_options_in(
    given: &Options<'_>,
) -> Result<toolwire::session::SessionMachineOptions, Error> {
    let mut options = <toolwire::session::SessionMachineOptions>::default();
    for (member, value) in given.members() {
        match member.as_ref() {
            "actions" => options.actions = options::actions(value)?,
            "maxBlocks" => {
                options.max_blocks = given.count(&member, value, 1..=1000000000)?;
            }
            "maxBytes" => {
                options.max_bytes = given.count(&member, value, 1..=1000000000)?;
            }
            "maxQuestions" => {
                options.max_questions = given.count(&member, value, 1..=1000000000)?;
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
    exchange_options_in(
        &Options::read(
            text,
            &["host", "maxRounds", "maxTries", "given", "unanswered", "refusals"],
        )?,
    )
}
/// Those of more options.
pub(crate) fn exchange_options_in(
    given: &Options<'_>,
) -> Result<toolwire_host::ExchangeOptions, Error> {
    let mut options = <toolwire_host::ExchangeOptions>::default();
    for (member, value) in given.members() {
        match member.as_ref() {
            "host" => options.host = options::host(value)?,
            "maxRounds" => options.max_rounds = given.count(&member, value, 1..=1000000)?,
            "maxTries" => options.max_tries = given.count(&member, value, 1..=1000000)?,
            "given" => options.given = options::given(value)?,
            "unanswered" => options.unanswered = options::unanswered(value)?,
            "refusals" => {
                options.refusals = options::each(value, &member, self::alternatives)?;
            }
            _ => {}
        }
    }
    Ok(options)
}
/// What [`call_options`] reads.
pub struct CallOptions {
    /// The name of the tool; default: the file name without its extension.
    pub tool: Option<String>,
    /// The arguments of the tool.
    pub arguments: Option<toolwire::Json>,
    /// Answers the questions; without it they are unavailable.
    pub answerer: bool,
    /// Settings for the tool that no model sees.
    pub options: Option<toolwire::Json>,
    /// The root of the workspace.
    pub root: Option<std::path::PathBuf>,
    /// Run the tool, or explain the arguments.
    pub action: Option<toolwire::call::Action>,
}
/// Reads `CallOptions`.
///
/// # Errors
///
/// `bad_option` with a pointer to the first option that is unknown or has a wrong value.
pub fn call_options(text: &str) -> Result<CallOptions, Error> {
    call_options_in(
        &Options::read(
            text,
            &["tool", "arguments", "answerer", "options", "root", "action"],
        )?,
    )
}
/// Those of more options.
pub(crate) fn call_options_in(given: &Options<'_>) -> Result<CallOptions, Error> {
    let mut tool: Option<String> = None;
    let mut arguments: Option<toolwire::Json> = None;
    let mut answerer: bool = Default::default();
    let mut options: Option<toolwire::Json> = None;
    let mut root: Option<std::path::PathBuf> = None;
    let mut action: Option<toolwire::call::Action> = None;
    for (member, value) in given.members() {
        match member.as_ref() {
            "tool" => tool = Some(given.owned(&member, value)?),
            "arguments" => arguments = Some(given.object(&member, value)?),
            "answerer" => answerer = given.callback(&member, value)?,
            "options" => options = Some(given.object(&member, value)?),
            "root" => root = Some(given.path(&member, value)?),
            "action" => action = Some(given.choice(&member, value)?),
            _ => {}
        }
    }
    Ok(CallOptions {
        tool,
        arguments,
        answerer,
        options,
        root,
        action,
    })
}
/// What [`watch_options`] reads.
pub struct WatchOptions {
    /// Gets stderr live; a piece may begin and end inside a character.
    pub on_stderr: bool,
    /// Gets how far the tool has come, if it says so. Newer progress replaces what waits.
    pub on_progress: bool,
    /// Gets the log messages of the tool. If many wait, the oldest are left out.
    pub on_log: bool,
}
/// Reads `WatchOptions`.
///
/// # Errors
///
/// `bad_option` with a pointer to the first option that is unknown or has a wrong value.
pub fn watch_options(text: &str) -> Result<WatchOptions, Error> {
    watch_options_in(&Options::read(text, &["onStderr", "onProgress", "onLog"])?)
}
/// Those of more options.
pub(crate) fn watch_options_in(given: &Options<'_>) -> Result<WatchOptions, Error> {
    let mut on_stderr: bool = Default::default();
    let mut on_progress: bool = Default::default();
    let mut on_log: bool = Default::default();
    for (member, value) in given.members() {
        match member.as_ref() {
            "onStderr" => on_stderr = given.callback(&member, value)?,
            "onProgress" => on_progress = given.callback(&member, value)?,
            "onLog" => on_log = given.callback(&member, value)?,
            _ => {}
        }
    }
    Ok(WatchOptions {
        on_stderr,
        on_progress,
        on_log,
    })
}
/// What [`process_options`] reads.
pub struct ProcessOptions {
    /// The working directory; default: that of this process.
    pub cwd: Option<std::path::PathBuf>,
    /// Which environment variables the program inherits: `standard`, `all`, or a list of names.
    pub inherit: Option<toolwire_host::Environment>,
    /// Environment variables that are set beside those.
    pub env: std::collections::BTreeMap<String, String>,
    /// Time limit for each run; default: none.
    pub timeout: Option<std::time::Duration>,
    /// Maximum number of bytes of output.
    pub max_output: Option<usize>,
    /// Limits for reading its answer.
    pub limits: Option<toolwire::Limits>,
}
/// Reads `ProcessOptions`.
///
/// # Errors
///
/// `bad_option` with a pointer to the first option that is unknown or has a wrong value.
pub fn process_options(text: &str) -> Result<ProcessOptions, Error> {
    process_options_in(
        &Options::read(
            text,
            &["cwd", "inherit", "env", "timeout", "maxOutput", "limits"],
        )?,
    )
}
/// Those of more options.
pub(crate) fn process_options_in(given: &Options<'_>) -> Result<ProcessOptions, Error> {
    let mut cwd: Option<std::path::PathBuf> = None;
    let mut inherit: Option<toolwire_host::Environment> = None;
    let mut env: std::collections::BTreeMap<String, String> = Default::default();
    let mut timeout: Option<std::time::Duration> = None;
    let mut max_output: Option<usize> = None;
    let mut limits: Option<toolwire::Limits> = None;
    for (member, value) in given.members() {
        match member.as_ref() {
            "cwd" => cwd = Some(given.path(&member, value)?),
            "inherit" => inherit = Some(options::inherit(value)?),
            "env" => env = given.strings(&member, value)?,
            "timeout" => timeout = Some(given.duration(&member, value, true)?),
            "maxOutput" => {
                max_output = Some(given.count(&member, value, 0..=9007199254740991)?);
            }
            "limits" => limits = Some(self::limits(value.raw())?),
            _ => {}
        }
    }
    Ok(ProcessOptions {
        cwd,
        inherit,
        env,
        timeout,
        max_output,
        limits,
    })
}
/// What [`source_options`] reads.
pub struct SourceOptions {
    /// The lock that the source and its tools have to be as; default: none.
    pub lock: Option<std::path::PathBuf>,
}
/// Reads `SourceOptions`.
///
/// # Errors
///
/// `bad_option` with a pointer to the first option that is unknown or has a wrong value.
pub fn source_options(text: &str) -> Result<SourceOptions, Error> {
    source_options_in(&Options::read(text, &["lock"])?)
}
/// Those of more options.
pub(crate) fn source_options_in(given: &Options<'_>) -> Result<SourceOptions, Error> {
    let mut lock: Option<std::path::PathBuf> = None;
    for (member, value) in given.members() {
        match member.as_ref() {
            "lock" => lock = Some(given.path(&member, value)?),
            _ => {}
        }
    }
    Ok(SourceOptions { lock })
}
/// What [`server_options`] reads.
pub struct ServerOptions {
    /// What messages and questions call the server.
    pub name: Option<String>,
    /// The file of an MCP client in which a name is looked up.
    pub config: Option<std::path::PathBuf>,
    /// Start a command of a launch URI or a file although nobody has agreed to it.
    pub trust: bool,
    /// Headers that are sent to the URL, and to nobody else.
    pub headers: std::collections::BTreeMap<String, String>,
    /// How long the server may take until it is ready.
    pub connect_timeout: Option<std::time::Duration>,
    /// How long a call may take in all, although the server reports progress.
    pub max_timeout: Option<std::time::Duration>,
    /// Maximum number of bytes of one message.
    pub max_message: Option<usize>,
    /// Send the context of calls to a server that does not say that it knows Toolwire.
    pub send_context: bool,
}
/// Reads `ServerOptions`.
///
/// # Errors
///
/// `bad_option` with a pointer to the first option that is unknown or has a wrong value.
pub fn server_options(text: &str) -> Result<ServerOptions, Error> {
    server_options_in(
        &Options::read(
            text,
            &[
                "name",
                "config",
                "trust",
                "headers",
                "connectTimeout",
                "maxTimeout",
                "maxMessage",
                "sendContext",
            ],
        )?,
    )
}
/// Those of more options.
pub(crate) fn server_options_in(given: &Options<'_>) -> Result<ServerOptions, Error> {
    let mut name: Option<String> = None;
    let mut config: Option<std::path::PathBuf> = None;
    let mut trust: bool = Default::default();
    let mut headers: std::collections::BTreeMap<String, String> = Default::default();
    let mut connect_timeout: Option<std::time::Duration> = None;
    let mut max_timeout: Option<std::time::Duration> = None;
    let mut max_message: Option<usize> = None;
    let mut send_context: bool = Default::default();
    for (member, value) in given.members() {
        match member.as_ref() {
            "name" => name = Some(given.owned(&member, value)?),
            "config" => config = Some(given.path(&member, value)?),
            "trust" => trust = given.flag(&member, value)?,
            "headers" => headers = given.strings(&member, value)?,
            "connectTimeout" => {
                connect_timeout = Some(given.duration(&member, value, true)?);
            }
            "maxTimeout" => max_timeout = Some(given.duration(&member, value, true)?),
            "maxMessage" => {
                max_message = Some(given.count(&member, value, 1..=9007199254740991)?);
            }
            "sendContext" => send_context = given.flag(&member, value)?,
            _ => {}
        }
    }
    Ok(ServerOptions {
        name,
        config,
        trust,
        headers,
        connect_timeout,
        max_timeout,
        max_message,
        send_context,
    })
}
/// What [`sessions_callbacks`] reads.
pub struct SessionsCallbacks {
    /// Gets each question that is for a person.
    pub answerer: bool,
    /// Gets each action that needs approval, and says true, false, or why not; default: nobody is asked.
    pub approve: bool,
    /// Gets the id of a handle and its new state.
    pub on_state: bool,
    /// Gets how far the tool of a handle has come.
    pub on_progress: bool,
    /// Gets the log messages of the tool of a handle.
    pub on_log: bool,
    /// Gets what the tool of a handle writes to stderr.
    pub on_stderr: bool,
}
/// Reads `SessionsCallbacks`.
///
/// # Errors
///
/// `bad_option` with a pointer to the first option that is unknown or has a wrong value.
pub fn sessions_callbacks(text: &str) -> Result<SessionsCallbacks, Error> {
    sessions_callbacks_in(
        &Options::read(
            text,
            &["answerer", "approve", "onState", "onProgress", "onLog", "onStderr"],
        )?,
    )
}
/// Those of more options.
pub(crate) fn sessions_callbacks_in(
    given: &Options<'_>,
) -> Result<SessionsCallbacks, Error> {
    let mut answerer: bool = Default::default();
    let mut approve: bool = Default::default();
    let mut on_state: bool = Default::default();
    let mut on_progress: bool = Default::default();
    let mut on_log: bool = Default::default();
    let mut on_stderr: bool = Default::default();
    for (member, value) in given.members() {
        match member.as_ref() {
            "answerer" => answerer = given.callback(&member, value)?,
            "approve" => approve = given.callback(&member, value)?,
            "onState" => on_state = given.callback(&member, value)?,
            "onProgress" => on_progress = given.callback(&member, value)?,
            "onLog" => on_log = given.callback(&member, value)?,
            "onStderr" => on_stderr = given.callback(&member, value)?,
            _ => {}
        }
    }
    Ok(SessionsCallbacks {
        answerer,
        approve,
        on_state,
        on_progress,
        on_log,
        on_stderr,
    })
}
/// Reads `SessionsOptions`.
///
/// # Errors
///
/// `bad_option` with a pointer to the first option that is unknown or has a wrong value.
pub fn sessions_options(text: &str) -> Result<toolwire_host::SessionsOptions, Error> {
    sessions_options_in(
        &Options::read(
            text,
            &[
                "maxHandles",
                "maxMemory",
                "keep",
                "firstWait",
                "quiet",
                "maxReply",
                "maxWait",
            ],
        )?,
    )
}
/// Those of more options.
pub(crate) fn sessions_options_in(
    given: &Options<'_>,
) -> Result<toolwire_host::SessionsOptions, Error> {
    let mut options = <toolwire_host::SessionsOptions>::default();
    for (member, value) in given.members() {
        match member.as_ref() {
            "maxHandles" => {
                options.max_handles = given.count(&member, value, 1..=1000000000)?;
            }
            "maxMemory" => {
                options.max_memory = given.count(&member, value, 1..=1000000000)?;
            }
            "keep" => options.keep = given.duration(&member, value, false)?,
            "firstWait" => options.first_wait = given.duration(&member, value, false)?,
            "quiet" => options.quiet = given.duration(&member, value, false)?,
            "maxReply" => {
                options.max_reply = given.count(&member, value, 1..=1000000000)?;
            }
            "maxWait" => options.max_wait = given.duration(&member, value, false)?,
            _ => {}
        }
    }
    Ok(options)
}
/// What [`rules_options`] reads.
pub struct RulesOptions {
    /// The rules for tools that have none of their own.
    pub rules: Option<toolwire::Json>,
}
/// Reads `RulesOptions`.
///
/// # Errors
///
/// `bad_option` with a pointer to the first option that is unknown or has a wrong value.
pub fn rules_options(text: &str) -> Result<RulesOptions, Error> {
    rules_options_in(&Options::read(text, &["rules"])?)
}
/// Those of more options.
pub(crate) fn rules_options_in(given: &Options<'_>) -> Result<RulesOptions, Error> {
    let mut rules: Option<toolwire::Json> = None;
    for (member, value) in given.members() {
        match member.as_ref() {
            "rules" => rules = Some(given.object(&member, value)?),
            _ => {}
        }
    }
    Ok(RulesOptions { rules })
}
/// Reads `SessionRules`.
///
/// # Errors
///
/// `bad_option` with a pointer to the first option that is unknown or has a wrong value.
pub fn session_rules(text: &str) -> Result<toolwire_host::SessionRules, Error> {
    session_rules_in(
        &Options::read(
            text,
            &[
                "turn",
                "approve",
                "sessionTime",
                "idleTime",
                "grace",
                "maxBlocks",
                "maxBytes",
                "maxQuestions",
            ],
        )?,
    )
}
/// Those of more options.
pub(crate) fn session_rules_in(
    given: &Options<'_>,
) -> Result<toolwire_host::SessionRules, Error> {
    let mut options = <toolwire_host::SessionRules>::default();
    for (member, value) in given.members() {
        match member.as_ref() {
            "turn" => options.turn = options::turn(value)?,
            "approve" => options.approve = options::approve(value)?,
            "sessionTime" => {
                options.session_time = Some(given.duration(&member, value, false)?);
            }
            "idleTime" => {
                options.idle_time = Some(given.duration(&member, value, false)?);
            }
            "grace" => options.grace = given.duration(&member, value, false)?,
            "maxBlocks" => {
                options.max_blocks = given.count(&member, value, 1..=1000000000)?;
            }
            "maxBytes" => {
                options.max_bytes = given.count(&member, value, 1..=1000000000)?;
            }
            "maxQuestions" => {
                options.max_questions = given.count(&member, value, 1..=1000000000)?;
            }
            _ => {}
        }
    }
    Ok(options)
}
/// What [`turn_options`] reads.
pub struct TurnOptions {
    /// How long `wait` waits; then the handle ends.
    pub turn_wait: Option<std::time::Duration>,
}
/// Reads `TurnOptions`.
///
/// # Errors
///
/// `bad_option` with a pointer to the first option that is unknown or has a wrong value.
pub fn turn_options(text: &str) -> Result<TurnOptions, Error> {
    turn_options_in(&Options::read(text, &["turnWait"])?)
}
/// Those of more options.
pub(crate) fn turn_options_in(given: &Options<'_>) -> Result<TurnOptions, Error> {
    let mut turn_wait: Option<std::time::Duration> = None;
    for (member, value) in given.members() {
        match member.as_ref() {
            "turnWait" => turn_wait = Some(given.duration(&member, value, false)?),
            _ => {}
        }
    }
    Ok(TurnOptions { turn_wait })
}
/// What [`add_options`] reads.
pub struct AddOptions {
    /// Drives any program as one tool: in a pseudo-terminal, or on plain pipes.
    pub session: Option<toolwire_host::manifest::SessionKind>,
    /// The columns and rows of its pseudo-terminal; default: 80 and 24.
    pub size: Option<(u16, u16)>,
    /// The name of that tool; default: that of its file.
    pub name: Option<String>,
    /// What that tool is, for a model.
    pub description: Option<String>,
    /// The tools of the program that are added; default: all.
    pub only: Option<Vec<String>>,
    /// The rules for their handles.
    pub rules: Option<toolwire::Json>,
    /// Settings for the tools that no model sees.
    pub options: Option<toolwire::Json>,
    /// The root of the workspace.
    pub root: Option<std::path::PathBuf>,
}
/// Reads `AddOptions`.
///
/// # Errors
///
/// `bad_option` with a pointer to the first option that is unknown or has a wrong value.
pub fn add_options(text: &str) -> Result<AddOptions, Error> {
    add_options_in(
        &Options::read(
            text,
            &[
                "session",
                "size",
                "name",
                "description",
                "only",
                "rules",
                "options",
                "root",
            ],
        )?,
    )
}
/// Those of more options.
pub(crate) fn add_options_in(given: &Options<'_>) -> Result<AddOptions, Error> {
    let mut session: Option<toolwire_host::manifest::SessionKind> = None;
    let mut size: Option<(u16, u16)> = None;
    let mut name: Option<String> = None;
    let mut description: Option<String> = None;
    let mut only: Option<Vec<String>> = None;
    let mut rules: Option<toolwire::Json> = None;
    let mut options: Option<toolwire::Json> = None;
    let mut root: Option<std::path::PathBuf> = None;
    for (member, value) in given.members() {
        match member.as_ref() {
            "session" => session = Some(options::session(value)?),
            "size" => size = Some(options::size(value)?),
            "name" => name = Some(given.owned(&member, value)?),
            "description" => description = Some(given.owned(&member, value)?),
            "only" => only = Some(given.texts(&member, value)?),
            "rules" => rules = Some(given.object(&member, value)?),
            "options" => options = Some(given.object(&member, value)?),
            "root" => root = Some(given.path(&member, value)?),
            _ => {}
        }
    }
    Ok(AddOptions {
        session,
        size,
        name,
        description,
        only,
        rules,
        options,
        root,
    })
}
/// What [`serve_options`] reads.
pub struct ServeOptions {
    /// The address at which the server listens; default: stdin and stdout.
    pub http: Option<toolwire::Json>,
    /// What the server calls itself.
    pub name: Option<String>,
    /// What the server says about its use.
    pub instructions: Option<String>,
    /// A manifest whose tools are served.
    pub manifest: Option<std::path::PathBuf>,
    /// The tools that are served, by the names that clients see; default: all.
    pub only: Vec<String>,
    /// Tools that are not served.
    pub exclude: Vec<String>,
    /// Tools that are not served.
    pub except: Vec<String>,
    /// Maximum number of tools on a page of the list.
    pub page_size: Option<usize>,
    /// How long a client may take between two rounds.
    pub state_lifetime: Option<std::time::Duration>,
    /// Put the name of each program before those of its tools.
    pub prefix: bool,
    /// The root of the workspace.
    pub root: Option<std::path::PathBuf>,
    /// Maximum number of tools that run at once.
    pub jobs: Option<usize>,
    /// Maximum number of calls that wait.
    pub queue: Option<usize>,
    /// The number of tools above which clients see a tool that finds the others.
    pub search_above: Option<usize>,
    /// Show clients schemas without `$ref` and dialects.
    pub plain_schemas: bool,
    /// The bytes of a result above which clients get a preview of it.
    pub keep_results: Option<usize>,
    /// A file with the keys that seal what clients hold between two rounds.
    pub state_keys: Option<std::path::PathBuf>,
    /// A file with a principal, `:` and a token on each line.
    pub tokens: Option<std::path::PathBuf>,
    /// Serve everybody who reaches the address.
    pub no_token: bool,
    /// More hosts by which the server may be reached.
    pub hosts: Vec<String>,
    /// Web pages that may reach the server.
    pub origins: Vec<String>,
    /// Gets the URL, or nothing for stdin and stdout, when clients can connect.
    pub on_serving: bool,
}
/// Reads `ServeOptions`.
///
/// # Errors
///
/// `bad_option` with a pointer to the first option that is unknown or has a wrong value.
pub fn serve_options(text: &str) -> Result<ServeOptions, Error> {
    serve_options_in(
        &Options::read(
            text,
            &[
                "http",
                "name",
                "instructions",
                "manifest",
                "only",
                "exclude",
                "except",
                "pageSize",
                "stateLifetime",
                "prefix",
                "root",
                "jobs",
                "queue",
                "searchAbove",
                "plainSchemas",
                "keepResults",
                "stateKeys",
                "tokens",
                "noToken",
                "hosts",
                "origins",
                "onServing",
            ],
        )?,
    )
}
/// Those of more options.
pub(crate) fn serve_options_in(given: &Options<'_>) -> Result<ServeOptions, Error> {
    let mut http: Option<toolwire::Json> = None;
    let mut name: Option<String> = None;
    let mut instructions: Option<String> = None;
    let mut manifest: Option<std::path::PathBuf> = None;
    let mut only: Vec<String> = Default::default();
    let mut exclude: Vec<String> = Default::default();
    let mut except: Vec<String> = Default::default();
    let mut page_size: Option<usize> = None;
    let mut state_lifetime: Option<std::time::Duration> = None;
    let mut prefix: bool = Default::default();
    let mut root: Option<std::path::PathBuf> = None;
    let mut jobs: Option<usize> = None;
    let mut queue: Option<usize> = None;
    let mut search_above: Option<usize> = None;
    let mut plain_schemas: bool = Default::default();
    let mut keep_results: Option<usize> = None;
    let mut state_keys: Option<std::path::PathBuf> = None;
    let mut tokens: Option<std::path::PathBuf> = None;
    let mut no_token: bool = Default::default();
    let mut hosts: Vec<String> = Default::default();
    let mut origins: Vec<String> = Default::default();
    let mut on_serving: bool = Default::default();
    for (member, value) in given.members() {
        match member.as_ref() {
            "http" => http = Some(toolwire::Json::from(value)),
            "name" => name = Some(given.owned(&member, value)?),
            "instructions" => instructions = Some(given.owned(&member, value)?),
            "manifest" => manifest = Some(given.path(&member, value)?),
            "only" => only = given.texts(&member, value)?,
            "exclude" => exclude = given.texts(&member, value)?,
            "except" => except = given.texts(&member, value)?,
            "pageSize" => page_size = Some(given.count(&member, value, 1..=1000)?),
            "stateLifetime" => {
                state_lifetime = Some(given.duration(&member, value, true)?);
            }
            "prefix" => prefix = given.flag(&member, value)?,
            "root" => root = Some(given.path(&member, value)?),
            "jobs" => jobs = Some(given.count(&member, value, 1..=4294967295)?),
            "queue" => queue = Some(given.count(&member, value, 0..=4294967295)?),
            "searchAbove" => {
                search_above = Some(given.count(&member, value, 0..=4294967295)?);
            }
            "plainSchemas" => plain_schemas = given.flag(&member, value)?,
            "keepResults" => {
                keep_results = Some(given.count(&member, value, 0..=9007199254740991)?);
            }
            "stateKeys" => state_keys = Some(given.path(&member, value)?),
            "tokens" => tokens = Some(given.path(&member, value)?),
            "noToken" => no_token = given.flag(&member, value)?,
            "hosts" => hosts = given.texts(&member, value)?,
            "origins" => origins = given.texts(&member, value)?,
            "onServing" => on_serving = given.callback(&member, value)?,
            _ => {}
        }
    }
    Ok(ServeOptions {
        http,
        name,
        instructions,
        manifest,
        only,
        exclude,
        except,
        page_size,
        state_lifetime,
        prefix,
        root,
        jobs,
        queue,
        search_above,
        plain_schemas,
        keep_results,
        state_keys,
        tokens,
        no_token,
        hosts,
        origins,
        on_serving,
    })
}
/// What [`http_options`] reads.
pub struct HttpOptions {
    /// A file with a principal, `:` and a token on each line.
    pub tokens: Option<std::path::PathBuf>,
    /// Serve everybody who reaches the address.
    pub no_token: bool,
    /// More hosts by which the server may be reached.
    pub hosts: Vec<String>,
    /// Web pages that may reach the server.
    pub origins: Vec<String>,
    /// Maximum number of bytes of the body of a request.
    pub max_body: Option<usize>,
    /// Maximum number of connections at the same time.
    pub max_connections: Option<usize>,
    /// Maximum number of sessions of one principal.
    pub max_sessions: Option<usize>,
    /// How long a connection may be idle.
    pub idle: Option<std::time::Duration>,
    /// How long a session may be idle.
    pub session_idle: Option<std::time::Duration>,
    /// How long calls may go on once the server is to end.
    pub grace: Option<std::time::Duration>,
}
/// Reads `HttpOptions`.
///
/// # Errors
///
/// `bad_option` with a pointer to the first option that is unknown or has a wrong value.
pub fn http_options(text: &str) -> Result<HttpOptions, Error> {
    http_options_in(
        &Options::read(
            text,
            &[
                "tokens",
                "noToken",
                "hosts",
                "origins",
                "maxBody",
                "maxConnections",
                "maxSessions",
                "idle",
                "sessionIdle",
                "grace",
            ],
        )?,
    )
}
/// Those of more options.
pub(crate) fn http_options_in(given: &Options<'_>) -> Result<HttpOptions, Error> {
    let mut tokens: Option<std::path::PathBuf> = None;
    let mut no_token: bool = Default::default();
    let mut hosts: Vec<String> = Default::default();
    let mut origins: Vec<String> = Default::default();
    let mut max_body: Option<usize> = None;
    let mut max_connections: Option<usize> = None;
    let mut max_sessions: Option<usize> = None;
    let mut idle: Option<std::time::Duration> = None;
    let mut session_idle: Option<std::time::Duration> = None;
    let mut grace: Option<std::time::Duration> = None;
    for (member, value) in given.members() {
        match member.as_ref() {
            "tokens" => tokens = Some(given.path(&member, value)?),
            "noToken" => no_token = given.flag(&member, value)?,
            "hosts" => hosts = given.texts(&member, value)?,
            "origins" => origins = given.texts(&member, value)?,
            "maxBody" => {
                max_body = Some(given.count(&member, value, 1..=9007199254740991)?);
            }
            "maxConnections" => {
                max_connections = Some(given.count(&member, value, 1..=4294967295)?);
            }
            "maxSessions" => {
                max_sessions = Some(given.count(&member, value, 1..=4294967295)?);
            }
            "idle" => idle = Some(given.duration(&member, value, true)?),
            "sessionIdle" => session_idle = Some(given.duration(&member, value, true)?),
            "grace" => grace = Some(given.duration(&member, value, true)?),
            _ => {}
        }
    }
    Ok(HttpOptions {
        tokens,
        no_token,
        hosts,
        origins,
        max_body,
        max_connections,
        max_sessions,
        idle,
        session_idle,
        grace,
    })
}
/// What [`http_address`] reads.
pub struct HttpAddress {
    /// An address and a port.
    pub address: Option<String>,
}
/// Reads `HttpAddress`.
///
/// # Errors
///
/// `bad_option` with a pointer to the first option that is unknown or has a wrong value.
pub fn http_address(text: &str) -> Result<HttpAddress, Error> {
    http_address_in(&Options::read(text, &["address"])?)
}
/// Those of more options.
pub(crate) fn http_address_in(given: &Options<'_>) -> Result<HttpAddress, Error> {
    let mut address: Option<String> = None;
    for (member, value) in given.members() {
        match member.as_ref() {
            "address" => address = Some(given.owned(&member, value)?),
            _ => {}
        }
    }
    Ok(HttpAddress { address })
}
/// What [`command_options`] reads.
pub struct CommandOptions {
    /// What is to be done.
    pub action: Option<String>,
    /// The id of the handle.
    pub id: Option<String>,
    /// The name of the tool.
    pub tool: Option<String>,
    /// The arguments of the tool.
    pub arguments: Option<toolwire::Json>,
    /// Who acts.
    pub by: Option<toolwire::call::AnswerSource>,
    /// What the handle is called.
    pub label: Option<String>,
    /// The number of the last block that the reader has.
    pub after: Option<usize>,
    /// How long to wait for something new.
    pub wait: Option<std::time::Duration>,
    /// A text for which to wait, in what is new.
    pub until: Option<String>,
    /// What is wanted of a screen.
    pub view: Option<toolwire::session::SessionView>,
    /// The id of the question that is answered.
    pub question: Option<String>,
    /// What is applied, which may be null.
    pub input: Option<toolwire::Json>,
    /// An object with the state of the answer, and its value.
    pub answer: Option<toolwire::Json>,
    /// The ids of the handles.
    pub ids: Vec<String>,
    /// Wait for one of them.
    pub any: bool,
    /// How long to wait for them.
    pub time: Option<std::time::Duration>,
}
/// Reads `CommandOptions`.
///
/// # Errors
///
/// `bad_option` with a pointer to the first option that is unknown or has a wrong value.
pub fn command_options(text: &str) -> Result<CommandOptions, Error> {
    command_options_in(
        &Options::read(
            text,
            &[
                "do",
                "id",
                "tool",
                "arguments",
                "by",
                "label",
                "after",
                "wait",
                "until",
                "view",
                "question",
                "input",
                "answer",
                "ids",
                "any",
                "time",
            ],
        )?,
    )
}
/// Those of more options.
pub(crate) fn command_options_in(given: &Options<'_>) -> Result<CommandOptions, Error> {
    let mut action: Option<String> = None;
    let mut id: Option<String> = None;
    let mut tool: Option<String> = None;
    let mut arguments: Option<toolwire::Json> = None;
    let mut by: Option<toolwire::call::AnswerSource> = None;
    let mut label: Option<String> = None;
    let mut after: Option<usize> = None;
    let mut wait: Option<std::time::Duration> = None;
    let mut until: Option<String> = None;
    let mut view: Option<toolwire::session::SessionView> = None;
    let mut question: Option<String> = None;
    let mut input: Option<toolwire::Json> = None;
    let mut answer: Option<toolwire::Json> = None;
    let mut ids: Vec<String> = Default::default();
    let mut any: bool = Default::default();
    let mut time: Option<std::time::Duration> = None;
    for (member, value) in given.members() {
        match member.as_ref() {
            "do" => action = Some(given.owned(&member, value)?),
            "id" => id = Some(given.owned(&member, value)?),
            "tool" => tool = Some(given.owned(&member, value)?),
            "arguments" => arguments = Some(given.object(&member, value)?),
            "by" => by = Some(given.choice(&member, value)?),
            "label" => label = Some(given.owned(&member, value)?),
            "after" => after = Some(given.count(&member, value, 0..=9007199254740991)?),
            "wait" => wait = Some(given.duration(&member, value, false)?),
            "until" => until = Some(given.owned(&member, value)?),
            "view" => view = Some(given.choice(&member, value)?),
            "question" => question = Some(given.owned(&member, value)?),
            "input" => input = Some(toolwire::Json::from(value)),
            "answer" => answer = Some(toolwire::Json::from(value)),
            "ids" => ids = given.texts(&member, value)?,
            "any" => any = given.flag(&member, value)?,
            "time" => time = Some(given.duration(&member, value, false)?),
            _ => {}
        }
    }
    Ok(CommandOptions {
        action,
        id,
        tool,
        arguments,
        by,
        label,
        after,
        wait,
        until,
        view,
        question,
        input,
        answer,
        ids,
        any,
        time,
    })
}
/// How a tool is called. The options are read by group.
pub(crate) fn run_job(text: &str, unit: Unit) -> Result<Options<'_>, Error> {
    Options::read_in(
        text,
        &[
            "tool",
            "arguments",
            "answerer",
            "options",
            "root",
            "action",
            "host",
            "maxRounds",
            "maxTries",
            "given",
            "unanswered",
            "refusals",
            "onStderr",
            "onProgress",
            "onLog",
            "cwd",
            "inherit",
            "env",
            "timeout",
            "maxOutput",
            "limits",
        ],
        unit,
    )
}
/// How a program is asked for its tools. The options are read by group.
pub(crate) fn list_tools_job(text: &str, unit: Unit) -> Result<Options<'_>, Error> {
    Options::read_in(
        text,
        &[
            "onStderr",
            "onProgress",
            "onLog",
            "cwd",
            "inherit",
            "env",
            "timeout",
            "maxOutput",
            "limits",
        ],
        unit,
    )
}
/// How a server is reached and used. The options are read by group.
pub(crate) fn connect_job(text: &str, unit: Unit) -> Result<Options<'_>, Error> {
    Options::read_in(
        text,
        &[
            "name",
            "config",
            "trust",
            "headers",
            "connectTimeout",
            "maxTimeout",
            "maxMessage",
            "sendContext",
            "cwd",
            "inherit",
            "env",
            "timeout",
            "maxOutput",
            "limits",
        ],
        unit,
    )
}
/// How a tool of a server is called. The options are read by group.
pub(crate) fn call_job(text: &str, unit: Unit) -> Result<Options<'_>, Error> {
    Options::read_in(
        text,
        &[
            "tool",
            "arguments",
            "answerer",
            "options",
            "root",
            "action",
            "host",
            "maxRounds",
            "maxTries",
            "given",
            "unanswered",
            "refusals",
            "onStderr",
            "onProgress",
            "onLog",
        ],
        unit,
    )
}
/// What is set for all handles. The options are read by group.
pub(crate) fn sessions_job(text: &str, unit: Unit) -> Result<Options<'_>, Error> {
    Options::read_in(
        text,
        &[
            "answerer",
            "approve",
            "onState",
            "onProgress",
            "onLog",
            "onStderr",
            "rules",
            "maxHandles",
            "maxMemory",
            "keep",
            "firstWait",
            "quiet",
            "maxReply",
            "maxWait",
        ],
        unit,
    )
}
/// How tools are added to sessions. The options are read by group.
pub(crate) fn add_job(text: &str, unit: Unit) -> Result<Options<'_>, Error> {
    Options::read_in(
        text,
        &[
            "session",
            "size",
            "name",
            "description",
            "only",
            "rules",
            "options",
            "root",
            "host",
            "maxRounds",
            "maxTries",
            "given",
            "unanswered",
            "refusals",
            "cwd",
            "inherit",
            "env",
            "timeout",
            "maxOutput",
            "limits",
        ],
        unit,
    )
}
/// How the tools of a source are added to `Tools`. The options are read by group.
pub(crate) fn source_job(text: &str, unit: Unit) -> Result<Options<'_>, Error> {
    Options::read_in(
        text,
        &[
            "lock",
            "session",
            "size",
            "name",
            "description",
            "only",
            "rules",
            "options",
            "root",
            "name",
            "config",
            "trust",
            "headers",
            "connectTimeout",
            "maxTimeout",
            "maxMessage",
            "sendContext",
            "host",
            "maxRounds",
            "maxTries",
            "given",
            "unanswered",
            "refusals",
            "cwd",
            "inherit",
            "env",
            "timeout",
            "maxOutput",
            "limits",
        ],
        unit,
    )
}
/// What is served, and how. The options are read by group.
pub(crate) fn serve_job(text: &str, unit: Unit) -> Result<Options<'_>, Error> {
    Options::read_in(
        text,
        &[
            "http",
            "name",
            "instructions",
            "manifest",
            "only",
            "exclude",
            "except",
            "pageSize",
            "stateLifetime",
            "prefix",
            "root",
            "jobs",
            "queue",
            "searchAbove",
            "plainSchemas",
            "keepResults",
            "stateKeys",
            "tokens",
            "noToken",
            "hosts",
            "origins",
            "onServing",
            "cwd",
            "inherit",
            "env",
            "timeout",
            "maxOutput",
            "limits",
        ],
        unit,
    )
}
/// How handles are bound. The options are read by group.
pub(crate) fn rules_job(text: &str, unit: Unit) -> Result<Options<'_>, Error> {
    Options::read_in(
        text,
        &[
            "turn",
            "approve",
            "sessionTime",
            "idleTime",
            "grace",
            "maxBlocks",
            "maxBytes",
            "maxQuestions",
            "turnWait",
        ],
        unit,
    )
}
/// A command on handles. The options are read by group.
pub(crate) fn command_job(text: &str, unit: Unit) -> Result<Options<'_>, Error> {
    Options::read_in(
        text,
        &[
            "do",
            "id",
            "tool",
            "arguments",
            "by",
            "label",
            "after",
            "wait",
            "until",
            "view",
            "question",
            "input",
            "answer",
            "ids",
            "any",
            "time",
        ],
        unit,
    )
}
/// How HTTP is served. The options are read by group.
pub(crate) fn http_job(text: &str, unit: Unit) -> Result<Options<'_>, Error> {
    Options::read_in(
        text,
        &[
            "tokens",
            "noToken",
            "hosts",
            "origins",
            "maxBody",
            "maxConnections",
            "maxSessions",
            "idle",
            "sessionIdle",
            "grace",
            "address",
        ],
        unit,
    )
}
