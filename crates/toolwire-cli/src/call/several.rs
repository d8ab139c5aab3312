//! Several calls of a server, one after the other on one connection.

use std::sync::Arc;

use toolwire::call::Call;
use toolwire::{Json, Parsed};
use toolwire_source::Source;

use super::server::{Extra, Reach};
use super::{connect, exchange};
use crate::args::{AnswerArgs, ServerArgs};
use crate::exit::{Failure, Result};
use crate::output::Out;
use crate::run::block_on;
use crate::run::router::Router;

/// The results of calls, each of a tool with arguments. Their questions are for a person, or nobody.
pub fn several(
    source: Source,
    args: &ServerArgs,
    calls: &[(String, Json)],
    out: &Out,
) -> Result<Vec<Parsed<'static>>> {
    let reach = Reach::prepare(source, args)?;
    let answers = AnswerArgs::default();
    block_on(async {
        let (session, client) = connect(&reach, args, Extra::default(), out).await?;
        let label = reach.label();
        let mut results = Vec::new();
        for (tool, arguments) in calls {
            session.screen.name(&format!("{label}: {tool}"));
            let mut call = Call::new(tool, arguments.clone());
            call.root.clone_from(&session.root);
            let mut router = Router {
                server: Some(label.to_owned()),
                ..Router::new(label, &session, &answers, false, out)
            };
            let transport = Arc::new(client.call());
            let outcome = session
                .call(transport, call, exchange(), &mut router)
                .await?;
            if let Some(ended) = session.signals.outcome() {
                client.close().await;
                return Err(Failure::Ended(Some(ended)));
            }
            results.push(outcome.parsed);
        }
        client.close().await;
        Ok(results)
    })
}
