//! A call of a server's tool for each record of standard input, all on one connection.

use std::cell::RefCell;
use std::sync::Arc;

use tokio::sync::Mutex;
use toolwire::Json;
use toolwire_host::Transport;
use toolwire_mcp::client::Client;

use super::server::Reach;
use super::{Asked, Extras, open};
use crate::baseline::callable;
use crate::each::{self, Callee, Done, Work};
use crate::exit::{Outcome, Result};
use crate::output::Out;
use crate::run::arguments::{self, Verb};
use crate::run::{AN_ARGUMENT, Session, choose};

/// A server that is reached for all calls.
struct Server<'a> {
    reach: &'a Reach,
    asked: &'a Asked<'a>,
    extras: &'a Extras<'a>,
    session: &'a Session,
    /// The name of the tool.
    tool: String,
    client: RefCell<Client>,
    /// One reaches it again where several calls have lost it.
    reaching: Mutex<()>,
}

impl Callee for Server<'_> {
    fn transport<'a>(&'a self, _: &'a Json) -> Done<'a, Arc<dyn Transport>> {
        Box::pin(async {
            let call = self.client.borrow().call();
            let baseline = &self.asked.baseline;
            if baseline.is_locked() {
                match call.listing().await {
                    Ok(listed) => {
                        baseline.between_calls(&self.tool, &listed, &self.session.screen)?;
                    }
                    // The call fails on the same connection, as one that is lost does.
                    Err(_) if self.is_lost() => {}
                    Err(error) => return Err(super::failure(error)),
                }
            }
            Ok(Arc::new(call) as Arc<dyn Transport>)
        })
    }

    fn is_lost(&self) -> bool {
        self.client.borrow().is_closed()
    }

    fn reach_again(&self) -> Done<'_> {
        Box::pin(async {
            let _reaching = self.reaching.lock().await;
            if self.is_lost() {
                let args = &self.asked.args.server;
                let client = open(self.reach, args, self.extras(), self.session).await?;
                let baseline = &self.asked.baseline;
                baseline.refuse(&baseline.tools(&client).await.map_err(super::failure)?)?;
                self.client.replace(client).close().await;
            }
            Ok(())
        })
    }
}

impl Server<'_> {
    fn extras(&self) -> super::Extra {
        (self.extras)()
    }
}

impl Asked<'_> {
    /// Makes the calls and writes their results.
    pub(super) async fn each(
        mut self,
        reach: &Reach,
        extras: &Extras<'_>,
        session: &Session,
        client: Client,
        out: &mut Out,
    ) -> Result<Outcome> {
        let label = reach.label().to_owned();
        let listed = super::list(session, &client).await?;
        self.baseline.before_use(&callable(&listed), out)?;
        let (as_listed, tool) = choose(&listed, self.tool.as_deref(), &label, AN_ARGUMENT)?;
        let schema = Some(&tool.input_schema);
        self.baseline.before_call(Some(as_listed), out)?;
        session.screen.name(&format!("{label}: {}", tool.name));
        let router = self.router(session, &label, out)?;
        let work = Work {
            args: &self.args.each,
            verb: Verb::RunAtServer,
            source: label.clone(),
            tool: tool.name.clone(),
            schema: Some(tool.input_schema.clone()),
            defaults: Some(arguments::from_words(&self.of_source, schema)?),
            given: self.given.take(),
            words: std::mem::take(&mut self.words),
            options: Json::empty_object(),
            exchange: super::exchange(),
            baseline: &self.baseline,
            description: Some(tool.clone()),
        };
        let server = Server {
            reach,
            asked: &self,
            extras,
            session,
            tool: work.tool.clone(),
            client: RefCell::new(client),
            reaching: Mutex::new(()),
        };
        let done = each::run(&work, &server, session, router, out).await;
        if !matches!(done, Err(crate::exit::Failure::Ended(_))) {
            server.client.into_inner().close().await;
        }
        done
    }
}
