//! The pages of one call: those that were opened, and those that its tool still waits for.

use std::collections::VecDeque;
use std::sync::MutexGuard;
use std::time::Instant;

use toolwire::block::Question;
use toolwire::json::{ObjectWriter, array};
use toolwire::mcp::Revision;
use toolwire_host::PendingQuestion;
use toolwire_rpc::RpcError;

use super::pages::{MAX_PAGES, Page, unused_id};
use super::request::Request;
use super::state::Open;

/// `URLElicitationRequiredError`.
const OPEN_FIRST: i32 = -32042;

/// The pages of one call, from its first question to its end.
pub(super) struct Visit<'a> {
    request: &'a Request,
    /// The ids of the pages that this call has opened, each with the round in which it did.
    mine: Vec<(String, usize)>,
    /// What the client is told if the tool asks for a page again.
    pub unopened: Option<RpcError>,
}

impl<'a> Visit<'a> {
    pub(super) fn new(request: &'a Request) -> Self {
        Visit {
            request,
            mine: Vec::new(),
            unopened: None,
        }
    }

    fn pages(&self) -> MutexGuard<'a, VecDeque<Page>> {
        let handler = &self.request.handler;
        let lifetime = handler.shared.options.state_lifetime;
        handler.session.pages.lock(lifetime)
    }

    /// Looks at a question before it is asked. If the tool waits for pages that were opened, the call can't go
    /// on before they are done. What this call has opened and is not asked for any more is done.
    pub(super) async fn look(&mut self, asking: &PendingQuestion) {
        if self.request.context.revision != Revision::V2025_11_25 {
            return;
        }
        let again: Vec<String> = std::iter::once(&asking.question)
            .chain(&asking.later_pages)
            .filter_map(|question| self.again(question))
            .collect();
        if !again.is_empty() {
            let name = &self.request.tool.description.name;
            let message = format!("open the page and do what it asks, then call `{name}` again");
            let data = ObjectWriter::new().json("elicitations", array(again)).end();
            self.unopened = Some(RpcError {
                data: Some(data),
                ..RpcError::new(OPEN_FIRST, message)
            });
            return;
        }
        let (done, mine) = std::mem::take(&mut self.mine)
            .into_iter()
            .partition(|(_, round)| *round < asking.round);
        self.mine = mine;
        let is_done = |page: &Page| done.iter().any(|(id, _)| *id == page.id);
        self.complete(is_done).await;
    }

    /// The elicitation of a page that was opened, for a question that asks for it again. Under another URL it
    /// is another one.
    fn again(&self, question: &Question) -> Option<String> {
        let url = question.url.as_deref()?;
        let mut pages = self.pages();
        let page = pages
            .iter_mut()
            .find(|page| self.is_of_this_call(page) && page.question == question.id)?;
        if page.url != url {
            url.clone_into(&mut page.url);
            page.id = unused_id();
        }
        let id = Some(page.id.as_str());
        self.request.asked.params(&Open::of(question), &[], id).ok()
    }

    /// Remembers a page that was opened.
    pub(super) fn opened(&mut self, asking: &PendingQuestion, id: String) {
        let Some(url) = asking.question.url.clone() else {
            return;
        };
        let mut pages = self.pages();
        if pages.len() >= MAX_PAGES {
            pages.pop_front();
        }
        pages.push_back(Page {
            call: self.request.bound.arguments.clone(),
            question: asking.question.id.clone(),
            url,
            id: id.clone(),
            opened: Instant::now(),
        });
        self.mine.push((id, asking.round));
    }

    /// The tool has a result that is no error, so all pages of this call are done.
    pub(super) async fn end(&self) {
        self.complete(|page| self.is_of_this_call(page)).await;
    }

    fn is_of_this_call(&self, page: &Page) -> bool {
        page.call == self.request.bound.arguments
    }

    /// Forgets pages, and tells the client that they are done.
    async fn complete(&self, is_done: impl Fn(&Page) -> bool) {
        let mut done = Vec::new();
        self.pages().retain(|page| {
            let keep = !is_done(page);
            if !keep {
                done.push(page.id.clone());
            }
            keep
        });
        for id in done {
            let params = ObjectWriter::new().text("elicitationId", id).end();
            let caller = &self.request.context.caller;
            // Where the client is gone, nobody waits for it.
            let _ = caller
                .notify("notifications/elicitation/complete", &params)
                .await;
        }
    }
}
