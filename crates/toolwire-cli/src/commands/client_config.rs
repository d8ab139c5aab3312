//! `toolwire serve --print-config CLIENT` and `--install`: the entry by which a client starts what is
//! served.

use std::ffi::OsStr;
use std::net::SocketAddr;

use clap::ArgMatches;
use toolwire_host::clients::{
    Client, OwnServer, Place, Scope, Surroundings, Target, current_text, edit, install_text,
};
use toolwire_mcp::server::LocalToken;

use super::serve::http_options;
use super::{client_check, elsewhere};
use crate::args::ServeArgs;
use crate::exit::{Failure, Outcome, Result};
use crate::output::Out;
use crate::own_path::own_path;
use crate::terminal;

/// Prints the entry by which a client starts what would be served, or installs it. `program` is how this
/// command was started, and `matches` what was given.
pub fn run(
    args: &ServeArgs,
    matches: &ArgMatches,
    program: &OsStr,
    out: &mut Out,
) -> Result<Outcome> {
    let config = &args.client;
    let Some(client) = config.print_config else {
        return Err(Failure::usage("name a client with `--print-config`"));
    };
    if let Some(misfit) = config.misfit() {
        return Err(Failure::usage(misfit));
    }
    let name = config
        .entry_name
        .clone()
        .unwrap_or_else(|| elsewhere::name(args));
    let mut server = match args.http.http {
        // It runs already, wherever it was started.
        Some(address) => running(&name, address, args)?,
        None => OwnServer::program(
            &name,
            &own_path(program)?,
            elsewhere::arguments(args, matches)?,
        ),
    };
    if args.http.http.is_none() {
        let tools = client_check::check(&mut server, client, config.workspace)?;
        if tools.is_empty() {
            let message = "the client would see no tools: the server starts and serves none";
            return Err(Failure::Refused(message.to_owned()));
        }
        out.complain(&format!(
            "the client will see `{}`",
            terminal::safe(&tools.join("`, `"))
        ));
    }
    if !config.install {
        // It is JSON or TOML, in which control characters are escaped.
        out.line(server.entry_text(client)?.trim_end())?;
        return Ok(Outcome::Success);
    }
    let surroundings = Surroundings::current();
    let place = place(client, config.workspace, &surroundings)?;
    install(
        &place,
        &server,
        args.source.yes,
        surroundings.max_bytes,
        out,
    )
}

/// A server over HTTP, with the token that it makes on the loopback.
fn running(name: &str, address: SocketAddr, args: &ServeArgs) -> Result<OwnServer> {
    if address.port() == 0 {
        let message = "name a port with `--http`, since port 0 is another one each time";
        return Err(Failure::usage(message));
    }
    let mut server = OwnServer::url(name, &format!("http://{address}/mcp"));
    let options = http_options(&args.http)?;
    let own = options.is_some_and(|options| options.tokens.is_empty() && !options.no_token);
    if own && address.ip().is_loopback() {
        if args.client.workspace {
            let message = "the entry has a token of this user, and the file of a workspace is for others too; leave out \
                           `--workspace`, or serve with `--no-token`";
            return Err(Failure::usage(message));
        }
        let token = LocalToken::of(address).map_err(|error| Failure::Io(error.to_string()))?;
        if let Target::Url { headers, .. } = &mut server.target {
            let header = format!("Bearer {}", token.as_str());
            headers.insert("Authorization".to_owned(), header);
        }
    }
    Ok(server)
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
        match terminal::confirm(&question)? {
            Some(true) => {}
            Some(false) => return Err(Failure::Refused("nothing was written".to_owned())),
            None => {
                let message = "nobody is there to agree, so nothing was written; add `--yes`";
                return Err(Failure::Refused(message.to_owned()));
            }
        }
    }
    install_text(path, before.as_deref(), &edit.text, place.scope, max_bytes)?;
    #[cfg(unix)]
    if matches!(&server.target, Target::Url { headers, .. } if !headers.is_empty()) {
        // The token is for this user alone.
        let private = std::os::unix::fs::PermissionsExt::from_mode(0o600);
        std::fs::set_permissions(path, private).map_err(|error| {
            Failure::Io(format!(
                "cannot keep `{shown}` from others, who could read the token: {error}"
            ))
        })?;
    }
    let done = match place.scope {
        Scope::User => "written",
        Scope::Workspace => "written for this folder",
    };
    out.line(&format!("{done}: {}", terminal::safe(&shown)))?;
    Ok(Outcome::Success)
}
