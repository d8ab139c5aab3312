//! `toolwire serve --print-config CLIENT` and `--install`: the entry by which a client starts what is
//! served (CFG-30 to CFG-33).

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use clap::builder::PossibleValuesParser;
use clap::{Args, builder::TypedValueParser};
use toolwire_host::clients::{
    Client, OwnServer, Place, Scope, Surroundings, current_text, edit, write_text,
};

use crate::exit::{Failure, Outcome, Result};
use crate::output::Out;
use crate::terminal;

/// For which client an entry is, and what is done with it.
#[derive(Args, Debug)]
#[command(next_help_heading = "The file of a client")]
pub struct ClientConfigArgs {
    /// Serve nothing: print the entry by which this client starts the same server
    #[arg(long, value_name = "CLIENT", value_parser = client())]
    pub print_config: Option<Client>,
    /// Put the entry into the client's file, after showing what changes
    #[arg(long, requires = "print_config")]
    pub install: bool,
    /// Use the file of this folder instead of that of the user
    #[arg(long, requires = "install")]
    pub workspace: bool,
    /// The name of the entry; by default that of the manifest's folder or of the first program
    #[arg(long, value_name = "NAME", requires = "print_config")]
    pub entry_name: Option<String>,
    /// Write it without asking
    #[arg(long, requires = "install")]
    pub yes: bool,
}

fn client() -> impl TypedValueParser<Value = Client> {
    let words = Client::ALL.map(Client::as_str);
    PossibleValuesParser::new(words).try_map(|word| word.parse::<Client>())
}

/// Prints the entry for a server that is started with these arguments, or installs it. `program` is how
/// this command was started.
pub fn run(
    args: &ClientConfigArgs,
    client: Client,
    default_name: &str,
    program: &OsStr,
    arguments: Vec<String>,
    out: &mut Out,
) -> Result<Outcome> {
    let name = args.entry_name.as_deref().unwrap_or(default_name);
    let server = OwnServer::program(name, &own_path(program)?, arguments);
    if !args.install {
        // Only what can be there to the letter: paths with control characters are escaped in it.
        out.line(server.entry_text(client)?.trim_end())?;
        return Ok(Outcome::Success);
    }
    let surroundings = Surroundings::current();
    let place = place(client, args.workspace, &surroundings)?;
    install(&place, &server, args.yes, surroundings.max_bytes, out)
}

/// The program that is to be started: this one, as it was started. Where it came by a link, as package
/// managers make them, that stays when the next version comes; in a package for Python or Node, the
/// executable of this process is another one.
fn own_path(program: &OsStr) -> Result<String> {
    let found = match Path::new(program).components().count() {
        1 => which::which(program).ok(),
        _ => std::path::absolute(program)
            .ok()
            .filter(|path| path.is_file()),
    };
    let path = match found {
        Some(path) => path,
        None => std::env::current_exe().map_err(|error| {
            Failure::Io(format!("cannot tell the path of this program: {error}"))
        })?,
    };
    text_of(&path)
}

/// A path as text, which is all that a file can hold.
pub fn text_of(path: &Path) -> Result<String> {
    path.to_str().map(str::to_owned).ok_or_else(|| {
        Failure::Wrong(vec![format!(
            "`{}` is not valid Unicode, so it can't stand in the file of a client",
            path.display()
        )])
    })
}

/// An absolute path, without `.` and `..`.
pub fn absolute(path: &Path) -> Result<PathBuf> {
    let failed = |error| Failure::reading(path, &error);
    std::fs::canonicalize(path).map_err(failed)
}

fn place(client: Client, workspace: bool, surroundings: &Surroundings) -> Result<Place> {
    let place = match workspace {
        true => surroundings.workspace_file(client),
        false => surroundings.user_file(client),
    };
    place.ok_or_else(|| {
        Failure::Wrong(vec![match workspace {
            true => format!(
                "{} has no file for a workspace; leave out `--workspace`",
                client.title()
            ),
            false => "there is no home folder; set `HOME`".to_owned(),
        }])
    })
}

fn install(
    place: &Place,
    server: &OwnServer,
    yes: bool,
    max_bytes: u64,
    out: &mut Out,
) -> Result<Outcome> {
    let path = &place.path;
    let shown = path.display().to_string();
    let before = current_text(path, max_bytes)?.map(|file| file.raw);
    let edit = edit(
        &shown,
        before.as_deref().unwrap_or(""),
        place.client,
        server,
    )?;
    if !edit.changed {
        out.line(&format!("nothing to change: {}", terminal::safe(&shown)))?;
        return Ok(Outcome::Success);
    }
    terminal::tell(&edit.diff, false);
    if !yes {
        let question = format!("Write this to `{shown}`?");
        match terminal::confirm(&question).map_err(|error| Failure::Io(error.to_string()))? {
            Some(true) => {}
            Some(false) => return Err(Failure::Refused("nothing was written".to_owned())),
            None => {
                let message = "nobody is there to agree, so nothing was written; add `--yes`";
                return Err(Failure::Refused(message.to_owned()));
            }
        }
    }
    write_text(path, before.as_deref(), &edit.text, place.scope, max_bytes)?;
    let done = match place.scope {
        Scope::User => "written",
        Scope::Workspace => "written for this folder",
    };
    out.line(&format!("{done}: {}", terminal::safe(&shown)))?;
    Ok(Outcome::Success)
}
