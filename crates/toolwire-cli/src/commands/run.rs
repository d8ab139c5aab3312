//! `toolwire run`: a tool of anything that has one, or any program.

use toolwire_mcp::client::Offer;
use toolwire_source::{Kind, Listing, Request, Source};

use super::{read, tools};
use crate::args::RunArgs;
use crate::baseline::Baseline;
use crate::exit::{Failure, Outcome, Result};
use crate::output::Out;
use crate::run::{self, result};
use crate::{call, source};

/// Runs what the arguments say and writes the result.
pub fn run(args: &RunArgs, out: &mut Out) -> Result<Outcome> {
    if args.words.is_empty() && args.command.is_empty() {
        return Err(Failure::usage(
            "name the source: a program, a name or a URL; or give a command after `--`",
        ));
    }
    let word = run::source_word(&args.words, &args.command);
    let source = source::find_any(word, &args.command, &args.server.source, "run")?;
    let kind = source.kind(args.server.process.cwd.as_deref());
    let at_server = kind == Kind::Server && (args.command.is_empty() || names_call(args));
    let label = &source.label;
    match (at_server, for_servers(args), for_programs(args)) {
        (true, _, Some(option)) => Err(Failure::usage(format!(
            "`{option}` is for tools of Toolwire, and `{label}` is an MCP server"
        ))),
        (false, Some(option), _) => Err(Failure::usage(format!(
            "`{option}` is for MCP servers, and `{label}` is {}",
            if kind == Kind::Tool {
                "a tool of Toolwire"
            } else {
                "a plain program"
            }
        ))),
        (true, ..) => match source.request.clone() {
            None | Some(Request::Tool { .. }) => call::with(source, args, out),
            Some(request) => answer(source, &request, args, out),
        },
        (false, ..) => run::with(source, args, out),
    }
}

/// The first option that has a meaning for a server alone.
fn for_servers(args: &RunArgs) -> Option<&'static str> {
    let own = [(args.legacy, "--legacy"), (args.task.is_some(), "--task")];
    let own = own.into_iter().find(|(given, _)| *given);
    own.map(|(_, option)| option).or(args.server.reach.given())
}

/// The first option that has a meaning for a program alone.
fn for_programs(args: &RunArgs) -> Option<&'static str> {
    let own = [
        (args.call, "--call"),
        (args.plain, "--plain"),
        (args.tty, "--tty"),
    ];
    let own = own.into_iter().find(|(given, _)| *given);
    own.map(|(_, option)| option)
}

/// Whether a command behind `--` starts what has the tool that is called: something before it is for a tool, and no
/// option says that the program itself is.
fn names_call(args: &RunArgs) -> bool {
    let for_tool =
        !args.words.is_empty() || run::mode::has_json(args) || for_servers(args).is_some();
    for_tool && for_programs(args).is_none()
}

/// Writes what a source asks for that is no call.
fn answer(source: Source, request: &Request, args: &RunArgs, out: &mut Out) -> Result<Outcome> {
    if let Some(word) = args.words.get(usize::from(args.command.is_empty())) {
        return Err(Failure::usage(format!(
            "`{}` asks for what is no call, so `{}` is a word too many",
            source.label,
            word.display()
        )));
    }
    let baseline = &Baseline::of_profile(&source, &args.expect)?;
    let (server, json) = (&args.server, args.json);
    match request {
        Request::Resource { uri } => {
            let format = result::asked(args.format, json);
            read::resource(source, uri, baseline, server, format, out)
        }
        Request::List {
            list: Listing::Resources,
        } => {
            let offers = [Offer::Resources, Offer::ResourceTemplates];
            read::list(source, baseline, &offers, server, json, out)
        }
        Request::List {
            list: Listing::Prompts,
        } => read::list(source, baseline, &[Offer::Prompts], server, json, out),
        Request::List { .. } | Request::Tool { .. } => {
            tools::Listing::of(source, baseline, server, out)?.write(json, out)?;
            Ok(Outcome::Success)
        }
    }
}
