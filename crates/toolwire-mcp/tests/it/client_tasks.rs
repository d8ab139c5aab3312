//! A client that follows tasks to their end.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::common::{called, connect, text};
use toolwire::Json;
use toolwire::call::Call;
use toolwire_host::{CallOptions, Conversation, Event, StopReason};
use toolwire_mcp::client::{Client, ClientOptions, Server, TaskWatcher};
use toolwire_mcp::server::{
    HttpOptions, HttpServer, ManifestOffer, Offer, ServeOptions, Server as Serving,
};

/// Longer than anything here takes, however busy the machine is.
const PATIENCE: Duration = Duration::from_secs(60);

/// What a watcher has heard.
#[derive(Debug, Default)]
struct Heard {
    began: Mutex<Vec<String>>,
    left: Mutex<Vec<String>>,
    leaves: AtomicBool,
}

impl TaskWatcher for Heard {
    fn began(&self, id: &str) {
        self.began.lock().unwrap().push(id.to_owned());
    }

    fn leaves(&self) -> bool {
        self.leaves.load(Ordering::SeqCst)
    }

    fn left(&self, id: &str) {
        self.left.lock().unwrap().push(id.to_owned());
    }
}

fn options(heard: &Arc<Heard>) -> ClientOptions {
    ClientOptions {
        task_watcher: Some(Arc::clone(heard) as Arc<dyn TaskWatcher>),
        ..ClientOptions::default()
    }
}

/// Our own server, with tools that wait for the file `go`. It ends with its folder.
async fn ours(folder: &std::path::Path) -> Server {
    let manifest = folder.join("toolwire.toml");
    let asks = r#"case $(cat) in
        *'"answers":{}'*) while ! test -e go; do sleep 0.05; done; echo '{"content":[{"type":"question","question":{"id":"ok","text":"Go on?","schema":{"type":"boolean"}}}]}' ;;
        *) echo went on ;; esac"#;
    std::fs::write(folder.join("asks.sh"), asks).unwrap();
    let tools = r#"
        [tools.slow]
        command = ["sh", "-c", "echo $$ > pid; while ! test -e go; do sleep 0.05; done; echo done"]
        plain = true
        [tools.asks]
        command = ["sh", "asks.sh"]
        parameters = {}
        [tools.says]
        command = ["sh", "-c", "while ! test -e go; do echo '{{\"type\":\"progress\",\"done\":2,\"total\":5,\"message\":\"copying\"}}' >> $TOOLWIRE_EVENTS; sleep 0.2; done"]
        plain = true
    "#;
    std::fs::write(&manifest, tools).unwrap();
    let offer = Offer {
        manifest: Some(ManifestOffer {
            path: Some(manifest),
            names: Vec::new(),
        }),
        ..Offer::default()
    };
    let mut options = ServeOptions::new(offer).unwrap();
    options.process.cwd = Some(folder.to_owned());
    let tasks = options.tasks.as_mut().unwrap();
    tasks.after = Duration::from_millis(100);
    tasks.poll = Duration::from_millis(50);
    let address = "127.0.0.1:0".parse().unwrap();
    let http = HttpServer::bind(HttpOptions {
        no_token: true,
        ..HttpOptions::new(address)
    });
    let http = http.await.unwrap();
    let url = http.url();
    tokio::spawn(async move {
        let server = Serving::start(options);
        http.serve(&server, std::future::pending()).await
    });
    Server::http(url)
}

async fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let waiting = async {
        while !is_so() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let waited = tokio::time::timeout(PATIENCE, waiting).await;
    waited.unwrap_or_else(|_| panic!("{what}"));
}

#[tokio::test]
async fn tasks_are_followed_to_their_end() {
    let folder = tempfile::tempdir().unwrap();
    let server = ours(folder.path()).await;
    let heard = Arc::new(Heard::default());
    let client = connect(&server, &options(&heard)).await;
    let going = async {
        until("it is no task", || !heard.began.lock().unwrap().is_empty()).await;
        std::fs::write(folder.path().join("go"), "").unwrap();
    };
    let (done, ()) = tokio::join!(called(&client, "slow", "{}", &[]), going);
    assert_eq!(text(&done), "done\n");
    std::fs::remove_file(folder.path().join("go")).unwrap();
    let going = async {
        until("it is no task", || heard.began.lock().unwrap().len() == 2).await;
        std::fs::write(folder.path().join("go"), "").unwrap();
    };
    let (went_on, ()) = tokio::join!(called(&client, "asks", "{}", &[("ok", "true")]), going);
    assert_eq!(text(&went_on), "went on\n");
    assert!(heard.left.lock().unwrap().is_empty());
    client.close().await;
}

