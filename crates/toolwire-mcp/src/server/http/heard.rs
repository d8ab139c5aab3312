//! The body of a request, heard to the letter while rmcp reads it (SRV-9), within a time (SRV-44).

use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use hyper::body::{Body, Bytes, Frame, Incoming, SizeHint};
use tokio::time::Sleep;

use super::guard::Call;
use crate::server::exact;

/// A body that is passed on and listened to.
pub struct Heard {
    body: Incoming,
    text: Option<Vec<u8>>,
    max: usize,
    deadline: Pin<Box<Sleep>>,
    call: Call,
}

/// Why a body could not be read.
#[derive(Debug)]
pub enum Unheard {
    Broken(hyper::Error),
    TooSlow,
}

impl fmt::Display for Unheard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unheard::Broken(error) => error.fmt(f),
            Unheard::TooSlow => f.write_str("the body took too long"),
        }
    }
}

impl Heard {
    pub fn new(body: Incoming, max: usize, time: Duration, call: Call) -> Self {
        Heard {
            body,
            text: Some(Vec::new()),
            max,
            deadline: Box::pin(tokio::time::sleep(time)),
            call,
        }
    }

    fn hear(&mut self, piece: &Bytes) {
        // rmcp refuses a body that is longer.
        if self
            .text
            .as_ref()
            .is_some_and(|text| text.len() + piece.len() > self.max)
        {
            self.text = None;
        }
        if let Some(text) = &mut self.text {
            text.extend_from_slice(piece);
        }
        if self.body.is_end_stream() {
            self.understand();
        }
    }

    fn understand(&mut self) {
        let Some(text) = self.text.take() else {
            return;
        };
        if listens(&text) {
            self.call.listens();
        }
        if let Some(params) = exact::params(&text) {
            self.call.exact.fill(params);
        }
    }
}

/// Whether it is the request of a stream that stays open.
fn listens(text: &[u8]) -> bool {
    #[derive(serde::Deserialize)]
    struct Method<'a> {
        #[serde(borrow)]
        method: std::borrow::Cow<'a, str>,
    }
    let method = serde_json::from_slice::<Method<'_>>(text);
    method.is_ok_and(|message| message.method == "subscriptions/listen")
}

impl Body for Heard {
    type Data = Bytes;
    type Error = Unheard;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Unheard>>> {
        let polled = Pin::new(&mut self.body).poll_frame(context);
        if polled.is_pending() {
            ready!(self.deadline.as_mut().poll(context));
            return Poll::Ready(Some(Err(Unheard::TooSlow)));
        }
        let frame = ready!(polled);
        match &frame {
            Some(Ok(frame)) => {
                if let Some(piece) = frame.data_ref() {
                    self.hear(piece);
                }
            }
            Some(Err(_)) => {}
            None => self.understand(),
        }
        Poll::Ready(frame.map(|frame| frame.map_err(Unheard::Broken)))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
