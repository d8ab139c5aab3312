//! Streamable HTTP: connections within limits, and a graceful end.

mod checks;
mod once;
mod routes;
mod sessions;
mod stream;
pub(crate) mod tokens;

use std::future::Future;
use std::net::{IpAddr, SocketAddr};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;

use super::{ServeError, Server};
use crate::local_token::LocalToken;
use routes::Routes;

pub use tokens::{TOKENS_VARIABLE, Tokens};

/// Maximum time for connections to end after everything else.
const CLOSING: Duration = Duration::from_secs(1);

/// How HTTP is served. [`HttpOptions::new`] has the defaults.
///
/// ```
/// use toolwire_mcp::server::HttpOptions;
///
/// let options = HttpOptions { max_body: 1 << 20, ..HttpOptions::new("127.0.0.1:8080".parse()?) };
/// assert!(options.tokens.is_empty() && !options.no_token);
/// # Ok::<(), std::net::AddrParseError>(())
/// ```
#[derive(Debug, Clone)]
pub struct HttpOptions {
    /// Where connections are accepted; port 0 is any that is free.
    pub address: SocketAddr,
    /// Who may call. Without any, a server on the loopback has a token of its own ([`HttpServer::token`]).
    pub tokens: Tokens,
    /// Whether everybody who can connect may call, without a token.
    pub no_token: bool,
    /// The names of hosts, with or without a port, under which clients reach this server, besides those of
    /// the loopback and of the address.
    pub hosts: Vec<String>,
    /// The origins of web pages that may call, such as `https://app.example.com`, besides those of this
    /// server on the loopback.
    pub origins: Vec<String>,
    /// The most bytes of a request's body; default 4 MiB.
    pub max_body: usize,
    /// The most bytes of a request's head; default 32 KiB, at least 8 KiB.
    pub max_head: usize,
    /// The most headers of a request; default 64.
    pub max_headers: usize,
    /// The most connections at once; default 512. More wait.
    pub max_connections: usize,
    /// The most sessions of older revisions at once, for each principal; default 1000.
    pub max_sessions: usize,
    /// How long a connection may be idle, or take for the head of a request; default 60 seconds.
    pub idle: Duration,
    /// How long the body of a request may take; default 30 seconds.
    pub body_time: Duration,
    /// How long a session of an older revision may be idle; default 30 minutes.
    pub session_idle: Duration,
    /// How long calls may go on once the server is to end; default 10 seconds.
    pub grace: Duration,
}

impl HttpOptions {
    /// The defaults, at this address.
    #[must_use]
    pub fn new(address: SocketAddr) -> Self {
        HttpOptions {
            address,
            tokens: Tokens::default(),
            no_token: false,
            hosts: Vec::new(),
            origins: Vec::new(),
            max_body: 4 * 1024 * 1024,
            max_head: 32 * 1024,
            max_headers: 64,
            max_connections: 512,
            max_sessions: 1000,
            idle: Duration::from_secs(60),
            body_time: Duration::from_secs(30),
            session_idle: Duration::from_secs(30 * 60),
            grace: Duration::from_secs(10),
        }
    }
}

/// A port that is open, from which nothing is served yet.
#[derive(Debug)]
pub struct HttpServer {
    listener: TcpListener,
    address: SocketAddr,
    options: HttpOptions,
    token: Option<LocalToken>,
}

