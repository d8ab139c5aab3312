//! The body of a request, read whole and to the letter before rmcp gets it, within a time and a size
//!.

use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use http::StatusCode;
use hyper::body::{Body, Bytes, Frame, Incoming};
use tokio::time::Sleep;

use super::guard::Call;
use crate::server::tasks::{LISTEN, apart};
use crate::server::{exact, handler};

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
    Refused,
}

impl fmt::Display for Unheard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unheard::Broken(error) => error.fmt(f),
            Unheard::TooSlow => f.write_str("the body took too long"),
            Unheard::Refused => f.write_str("the body is refused"),
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

    /// What rmcp gets: the same text, or the same response with its result as text. Nothing if the message is
    /// refused.
    fn whole(&mut self) -> Option<Bytes> {
        let text = std::mem::take(&mut self.text);
        let mut kept = None;
        if let Some(message) = exact::message(&text) {
            if let Some(refusal) = handler::handshake_refused(&message) {
                self.call.refuse(StatusCode::NOT_FOUND, refusal);
                return None;
            }
            let method = message.root().get("method");
            if method.is_some_and(|method| method.as_str().as_deref() == Some(LISTEN)) {
                self.call.listens();
            }
            self.call.exact.fill(exact::params(&message));
            kept = exact::response(&message).or_else(|| apart(&message));
        }
        Some(kept.map_or_else(|| text.into(), Bytes::from))
    }
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
                    let message = format!("the body is longer than {} bytes", self.max);
                    self.call.refuse(StatusCode::PAYLOAD_TOO_LARGE, message);
                    Unheard::Refused
                }
                Poll::Ready(None) => match self.whole() {
                    Some(whole) => {
                        self.passed = true;
                        return Poll::Ready(Some(Ok(Frame::data(whole))));
                    }
                    None => Unheard::Refused,
                },
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
