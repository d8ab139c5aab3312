//! The body of an answer, in which the result is written to the letter.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use http_body_util::combinators::BoxBody;
use hyper::body::{Body, Bytes, Frame};
use serde_json::value::RawValue;
use toolwire::json::ObjectWriter;

use super::guard::Call;

/// An answer that comes from rmcp, as a stream of events or as one JSON text.
pub struct Answer {
    body: BoxBody<Bytes, Infallible>,
    /// An event that has not ended yet.
    waiting: Vec<u8>,
    is_stream: bool,
    /// What the server is busy with until the answer is written.
    call: Call,
}

impl Answer {
    pub fn new(body: BoxBody<Bytes, Infallible>, is_stream: bool, call: Call) -> Self {
        Answer {
            body,
            waiting: Vec::new(),
            is_stream,
            call,
        }
    }

    /// The events that have ended.
    fn events(&mut self, piece: &Bytes) -> Vec<u8> {
        self.waiting.extend_from_slice(piece);
        let mut whole = Vec::new();
        let mut start = 0;
        while let Some(length) = self.waiting[start..]
            .windows(2)
            .position(|two| two == b"\n\n")
        {
            let end = start + length + 2;
            self.event(start, end, &mut whole);
            start = end;
        }
        self.waiting.drain(..start);
        whole
    }

    /// Writes an event, with the result to the letter if it has it.
    fn event(&self, start: usize, end: usize, whole: &mut Vec<u8>) {
        let event = &self.waiting[start..end];
        let Some(result) = self.call.exact.result() else {
            return whole.extend_from_slice(event);
        };
        for line in event.split_inclusive(|byte| *byte == b'\n') {
            let exact = line
                .strip_prefix(b"data:")
                .and_then(|data| with_result(data, result));
            match exact {
                Some(exact) => {
                    whole.extend_from_slice(b"data: ");
                    whole.extend_from_slice(exact.as_bytes());
                    whole.push(b'\n');
                }
                None => whole.extend_from_slice(line),
            }
        }
    }
}

/// A response with this result instead; nothing if it is none.
fn with_result(data: &[u8], result: &str) -> Option<String> {
    #[derive(serde::Deserialize)]
    struct Response<'a> {
        #[serde(borrow)]
        id: &'a RawValue,
        #[serde(borrow)]
        result: &'a RawValue,
    }
    let response: Response<'_> = serde_json::from_slice(data).ok()?;
    let _ = response.result;
    let mut out = ObjectWriter::new();
    out.text("jsonrpc", "2.0");
    out.json("id", response.id.get());
    // Line ends stand between the tokens of JSON only, and would end the line of an event.
    out.json("result", result.replace(['\n', '\r'], " "));
    Some(out.end())
}

impl Body for Answer {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        loop {
            let frame = match Pin::new(&mut self.body).poll_frame(context) {
                Poll::Pending => return Poll::Pending,
                Poll::Ready(Some(Ok(frame))) => frame,
                Poll::Ready(None) => {
                    let rest = std::mem::take(&mut self.waiting);
                    self.call.done();
                    let rest = (!rest.is_empty()).then(|| Ok(Frame::data(rest.into())));
                    return Poll::Ready(rest);
                }
            };
            if !self.is_stream {
                return Poll::Ready(Some(Ok(frame)));
            }
            let Some(piece) = frame.data_ref() else {
                return Poll::Ready(Some(Ok(frame)));
            };
            let events = self.events(piece);
            if !events.is_empty() {
                return Poll::Ready(Some(Ok(Frame::data(events.into()))));
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        self.waiting.is_empty() && self.body.is_end_stream()
    }
}
