//! MCP over lines: a transport under rmcp that keeps what a request says to the letter.

use std::collections::HashMap;
use std::future::Future;
use std::io;
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rmcp::model::{
    ClientJsonRpcMessage, ClientNotification, ClientRequest, ErrorData, GetExtensions,
    JsonRpcMessage, RequestId, ServerJsonRpcMessage,
};
use rmcp::transport::Transport;
use rmcp::{RoleServer, ServiceExt};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;
use toolwire::json::ObjectWriter;
use toolwire_author::invocation::{take_stdin, take_stdout};

use super::handler::Handler;
use super::handler::{self, Session};
use super::tasks::{LinkReader, LinkWriter, Order, Orders, Relay, Relaying, TaskLink};
use super::{Exact, ServeError, Server, exact, tasks};

/// So many messages may wait to be written.
const WAITING: usize = 64;

/// So long the last messages may take to be written.
pub(super) const FLUSHING: Duration = Duration::from_secs(2);

/// Serves one client over stdin and stdout, until stdin ends or `stop` is done. Then its calls are ended, and
/// nothing is left of their tools.
///
/// If functions of this program are served, both streams are taken from the rest of the process: what is
/// printed goes to stderr, and who reads stdin finds nothing there.
///
/// # Errors
///
/// If there is nothing to serve, as [`Server::ready`] says.
///
/// # Panics
///
/// Outside of a tokio runtime that has its timers and I/O enabled.
pub async fn serve_stdio(
    server: &Server,
    stop: impl Future<Output = ()> + Send,
) -> Result<(), ServeError> {
    let served = serve_own(server, stop).await;
    // There is only one client, so that nothing outlives it.
    server.shutdown().await;
    served
}

async fn serve_own(
    server: &Server,
    stop: impl Future<Output = ()> + Send,
) -> Result<(), ServeError> {
    if !server.0.options.offer.functions.is_empty() {
        let open = |file: Option<&std::fs::File>| {
            let file = file.and_then(|file| file.try_clone().ok());
            file.map(tokio::fs::File::from_std)
                .ok_or_else(|| ServeError::new("stdin or stdout is closed"))
        };
        return serve(server, open(take_stdin())?, open(take_stdout())?, stop).await;
    }
    let (read, write) = rmcp::transport::stdio_pipes();
    serve(server, read, write, stop).await
}

/// Serves one client over two streams, as [`serve_stdio`] does.
///
/// # Errors
///
/// If there is nothing to serve, as [`Server::ready`] says.
///
/// # Panics
///
/// Outside of a tokio runtime that has its timers and I/O enabled.
pub async fn serve(
    server: &Server,
    read: impl AsyncRead + Send + Unpin + 'static,
    write: impl AsyncWrite + Send + Unpin + 'static,
    stop: impl Future<Output = ()> + Send,
) -> Result<(), ServeError> {
    serve_until(server, Box::new(read), Box::new(write), pin!(stop)).await
}

/// Boxed, so that it is compiled once and not in each crate that calls it.
fn serve_until<'a>(
    server: &'a Server,
    read: LinkReader,
    write: LinkWriter,
    stop: Pin<&'a mut (dyn Future<Output = ()> + Send)>,
) -> Pin<Box<dyn Future<Output = Result<(), ServeError>> + Send + 'a>> {
    Box::pin(async move {
        let handler = server.handler("");
        let session = Arc::clone(&handler.session);
        let options = &server.0.options;
        let mut lines = Lines::new(read, write, options.max_message, Arc::clone(&session));
        let link = options
            .task_link
            .clone()
            .filter(|_| options.tasks.is_some());
        let relaying = link.and_then(|link| lines.relay(handler.clone(), link));
        let serving = async {
            // A client that leaves before the handshake is no mistake of the server.
            if let Ok(service) = handler.serve(lines).await {
                let _ = service.waiting().await;
            }
        };
        let failing = async {
            match server.ready().await {
                Ok(()) => std::future::pending().await,
                Err(why) => why,
            }
        };
        let (served, at_once) = tokio::select! {
            () = serving => (Ok(()), false),
            () = stop => (Ok(()), true),
            why = failing => (Err(why), true),
        };
        session.shutdown().await;
        if let Some(relaying) = relaying {
            relaying.finish(at_once).await;
        }
        served
    })
}

