//! The host: it listens, serves its clients, and ends when nobody needs it.

use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout};
use toolwire_host::SessionsOptions;
use toolwire_host::handles::LocalHandles;
use toolwire_host::store::Lock;

use crate::error::{Result, system, unreached};
use crate::lock;
use crate::net::Listener;
use crate::place::Place;
use crate::serving::{self, Shared};
use crate::tasks::{KeepTasks, Keeper};

/// How long a host that ends may take, before the next one gives up on it.
const PATIENCE: Duration = Duration::from_secs(15);

/// How a host is run.
///
/// ```
/// use toolwire_session_host::HostOptions;
///
/// let options = HostOptions::default();
/// assert_eq!((options.idle.as_secs(), options.clients), (60, 256));
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct HostOptions {
    /// How long a host without handles and clients waits for somebody; default 1 minute.
    pub idle: Duration,
    /// Maximum number of clients served at once; others wait. Default 256, at least 1.
    pub clients: usize,
    pub(crate) tasks: Keeper,
}

impl HostOptions {
    /// The same for a host that keeps tasks, too; by default, it has none.
    #[must_use]
    pub fn with_tasks(mut self, tasks: Arc<dyn KeepTasks>) -> Self {
        self.tasks = Keeper(Some(tasks));
        self
    }
}

impl Default for HostOptions {
    fn default() -> Self {
        HostOptions {
            idle: Duration::from_secs(60),
            clients: 256,
            tasks: Keeper::default(),
        }
    }
}

/// Is the host of a workspace, until nobody needs it or `end` completes. `ready` is called once clients can
/// connect. Handles are ended before this returns; a `second` request to end kills them.
///
/// # Errors
///
/// `Unreached` if the socket or a lock can't be made, or another host does not end.
pub async fn host(
    place: &Place,
    options: &HostOptions,
    ready: impl FnOnce(),
    end: impl Future<Output = ()>,
    second: impl Future<Output = ()>,
) -> Result<()> {
    toolwire_host::raise_descriptor_limit();
    let held = lock::wait(&place.life(), PATIENCE).await;
    let held = held.map_err(|error| system("cannot lock", &error))?;
    let Some(_life) = held else {
        let message = "there is another session host for this workspace, which does not answer";
        return Err(unreached(message));
    };
    let socket = place.socket();
    let mut listener = Listener::bind(&socket).map_err(|error| {
        let what = format!("cannot listen at `{}`", socket.display());
        system(&what, &error)
    })?;
    let sessions = SessionsOptions {
        // A person says how long they wait, and whoever attaches answers what is for a person.
        max_wait: Duration::MAX,
        ..SessionsOptions::default()
    };
    let shared = Arc::new(Shared {
        handles: LocalHandles::new(sessions, Some(toolwire_pty::carry)),
        tasks: options.tasks.clone(),
    });
    ready();
    let door = tokio::select! {
        biased;
        () = end => None,
        door = serve(&mut listener, place, options, &shared) => door,
    };
    // From here on, a new host is started for whoever comes; it waits for the end of this one.
    let was_there = listener.is_there();
    drop(listener);
    // Without its socket, the place may be another's by now.
    if was_there {
        let _ = std::fs::remove_file(&socket);
    }
    drop(door);
    tokio::select! {
        () = shared.close() => {}
        // What still runs is killed with the runtime.
        () = second => {}
    }
    Ok(())
}

/// Serves clients until there was nobody for a while, and no handle. The door is then held, so that nobody can
/// have come meanwhile. It also ends if its socket was taken away, so that nobody can come any more.
async fn serve(
    listener: &mut Listener,
    place: &Place,
    options: &HostOptions,
    shared: &Arc<Shared>,
) -> Option<Lock> {
    let look = (options.idle / 10).clamp(Duration::from_millis(20), Duration::from_secs(5));
    let mut connections = JoinSet::new();
    let mut needed = Instant::now();
    loop {
        while connections.try_join_next().is_some() {}
        let room = connections.len() < options.clients.max(1);
        tokio::select! {
            biased;
            accepted = listener.accept(), if room => match accepted {
                Ok(stream) => {
                    let shared = Arc::clone(shared);
                    connections.spawn(async move { serving::serve(stream, &shared).await });
                }
                // There are too few file descriptors for now.
                Err(_) => sleep(Duration::from_millis(100)).await,
            },
            Some(_) = connections.join_next(), if !room => {}
            () = sleep(look) => {}
        }
        if connections.is_empty() && !listener.is_there() {
            return None;
        }
        if !connections.is_empty() || shared.needed() > 0 {
            needed = Instant::now();
        }
        if needed.elapsed() < options.idle {
            continue;
        }
        let Ok(Some(door)) = Lock::take(&place.door()) else {
            continue;
        };
        // Whoever has come before the door was closed is let in.
        match timeout(Duration::ZERO, listener.accept()).await {
            Err(_) => return Some(door),
            Ok(accepted) => {
                needed = Instant::now();
                if let Ok(stream) = accepted {
                    let shared = Arc::clone(shared);
                    connections.spawn(async move { serving::serve(stream, &shared).await });
                }
            }
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
    use tokio::net::UnixStream;

    use tokio::sync::Notify;

    use super::*;
    use crate::testing::PATIENCE;

    const PING: &[u8] = b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n";

    /// Runs a host with these options while its clients do something.
    async fn while_it_runs<F: Future<Output = ()>>(
        options: HostOptions,
        clients: impl FnOnce(std::path::PathBuf) -> F,
    ) {
        let folder = tempfile::tempdir().unwrap();
        let mode = std::fs::Permissions::from_mode(0o700);
        std::fs::set_permissions(folder.path(), mode).unwrap();
        let path = folder.path().to_owned();
        let place = Place::found(path.clone(), path, "0123456789abcdef".to_owned());
        let started = Notify::new();
        let over = Notify::new();
        let running = host(
            &place,
            &options,
            || started.notify_one(),
            over.notified(),
            std::future::pending(),
        );
        let visit = async {
            started.notified().await;
            timeout(PATIENCE, clients(place.socket()))
                .await
                .expect("it hangs");
            over.notify_one();
        };
        let (ended, ()) = tokio::join!(running, visit);
        ended.unwrap();
    }

    async fn client(socket: &std::path::Path, says: &[u8]) -> BufReader<UnixStream> {
        let mut stream = UnixStream::connect(socket).await.unwrap();
        stream.write_all(says).await.unwrap();
        BufReader::new(stream)
    }

    async fn line(client: &mut BufReader<UnixStream>) -> String {
        let mut line = String::new();
        client.read_line(&mut line).await.unwrap();
        line
    }

    #[tokio::test]
    async fn clients_beyond_the_limit_wait() {
        let options = HostOptions {
            clients: 2,
            ..HostOptions::default()
        };
        while_it_runs(options, async |socket| {
            let mut inside = Vec::new();
            for _ in 0..2 {
                let mut one = client(&socket, PING).await;
                assert!(line(&mut one).await.contains("result"));
                inside.push(one);
            }
            let mut third = client(&socket, PING).await;
            let early = timeout(Duration::from_millis(300), line(&mut third)).await;
            assert!(early.is_err(), "it is to wait: {early:?}");
            drop(inside.pop());
            assert!(line(&mut third).await.contains("result"));
        })
        .await;
    }
}