#[tokio::test]
async fn a_status_message_is_progress() {
    let folder = tempfile::tempdir().unwrap();
    let server = ours(folder.path()).await;
    let client = connect(&server, &ClientOptions::default()).await;
    let (conversation, driver) = Conversation::new(
        Arc::new(client.call()),
        Call::new("says", Json::empty_object()),
        CallOptions {
            tool_events: true,
            ..CallOptions::default()
        },
    );
    tokio::spawn(driver);
    let mut shown = None;
    let outcome = loop {
        match conversation.next().await.unwrap() {
            Event::Progress(progress) => {
                shown = Some((progress.done, progress.total, progress.message));
                conversation.cancel();
            }
            Event::Done(outcome) => break outcome.unwrap(),
            _ => {}
        }
    };
    assert_eq!(shown, Some((2.0, Some(5.0), Some("copying".to_owned()))));
    assert_eq!(outcome.report.stopped, Some(StopReason::Cancelled));
    client.close().await;
}

#[tokio::test]
async fn a_task_that_is_left_is_gone_on_with_by_its_id() {
    let folder = tempfile::tempdir().unwrap();
    let server = ours(folder.path()).await;
    let heard = Arc::new(Heard::default());
    heard.leaves.store(true, Ordering::SeqCst);
    let client = connect(&server, &options(&heard)).await;
    let (conversation, driver) = Conversation::new(
        Arc::new(client.call()),
        Call::new("asks", Json::empty_object()),
        CallOptions::default(),
    );
    let driving = tokio::spawn(driver);
    until("it is no task", || !heard.began.lock().unwrap().is_empty()).await;
    conversation.cancel();
    driving.await.unwrap();
    client.close().await;
    let id = heard.left.lock().unwrap().concat();
    assert_eq!(id, heard.began.lock().unwrap().concat());

    std::fs::write(folder.path().join("go"), "").unwrap();
    let client = connect(&server, &ClientOptions::default()).await;
    let document = Call::new("any", Json::empty_object());
    let mut answer = |asked: &toolwire_host::PendingQuestion| {
        assert_eq!(asked.question.text, "Go on?");
        toolwire::call::Answer::accepted(true.into(), toolwire::call::AnswerSource::User)
    };
    let transport = client.task(&id);
    let outcome =
        toolwire_host::call(&transport, document, &CallOptions::default(), &mut answer).await;
    assert_eq!(text(&outcome.unwrap()), "went on\n");
    client.close().await;
}

#[tokio::test]
async fn a_call_that_is_cancelled_ends_the_tool_of_its_task() {
    let folder = tempfile::tempdir().unwrap();
    let server = ours(folder.path()).await;
    let heard = Arc::new(Heard::default());
    let client = connect(&server, &options(&heard)).await;
    let (conversation, driver) = Conversation::new(
        Arc::new(client.call()),
        Call::new("slow", Json::empty_object()),
        CallOptions::default(),
    );
    tokio::spawn(driver);
    let pid = || std::fs::read_to_string(folder.path().join("pid")).unwrap_or_default();
    until("it is no task", || {
        !heard.began.lock().unwrap().is_empty() && pid().ends_with('\n')
    })
    .await;
    // Dropped, it is cancelled too.
    drop(conversation);
    let runs = || {
        let asked = std::process::Command::new("kill")
            .args(["-0", pid().trim()])
            .output();
        asked.unwrap().status.success()
    };
    until("the tool still runs", || !runs()).await;
    client.close().await;
}

#[tokio::test]
async fn who_does_not_want_tasks_gets_none() {
    let folder = tempfile::tempdir().unwrap();
    let server = ours(folder.path()).await;
    let heard = Arc::new(Heard::default());
    let without = ClientOptions {
        tasks: false,
        ..options(&heard)
    };
    let client: Client = connect(&server, &without).await;
    let calling = called(&client, "slow", "{}", &[]);
    let going = async {
        tokio::time::sleep(Duration::from_millis(500)).await;
        std::fs::write(folder.path().join("go"), "").unwrap();
    };
    let (outcome, ()) = tokio::join!(calling, going);
    assert_eq!(text(&outcome), "done\n");
    assert!(heard.began.lock().unwrap().is_empty());
    client.close().await;
}
