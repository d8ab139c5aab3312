//! What `toolwire serve` serves: programs, tools of a manifest, and MCP servers as a gateway.

use std::path::PathBuf;

use toolwire_host::manifest::ManifestTool;
use toolwire_host::{Command, ProcessOptions};
use toolwire_mcp::client::ClientOptions;
use toolwire_mcp::server::{Gateway, ManifestOffer, Offer, ProcessSettings};
use toolwire_source::{MARK, OpenFolder, Origin, Reached, Request, Source};

use crate::args::{ProcessArgs, ServeArgs};
use crate::baseline::Served;
use crate::exit::{Failure, Result};
use crate::run::process_options;
use crate::source;

/// What the words mean. Programs that describe themselves are tools, others are servers.
pub fn offer(args: &ServeArgs, settings: &ProcessSettings) -> Result<Offer> {
    let mut offer = Offer {
        only: args.chosen.only.clone(),
        except: args.chosen.except.clone(),
        prefix: args.prefix,
        ..Offer::default()
    };
    let mut names = Vec::new();
    let words = args
        .programs
        .iter()
        .map(|word| (Some(word.as_os_str()), &[][..]));
    let command = (!args.command.is_empty()).then_some((None, &args.command[..]));
    let mut has_profile = false;
    for (word, command) in words.chain(command) {
        let source = source::find(word, command, &args.source, "serve")?;
        has_profile |= source.profile.is_some();
        match &source.reached {
            Reached::Tool(tool) => names.push(tool.name.clone()),
            Reached::Program(program) if source.is_tool(settings.cwd.as_deref()) => {
                offer.programs.push(program.command.clone());
            }
            _ => offer.servers.push(gateway(source, args, settings)?),
        }
    }
    if args.expect.ignore_schema && !has_profile {
        let message = "`--ignore-schema` is for profiles, such as `@docs`, and none is served";
        return Err(Failure::usage(message));
    }
    let path = args.source.manifest.manifest.clone();
    let has_other = !(offer.programs.is_empty() && offer.servers.is_empty());
    if !names.is_empty() || !has_other {
        offer.manifest = Some(ManifestOffer { path, names });
    }
    Ok(offer)
}

/// A server whose tools are served.
fn gateway(source: Source, args: &ServeArgs, settings: &ProcessSettings) -> Result<Gateway> {
    let tool = only_tool(&source)?;
    // Nobody is asked: whoever started this may be no person.
    if let Some(pending) = source.consent.as_ref().filter(|_| !args.source.yes)
        && !pending.is_agreed()?
    {
        return Err(pending.refusal("or give `--yes`").into());
    }
    let served = Served::of_server(&source, args)?;
    let (options, folder) = process(&source, args, settings)?;
    let typed =
        matches!(&source.reached, Reached::Program(program) if program.origin != Origin::Entry);
    let label = source.label.clone();
    let usual = ClientOptions::default();
    let client = ClientOptions {
        timeout: args.process.silence_of_server(),
        max_timeout: args.process.max_time.unwrap_or(usual.max_timeout),
        max_message: args.process.max_output.unwrap_or(usual.max_message),
        send_context: source.context,
        legacy: source.legacy,
        ..usual
    };
    let server = source.server(options, &[])?;
    let mut gateway = Gateway::new(&label, server, client)
        .holding(folder)
        .with_check(move |tools| served.refused(&source, tools));
    gateway.tool = tool;
    gateway.advice = typed.then(|| format!("if it is a tool, add the line `{MARK}` to its script"));
    Ok(gateway)
}

/// The only tool that a source names, if it names one.
fn only_tool(source: &Source) -> Result<Option<String>> {
    let label = &source.label;
    match &source.request {
        None => Ok(None),
        Some(Request::Tool { .. }) if !source.arguments().is_empty() => {
            Err(Failure::usage(format!(
                "`{label}` gives arguments to a tool, and what is served gets those of its clients; leave them out"
            )))
        }
        Some(Request::Tool { name, .. }) => Ok(Some(name.clone())),
        Some(_) => Err(Failure::usage(format!(
            "`{label}` asks for a list or a resource, and `serve` serves tools; leave that out"
        ))),
    }
}

/// How its program is run, and the folder that it needs.
fn process(
    source: &Source,
    args: &ServeArgs,
    settings: &ProcessSettings,
) -> Result<(ProcessOptions, OpenFolder)> {
    let Reached::Program(program) = &source.reached else {
        let none = toolwire_source::Folder::Current.open()?;
        let entry = ManifestTool::of_command(&source.label, Command::new(""), false);
        return Ok((process_options(&entry, &args.process)?, none));
    };
    let folder = program.folder.open()?;
    let usual = match program.origin {
        Origin::Entry => &args.process.cwd,
        _ => &settings.cwd,
    };
    let mut entry = ManifestTool::of_command(&source.label, program.command.clone(), false);
    entry.env.clone_from(&program.env);
    entry.inherit.clone_from(&program.inherits);
    entry.cwd = folder.path().map(PathBuf::from).or(usual.clone());
    // An entry for a client always names a folder, which is no place for a launcher.
    let args = ProcessArgs {
        cwd: None,
        ..args.process.clone()
    };
    Ok((process_options(&entry, &args)?, folder))
}
