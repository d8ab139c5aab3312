//! The way from a server to the user's session host, which keeps its handles.

use std::ffi::OsString;
use std::sync::Arc;

use toolwire_host::handles::{Handles, HandlesError};
use toolwire_mcp::server::HandlesLink;
use toolwire_session_host::SessionHostClient;

use super::host_of;
use crate::args::quoted;
use crate::exit::Result;

/// The way to the host of the workspace with this root, if one was given. `program` is how this process was started,
/// which starts the host.
pub fn link(program: OsString, root: Option<String>) -> HandlesLink {
    let client = Arc::new(move || host_of(root.as_deref(), &program));
    let command = Arc::clone(&client);
    HandlesLink::new(
        move |start| {
            let client = client();
            async move {
                let found = find(client, start).await;
                found.map_err(|failure| unusable(&failure.message()))
            }
        },
        move |id| command_of_person(&command().ok()?, id),
    )
}

/// A connection of its own for each call: one that is given up is closed, and the host then waits no longer.
async fn find(client: Result<SessionHostClient>, start: bool) -> Result<Option<Arc<dyn Handles>>> {
    let client = client?;
    let found = match start {
        true => client.find_or_start().await.map(Some),
        false => client.find().await,
    };
    let found = found?;
    Ok(found.map(|found| Arc::new(found) as _))
}

fn command_of_person(client: &SessionHostClient, id: &str) -> Option<String> {
    let root = quoted(client.place().root().to_str()?);
    let separator = if id.starts_with('-') { "-- " } else { "" };
    let id = quoted(id);
    Some(format!(
        "toolwire session attach --root {root} {separator}{id}"
    ))
}

fn unusable(why: &str) -> HandlesError {
    HandlesError::Unreached(format!(
        "{why}; a server that is started with `--no-session-host` keeps what runs on in its own process"
    ))
}
