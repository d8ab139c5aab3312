//! What `toolwire serve` serves: programs, tools of a manifest, and MCP servers as a gateway.

use std::path::PathBuf;

use toolwire::call::ToolDescription;
use toolwire_host::ProcessOptions;
use toolwire_host::manifest::LockPolicy;
use toolwire_mcp::client::ClientOptions;
use toolwire_mcp::server::{Gateway, ManifestOffer, Offer, ProcessSettings, Refused};
use toolwire_source::{MARK, OpenFolder, Origin, Program, Reached, Request, Source};

use crate::args::{LockedArg, ManifestArg, ProcessArgs, ServeArgs};
use crate::call::expected::Expected;
use crate::exit::{Failure, Result};
use crate::guard::Locks;
use crate::run::{Settings, process_options};
use crate::{source, terminal};

/// What the words mean. Programs that describe themselves are tools, others are servers.
pub fn offer(args: &ServeArgs, settings: &ProcessSettings) -> Result<Offer> {
    let mut offer = Offer {
        only: args.only.clone(),
        except: args.except.clone(),
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
    let check = Check::of(&source, args)?;
    check.before_start()?;
    let (options, folder) = process(&source, args, settings)?;
    let typed =
        matches!(&source.reached, Reached::Program(program) if program.origin != Origin::Entry);
    let usual = ClientOptions::default();
    let client = ClientOptions {
        timeout: options.timeout,
        max_message: args.process.max_output.unwrap_or(usual.max_message),
        send_context: source.context,
        legacy: source.legacy,
        ..usual
    };
    let server = source.server(options, &[])?;
    let mut gateway = Gateway::new(&source.label, server, client)
        .holding(folder)
        .with_check(move |tools| check.look(tools));
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
        return Ok((process_options(&Settings::default(), &args.process)?, none));
    };
    let Program {
        env,
        inherits,
        origin,
        ..
    } = &**program;
    let folder = program.folder.open()?;
    let usual = match origin {
        Origin::Entry => &args.process.cwd,
        _ => &settings.cwd,
    };
    let settings = Settings {
        env: env.clone(),
        inherit: inherits.clone(),
        cwd: folder.path().map(PathBuf::from).or(usual.clone()),
        ..Settings::default()
    };
    // An entry for a client always names a folder, which is no place for a launcher.
    let args = ProcessArgs {
        cwd: None,
        ..args.process.clone()
    };
    Ok((process_options(&settings, &args)?, folder))
}

/// What a server's tools are held against on each connection: the lock and the profile.
struct Check {
    source: Source,
    locked: LockedArg,
    manifest: ManifestArg,
    expected: Option<Expected>,
}

impl Check {
    fn of(source: &Source, args: &ServeArgs) -> Result<Check> {
        let expected = match source.profile {
            Some(_) => Expected::of(source, &args.expect)?,
            None => None,
        };
        Ok(Check {
            source: source.clone(),
            locked: args.locked.clone(),
            manifest: args.source.manifest.clone(),
            expected,
        })
    }

    fn locks(&self) -> Result<Option<Locks>> {
        Locks::find(&self.locked, &self.manifest, &mut |message| {
            terminal::complain(message)
        })
    }

    /// Refuses to start what nobody has locked, or what is started in another way than it was.
    fn before_start(&self) -> Result<()> {
        let Some(locks) = self.locks()? else {
            return Ok(());
        };
        let guard = locks.guard(&self.source);
        let guard = guard.filter(|_| locks.policy == LockPolicy::Refuse);
        match guard.and_then(|guard| guard.of_launch()) {
            Some(finding) => Err(Failure::Refused(finding.message)),
            None => Ok(()),
        }
    }

    /// Which tools are not used, or why none is.
    fn look(&self, tools: &[ToolDescription]) -> std::result::Result<Refused, String> {
        self.refused(tools).map_err(|failure| failure.message())
    }

    fn refused(&self, tools: &[ToolDescription]) -> Result<Refused> {
        if let Some(expected) = &self.expected {
            if let Some(why) = expected.refusal(tools)? {
                return Err(Failure::Refused(format!("{why}; {}", expected.advice())));
            }
            for line in expected.differences(tools)? {
                terminal::complain(&line);
            }
        }
        let locks = self.locks()?;
        let guard = locks.and_then(|locks| locks.guard(&self.source));
        Ok(guard.map(|guard| guard.refused(tools)).unwrap_or_default())
    }
}
