//! The interface of handles, kept in this process: the same tests hold for whoever keeps them.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use crate::common::shell::description;
use toolwire::call::{Answer, AnswerSource, Call};
use toolwire::session::{Applied, SessionState};
use toolwire::{Code, Json};
use toolwire_host::handles::{
    Apply, Fetch, Handles, HandlesError, How, Listed, LocalHandles, Spawn, Wait,
};
use toolwire_host::{
    Command, Environment, FetchOptions, Fetched, OneShot, Process, ProcessOptions, Running,
    SessionStart, SessionTransport, SessionsOptions, ToolUpdate, Who,
};

const LONG: Duration = Duration::from_secs(60);

/// What every program begins with that speaks the line transport.
const HELLO: &str = r#"read -r hello; echo '{"type":"hello","toolwire":1,"version":1}'; read -r call;
    say() { printf '{"type":"output","call":1,"blocks":[{"type":"text","text":"%s"}]}\n' "$1"; };
    ask() { printf '{"type":"question","call":1,"question":%s}\n' "$1"; read -r answer; };"#;

fn handles(options: SessionsOptions) -> LocalHandles {
    LocalHandles::new(options, None)
}

fn json(text: &str) -> Json {
    Json::new(text).expect("JSON")
}

/// A script under an id. It waits for its first output, however long that takes.
fn spawn(id: &str, how: How, script: &str) -> Spawn {
    let words = ["-c".to_owned(), script.to_owned()];
    let process = ProcessOptions {
        environment: Environment::only(["PATH"]).with("SHADE", "blue"),
        cwd: Some(std::env::temp_dir()),
        ..ProcessOptions::default()
    };
    let call = Call::new("tool", Json::empty_object());
    let tool = description("tool", "spawn fetch apply abort");
    let command = Command::new("sh").args(words);
    let by = AnswerSource::Assistant;
    let mut spawn = Spawn::new(id, by, how, &tool, &call, &command, &process).expect("a shell");
    spawn.first.wait = Some(LONG);
    spawn
}

fn lines(id: &str, script: &str) -> Spawn {
    spawn(id, How::Lines, &format!("{HELLO}{script}"))
}

fn apply(id: &str, by: AnswerSource, what: Applied) -> Apply {
    Apply {
        id: id.to_owned(),
        by,
        what,
        question: None,
        options: FetchOptions {
            wait: Some(LONG),
            ..FetchOptions::default()
        },
    }
}

fn code(fetched: &Fetched) -> Code {
    fetched.refusal.as_ref().expect("a refusal").code
}

async fn find(handles: &impl Handles, id: &str) -> Listed {
    let found = handles.list(&[id]).await.expect("handles");
    found.into_iter().next().expect("the handle")
}

/// The handle, once it has stopped or needs somebody.
async fn ready(handles: &impl Handles, id: &str) -> Listed {
    let wait = Wait {
        ids: vec![id.to_owned()],
        any: false,
        timeout: Some(LONG),
    };
    let waited = handles.wait(wait).await.expect("handles");
    assert!(!waited.over, "{waited:?}");
    find(handles, id).await
}

/// A tool that runs once and asks a question.
fn asks(id: &str, context: &str, question: &str) -> Spawn {
    let script = format!(
        r#"case "$(cat)" in *'"answers":{{}}'*)
        echo '{{"content":[{{"type":"text","text":"{context}"}},{{"type":"question","question":{question}}}]}}';;
        *) echo '{{"content":[{{"type":"text","text":"answered"}}]}}';; esac"#
    );
    spawn(id, How::Once, &script)
}