/// JSON-RPC messages, one a line.
pub(super) struct Lines {
    reader: Reader,
    /// Takes the messages that are answered where tasks are kept, if they are kept elsewhere.
    relay: Option<Relay>,
    /// Reads the lines of a server whose tasks are kept here.
    orders: Option<Orders>,
    /// Lines to be written; none when the transport is closed.
    write: Option<mpsc::Sender<String>>,
    writer: JoinHandle<()>,
    /// Closed once all is written, for who can't wait for the writer.
    written: watch::Receiver<bool>,
    exact: Arc<Mutex<HashMap<RequestId, Exact>>>,
    session: Arc<Session>,
}

/// The lines of a stream.
pub(super) struct Reader {
    read: BufReader<LinkReader>,
    max: usize,
    /// What has come of a line. It stands here, since waiting for the rest may be given up at any time.
    line: Vec<u8>,
    /// Whether the rest of a line that is too long is skipped.
    skipping: bool,
}

/// What came of waiting for a line.
pub(super) enum Came {
    Line(Vec<u8>),
    TooLong,
    End,
}

impl Reader {
    /// The next line. Nothing is lost if the future is dropped.
    pub(super) async fn next_line(&mut self) -> Came {
        loop {
            let piece = match self.read.fill_buf().await {
                Ok([]) | Err(_) => return Came::End,
                Ok(piece) => piece,
            };
            let end = piece.iter().position(|byte| *byte == b'\n');
            let length = end.map_or(piece.len(), |end| end + 1);
            let too_long = !self.skipping && self.line.len() + length > self.max;
            if too_long {
                self.line.clear();
                self.skipping = true;
            }
            if !self.skipping {
                self.line.extend_from_slice(&piece[..length]);
            }
            self.read.consume(length);
            let skipped = self.skipping;
            if end.is_some() {
                self.skipping = false;
            }
            if too_long {
                return Came::TooLong;
            }
            if end.is_some() && !skipped {
                return Came::Line(std::mem::take(&mut self.line));
            }
        }
    }
}

impl Lines {
    pub(super) fn new(
        read: LinkReader,
        mut write: LinkWriter,
        max: usize,
        session: Arc<Session>,
    ) -> Self {
        let (sender, mut lines) = mpsc::channel::<String>(WAITING);
        // One task writes, so that a message is whole even where sending it is given up.
        let (says_written, written) = watch::channel(false);
        let writer = tokio::spawn(async move {
            let _says_written = says_written;
            while let Some(line) = lines.recv().await {
                let written = async {
                    write.write_all(line.as_bytes()).await?;
                    write.flush().await
                };
                if written.await.is_err() {
                    return;
                }
            }
        });
        Lines {
            reader: Reader {
                read: BufReader::new(read),
                max,
                line: Vec::new(),
                skipping: false,
            },
            relay: None,
            orders: None,
            write: Some(sender),
            writer,
            written,
            exact: Arc::default(),
            session,
        }
    }

    /// The same for a server whose tasks are kept here: its lines say what to do with a message.
    pub(super) fn with_orders(mut self) -> Self {
        self.orders = Some(Orders::default());
        self
    }

    /// Relays messages about tasks from now on.
    fn relay(&mut self, handler: Handler, link: TaskLink) -> Option<Relaying> {
        let write = self.write.clone()?;
        let (relay, relaying) = Relay::start(handler, link, write, self.written.clone());
        self.relay = Some(relay);
        Some(relaying)
    }

    /// Writes a line if there is room: an answer to what is no message is not worth waiting for.
    fn complain(&self, error: ErrorData) {
        let error = serde_json::to_string(&error).unwrap_or_default();
        let mut out = ObjectWriter::new();
        out.text("jsonrpc", "2.0")
            .json("id", "null")
            .json("error", error);
        self.say(out.end());
    }

    fn say(&self, line: String) {
        if let Some(write) = &self.write {
            let _ = write.try_send(line + "\n");
        }
    }

