//! A server of functions of this program, and of programs: JavaScript is told that there are calls, and takes
//! them.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use napi::threadsafe_function::ThreadsafeFunctionCallMode;
use napi_derive::napi;
use serde::Deserialize;
use toolwire::author::{Caller, open};
use toolwire::event::{Message, Progress};
use toolwire::{Code, Error, terminal_safe};
use toolwire_ffi::serving::Wanted;
use toolwire_host::{Command, KeptOptions, OpenCall};
use toolwire_mcp::server::{HttpOptions, ManifestOffer, Offer, Reporter, ServeOptions};

use crate::author::Turn;
use crate::calls::{Calls, Notify, lock, telling};
use crate::connection::Task;
use crate::event::read_level;
use crate::fault::{self, Result, told};
use crate::source::list;
use crate::spec::{process_settings, time};

/// What is served, as JavaScript tells it in JSON. Times are in milliseconds.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Told {
    functions: bool,
    #[serde(default)]
    programs: Vec<Vec<String>>,
    manifest: Option<PathBuf>,
    #[serde(default)]
    only: Vec<String>,
    #[serde(default)]
    except: Vec<String>,
    #[serde(default)]
    prefix: bool,
    root: Option<String>,
    name: Option<String>,
    instructions: Option<String>,
    page_size: Option<usize>,
    jobs: Option<usize>,
    queue: Option<usize>,
    search_above: Option<usize>,
    #[serde(default)]
    plain_schemas: bool,
    keep_results: Option<usize>,
    state_keys: Option<PathBuf>,
    state_lifetime: Option<f64>,
    http: Option<Http>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Http {
    address: String,
    tokens: Option<PathBuf>,
    #[serde(default)]
    no_token: bool,
    #[serde(default)]
    hosts: Vec<String>,
    #[serde(default)]
    origins: Vec<String>,
    max_body: Option<usize>,
    max_connections: Option<usize>,
    max_sessions: Option<usize>,
    idle: Option<f64>,
    session_idle: Option<f64>,
    grace: Option<f64>,
}

impl Told {
    fn wanted(self, process: &str) -> Result<Wanted> {
        let offer = Offer {
            functions: Vec::new(),
            programs: self.programs.into_iter().map(command).collect(),
            servers: Vec::new(),
            manifest: self.manifest.map(|path| ManifestOffer {
                path: Some(path),
                names: Vec::new(),
            }),
            only: self.only,
            except: self.except,
            prefix: self.prefix,
        };
        let usual = ServeOptions::new(offer).map_err(|error| fault::server(&error.into()))?;
        let options = ServeOptions {
            process: process_settings(process, self.root)?,
            name: self.name.unwrap_or_else(|| usual.name.clone()),
            instructions: self.instructions,
            page_size: self.page_size.unwrap_or(usual.page_size),
            jobs: self.jobs.unwrap_or(usual.jobs),
            queue: self.queue.unwrap_or(usual.queue),
            search_above: self.search_above,
            plain_schemas: self.plain_schemas,
            keep: self.keep_results.map(KeptOptions::over),
            state_lifetime: time(self.state_lifetime).unwrap_or(usual.state_lifetime),
            reporter: Reporter::new(|message| {
                eprintln!("toolwire: {}", terminal_safe(message, false));
            }),
            ..usual
        };
        let tokens = self.http.as_ref().and_then(|http| http.tokens.clone());
        Ok(Wanted {
            options,
            functions: self.functions,
            state_keys: self.state_keys,
            http: self.http.map(Http::options).transpose()?,
            tokens,
        })
    }
}

impl Http {
    fn options(self) -> Result<HttpOptions> {
        let address: SocketAddr = self.address.parse().map_err(|_| {
            let message = "give an address and a port, as in `127.0.0.1:8080` or `[::1]:8080`";
            told(Error::new(Code::BadOption, "/http/address", None, message))
        })?;
        let usual = HttpOptions::new(address);
        Ok(HttpOptions {
            no_token: self.no_token,
            hosts: self.hosts,
            origins: self.origins,
            max_body: self.max_body.unwrap_or(usual.max_body),
            max_connections: self.max_connections.unwrap_or(usual.max_connections),
            max_sessions: self.max_sessions.unwrap_or(usual.max_sessions),
            idle: time(self.idle).unwrap_or(usual.idle),
            session_idle: time(self.session_idle).unwrap_or(usual.session_idle),
            grace: time(self.grace).unwrap_or(usual.grace),
            ..usual
        })
    }
}