#[tokio::test]
async fn who_may_answer_is_said_with_the_question() {
    let handles = handles(SessionsOptions::default());
    let plain = r#"{"id":"ok","text":"Sure?","schema":{"type":"boolean"}}"#;
    let secret = r#"{"id":"line","text":"Your input","schema":{"type":"string"}}"#;
    let pin = r#"{"id":"code","text":"Your PIN, please","schema":{"type":"string"}}"#;
    // A model may answer; a person must, because of the settings, the question, or what was said before it.
    let mut users = asks("users", "hello", plain);
    users.questions = BTreeMap::from([("ok".to_owned(), Who::User)]);
    for (spawn, person, suspected) in [
        (asks("models", "hello", plain), false, false),
        (users, true, false),
        (asks("own", "hello", pin), true, true),
        (
            asks("before", "Please enter your password", secret),
            true,
            true,
        ),
    ] {
        let id = spawn.id.clone();
        handles.spawn(spawn).await.expect("handles");
        ready(&handles, &id).await;
        let fetch = Fetch::new(&id, AnswerSource::Assistant);
        let fetched = handles.fetch(fetch).await.expect("handles");
        let asks = fetched
            .asks
            .clone()
            .unwrap_or_else(|| panic!("{id}: {fetched:?}"));
        assert_eq!(
            (asks.person, asks.suspected.is_some()),
            (person, suspected),
            "{id}"
        );
        let listed = find(&handles, &id).await;
        assert_eq!((listed.asks, listed.person), (Some(asks), person), "{id}");
        let what = Applied::Answer(Answer::declined(AnswerSource::User));
        let applied = handles.apply(apply(&id, AnswerSource::Assistant, what));
        let applied = applied.await.expect("handles");
        match person {
            true => assert_eq!(code(&applied), Code::PersonOnly, "{id}"),
            false => assert!(applied.refusal.is_none(), "{applied:?}"),
        }
    }
    handles.close().await;
}

/// The machine would find most of it by itself; a host that has another one relies on what it is told.
#[tokio::test]
async fn a_tool_that_runs_once_says_itself_what_is_for_a_person() {
    let plain = r#"{"id":"ok","text":"Sure?","schema":{"type":"boolean"}}"#;
    let pin = r#"{"id":"code","text":"Your PIN, please","schema":{"type":"string"}}"#;
    for (question, who, person) in [
        (plain, None, false),
        (plain, Some(Who::User), true),
        (pin, None, true),
    ] {
        let spawn = asks("a", "hello", question);
        let process = Process::new(spawn.command(), spawn.process());
        let mut once = OneShot::new(Arc::new(process));
        once.exchange.questions = who.map(|who| ("*".to_owned(), who)).into_iter().collect();
        let call = Call::new("tool", Json::empty_object());
        let mut running = once.start(SessionStart::new(call));
        let driver = std::mem::replace(&mut running.driver, Box::pin(async {}));
        let driver = tokio::spawn(driver);
        let told = loop {
            match running.updates.recv().await.expect("a question") {
                ToolUpdate::Question { person, .. } => break person,
                _ => continue,
            }
        };
        assert_eq!(told, person, "{question}");
        driver.abort();
    }
}

#[tokio::test]
async fn whoever_gives_an_answer_is_its_source() {
    let handles = handles(SessionsOptions::default());
    let question = r#"{"id":"ok","text":"Sure?","schema":{"type":"boolean"}}"#;
    let script = format!(
        r#"ask '{question}'; case "$answer" in *'"source":"user"'*) say user;; *'"source":"assistant"'*) say model;; esac;
        read -r end"#
    );
    for (id, by, said) in [
        ("a", AnswerSource::Assistant, "model"),
        ("b", AnswerSource::User, "user"),
    ] {
        handles.spawn(lines(id, &script)).await.expect("handles");
        let other = match by {
            AnswerSource::User => AnswerSource::Assistant,
            _ => AnswerSource::User,
        };
        let what = Applied::Answer(Answer::accepted(json("true"), other));
        let applied = handles.apply(apply(id, by, what)).await.expect("handles");
        assert!(applied.envelope.contains(said), "{applied:?}");
    }
    handles.close().await;
}

#[tokio::test]
async fn a_spawn_says_all_that_a_program_gets() {
    let handles = handles(SessionsOptions::default());
    let script = "env | cut -d= -f1 | sort | tr '\\n' ' '; pwd -P; echo $SHADE";
    let spawned = handles.spawn(spawn("a", How::Plain, script)).await;
    let said = spawned.expect("handles").envelope;
    let folder = std::env::temp_dir().canonicalize().expect("a folder");
    let folder = folder.to_str().expect("text");
    assert!(said.contains(&format!("{folder}\\nblue")), "{said}");
    // `HOME` is in the environment of every test, and nobody has passed it on.
    assert!(
        std::env::var_os("HOME").is_some() && !said.contains("HOME"),
        "{said}"
    );
    let listed = find(&handles, "a").await;
    assert!(listed.command[0].ends_with("/sh"), "{listed:?}");
    assert!(
        listed
            .started
            .is_some_and(|started| started > 1_700_000_000)
    );
    handles.close().await;
}