    /// The message in a line; nothing if it is empty, or no message.
    fn message(&self, line: &[u8], order: Option<Order>) -> Option<ClientJsonRpcMessage> {
        if line.trim_ascii().is_empty() {
            return None;
        }
        let mut message = match serde_json::from_slice::<ClientJsonRpcMessage>(line) {
            Ok(message) => message,
            Err(error) => {
                self.refuse(line, &error);
                return None;
            }
        };
        match &mut message {
            JsonRpcMessage::Request(request) => {
                if let ClientRequest::InitializeRequest(_) = &request.request
                    && let Some(refusal) =
                        exact::message(line).and_then(|line| handler::handshake_refused(&line))
                {
                    self.say(refusal);
                    return None;
                }
                if let ClientRequest::SubscriptionsListenRequest(_) = &request.request {
                    let apart = exact::message(line).and_then(|line| tasks::apart(&line));
                    let apart = apart.and_then(|apart| serde_json::from_str(&apart).ok());
                    return Some(apart.unwrap_or(message));
                }
                let wants = matches!(
                    request.request,
                    ClientRequest::CallToolRequest(_)
                        | ClientRequest::ListToolsRequest(_)
                        | ClientRequest::GetTaskRequest(_)
                        | ClientRequest::UpdateTaskRequest(_)
                );
                if let Some(line) = wants.then(|| exact::message(line)).flatten() {
                    let exact = Exact::new(exact::params(&line));
                    let id = request.id.clone();
                    let extensions = request.request.extensions_mut();
                    extensions.insert(exact.clone());
                    if let Some(order) = order {
                        extensions.insert(order);
                    }
                    lock(&self.exact).insert(id, exact);
                }
            }
            JsonRpcMessage::Notification(notification) => {
                // Nobody answers a request that is cancelled.
                if let ClientNotification::CancelledNotification(cancelled) =
                    &notification.notification
                    && let Some(id) = &cancelled.params.request_id
                {
                    lock(&self.exact).remove(id);
                }
            }
            JsonRpcMessage::Response(_) => {
                let kept = exact::message(line).and_then(|line| exact::response(&line));
                let kept = kept.and_then(|kept| serde_json::from_str(&kept).ok());
                return Some(kept.unwrap_or(message));
            }
            JsonRpcMessage::Error(_) => {}
        }
        Some(message)
    }

    /// What is no message is answered, except notifications, which need no answer.
    fn refuse(&self, line: &[u8], error: &serde_json::Error) {
        let value: Result<serde_json::Value, _> = serde_json::from_slice(line);
        match value {
            Err(_) => self.complain(ErrorData::parse_error(
                format!("the message is not JSON: {error}"),
                None,
            )),
            Ok(value) if value.get("method").is_some() && value.get("id").is_none() => {}
            Ok(_) => self.complain(ErrorData::invalid_request(
                "the message is not one of JSON-RPC 2.0",
                None,
            )),
        }
    }
}

fn lock(exact: &Mutex<HashMap<RequestId, Exact>>) -> MutexGuard<'_, HashMap<RequestId, Exact>> {
    exact.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Transport<RoleServer> for Lines {
    type Error = io::Error;

    fn send(
        &mut self,
        message: ServerJsonRpcMessage,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let exact = match &message {
            JsonRpcMessage::Response(response) => lock(&self.exact).remove(&response.id),
            JsonRpcMessage::Error(error) => {
                if let Some(id) = &error.id {
                    lock(&self.exact).remove(id);
                }
                None
            }
            _ => None,
        };
        let line = line(&message, exact.as_ref().and_then(Exact::result));
        let write = self.write.clone();
        async move {
            let closed = || io::Error::new(io::ErrorKind::NotConnected, "the client is gone");
            let write = write.ok_or_else(closed)?;
            write.send(line?).await.map_err(|_| closed())
        }
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            let came = match &mut self.relay {
                Some(relay) => relay.next(&mut self.reader).await,
                None => self.reader.next_line().await,
            };
            match came {
                Came::Line(line) => {
                    let read = match &mut self.orders {
                        Some(orders) => orders.read(&line),
                        None => Some((line, None)),
                    };
                    let message = read.and_then(|(line, order)| self.message(&line, order));
                    if message.is_some() {
                        return message;
                    }
                }
                Came::TooLong => {
                    let message = format!("a message is longer than {} bytes", self.reader.max);
                    self.complain(ErrorData::invalid_request(message, None));
                }
                Came::End => {
                    self.session.leave();
                    return None;
                }
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        if let Some(relay) = &mut self.relay {
            relay.close().await;
        }
        self.write = None;
        // A client that does not read is not waited for.
        let _ = tokio::time::timeout(FLUSHING, &mut self.writer).await;
        Ok(())
    }
}

/// A message as a line, with the result to the letter if there is one.
fn line(message: &ServerJsonRpcMessage, result: Option<&str>) -> io::Result<String> {
    let mut text = match (message, result) {
        (JsonRpcMessage::Response(response), Some(result)) => {
            let mut out = ObjectWriter::new();
            out.text("jsonrpc", "2.0");
            out.json("id", serde_json::to_string(&response.id)?);
            out.json("result", result);
            out.end()
        }
        _ => serde_json::to_string(message)?,
    };
    text.push('\n');
    Ok(text)
}
