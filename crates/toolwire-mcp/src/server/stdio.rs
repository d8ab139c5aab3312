//! MCP over lines, on stdin and stdout or two other streams.

use std::future::Future;
use std::pin::{Pin, pin};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite};
use toolwire_author::invocation::{take_stdin, take_stdout};
use toolwire_rpc::{peer, strict_lines};

use super::tasks::relay::Relay;
use super::tasks::{LinkReader, LinkWriter};
use super::{ServeError, Server};

/// How long calls may go on when nothing comes from the client any more.
const DRAINING: Duration = Duration::from_secs(5);

/// How long the last messages may take to be written once the server is to end.
const FLUSHING: Duration = Duration::from_secs(2);

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
    let served = match streams(server) {
        Ok((read, write)) => serve_until(server, "", read, write, pin!(stop)).await,
        Err(why) => Err(why),
    };
    // There is only one client, so that nothing outlives it.
    server.shutdown().await;
    served
}

fn streams(server: &Server) -> Result<(LinkReader, LinkWriter), ServeError> {
    if !server.0.options.offer.functions.is_empty() {
        let open = |file: Option<&std::fs::File>| {
            let file = file.and_then(|file| file.try_clone().ok());
            file.map(tokio::fs::File::from_std)
                .ok_or_else(|| ServeError::new("stdin or stdout is closed"))
        };
        return Ok((
            Box::new(open(take_stdin())?),
            Box::new(open(take_stdout())?),
        ));
    }
    // A pipe that is opened anew never blocks a thread, and leaves those of this process, which tools may inherit, as
    // they are.
    #[cfg(target_os = "linux")]
    {
        let pipe = tokio::net::unix::pipe::OpenOptions::new();
        let read = pipe.open_receiver("/proc/self/fd/0");
        if let (Ok(read), Ok(write)) = (read, pipe.open_sender("/proc/self/fd/1")) {
            return Ok((Box::new(read), Box::new(write)));
        }
    }
    Ok((Box::new(tokio::io::stdin()), Box::new(tokio::io::stdout())))
}

/// Serves one client over two streams, as [`serve_stdio`] does. The principal is who calls: empty where there is only
/// one.
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
    principal: &str,
    read: impl AsyncRead + Send + Unpin + 'static,
    write: impl AsyncWrite + Send + Unpin + 'static,
    stop: impl Future<Output = ()> + Send,
) -> Result<(), ServeError> {
    serve_until(
        server,
        principal,
        Box::new(read),
        Box::new(write),
        pin!(stop),
    )
    .await
}

/// Boxed, so that it is compiled once and not in each crate that calls it.
fn serve_until<'a>(
    server: &'a Server,
    principal: &'a str,
    read: LinkReader,
    write: LinkWriter,
    stop: Pin<&'a mut (dyn Future<Output = ()> + Send)>,
) -> Pin<Box<dyn Future<Output = Result<(), ServeError>> + Send + 'a>> {
    Box::pin(async move {
        let options = &server.0.options;
        let link = options.task_link.clone();
        let relay = link.filter(|_| options.tasks.is_some()).map(Relay::new);
        let handler = server.handler(principal, relay);
        let mut calls = handler.options();
        calls.drain = DRAINING;
        let (peer, driver) = peer(strict_lines(read, write, options.max_message), calls);
        let mut driver = pin!(driver);
        let served = tokio::select! {
            () = &mut driver => Ok(()),
            () = stop => Err(None),
            why = server.failing() => Err(Some(why)),
        };
        if served.is_err() {
            peer.close();
            // Of a client that does not leave, nothing is read any more.
            let _ = tokio::time::timeout(FLUSHING, driver).await;
        }
        handler.session.shutdown().await;
        if let Some(relay) = &handler.session.relay {
            relay.close().await;
        }
        served.or_else(|why| why.map_or(Ok(()), Err))
    })
}
