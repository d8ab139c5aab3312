// Generated from schema/api.json. Do not edit: run `cargo xtask codegen`.

//! The functions of the API by their names.
use toolwire::{Error, Limits};
use crate::args::{Args, Kind, Parameter};
use crate::readers;
use crate::reply::{IntoReply, Reply};
/// The parameters of a function.
#[must_use]
pub fn parameters(op: &str) -> Option<&'static [Parameter]> {
    Some(
        match op {
            "fingerprint" => &[("tool", Kind::Document, false)],
            "project_tool" => &[("tool", Kind::Document, false)],
            "jn_hash" => &[("tools", Kind::Document, false)],
            "diff_tools" => {
                &[("old", Kind::Document, false), ("new", Kind::Document, false)]
            }
            "parse_launch_uri" => &[("uri", Kind::Text, false)],
            "format_launch_uri" => &[("launch", Kind::Document, false)],
            "parse_profile_word" => &[("word", Kind::Text, false)],
            "format_profile_word" => &[("word", Kind::Document, false)],
            "find_hidden" => &[("text", Kind::Text, false)],
            "show_hidden" => &[("text", Kind::Text, false)],
            "read_lock" => &[("data", Kind::Document, false)],
            "write_lock" => &[("lock", Kind::Document, false)],
            "update_lock" => {
                &[
                    ("lock", Kind::Document, false),
                    ("name", Kind::Text, false),
                    ("now", Kind::Document, false),
                ]
            }
            "check_lock" => {
                &[("lock", Kind::Document, false), ("now", Kind::Document, false)]
            }
            "read_profile" => &[("profile", Kind::Document, false)],
            "read_profile_files" => &[("files", Kind::Document, false)],
            "write_profile" => {
                &[("profile", Kind::Document, false), ("before", Kind::Document, true)]
            }
            "compare_profile" => {
                &[("profile", Kind::Document, false), ("tools", Kind::Document, false)]
            }
            "convert_server" => {
                &[
                    ("server", Kind::Document, false),
                    ("source", Kind::Text, false),
                    ("target", Kind::Text, false),
                ]
            }
            "to_result" => &[("data", Kind::Readable, false)],
            "from_result" => &[("result", Kind::Document, false)],
            "to_tool" => &[("tool", Kind::Document, false)],
            "from_tool" => &[("listed", Kind::Document, false)],
            "call_to_meta" => &[("call", Kind::Call, false)],
            "call_from_meta" => {
                &[
                    ("name", Kind::Text, false),
                    ("arguments", Kind::Json, false),
                    ("meta", Kind::Document, true),
                ]
            }
            "to_elicitation" => &[("question", Kind::Question, false)],
            "from_elicitation" => &[("params", Kind::Document, false)],
            "answer_from_elicit_result" => {
                &[("question", Kind::Question, false), ("result", Kind::Document, false)]
            }
            "answer_to_elicit_result" => {
                &[("params", Kind::Document, false), ("answer", Kind::Answer, false)]
            }
            "to_input_required" => &[("questions", Kind::Questions, false)],
            "without_elicitation" => &[("questions", Kind::Questions, false)],
            "can_elicit" => {
                &[("question", Kind::Question, false), ("elicitation", Kind::Json, true)]
            }
            "required_capabilities" => &[("questions", Kind::Questions, false)],
            "read_legacy" => &[("document", Kind::Output, false)],
            "unwrap_outcome" => &[("result", Kind::Readable, false)],
            "read_question" => &[("question", Kind::Question, false)],
            "find_secret" => {
                &[("question", Kind::Question, false), ("context", Kind::Texts, true)]
            }
            "prompt" => &[("question", Kind::Question, false)],
            "template" => &[("question", Kind::Question, false)],
            "read_template" => &[("edited", Kind::Output, false)],
            "refusal" => &[],
            "to_message" => {
                &[
                    ("data", Kind::Readable, false),
                    ("call", Kind::Document, false),
                    ("provider", Kind::Text, false),
                ]
            }
            "to_turn" => {
                &[
                    ("calls", Kind::Documents, false),
                    ("results", Kind::Results, false),
                    ("provider", Kind::Text, false),
                ]
            }
            "to_tools" => {
                &[("tools", Kind::Document, false), ("provider", Kind::Text, false)]
            }
            "from_call" => {
                &[("call", Kind::Document, false), ("provider", Kind::Text, false)]
            }
            "to_history" => {
                &[("call", Kind::Document, false), ("provider", Kind::Text, false)]
            }
            "check_value" => {
                &[("schema", Kind::Document, false), ("value", Kind::Json, false)]
            }
            "check_answer" => {
                &[("question", Kind::Question, false), ("value", Kind::Json, false)]
            }
            "check_question" => &[("question", Kind::Question, false)],
            "project_schema" => &[("schema", Kind::Document, false)],
            "unwrap_value" => {
                &[("schema", Kind::Document, false), ("value", Kind::Json, false)]
            }
            "lint_schema" => &[("schema", Kind::Document, false)],
            "tidy_schema" => &[("schema", Kind::Document, false)],
            "tidy_input" => &[("schema", Kind::Document, false)],
            "tidy_output" => &[("schema", Kind::Document, false)],
            "close_schema" => &[("schema", Kind::Document, false)],
            "read_call" => &[("data", Kind::Document, false)],
            "describe" => &[("tools", Kind::Documents, false)],
            "read_description" => &[("data", Kind::Readable, false)],
            "parse_arguments" => {
                &[("words", Kind::Texts, false), ("schema", Kind::Document, false)]
            }
            "read_event" => &[("line", Kind::Output, false)],
            "find_marker" => &[("file", Kind::Output, false)],
            "read_line" => {
                &[("line", Kind::Output, false), ("source", Kind::Text, false)]
            }
            "terminal_input" => &[("input", Kind::Json, false)],
            "read_command" => {
                &[("arguments", Kind::Document, false), ("tool", Kind::Document, false)]
            }
            "action_schema" => &[("tool", Kind::Document, false)],
            _ => return None,
        },
    )
}
/// The arguments of a builder of a block.
pub(crate) fn builder(kind: &str) -> Option<&'static [&'static str]> {
    Some(
        match kind {
            "text" => &["text", "annotations", "meta"],
            "resource" => {
                &[
                    "uri",
                    "text",
                    "blob",
                    "mimeType",
                    "name",
                    "title",
                    "description",
                    "formatted",
                    "annotations",
                    "meta",
                ]
            }
            "resource_from_bytes" => {
                &[
                    "path",
                    "bytes",
                    "mimeType",
                    "name",
                    "title",
                    "description",
                    "formatted",
                    "annotations",
                    "meta",
                ]
            }
            "image" => &["data", "mimeType", "annotations", "meta"],
            "audio" => &["data", "mimeType", "annotations", "meta"],
            "resource_link" => {
                &[
                    "uri",
                    "name",
                    "title",
                    "description",
                    "mimeType",
                    "size",
                    "annotations",
                    "meta",
                ]
            }
            "question" => {
                &["id", "text", "schema", "default", "url", "annotations", "meta"]
            }
            _ => return None,
        },
    )
}
/// Calls a function; `options` is a JSON object.
///
/// # Errors
///
/// Those of its arguments, of its options and its own.
pub fn call(op: &str, args: &Args<'_>, options: &str) -> Result<Reply, Error> {
    match op {
        "fingerprint" => {
            let options = readers::fingerprint_options(options)?;
            toolwire_contract::fingerprint::fingerprint(&args.json(0)?, &options)
                .into_reply()
        }
        "project_tool" => {
            let options = readers::fingerprint_options(options)?;
            toolwire_contract::fingerprint::project(&args.json(0)?, &options)
                .into_reply()
        }
        "jn_hash" => toolwire_contract::fingerprint::jn_hash(&args.json(0)?).into_reply(),
        "diff_tools" => {
            let options = readers::diff_options(options)?;
            toolwire_contract::diff::diff_tools(&args.json(0)?, &args.json(1)?, &options)
                .into_reply()
        }
        "parse_launch_uri" => {
            crate::contract::parse_launch_uri(args.text(0)?).into_reply()
        }
        "format_launch_uri" => {
            crate::contract::format_launch_uri(&args.json(0)?).into_reply()
        }
        "parse_profile_word" => {
            crate::contract::parse_profile_word(args.text(0)?).into_reply()
        }
        "format_profile_word" => {
            crate::contract::format_profile_word(&args.json(0)?).into_reply()
        }
        "find_hidden" => crate::contract::find_hidden(args.text(0)?).into_reply(),
        "show_hidden" => toolwire_contract::hidden::show(args.text(0)?).into_reply(),
        "read_lock" => crate::contract::read_lock(&args.source(0)?).into_reply(),
        "write_lock" => crate::contract::write_lock(&args.source(0)?).into_reply(),
        "update_lock" => {
            crate::contract::update_lock(&args.source(0)?, args.text(1)?, &args.json(2)?)
                .into_reply()
        }
        "check_lock" => {
            let options = readers::check_options(options)?;
            crate::contract::check_lock(&args.source(0)?, &args.json(1)?, &options)
                .into_reply()
        }
        "read_profile" => crate::contract::read_profile(&args.source(0)?).into_reply(),
        "read_profile_files" => {
            crate::contract::read_profile_files(&args.source(0)?).into_reply()
        }
        "write_profile" => {
            crate::contract::write_profile(
                    &args.source(0)?,
                    args.source_or_none(1)?.as_deref(),
                )
                .into_reply()
        }
        "compare_profile" => {
            let options = readers::fingerprint_options(options)?;
            crate::contract::compare_profile(&args.source(0)?, &args.json(1)?, &options)
                .into_reply()
        }
        "convert_server" => {
            let options = readers::convert_options(options)?;
            crate::contract::convert_server(
                    &args.source(0)?,
                    args.text(1)?,
                    args.text(2)?,
                    &options,
                )
                .into_reply()
        }
        "to_result" => {
            let options = readers::to_result_options(options)?;
            crate::mcp::to_result(&args.parsed(0, &options.limits)?, &options)
                .into_reply()
        }
        "from_result" => {
            let options = readers::read_options(options)?;
            crate::mcp::from_result(args.bytes(0)?, &options).into_reply()
        }
        "to_tool" => {
            let options = readers::revision_options(options)?;
            crate::mcp::to_tool(&args.source(0)?, &options).into_reply()
        }
        "from_tool" => crate::mcp::from_tool(&args.json(0)?).into_reply(),
        "call_to_meta" => toolwire::mcp::call_to_meta(&args.call(0)?).into_reply(),
        "call_from_meta" => {
            toolwire::mcp::call_from_meta(
                    args.text(0)?,
                    &args.json(1)?,
                    args.json_or_none(2)?.as_ref(),
                )
                .into_reply()
        }
        "to_elicitation" => {
            let options = readers::elicit_options(options)?;
            crate::elicitation::to_elicitation(&args.question(0)?, &options).into_reply()
        }
        "from_elicitation" => {
            let options = readers::from_elicitation_options(options)?;
            crate::elicitation::from_elicitation(&args.json(0)?, &options).into_reply()
        }
        "answer_from_elicit_result" => {
            let options = readers::revision_options(options)?;
            crate::elicitation::answer_from_elicit_result(
                    &args.question(0)?,
                    &args.json(1)?,
                    &options,
                )
                .into_reply()
        }
        "answer_to_elicit_result" => {
            let options = readers::revision_options(options)?;
            crate::elicitation::answer_to_elicit_result(
                    &args.json(0)?,
                    &args.answer(1)?,
                    &options,
                )
                .into_reply()
        }
        "to_input_required" => {
            let options = readers::input_required_options(options)?;
            crate::elicitation::to_input_required(&args.questions(0)?, &options)
                .into_reply()
        }
        "without_elicitation" => {
            let options = readers::without_elicitation_options(options)?;
            crate::elicitation::without_elicitation(&args.questions(0)?, &options)
                .into_reply()
        }
        "can_elicit" => {
            let options = readers::revision_options(options)?;
            crate::elicitation::can_elicit(
                    &args.question(0)?,
                    args.json_or_none(1)?.as_ref(),
                    &options,
                )
                .into_reply()
        }
        "required_capabilities" => {
            toolwire::mcp::required_capabilities(&args.questions(0)?).into_reply()
        }
        "read_legacy" => {
            let options = readers::read_options(options)?;
            crate::legacy::read_legacy(args.bytes(0)?, &options).into_reply()
        }
        "unwrap_outcome" => {
            let options = readers::read_options(options)?;
            crate::legacy::unwrap_outcome(&args.parsed(0, &options.limits)?, &options)
                .into_reply()
        }
        "read_question" => {
            toolwire::block::Question::clone(&args.question(0)?).into_reply()
        }
        "find_secret" => {
            crate::questions::find_secret(&args.question(0)?, &args.texts_or_none(1)?)
                .into_reply()
        }
        "prompt" => crate::questions::prompt(&args.question(0)?).into_reply(),
        "template" => toolwire::question::template(&args.question(0)?).into_reply(),
        "read_template" => crate::questions::read_template(&args.source(0)?).into_reply(),
        "refusal" => {
            let options = readers::refusal_options(options)?;
            toolwire::question::refusal(&options).into_reply()
        }
        "to_message" => {
            let options = readers::message_options(options)?;
            crate::providers::to_message(
                    &args.parsed(0, &Limits::default())?,
                    &args.json(1)?,
                    args.text(2)?,
                    &options,
                )
                .into_reply()
        }
        "to_turn" => {
            let options = readers::message_options(options)?;
            crate::providers::to_turn(
                    args.text(0)?,
                    &args.results(1)?,
                    args.text(2)?,
                    &options,
                )
                .into_reply()
        }
        "to_tools" => {
            let options = readers::tools_options(options)?;
            crate::providers::to_tools(&args.json(0)?, args.text(1)?, &options)
                .into_reply()
        }
        "from_call" => {
            let options = readers::from_call_options(options)?;
            crate::providers::from_call(&args.json(0)?, args.text(1)?, &options)
                .into_reply()
        }
        "to_history" => {
            crate::providers::to_history(&args.json(0)?, args.text(1)?).into_reply()
        }
        "check_value" => {
            crate::schema::check_value(&args.json(0)?, &args.json(1)?).into_reply()
        }
        "check_answer" => {
            crate::schema::check_answer(&args.question(0)?, &args.json(1)?).into_reply()
        }
        "check_question" => {
            toolwire_schema::check_question(&args.question(0)?).into_reply()
        }
        "project_schema" => {
            let options = readers::project_options(options)?;
            crate::schema::project_schema(&args.json(0)?, &options).into_reply()
        }
        "unwrap_value" => {
            let options = readers::project_options(options)?;
            crate::schema::unwrap_value(&args.json(0)?, &args.json(1)?, &options)
                .into_reply()
        }
        "lint_schema" => {
            let options = readers::lint_options(options)?;
            crate::schema::lint_schema(&args.json(0)?, &options).into_reply()
        }
        "tidy_schema" => toolwire::schema::tidy(&args.json(0)?).into_reply(),
        "tidy_input" => toolwire::schema::tidy_input(&args.json(0)?).into_reply(),
        "tidy_output" => crate::schema::tidy_output(&args.json(0)?).into_reply(),
        "close_schema" => toolwire::schema::close(&args.json(0)?).into_reply(),
        "read_call" => {
            let options = readers::read_call_options(options)?;
            crate::wire::read_call(args.bytes(0)?, &options).into_reply()
        }
        "describe" => crate::wire::describe(args.text(0)?).into_reply(),
        "read_description" => {
            let options = readers::read_options(options)?;
            crate::wire::read_description(&args.parsed(0, &options.limits)?, &options)
                .into_reply()
        }
        "parse_arguments" => {
            toolwire::parse_arguments(&args.texts(0)?, &args.json(1)?).into_reply()
        }
        "read_event" => crate::wire::read_event(args.bytes(0)?).into_reply(),
        "find_marker" => crate::wire::find_marker(args.bytes(0)?).into_reply(),
        "read_line" => crate::wire::read_line(args.bytes(0)?, args.text(1)?).into_reply(),
        "terminal_input" => {
            let options = readers::terminal_options(options)?;
            crate::wire::terminal_input(&args.json(0)?, &options).into_reply()
        }
        "read_command" => {
            crate::wire::read_command(&args.json(0)?, &args.source(1)?).into_reply()
        }
        "action_schema" => {
            let options = readers::action_schema_options(options)?;
            crate::wire::action_schema(&args.source(0)?, &options).into_reply()
        }
        _ => Err(crate::args::unknown(op)),
    }
}