#[tokio::test]
async fn the_times_of_a_handle_are_those_of_its_spawn() {
    let handles = handles(SessionsOptions {
        keep: Duration::ZERO,
        ..SessionsOptions::default()
    });
    let mut idle = lines("idle", "say ready; read -r end");
    idle.idle = Some(Duration::from_millis(200));
    let mut whole = lines("whole", "while :; do say ready; sleep 0.05; done");
    whole.session_time = Some(Duration::from_millis(200));
    let mut once = spawn("once", How::Plain, "exec sleep 600");
    once.session_time = Some(Duration::from_millis(200));
    once.first.wait = None;
    for (spawn, reason) in [(idle, "idle"), (whole, "timed_out"), (once, "timed_out")] {
        let id = spawn.id.clone();
        handles.spawn(spawn).await.expect("handles");
        let end = ready(&handles, &id).await.end.expect("an end");
        let end = end.as_str().to_owned();
        assert!(end.contains(reason), "{id}: {end}");
    }
    handles.close().await;
}

#[tokio::test]
async fn secret_ids_are_never_named_and_limits_hold() {
    let handles = handles(SessionsOptions {
        secret_ids: true,
        max_handles: 1,
        ..SessionsOptions::default()
    });
    let tool = || lines("hidden", "say ready; read -r end");
    handles.spawn(tool()).await.expect("handles");
    let by = AnswerSource::Assistant;
    let unknown = handles
        .fetch(Fetch::new("guess", by))
        .await
        .expect("handles");
    assert_eq!(code(&unknown), Code::UnknownHandle);
    assert!(!unknown.envelope.contains("hidden"), "{unknown:?}");
    let mut another = tool();
    another.id = "another".to_owned();
    let refused = handles.spawn(another).await.expect("handles");
    assert_eq!(code(&refused), Code::OverBudget);
    assert!(!refused.envelope.contains("hidden"), "{refused:?}");
    handles.close().await;
}

#[tokio::test]
async fn a_wait_does_not_take_an_earlier_run_for_the_one_that_was_not_spawned() {
    let handles = handles(SessionsOptions::default());
    let wait = |id: &str| Wait {
        ids: vec![id.to_owned()],
        any: true,
        timeout: Some(Duration::from_millis(10)),
    };
    let unknown = handles.wait(wait("a")).await.unwrap_err();
    let nothing = "there is no handle `a`";
    assert_eq!(unknown, HandlesError::Refused(nothing.to_owned()));
    let tool = || lines("a", "say ready; read -r end");
    handles.spawn(tool()).await.expect("handles");
    assert!(handles.wait(wait("a")).await.expect("handles").over);
    let taken = handles.spawn(tool()).await.expect("handles");
    assert_eq!(code(&taken), Code::HandleExists);
    let refused = handles.wait(wait("a")).await.unwrap_err().to_string();
    assert!(
        refused.contains("the last `spawn` of `a` failed"),
        "{refused}"
    );
    // Once is enough.
    assert!(handles.wait(wait("a")).await.expect("handles").over);
    handles.not_spawned("a");
    assert!(handles.wait(wait("a")).await.is_err());
    let by = AnswerSource::User;
    handles.abort("a", by).await.expect("handles");
    assert!(!handles.wait(wait("a")).await.expect("handles").over);
    // A run that was spawned since is the one that is meant.
    handles.not_spawned("a");
    let mut again = tool();
    again.by = by;
    handles.spawn(again).await.expect("handles");
    assert!(handles.wait(wait("a")).await.expect("handles").over);
    handles.close().await;
}

#[tokio::test]
async fn only_a_person_spawns_an_id_of_which_something_is_left() {
    let handles = handles(SessionsOptions::default());
    let tool = || spawn("a", How::Plain, "echo over");
    let mut first = tool();
    first.first = FetchOptions::default();
    first.first.wait = Some(Duration::ZERO);
    handles.spawn(first).await.expect("handles");
    assert_eq!(ready(&handles, "a").await.state, SessionState::Stopped);
    assert_eq!(handles.needed(), 1, "something is left to fetch");
    let refused = handles.spawn(tool()).await.expect("handles");
    assert_eq!(code(&refused), Code::HandleExists, "{refused:?}");
    let mut by_hand = tool();
    by_hand.by = AnswerSource::User;
    let spawned = handles.spawn(by_hand).await.expect("handles");
    assert!(spawned.envelope.contains("over"), "{spawned:?}");
    handles.close().await;
}

/// A program in whose terminal only a person may type.
#[derive(Debug)]
struct Gated;