impl HttpServer {
    /// Opens the port.
    ///
    /// # Errors
    ///
    /// If others can reach the address and there are neither tokens nor the explicit wish to do without
    ///; if a limit is out of its range; if the port can't be opened.
    ///
    /// # Panics
    ///
    /// Outside of a tokio runtime that has its I/O enabled.
    ///
    /// ```
    /// use toolwire_mcp::server::{HttpOptions, HttpServer};
    ///
    /// # let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    /// # runtime.block_on(async {
    /// let server = HttpServer::bind(HttpOptions::new("127.0.0.1:0".parse()?)).await?;
    /// assert_ne!(server.address().port(), 0);
    /// let open = HttpServer::bind(HttpOptions::new("0.0.0.0:0".parse()?)).await;
    /// assert!(open.unwrap_err().to_string().contains("without a token"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// # })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub async fn bind(mut options: HttpOptions) -> Result<Self, ServeError> {
        let asked = options.address;
        let needs_token = options.tokens.is_empty() && !options.no_token;
        if needs_token && !asked.ip().is_loopback() {
            return Err(ServeError::new(format!(
                "others can reach `{asked}`, and without a token all of them could run the tools; give \
                 tokens with `--tokens FILE` or in `{TOKENS_VARIABLE}`, serve on `127.0.0.1`, or let \
                 everybody in with `--no-token`"
            )));
        }
        if options.max_head < 8192 {
            return Err(ServeError::new(
                "the head of a request needs 8192 bytes or more",
            ));
        }
        let failed = |error| ServeError::new(format!("cannot listen on `{asked}`: {error}"));
        let listener = TcpListener::bind(asked).await.map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        let mut token = None;
        if needs_token {
            let mut own = LocalToken::of(address)?;
            own.serve(asked.port() == 0).map_err(failed)?;
            options.tokens = own.tokens()?;
            token = Some(own);
        }
        Ok(HttpServer {
            listener,
            address,
            options,
            token,
        })
    }

    /// The address, with the real port.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The token of a server on the loopback that was given none. This user's clients of Toolwire find it.
    #[must_use]
    pub fn token(&self) -> Option<&LocalToken> {
        self.token.as_ref()
    }

    /// Where clients connect to.
    #[must_use]
    pub fn url(&self) -> String {
        let host = match self.address.ip() {
            ip if ip.is_unspecified() => "127.0.0.1".to_owned(),
            IpAddr::V4(ip) => ip.to_string(),
            IpAddr::V6(ip) => format!("[{ip}]"),
        };
        format!("http://{host}:{}{}", self.address.port(), routes::PATH)
    }

    /// Serves until `stop` is done. Then no new connection is accepted, calls that go on get the time
    /// `grace`, and nothing is left of their tools when it returns.
    ///
    /// # Errors
    ///
    /// If there is nothing to serve, as [`Server::ready`] says.
    pub async fn serve(
        self,
        server: &Server,
        stop: impl Future<Output = ()> + Send,
    ) -> Result<(), ServeError> {
        self.serve_until(server, pin!(stop)).await
    }

    /// Boxed, so that it is compiled once and not in each crate that calls it.
    fn serve_until<'a>(
        self,
        server: &'a Server,
        stop: Pin<&'a mut (dyn Future<Output = ()> + Send)>,
    ) -> Pin<Box<dyn Future<Output = Result<(), ServeError>> + Send + 'a>> {
        Box::pin(async move {
            let routes = Arc::new(Routes::new(server, &self.options, self.address));
            let (ending, ended) = watch::channel(false);
            let mut connections = JoinSet::new();
            let served = tokio::select! {
                () = accept(&self.listener, &self.options, &routes, &mut connections, &ended) => Ok(()),
                () = stop => Ok(()),
                why = server.failing() => Err(why),
            };
            drop(self.listener);
            ending.send_replace(true);
            // What is idle ends at once; calls may finish.
            let _ = tokio::time::timeout(self.options.grace, routes.idle()).await;
            routes.end();
            server.shutdown().await;
            let all = async { while connections.join_next().await.is_some() {} };
            let _ = tokio::time::timeout(CLOSING, all).await;
            connections.shutdown().await;
            // As long as the port is served, this user's clients may send it.
            drop(self.token);
            served
        })
    }
}

/// Accepts connections, as many at once as there may be.
async fn accept(
    listener: &TcpListener,
    options: &HttpOptions,
    routes: &Arc<Routes>,
    connections: &mut JoinSet<()>,
    ended: &watch::Receiver<bool>,
) {
    let places = Arc::new(Semaphore::new(options.max_connections.max(1)));
    loop {
        let Ok(place) = Arc::clone(&places).acquire_owned().await else {
            return;
        };
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            Err(_) => {
                // There may be no descriptor left; another one ends meanwhile.
                tokio::time::sleep(Duration::from_millis(20)).await;
                continue;
            }
        };
        let connection = connection(stream, options, Arc::clone(routes), ended.clone());
        connections.spawn(async move {
            connection.await;
            drop(place);
        });
        // Those that have ended are forgotten.
        while connections.try_join_next().is_some() {}
    }
}

fn connection(
    stream: TcpStream,
    options: &HttpOptions,
    routes: Arc<Routes>,
    mut ended: watch::Receiver<bool>,
) -> impl Future<Output = ()> + Send + 'static {
    let _ = stream.set_nodelay(true);
    let service = service_fn(move |request| {
        let routes = Arc::clone(&routes);
        async move { routes.answer(request).await }
    });
    let mut builder = http1::Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(options.idle)
        .max_buf_size(options.max_head)
        .max_headers(options.max_headers);
    let connection = builder.serve_connection(TokioIo::new(stream), service);
    async move {
        let mut connection = std::pin::pin!(connection);
        // A connection that fails concerns nobody else.
        tokio::select! {
            _ = connection.as_mut() => return,
            _ = ended.wait_for(|ended| *ended) => connection.as_mut().graceful_shutdown(),
        }
        let _ = connection.await;
    }
}
