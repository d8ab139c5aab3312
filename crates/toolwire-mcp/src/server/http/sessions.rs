//! The sessions of a principal, of which there may be only so many.

use std::cell::Cell;
use std::fmt;
use std::future::Future;

use futures_util::Stream;
use rmcp::model::{ClientJsonRpcMessage, ServerJsonRpcMessage};
use rmcp::transport::common::server_side_http::ServerSseMessage;
use rmcp::transport::streamable_http_server::session::local::{
    LocalSessionManager, LocalSessionManagerError, SessionConfig,
};
use rmcp::transport::streamable_http_server::session::{SessionId, SessionManager};
use tokio::sync::Mutex;

tokio::task_local! {
    /// Whether the request that this task answers wanted one session too many.
    static FULL: Cell<bool>;
}

/// rmcp's sessions within a limit.
pub struct Sessions {
    inner: LocalSessionManager,
    max: usize,
    /// Held from counting the sessions until the new one is among them.
    beginning: Mutex<()>,
}

/// Why a session can't do what is asked of it.
#[derive(Debug)]
pub enum SessionsError {
    Full,
    Inner(LocalSessionManagerError),
}

impl fmt::Display for SessionsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SessionsError::Full => f.write_str("there are too many sessions"),
            SessionsError::Inner(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for SessionsError {}

impl From<LocalSessionManagerError> for SessionsError {
    fn from(error: LocalSessionManagerError) -> Self {
        SessionsError::Inner(error)
    }
}

impl Sessions {
    pub fn new(config: SessionConfig, max: usize) -> Self {
        let mut inner = LocalSessionManager::default();
        inner.session_config = config;
        Sessions {
            inner,
            max,
            beginning: Mutex::default(),
        }
    }
}

/// What answering a request comes to; nothing if it wanted one session too many. rmcp says so only in words.
pub async fn within_limit<T>(answering: impl Future<Output = T>) -> Option<T> {
    let answering = async {
        let answer = answering.await;
        (!FULL.with(Cell::get)).then_some(answer)
    };
    FULL.scope(Cell::new(false), answering).await
}

impl SessionManager for Sessions {
    type Error = SessionsError;
    type Transport = <LocalSessionManager as SessionManager>::Transport;

    async fn create_session(&self) -> Result<(SessionId, Self::Transport), SessionsError> {
        let _counted = self.beginning.lock().await;
        if self.inner.sessions.read().await.len() >= self.max {
            let _ = FULL.try_with(|full| full.set(true));
            return Err(SessionsError::Full);
        }
        Ok(self.inner.create_session().await?)
    }

    async fn initialize_session(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<ServerJsonRpcMessage, SessionsError> {
        Ok(self.inner.initialize_session(id, message).await?)
    }

    async fn has_session(&self, id: &SessionId) -> Result<bool, SessionsError> {
        Ok(self.inner.has_session(id).await?)
    }

    async fn close_session(&self, id: &SessionId) -> Result<(), SessionsError> {
        Ok(self.inner.close_session(id).await?)
    }

    async fn create_stream(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, SessionsError> {
        Ok(self.inner.create_stream(id, message).await?)
    }

    async fn accept_message(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<(), SessionsError> {
        Ok(self.inner.accept_message(id, message).await?)
    }

    async fn create_standalone_stream(
        &self,
        id: &SessionId,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, SessionsError> {
        Ok(self.inner.create_standalone_stream(id).await?)
    }

    async fn resume(
        &self,
        id: &SessionId,
        last_event_id: String,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, SessionsError> {
        Ok(self.inner.resume(id, last_event_id).await?)
    }
}
