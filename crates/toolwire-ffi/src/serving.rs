//! A server of functions of a program that is not asynchronous Rust (`docs/reference/serving.md`).

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;
use toolwire_author::invocation::{take_stdin, take_stdout};
use toolwire_host::{Command, InProcess, OpenCall};
use toolwire_mcp::server::{
    HttpOptions, HttpServer, ServeError, Server, StateKeys, Tokens, serve_stdio,
};

use crate::bell::Listener;
use crate::caller::{Caller, Failure};
use crate::calls::Calls;
use crate::runtime::Host;
use crate::servers::ServerError;
use crate::settings;
use crate::task::Task;

/// A server that runs. It ends when this is dropped.
pub struct Serving {
    functions: Functions,
    stop: watch::Sender<bool>,
    url: Option<String>,
}

/// Functions of a program, whose calls wait here to be taken.
#[derive(Clone)]
pub struct Functions(Arc<Inner>);

struct Inner {
    host: Arc<Host>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<OpenCall>,
    listener: Option<Listener>,
}

impl Calls {
    /// Starts a server of these programs, and of functions if there are some. The task ends with `null` when the server has ended: when its client leaves, on stdio,
    /// or after [`Serving::stop`].
    ///
    /// On stdio, a server of functions takes both streams before this returns.
    ///
    /// # Errors
    ///
    /// `not_served` if there can be no server: the port, the keys or the tokens are no good. If there are no
    /// tools, the task says so.
    pub fn serve(
        &self,
        programs: Vec<Command>,
        functions: bool,
        options: &str,
        caller: &Caller,
    ) -> Result<(Serving, Task), Failure> {
        let wanted = settings::served(programs, functions, options, caller)?;
        let host = self.prepare(&[])?;
        let functions = Functions::new(&host);
        let mut options = wanted.options;
        let keys = match &wanted.state_keys {
            Some(file) => StateKeys::from_file(file).map(Some),
            None => StateKeys::from_environment(),
        };
        if let Some(keys) = keys.map_err(ServerError::from)? {
            options.keys = keys;
        }
        if wanted.functions {
            options.offer.functions.push(functions.in_process());
        }
        let http = match wanted.http {
            Some(http) => Some(bind(&host, http, wanted.tokens)?),
            None => None,
        };
        if http.is_none() && wanted.functions {
            let _ = (take_stdin(), take_stdout());
        }
        let url = http.as_ref().map(HttpServer::url);
        let (stop, mut stopped) = watch::channel(false);
        let task = Task::spawn(host.handle(), host.bell.clone(), async move {
            // Where the sender is gone, nobody wants it any more.
            let until = async move { drop(stopped.wait_for(|stop| *stop).await) };
            let server = Server::start(options);
            match http {
                Some(http) => http.serve(&server, until).await?,
                None => serve_stdio(&server, until).await?,
            }
            Ok("null".to_owned())
        });
        let serving = Serving {
            functions,
            stop,
            url,
        };
        Ok((serving, task))
    }
}

fn bind(
    host: &Host,
    mut http: HttpOptions,
    tokens: Option<PathBuf>,
) -> Result<HttpServer, ServerError> {
    let tokens = match tokens {
        Some(file) => Some(Tokens::from_file(&file)?),
        None if http.no_token => None,
        None => Tokens::from_environment()?,
    };
    http.tokens = tokens.unwrap_or_default();
    Ok(host.handle().block_on(HttpServer::bind(http))?)
}

impl From<ServeError> for ServerError {
    fn from(error: ServeError) -> Self {
        let code = error.kind().map_or("not_served", |kind| kind.as_str());
        ServerError::new(code, error.to_string())
    }
}

impl Serving {
    /// Where clients connect to, over HTTP.
    #[must_use]
    pub fn url(&self) -> Option<&str> {
        self.url.as_deref()
    }

    /// The functions that are served.
    #[must_use]
    pub fn functions(&self) -> &Functions {
        &self.functions
    }

    /// Ends the server: its calls are ended, and nothing is left of its programs when its task has ended.
    pub fn stop(&self) {
        self.stop.send_replace(true);
    }
}

impl Functions {
    pub(crate) fn new(host: &Arc<Host>) -> Self {
        Functions(Arc::new(Inner {
            host: Arc::clone(host),
            state: Mutex::default(),
        }))
    }

    /// What carries calls to them.
    pub(crate) fn in_process(&self) -> InProcess {
        let inner = Arc::downgrade(&self.0);
        InProcess::new(move |call| {
            // Dropped where nobody takes calls any more, which is an answer too.
            if let Some(inner) = inner.upgrade() {
                inner.put(call);
            }
        })
    }

    /// The next call of a function, if one waits. It must be answered, at once or later.
    #[must_use]
    pub fn next_call(&self) -> Option<OpenCall> {
        self.0.lock().waiting.pop_front()
    }

    /// Has a function called when calls wait, on a thread that has nothing else to do.
    pub fn on_call(&self, listener: impl Fn() + Send + Sync + 'static) {
        let mut state = self.0.lock();
        state.listener = Some(Arc::new(listener));
        let waits = !state.waiting.is_empty();
        drop(state);
        if waits {
            self.0.ring();
        }
    }

    /// Has a function called when a call is given up, on a thread that has nothing else to do.
    pub fn on_cancel(&self, call: &OpenCall, listener: impl Fn() + Send + Sync + 'static) {
        let bell = self.0.host.bell.clone();
        let listener: Listener = Arc::new(listener);
        call.on_cancel(move || bell.ring(listener));
    }
}

impl Inner {
    /// A panic elsewhere leaves nothing half done here.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn put(&self, call: OpenCall) {
        self.lock().waiting.push_back(call);
        self.ring();
    }

    fn ring(&self) {
        let listener = self.lock().listener.clone();
        if let Some(listener) = listener {
            self.host.bell.ring(listener);
        }
    }
}