fn command(words: Vec<String>) -> Command {
    let mut words = words.into_iter();
    Command::new(words.next().unwrap_or_default()).args(words)
}

/// A server that runs.
#[napi]
pub struct Serving {
    inner: toolwire_ffi::serving::Serving,
    ending: Option<Task>,
    functions: Option<Functions>,
}

#[napi]
impl Serving {
    /// Starts it. `called` is called when there are calls to take, and `ended` when it has ended; both keep Node
    /// alive until then.
    #[napi(constructor, catch_unwind)]
    pub fn new(
        calls: &Calls,
        process: String,
        server: String,
        called: Notify,
        ended: Notify,
    ) -> Result<Self> {
        let given: Told = serde_json::from_str(&server)
            .map_err(|error| napi::Error::from_reason(error.to_string()))?;
        let serving = calls.inner.serve(given.wanted(&process)?);
        let (inner, ending) = serving.map_err(|error| fault::server(&error))?;
        let functions = Functions::new(inner.functions().clone(), called);
        Ok(Serving {
            inner,
            ending: Some(Task::new(ending, ended)),
            functions: Some(functions),
        })
    }

    /// What says, once, that it has ended.
    #[napi(catch_unwind)]
    pub fn ending(&mut self) -> Option<Task> {
        self.ending.take()
    }

    /// Where clients connect to, over HTTP.
    #[napi(catch_unwind)]
    pub fn url(&self) -> Option<String> {
        self.inner.url().map(str::to_owned)
    }

    /// The functions that are served, once.
    #[napi(catch_unwind)]
    pub fn functions(&mut self) -> Option<Functions> {
        self.functions.take()
    }

    /// Ends it.
    #[napi(catch_unwind)]
    pub fn stop(&self) {
        self.inner.stop();
    }
}

/// Functions of this program, whose calls JavaScript takes.
#[napi]
pub struct Functions {
    inner: toolwire_ffi::serving::Functions,
    /// There until there are no calls any more.
    notify: Arc<Mutex<Option<Notify>>>,
}

impl Functions {
    /// `called` is called when there are calls to take.
    pub fn new(inner: toolwire_ffi::serving::Functions, called: Notify) -> Self {
        let notify = Arc::new(Mutex::new(Some(called)));
        inner.on_call(telling(&notify));
        Functions { inner, notify }
    }
}

#[napi]
impl Functions {
    /// The next call, if one waits.
    #[napi(catch_unwind)]
    pub fn next(&self) -> Option<ServedCall> {
        let inner = self.inner.next_call()?;
        Some(ServedCall {
            caller: inner.caller(),
            inner: Some(inner),
        })
    }

    /// Has a function called if a call is given up before it is answered.
    #[napi(catch_unwind)]
    pub fn on_cancel(&self, call: &ServedCall, notify: Notify) {
        if let Some(call) = &call.inner {
            self.inner.on_cancel(call, move || {
                let _ = notify.call((), ThreadsafeFunctionCallMode::NonBlocking);
            });
        }
    }

    /// Lets Node end, now that there are no calls any more.
    #[napi(catch_unwind)]
    pub fn release(&self) {
        lock(&self.notify).take();
    }
}

/// A call of a function of this program.
#[napi]
pub struct ServedCall {
    inner: Option<OpenCall>,
    caller: Arc<dyn Caller>,
}

#[napi]
impl ServedCall {
    /// Reads the call; `names` is a JSON array of the program's tools.
    #[napi(catch_unwind)]
    pub fn turn(&self, names: String) -> Result<Turn> {
        let document = self.inner.as_ref().map_or("", OpenCall::document);
        Ok(Turn::of(open(document.as_bytes(), &list(&names)?)))
    }

    /// Answers it with the text of an envelope, once.
    #[napi(catch_unwind)]
    pub fn answer(&mut self, envelope: String) {
        if let Some(call) = self.inner.take() {
            call.answer(envelope);
        }
    }

    /// Says how far it has come.
    #[napi(catch_unwind)]
    pub fn progress(&self, done: f64, total: Option<f64>, message: Option<String>) {
        if done.is_finite() {
            self.caller.progress(&Progress::new(done, total, message));
        }
    }

    /// Says something to whoever listens.
    #[napi(catch_unwind)]
    pub fn log(&self, level: String, message: String, logger: Option<String>) -> Result<()> {
        let message = Message::new(read_level(&level)?, message);
        self.caller.message(&match logger {
            Some(logger) => message.by(logger),
            None => message,
        });
        Ok(())
    }
}