impl SessionTransport for Gated {
    fn start(&self, _: SessionStart) -> Running {
        Running::new(|mut given, told| async move {
            let _ = told.send(ToolUpdate::PersonOnly(true)).await;
            given.recv().await;
            let _ = told.send(ToolUpdate::Exit(0)).await;
        })
    }
}

#[tokio::test]
async fn who_waits_learns_that_a_person_is_to_type() {
    let handles = LocalHandles::new(SessionsOptions::default(), Some(|_| Arc::new(Gated)));
    let mut gated = spawn("a", How::Pipe, "cat");
    gated.first.wait = None;
    handles.spawn(gated).await.expect("handles");
    let listed = ready(&handles, "a").await;
    assert_eq!((listed.state, listed.person), (SessionState::Running, true));
    let what = Applied::Input(json("\"secret\""));
    let typed = handles.apply(apply("a", AnswerSource::Assistant, what));
    assert_eq!(code(&typed.await.expect("handles")), Code::PersonOnly);
    handles.close().await;
}

#[tokio::test]
async fn programs_that_know_nothing_of_sessions_need_a_carrier() {
    for how in [How::Pty, How::Pipe] {
        let without = handles(SessionsOptions::default());
        let refused = without.spawn(spawn("a", how, "cat")).await.unwrap_err();
        assert!(matches!(refused, HandlesError::Refused(_)), "{refused:?}");
    }
    let carry = |_: &Spawn| -> Arc<dyn SessionTransport> {
        Arc::new(toolwire_host::LineSession::new(
            Command::new("sh").args(["-c", &format!("{HELLO}say carried; read -r end")]),
            ProcessOptions::default(),
        ))
    };
    let with = LocalHandles::new(SessionsOptions::default(), Some(carry));
    let spawned = with.spawn(spawn("a", How::Pipe, "cat")).await;
    let said = spawned.expect("handles").envelope;
    assert!(said.contains("carried"), "{said}");
    with.close().await;
}

/// What crosses a socket keeps every digit and every byte.
#[tokio::test]
async fn what_is_written_is_read_verbatim() {
    let big = "12345678901234567890123.10";
    let mut spawn = asks(
        "a",
        "hello",
        &format!(
            r#"{{"id":"n","text":"?","schema":{{"type":"number"}},"default":{big},"x":{big}}}"#
        ),
    );
    let handles = handles(SessionsOptions::default());
    let fetched = handles.spawn(spawn.clone()).await.expect("handles");
    let text = serde_json::to_string(&fetched).expect("JSON");
    assert!(
        text.matches(big).count() >= 4 && !text.contains("\\\"content"),
        "{text}"
    );
    let read: Fetched = serde_json::from_str(&text).expect("what was written");
    assert_eq!(read, fetched);
    let refused = handles.spawn(spawn.clone()).await.expect("handles");
    let text = serde_json::to_string(&refused).expect("JSON");
    assert_eq!(
        serde_json::from_str::<Fetched>(&text).expect("a refusal"),
        refused
    );
    handles.close().await;

    spawn.questions = BTreeMap::from([
        ("n".to_owned(), Who::Value(json(big))),
        ("*".to_owned(), Who::Decline),
    ]);
    let text = serde_json::to_string(&spawn).expect("JSON");
    let read: Spawn = serde_json::from_str(&text).expect("what was written");
    assert_eq!(read.questions, spawn.questions);
    assert_eq!(read.command(), spawn.command());
    assert_eq!(serde_json::to_string(&read).expect("JSON"), text);
    for what in [
        Applied::Input(json(&format!("[{big}]"))),
        Applied::Answer(Answer::accepted(json(big), AnswerSource::User)),
    ] {
        let apply = apply("a", AnswerSource::User, what);
        let text = serde_json::to_string(&apply).expect("JSON");
        assert!(text.contains(big), "{text}");
        assert_eq!(serde_json::from_str::<Apply>(&text).expect("it"), apply);
    }
}

#[cfg(unix)]
#[test]
fn words_that_are_no_text_keep_their_bytes() {
    use std::os::unix::ffi::OsStringExt as _;
    let odd = std::ffi::OsString::from_vec(vec![b'a', 0xff]);
    let mut spawn = spawn("a", How::Plain, "true");
    spawn.arguments = vec![odd.as_os_str().into()];
    let text = serde_json::to_string(&spawn).expect("JSON");
    let read: Spawn = serde_json::from_str(&text).expect("what was written");
    assert_eq!(read.command().arguments(), [odd]);
}
