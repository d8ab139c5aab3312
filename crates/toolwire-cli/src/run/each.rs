//! A call of a tool for each record of standard input.

use std::sync::Arc;

use toolwire::Json;
use toolwire::call::ToolDescription;
use toolwire_host::{CallMode, ExchangeOptions, Transport};

use super::arguments::Verb;
use super::session::{Described, Session};
use super::target::Target;
use super::{HOST, Run, pick};
use crate::each::{self, Callee, Done, Work};
use crate::exit::{Failure, Outcome, Result};
use crate::output::Out;

/// A program that is run for each call.
struct Program<'a> {
    target: &'a Target,
    session: &'a Session,
}

impl Callee for Program<'_> {
    fn transport<'a>(&'a self, arguments: &'a Json) -> Done<'a, Arc<dyn Transport>> {
        Box::pin(async {
            let mut process = self.session.process(self.target.program(arguments)?);
            process.plain = self.target.entry.plain;
            Ok(Arc::new(process) as Arc<dyn Transport>)
        })
    }
}

impl Run<'_> {
    /// Makes the calls and writes their results.
    pub(super) async fn each(mut self, session: &Session, out: &mut Out) -> Result<Outcome> {
        let label = self.target.label.clone();
        let described = self.described(session).await?;
        self.verify(described.as_ref(), out)?;
        let schema = described.as_ref().map(|tool| tool.input_schema.clone());
        let hints = described.clone().map(|mut tool| {
            self.target.describe(&mut tool);
            tool
        });
        let named = described
            .map(|tool| tool.name)
            .or(self.target.entry.tool.clone());
        let router = self.router(session, out)?;
        let work = Work {
            args: &self.args.each,
            verb: Verb::Run,
            tool: named.unwrap_or_else(|| label.clone()),
            source: label,
            baseline: &self.baseline,
            description: hints,
            schema,
            defaults: self.target.arguments().cloned(),
            given: self.given.take(),
            words: std::mem::take(&mut self.words),
            options: self.target.entry.options.clone(),
            exchange: ExchangeOptions {
                host: HOST.to_owned(),
                refusals: std::mem::take(&mut self.target.entry.refusals),
                ..ExchangeOptions::default()
            },
        };
        let program = Program {
            target: &self.target,
            session,
        };
        each::run(&work, &program, session, router, out).await
    }

    /// What is known of the tool before it is called.
    async fn described(&self, session: &Session) -> Result<Option<ToolDescription>> {
        let label = &self.target.label;
        if let Some(contract) = self.target.contract() {
            return Ok(Some(contract));
        }
        if self.mode == CallMode::Call {
            return Ok(None);
        }
        match self.describe(session).await? {
            Some(Described {
                tools: Some(tools), ..
            }) => pick(tools, &self.target).map(Some),
            Some(_) => Err(Failure::Refused(format!(
                "`{label}` does not describe itself, so it was not called; if it reads calls, use `--call`"
            ))),
            None => Ok(None),
        }
    }
}
