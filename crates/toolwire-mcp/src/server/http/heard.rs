//! The body of a request, read whole and to the letter before rmcp gets it (SRV-9), within a time and a size
//! (SRV-44).

use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use hyper::body::{Body, Bytes, Frame, Incoming};
use tokio::time::Sleep;

use super::guard::Call;
use crate::server::exact;

/// A body that is passed on in one piece.
pub struct Heard {
    body: Incoming,
    text: Vec<u8>,
    max: usize,
    deadline: Pin<Box<Sleep>>,
    passed: bool,
    call: Call,
}

/// Why a body could not be read.
#[derive(Debug)]
pub enum Unheard {
    Broken(hyper::Error),
    TooSlow,
    TooLong,
}

impl fmt::Display for Unheard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unheard::Broken(error) => error.fmt(f),
            Unheard::TooSlow => f.write_str("the body took too long"),
            Unheard::TooLong => f.write_str("the body is too long"),
        }
    }
}

impl Heard {
    pub fn new(body: Incoming, max: usize, time: Duration, call: Call) -> Self {
        Heard {
            body,
            text: Vec::new(),
            max,
            deadline: Box::pin(tokio::time::sleep(time)),
            passed: false,
            call,
        }
    }

    /// What rmcp gets: the same text, or the same response with its result as text.
    fn whole(&mut self) -> Bytes {
        let text = std::mem::take(&mut self.text);
        if listens(&text) {
            self.call.listens();
        }
        if let Some(params) = exact::params(&text) {
            self.call.exact.fill(params);
        }
        match exact::response(&text) {
            Some(response) => response.into(),
            None => text.into(),
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
        while !self.passed {
            let why = match Pin::new(&mut self.body).poll_frame(context) {
                Poll::Pending if self.deadline.as_mut().poll(context).is_pending() => {
                    return Poll::Pending;
                }
                Poll::Pending => Unheard::TooSlow,
                Poll::Ready(Some(Err(error))) => Unheard::Broken(error),
                Poll::Ready(Some(Ok(frame))) => {
                    let piece = frame.into_data().unwrap_or_default();
                    if piece.len() <= self.max.saturating_sub(self.text.len()) {
                        self.text.extend_from_slice(&piece);
                        continue;
                    }
                    self.call.too_long();
                    Unheard::TooLong
                }
                Poll::Ready(None) => {
                    self.passed = true;
                    return Poll::Ready(Some(Ok(Frame::data(self.whole()))));
                }
            };
            self.passed = true;
            return Poll::Ready(Some(Err(why)));
        }
        Poll::Ready(None)
    }

    fn is_end_stream(&self) -> bool {
        self.passed
    }
}
