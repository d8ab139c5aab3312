//! Handles that end with the server.

use std::sync::Arc;

use toolwire::call::AnswerSource;
use toolwire::question::{SecretContext, find_secret};
use toolwire::session::Applied;
use toolwire_host::{
    FetchOptions, Fetched, LineSession, SessionRules, SessionTool, SessionTransport, Sessions,
    SessionsOptions, SpawnOptions,
};

use super::{
    KeeperError, KeeperFuture, KeeperSpawn, Kept, KeptHandle, KeptProgram, KeptQuestion,
    SessionKeeper,
};
use crate::server::{HandleOptions, SessionCarrier};

/// The handles of one principal, in this process.
#[derive(Debug)]
pub struct InProcessKeeper {
    sessions: Sessions,
    carrier: Option<SessionCarrier>,
}

impl InProcessKeeper {
    pub fn new(options: &HandleOptions) -> Self {
        InProcessKeeper {
            sessions: Sessions::new(SessionsOptions {
                max_handles: options.max_handles,
                keep: options.keep,
                secret_ids: options.shared,
                ..SessionsOptions::default()
            }),
            carrier: options.carrier.clone(),
        }
    }

    fn tool(&self, spawn: &KeeperSpawn) -> Result<SessionTool, KeeperError> {
        let process = spawn.process.clone();
        let transport: Arc<dyn SessionTransport> = match &spawn.program {
            KeptProgram::Command(command) => Arc::new(LineSession::new(command.clone(), process)),
            KeptProgram::Manifest(tool) if tool.session.is_none() => {
                Arc::new(LineSession::new(tool.command.clone(), process))
            }
            KeptProgram::Manifest(tool) => {
                let carrier = self.carrier.as_ref();
                let carried = carrier.and_then(|carrier| carrier.carry(tool, process));
                // Such a tool is not served.
                carried.ok_or_else(|| KeeperError::new("nothing here drives such a program"))?
            }
        };
        let mut tool = SessionTool::new(spawn.description.clone(), transport);
        tool.exchange = spawn.exchange.clone();
        tool.rules = Some(SessionRules {
            idle_time: spawn.idle,
            session_time: spawn.session_time,
            ..SessionRules::default()
        });
        Ok(tool)
    }

    fn kept(&self, fetched: Fetched) -> Kept {
        Kept {
            asks: self.asks(&fetched.id),
            state: fetched.state,
            envelope: fetched.envelope,
            refusal: fetched.refusal,
        }
    }

    fn asks(&self, id: &str) -> Option<KeptQuestion> {
        let Some((question, said)) = self.sessions.question_for_person(id) else {
            let question = self.sessions.question(id)?;
            return Some(KeptQuestion {
                question,
                person: false,
                suspected: None,
            });
        };
        let mut context = SecretContext::default();
        for text in &said {
            context.add(text.as_str());
        }
        let suspected = find_secret(&question, &context).map(|secret| secret.about);
        Some(KeptQuestion {
            question,
            person: true,
            suspected,
        })
    }
}

impl SessionKeeper for InProcessKeeper {
    fn spawn(&self, spawn: KeeperSpawn) -> KeeperFuture<'_, Kept> {
        Box::pin(async move {
            let tool = self.tool(&spawn)?;
            let options = SpawnOptions {
                label: None,
                reply: spawn.reply,
            };
            let sessions = &self.sessions;
            let spawned = sessions
                .spawn_own(&spawn.id, tool, spawn.call, spawn.by, &options)
                .await;
            Ok(self.kept(spawned))
        })
    }

    fn fetch<'a>(
        &'a self,
        id: &'a str,
        by: AnswerSource,
        options: &'a FetchOptions,
    ) -> KeeperFuture<'a, Kept> {
        Box::pin(async move { Ok(self.kept(self.sessions.fetch(id, by, options).await)) })
    }

    fn apply<'a>(
        &'a self,
        id: &'a str,
        what: Applied,
        question: Option<&'a str>,
        by: AnswerSource,
        options: &'a FetchOptions,
    ) -> KeeperFuture<'a, Kept> {
        Box::pin(async move {
            let applied = self.sessions.apply(id, what, question, by, options).await;
            Ok(self.kept(applied))
        })
    }

    fn abort<'a>(&'a self, id: &'a str, by: AnswerSource) -> KeeperFuture<'a, Kept> {
        Box::pin(async move {
            let options = FetchOptions::default();
            Ok(self.kept(self.sessions.abort(id, by, &options).await))
        })
    }

    fn find<'a>(&'a self, id: &'a str) -> KeeperFuture<'a, Option<KeptHandle>> {
        let found = self.sessions.list().into_iter().find(|one| one.id == id);
        let found = found.map(|one| KeptHandle {
            tool: one.tool,
            state: one.state,
            asks: self.asks(id),
        });
        Box::pin(std::future::ready(Ok(found)))
    }

    fn close(&self) -> std::pin::Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        Box::pin(self.sessions.close())
    }
}
