//! Tools that keep running, under handles (chapter 24).

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::common;
use crate::common::shell::{Shell, description, tool};
use serde_json::Value;
use toolwire::call::{Answer, AnswerSource, Call, SessionAction};
use toolwire::session::{Applied, SessionState};
use toolwire::{Code, Json};
use toolwire_host::{
    Approval, ApprovalRequest, FetchOptions, HostErrorKind, InProcess, LineSession,
    PendingQuestion, ProcessOptions, SessionAnswerer, SessionApprover, SessionRules, SessionTool,
    Sessions, SessionsOptions, SpawnOptions, TurnEnd, WaitFor, Who,
};

const ALL: &str = "spawn fetch apply abort";

fn patient() -> SessionsOptions {
    SessionsOptions {
        first_wait: Duration::from_secs(50),
        quiet: Duration::from_millis(300),
        ..SessionsOptions::default()
    }
}

async fn handle(sessions: &Sessions, tool: &str, arguments: &str) -> Value {
    let arguments = Json::new(arguments).expect("JSON");
    let envelope = sessions.handle(tool, &arguments).await;
    serde_json::from_str(&envelope).expect("an envelope")
}

fn text(envelope: &Value) -> String {
    let content = envelope["content"].as_array().expect("content");
    let texts = content.iter().filter_map(|block| block["text"].as_str());
    texts.collect::<Vec<_>>().join("\n")
}

#[tokio::test]
async fn a_model_drives_a_program() {
    let sessions = Sessions::new(patient());
    sessions.add(tool(
        "cat",
        ALL,
        "echo ready; while read line; do echo \"got $line\"; done; echo bye",
    ));
    let spawned = handle(&sessions, "cat", r#"{"action":"spawn","id":"a"}"#).await;
    assert_eq!(text(&spawned), "ready");
    assert_eq!(spawned["_meta"]["computer.jp/status"], "running");
    let applied = handle(
        &sessions,
        "cat",
        r#"{"action":"apply","id":"a","input":"one"}"#,
    )
    .await;
    assert_eq!(text(&applied), "got one");
    let fetched = handle(&sessions, "cat", r#"{"action":"fetch","id":"a"}"#).await;
    assert_eq!(text(&fetched), "running, nothing new");
    let aborted = handle(&sessions, "cat", r#"{"action":"abort","id":"a"}"#).await;
    assert_eq!(text(&aborted), "bye\nstopped: aborted");
    let listed = sessions.list();
    assert_eq!(listed[0].state, SessionState::Stopped);
    let end = listed[0].end.as_ref().unwrap().to_json();
    assert_eq!(end, r#"{"reason":"aborted","status":0}"#);
}

fn code(envelope: &Value) -> &str {
    let refusal = &envelope["_meta"]["dev.toolwire/session"]["refusal"];
    refusal["code"].as_str().unwrap_or("none")
}

fn possible(envelope: &Value) -> Vec<&str> {
    let refusal = &envelope["_meta"]["dev.toolwire/session"]["refusal"];
    let words = refusal["possible"].as_array().expect("what is possible");
    words.iter().filter_map(Value::as_str).collect()
}

/// Waits for something that comes, on a machine however slow.
async fn eventually(what: &str, mut is_so: impl FnMut() -> bool) {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < Duration::from_secs(50), "{what}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

fn state(sessions: &Sessions, id: &str) -> SessionState {
    let list = sessions.list();
    let info = list.iter().find(|info| info.id == id);
    info.map_or(SessionState::Absent, |info| info.state)
}

fn json(text: &str) -> Json {
    Json::new(text).expect("JSON")
}

const ENDLESS: &str = "echo ready; while read line; do :; done";

#[tokio::test]
async fn refusals_say_what_is_possible_instead() {
    let sessions = Sessions::new(patient());
    sessions.add(tool("dev", "spawn fetch", ENDLESS));
    sessions.add(tool("git", ALL, ENDLESS));
    handle(&sessions, "dev", r#"{"action":"spawn","id":"server"}"#).await;

    let twice = handle(&sessions, "dev", r#"{"action":"spawn","id":"server"}"#).await;
    assert_eq!(
        (code(&twice), possible(&twice)),
        ("handle_exists", vec!["fetch"])
    );
    assert!(twice["isError"] == true && text(&twice).contains("possible now: `fetch`"));

    let other = handle(&sessions, "git", r#"{"action":"spawn","id":"server"}"#).await;
    assert_eq!(code(&other), "handle_exists");
    assert!(text(&other).contains("`dev`"), "{other}");

    let unknown = handle(&sessions, "dev", r#"{"action":"fetch","id":"sever"}"#).await;
    assert_eq!(
        (code(&unknown), possible(&unknown)),
        ("unknown_handle", vec!["spawn"])
    );
    assert!(
        text(&unknown).contains("did you mean `server`?"),
        "{unknown}"
    );
    let of_another = handle(&sessions, "git", r#"{"action":"abort","id":"server"}"#).await;
    assert_eq!(code(&of_another), "unknown_handle");
    let words = "`server` is a handle of the tool `dev`: call that one";
    assert_eq!(text(&of_another), words);

    let not_offered = handle(&sessions, "dev", r#"{"action":"abort","id":"server"}"#).await;
    assert_eq!(code(&not_offered), "action_not_offered");
    // A host may end what a model may not.
    let aborted = sessions
        .abort("server", AnswerSource::Policy, &FetchOptions::default())
        .await;
    assert_eq!(
        (aborted.state, aborted.refusal),
        (SessionState::Stopped, None)
    );

    let bad = handle(&sessions, "git", r#"{"action":"spawn","id":""}"#).await;
    assert_eq!(code(&bad), "bad_argument");
    let stopped = sessions
        .apply(
            "server",
            Applied::Input(json("1")),
            None,
            AnswerSource::User,
            &FetchOptions::default(),
        )
        .await;
    let refusal = stopped.refusal.expect("it has stopped");
    assert!(refusal.code == Code::ActionNotOffered || refusal.code == Code::HandleStopped);

    let no_tool = handle(&sessions, "gti", r#"{"action":"spawn","id":"a"}"#).await;
    assert!(no_tool["isError"] == true && text(&no_tool).contains("did you mean `git`?"));
    let call = Call::new("gti", json("{}"));
    let error = sessions
        .spawn(
            "a",
            "gti",
            call,
            AnswerSource::User,
            &SpawnOptions::default(),
        )
        .await;
    assert_eq!(
        error.expect_err("no such tool").kind(),
        HostErrorKind::UnknownTool
    );
}

#[tokio::test]
async fn an_id_is_free_again_when_everything_was_fetched_and_numbers_go_on() {
    let sessions = Sessions::new(patient());
    sessions.add(tool("echo", "spawn fetch", "echo one; echo two"));
    let first = handle(&sessions, "echo", r#"{"action":"spawn","id":"a"}"#).await;
    assert_eq!(first["_meta"]["computer.jp/status"], "stopped", "{first}");
    assert_eq!(
        first["_meta"]["dev.toolwire/session"]["end"]["reason"],
        "exited"
    );
    let again = handle(&sessions, "echo", r#"{"action":"spawn","id":"a"}"#).await;
    assert_eq!(again["_meta"]["dev.toolwire/session"]["first"], 3);
    assert_eq!(text(&again), "one\ntwo");
}

#[tokio::test]
async fn an_id_that_is_free_runs_the_tool_that_it_is_spawned_with() {
    let sessions = Sessions::new(patient());
    sessions.add(tool("echo", "spawn fetch", "echo old"));
    sessions.add(tool("cat", ALL, ENDLESS));
    sessions.add(tool("mute", "", ENDLESS));
    let spawn = r#"{"action":"spawn","id":"a"}"#;
    assert_eq!(text(&handle(&sessions, "echo", spawn).await), "old");
    // The program of the tool may be another now.
    sessions.add(tool("echo", "spawn fetch", "echo new"));
    let again = handle(&sessions, "echo", spawn).await;
    assert!(text(&again).starts_with("new"), "{again}");

    // What the tool that is spawned offers counts.
    let (call, by) = (Call::new("mute", json("{}")), AnswerSource::Assistant);
    let refused = sessions
        .spawn("a", "mute", call, by, &SpawnOptions::default())
        .await
        .expect("a tool");
    let refusal = refused.refusal.expect("a model may not spawn it");
    assert_eq!(refusal.code, Code::ActionNotOffered);
    let other = handle(&sessions, "cat", spawn).await;
    assert_eq!(text(&other), "ready", "{other}");
    assert_eq!(other["_meta"]["dev.toolwire/session"]["first"], 3);
    assert_eq!(sessions.list()[0].tool, "cat");
    let foreign = handle(&sessions, "echo", r#"{"action":"fetch","id":"a"}"#).await;
    assert_eq!(code(&foreign), "unknown_handle");
    assert_eq!(
        code(&handle(&sessions, "echo", spawn).await),
        "handle_exists"
    );
    // Its actions and its rules too: `echo` could not be aborted.
    let ended = handle(&sessions, "cat", r#"{"action":"abort","id":"a"}"#).await;
    assert_eq!(ended["_meta"]["computer.jp/status"], "stopped", "{ended}");
    let mut brief = tool("brief", ALL, "echo x; read y");
    brief.rules = Some(SessionRules {
        session_time: Some(Duration::from_millis(200)),
        ..SessionRules::default()
    });
    sessions.add(brief);
    handle(&sessions, "brief", spawn).await;
    eventually("its time is over", || {
        state(&sessions, "a") == SessionState::Stopped
    })
    .await;
    sessions.close().await;
}

#[tokio::test]
async fn times_without_an_end_are_waited_for() {
    let sessions = Sessions::new(SessionsOptions {
        rules: SessionRules {
            grace: Duration::MAX,
            turn: TurnEnd::Wait(Duration::MAX),
            ..SessionRules::default()
        },
        first_wait: Duration::MAX,
        max_wait: Duration::MAX,
        ..patient()
    });
    sessions.add(tool("cat", ALL, ENDLESS));
    sessions.add(tool("soon", ALL, "echo ready; sleep 0.5"));
    let by = AnswerSource::User;
    let forever = FetchOptions {
        wait: Some(Duration::MAX),
        ..FetchOptions::default()
    };
    handle(&sessions, "cat", r#"{"action":"spawn","id":"a"}"#).await;
    let stopped = sessions.abort("a", by, &forever).await;
    assert_eq!(stopped.state, SessionState::Stopped);
    handle(&sessions, "soon", r#"{"action":"spawn","id":"b"}"#).await;
    sessions.wait(&["b"], WaitFor::All, Duration::MAX).await;
    sessions.fetch("b", by, &forever).await;
    handle(&sessions, "soon", r#"{"action":"spawn","id":"c"}"#).await;
    sessions.end_of_turn().await;
    handle(&sessions, "cat", r#"{"action":"spawn","id":"d"}"#).await;
    sessions.close().await;
    assert_eq!(state(&sessions, "d"), SessionState::Stopped);
}

#[tokio::test]
async fn a_reader_that_acknowledges_gets_again_what_it_does_not() {
    let sessions = Sessions::new(patient());
    sessions.add(tool(
        "cat",
        ALL,
        "while read line; do echo \"got $line\"; done",
    ));
    let by = AnswerSource::User;
    let acknowledge = |after| FetchOptions {
        after: Some(after),
        wait: Some(Duration::ZERO),
        ..FetchOptions::default()
    };
    let call = Call::new("cat", json("{}"));
    let options = SpawnOptions {
        reply: acknowledge(0),
        ..SpawnOptions::default()
    };
    sessions
        .spawn("a", "cat", call, by, &options)
        .await
        .expect("a tool");
    sessions.fetch("a", by, &acknowledge(0)).await;
    let long = FetchOptions {
        wait: Some(Duration::from_secs(50)),
        ..FetchOptions::default()
    };
    // What answers to input counts as delivered, and can be had again until it is acknowledged.
    let one = sessions
        .apply("a", Applied::Input(json("\"1\"")), None, by, &long)
        .await;
    let two = sessions
        .apply("a", Applied::Input(json("\"2\"")), None, by, &long)
        .await;
    assert!(one.envelope.contains("got 1"), "{}", one.envelope);
    eventually("both lines", || {
        let now = futures_now(sessions.fetch("a", by, &acknowledge(0)));
        now.is_some_and(|fetched| {
            fetched.envelope.contains("got 1") && fetched.envelope.contains("got 2")
        })
    })
    .await;
    assert!(!two.envelope.contains("got 1"), "{}", two.envelope);
    let rest = sessions.fetch("a", by, &acknowledge(1)).await;
    assert!(!rest.envelope.contains("got 1") && rest.envelope.contains("got 2"));
    assert_eq!(
        sessions
            .fetch("a", by, &acknowledge(9))
            .await
            .refusal
            .expect("too many")
            .code,
        Code::BadArgument
    );
    sessions.close().await;
}

/// The value of a future that does not wait.
fn futures_now<T>(future: impl Future<Output = T>) -> Option<T> {
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    match std::pin::pin!(future).poll(&mut context) {
        std::task::Poll::Ready(value) => Some(value),
        std::task::Poll::Pending => None,
    }
}

#[tokio::test]
async fn a_fetch_waits_for_a_text_or_for_something_new() {
    let sessions = Sessions::new(patient());
    sessions.add(tool(
        "slow",
        ALL,
        "echo start; sleep 0.4; echo middle; sleep 0.4; echo the end; read x",
    ));
    handle(&sessions, "slow", r#"{"action":"spawn","id":"a"}"#).await;
    let middle = handle(
        &sessions,
        "slow",
        r#"{"action":"fetch","id":"a","wait":30}"#,
    )
    .await;
    assert!(text(&middle).contains("middle"), "{middle}");
    let end = handle(
        &sessions,
        "slow",
        r#"{"action":"fetch","id":"a","until":"the end"}"#,
    )
    .await;
    assert!(text(&end).contains("the end"), "{end}");
    // Nothing comes any more.
    let began = Instant::now();
    let nothing = handle(
        &sessions,
        "slow",
        r#"{"action":"fetch","id":"a","wait":0.2}"#,
    )
    .await;
    assert!(began.elapsed() >= Duration::from_millis(200));
    assert_eq!(text(&nothing), "running, nothing new");
    sessions.close().await;
}

#[tokio::test]
async fn a_model_answers_its_questions_where_the_tool_stands() {
    let sessions = Sessions::new(patient());
    let script = r#"echo 'three hunks'; echo '? {"id":"hunk","text":"Stage it?","schema":{"enum":["y","n"]}}'
        read answer; echo "[$answer]"; read x"#;
    sessions.add(tool("git", ALL, script));
    let asked = handle(&sessions, "git", r#"{"action":"spawn","id":"a"}"#).await;
    assert_eq!(asked["_meta"]["computer.jp/status"], "waiting", "{asked}");
    assert_eq!(asked["content"][1]["question"]["id"], "hunk");
    let wrong = handle(
        &sessions,
        "git",
        r#"{"action":"apply","id":"a","input":"perhaps"}"#,
    )
    .await;
    assert_eq!(code(&wrong), "answer_mismatch");
    assert!(text(&wrong).contains("\n- "), "{wrong}");
    let other = handle(
        &sessions,
        "git",
        r#"{"action":"apply","id":"a","input":"y","question":"tree"}"#,
    )
    .await;
    assert_eq!(code(&other), "no_question");
    let done = handle(
        &sessions,
        "git",
        r#"{"action":"apply","id":"a","input":"y"}"#,
    )
    .await;
    assert_eq!(text(&done), "[hunk accepted \"y\"]");
    sessions.close().await;
}

const ASKS_PIN: &str = r#"echo '? {"id":"code","text":"Your PIN, please","schema":{"type":"string","maxLength":4}}'
    read answer; echo "[$answer]"; read x"#;

#[tokio::test]
async fn a_model_does_not_answer_for_a_person() {
    let sessions = Sessions::new(patient());
    sessions.add(tool("bank", ALL, ASKS_PIN));
    handle(&sessions, "bank", r#"{"action":"spawn","id":"a"}"#).await;
    let refused = handle(
        &sessions,
        "bank",
        r#"{"action":"apply","id":"a","input":"1234"}"#,
    )
    .await;
    assert_eq!(
        (code(&refused), possible(&refused)),
        ("person_only", vec!["fetch", "abort"])
    );
    assert!(sessions.list()[0].person);
    let by_hand = sessions
        .apply(
            "a",
            Applied::Input(json("\"1234\"")),
            None,
            AnswerSource::User,
            &FetchOptions::default(),
        )
        .await;
    assert!(by_hand.envelope.contains("1234"));
    sessions.close().await;
}

#[tokio::test]
async fn the_answerer_is_asked_what_is_for_a_person_until_it_fits() {
    let asked = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&asked);
    let person = move |question: &PendingQuestion| {
        let mut seen = seen.lock().expect("the questions");
        seen.push(question.clone());
        let value = if seen.len() == 1 { "12345" } else { "1234" };
        Answer::accepted(Json::from(value), AnswerSource::User)
    };
    let sessions = Sessions::new(SessionsOptions {
        answerer: Some(SessionAnswerer::new(person)),
        ..patient()
    });
    sessions.add(tool("bank", ALL, ASKS_PIN));
    let mut said = text(&handle(&sessions, "bank", r#"{"action":"spawn","id":"a"}"#).await);
    while !said.contains(']') {
        let fetch = r#"{"action":"fetch","id":"a","wait":1}"#;
        said += &text(&handle(&sessions, "bank", fetch).await);
    }
    assert!(said.contains("[code accepted \"1234\"]"), "{said}");
    sessions.close().await;
    let asked = asked.lock().expect("the questions");
    assert_eq!(asked.len(), 2);
    assert!(
        asked[0].secret.is_some() && asked[0].warning.is_some() && asked[0].mismatches.is_empty()
    );
    // What was typed is not quoted.
    assert_eq!(
        asked[1].mismatches[0].message,
        "the answer does not fit the schema"
    );
}

#[tokio::test]
async fn a_password_in_the_output_makes_the_question_after_it_one_for_a_person() {
    let script = r#"echo 'Please enter your password'; echo '? {"id":"line","text":"Your input","schema":{"type":"string"}}'; read x; read y"#;
    let sessions = Sessions::new(patient());
    sessions.add(tool("sudo", ALL, script));
    handle(&sessions, "sudo", r#"{"action":"spawn","id":"a"}"#).await;
    let refused = handle(
        &sessions,
        "sudo",
        r#"{"action":"apply","id":"a","input":"1234"}"#,
    )
    .await;
    assert_eq!(code(&refused), "person_only");
    sessions.close().await;
}

#[tokio::test]
async fn settings_say_who_answers() {
    let ask = |id: &str| {
        format!(
            r#"echo '? {{"id":"{id}","text":"?","schema":{{"type":"boolean"}},"default":true}}'; read a; echo "[$a]";"#
        )
    };
    let script = ["given", "default", "declined", "value", "user"]
        .map(ask)
        .join(" ");
    let mut asking = tool("ask", ALL, &format!("{script} read x"));
    asking.exchange.given = [("given".to_owned(), json("false"))].into();
    asking.exchange.questions = [
        ("default".to_owned(), Who::Default),
        ("declined".to_owned(), Who::Decline),
        ("value".to_owned(), Who::Value(json("\"no boolean\""))),
        ("user".to_owned(), Who::User),
    ]
    .into();
    let sessions = Sessions::new(patient());
    sessions.add(asking);
    let spawned = handle(&sessions, "ask", r#"{"action":"spawn","id":"a"}"#).await;
    eventually("the last question", || {
        sessions.list()[0].question.as_deref() == Some("user")
    })
    .await;
    let fetch = FetchOptions {
        after: Some(0),
        ..FetchOptions::default()
    };
    let heard = sessions
        .fetch("a", AnswerSource::User, &fetch)
        .await
        .envelope;
    for line in [
        "[given accepted false]",
        "[default accepted true]",
        "[declined declined]",
        "[value unavailable]",
    ] {
        assert!(format!("{spawned}{heard}").contains(line), "{heard}");
    }
    let refused = handle(
        &sessions,
        "ask",
        r#"{"action":"apply","id":"a","input":true}"#,
    )
    .await;
    assert_eq!(code(&refused), "person_only");
    let yes = sessions
        .apply(
            "a",
            Applied::Input(json("true")),
            Some("user"),
            AnswerSource::User,
            &FetchOptions::default(),
        )
        .await;
    let fetched = sessions
        .fetch("a", AnswerSource::User, &FetchOptions::default())
        .await;
    let said = format!("{}{}", yes.envelope, fetched.envelope);
    assert!(said.contains("user accepted true"), "{said}");
    sessions.close().await;
}

#[tokio::test]
async fn input_that_is_not_taken_is_bounded_and_refused() {
    let sessions = Sessions::new(SessionsOptions {
        first_wait: Duration::ZERO,
        ..patient()
    });
    let deaf = Shell {
        deaf: true,
        ..Shell::new("read x")
    };
    let mut deaf = SessionTool::new(description("deaf", ALL), Arc::new(deaf));
    deaf.rules = Some(SessionRules {
        grace: Duration::from_millis(50),
        ..SessionRules::default()
    });
    sessions.add(deaf);
    handle(&sessions, "deaf", r#"{"action":"spawn","id":"a"}"#).await;
    let mut taken = 0;
    let refused = loop {
        let applied = handle(
            &sessions,
            "deaf",
            r#"{"action":"apply","id":"a","input":"x"}"#,
        )
        .await;
        if code(&applied) != "none" {
            break applied;
        }
        taken += 1;
        assert!(taken < 1000, "it is bounded");
    };
    assert_eq!((code(&refused), taken), ("over_budget", 32));
    // And it still ends, though it hears nothing.
    sessions.close().await;
    assert_eq!(state(&sessions, "a"), SessionState::Stopped);
}

#[tokio::test]
async fn waiting_for_any_or_all() {
    let sessions = Sessions::new(SessionsOptions {
        first_wait: Duration::ZERO,
        ..patient()
    });
    sessions.add(tool("quick", ALL, "sleep 0.2; echo done"));
    sessions.add(tool("slow", ALL, "read x"));
    handle(&sessions, "quick", r#"{"action":"spawn","id":"q"}"#).await;
    handle(&sessions, "slow", r#"{"action":"spawn","id":"s"}"#).await;
    let any = sessions
        .wait(&["q", "s", "nobody"], WaitFor::Any, Duration::from_secs(50))
        .await;
    let states: Vec<SessionState> = any.iter().map(|(_, state)| *state).collect();
    assert_eq!(
        states,
        [
            SessionState::Stopped,
            SessionState::Running,
            SessionState::Absent
        ]
    );
    let began = Instant::now();
    let all = sessions
        .wait(&["q", "s"], WaitFor::All, Duration::from_millis(300))
        .await;
    assert!(began.elapsed() >= Duration::from_millis(300) && all[1].1 == SessionState::Running);
    sessions
        .abort("s", AnswerSource::User, &FetchOptions::default())
        .await;
    let all = sessions
        .wait(&["q", "s"], WaitFor::All, Duration::from_secs(50))
        .await;
    assert!(all.iter().all(|(_, state)| *state == SessionState::Stopped));
}

#[tokio::test]
async fn the_next_message_tells_each_change_once() {
    let sessions = Sessions::new(SessionsOptions {
        first_wait: Duration::ZERO,
        ..patient()
    });
    sessions.add(tool(
        "ask",
        ALL,
        r#"echo '? {"id":"ok","text":"Go on?","schema":{"type":"boolean"}}'; read x"#,
    ));
    sessions.add(tool("done", ALL, "echo done"));
    handle(&sessions, "ask", r#"{"action":"spawn","id":"a"}"#).await;
    handle(&sessions, "done", r#"{"action":"spawn","id":"d"}"#).await;
    sessions
        .wait(&["a", "d"], WaitFor::All, Duration::from_secs(50))
        .await;
    let told = sessions.announcements();
    let texts: Vec<&str> = told.iter().map(|one| one.text.as_str()).collect();
    assert_eq!(
        texts,
        [
            "`a` waits for an answer to `ok`: Go on?",
            "`d` has stopped: fetch it"
        ]
    );
    assert!(told[0].to_json().contains(r#""state":"waiting""#));
    assert!(sessions.announcements().is_empty());
    // What a fetch has told is no news.
    handle(&sessions, "ask", r#"{"action":"abort","id":"a"}"#).await;
    assert!(sessions.announcements().is_empty());
}

#[tokio::test]
async fn a_turn_ends_as_the_rules_of_each_tool_say() {
    let asked = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&asked);
    let person = move |question: &PendingQuestion| {
        count.fetch_add(1, Ordering::SeqCst);
        assert!(question.question.text.contains("`asked`"), "{question:?}");
        Answer::accepted(Json::from("keep"), AnswerSource::User)
    };
    let sessions = Sessions::new(SessionsOptions {
        first_wait: Duration::ZERO,
        answerer: Some(SessionAnswerer::new(person)),
        ..patient()
    });
    let policies = [
        ("abort", TurnEnd::Abort, "read x"),
        (
            "waits",
            TurnEnd::Wait(Duration::from_secs(50)),
            "sleep 0.3; echo done",
        ),
        ("late", TurnEnd::Wait(Duration::from_millis(50)), "read x"),
        ("kept", TurnEnd::Keep, "read x"),
        ("asked", TurnEnd::Ask, "read x"),
    ];
    for (name, turn, script) in policies {
        let mut tool = tool(name, ALL, script);
        tool.rules = Some(SessionRules {
            turn,
            ..SessionRules::default()
        });
        sessions.add(tool);
        handle(
            &sessions,
            name,
            &format!(r#"{{"action":"spawn","id":"{name}"}}"#),
        )
        .await;
    }
    sessions.end_of_turn().await;
    let states = sessions.list();
    let running: Vec<&str> = states
        .iter()
        .filter(|info| info.state == SessionState::Running)
        .map(|info| info.id.as_str())
        .collect();
    assert_eq!(running, ["asked", "kept"]);
    assert_eq!(asked.load(Ordering::SeqCst), 1);
    for (id, reason) in [
        ("abort", "turn_ended"),
        ("waits", "exited"),
        ("late", "turn_ended"),
    ] {
        let fetched = sessions
            .fetch(id, AnswerSource::User, &FetchOptions::default())
            .await;
        assert!(
            fetched
                .envelope
                .contains(&format!(r#""reason":"{reason}""#)),
            "{id}: {}",
            fetched.envelope
        );
    }
    sessions.close().await;
}

#[tokio::test]
async fn actions_are_approved_as_the_rules_say() {
    let requests = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&requests);
    let approver = SessionApprover::new(move |request: ApprovalRequest| {
        let seen = Arc::clone(&seen);
        async move {
            let answer = match request.id.as_deref() {
                Some("bad") => Approval::Declined(Some("not on a Friday".into())),
                _ => Approval::Granted,
            };
            seen.lock().expect("the requests").push(request);
            answer
        }
    });
    let sessions = Sessions::new(SessionsOptions {
        approver: Some(approver),
        ..patient()
    });
    sessions.add(tool(
        "cat",
        ALL,
        "echo ready; while read line; do echo \"got $line\"; done",
    ));
    let refused = handle(&sessions, "cat", r#"{"action":"spawn","id":"bad","n":1}"#).await;
    assert!(
        text(&refused).contains("`spawn` was not approved: not on a Friday"),
        "{refused}"
    );
    assert!(sessions.list().is_empty());
    // What is refused anyway is not asked.
    handle(&sessions, "cat", r#"{"action":"spawn","id":"good"}"#).await;
    handle(&sessions, "cat", r#"{"action":"spawn","id":"good"}"#).await;
    handle(
        &sessions,
        "cat",
        r#"{"action":"apply","id":"good","input":"x"}"#,
    )
    .await;
    let call = Call::new("cat", json("{}"));
    sessions
        .spawn(
            "mine",
            "cat",
            call,
            AnswerSource::User,
            &SpawnOptions::default(),
        )
        .await
        .expect("a tool");
    {
        let requests = requests.lock().expect("the requests");
        let ids: Vec<_> = requests
            .iter()
            .map(|request| request.id.clone().unwrap_or_default())
            .collect();
        assert_eq!(ids, ["bad", "good"]);
        assert_eq!(requests[0].arguments, Some(json(r#"{"n":1}"#)));
    }
    let mut strict = tool("strict", ALL, "echo ready; read x");
    strict.rules = Some(SessionRules {
        approve: [SessionAction::Apply].into(),
        ..SessionRules::default()
    });
    sessions.add(strict);
    handle(&sessions, "strict", r#"{"action":"spawn","id":"bad"}"#).await;
    let refused = handle(
        &sessions,
        "strict",
        r#"{"action":"apply","id":"bad","input":"x"}"#,
    )
    .await;
    assert!(
        text(&refused).contains("`apply` was not approved"),
        "{refused}"
    );
    assert_eq!(possible(&refused), ["fetch", "abort"]);
    sessions.close().await;
}

#[tokio::test]
async fn handles_and_memory_are_limited_and_what_was_told_makes_room() {
    let sessions = Sessions::new(SessionsOptions {
        max_handles: 2,
        max_memory: 3_000_000,
        ..patient()
    });
    sessions.add(tool("cat", ALL, ENDLESS));
    for id in ["a", "b"] {
        handle(
            &sessions,
            "cat",
            &format!(r#"{{"action":"spawn","id":"{id}"}}"#),
        )
        .await;
    }
    let full = handle(&sessions, "cat", r#"{"action":"spawn","id":"c"}"#).await;
    assert_eq!(code(&full), "over_budget");
    assert!(text(&full).contains("there are 2 handles"), "{full}");
    handle(&sessions, "cat", r#"{"action":"abort","id":"a"}"#).await;
    let room = handle(&sessions, "cat", r#"{"action":"spawn","id":"c"}"#).await;
    assert_eq!(
        (code(&room), state(&sessions, "a")),
        ("none", SessionState::Absent)
    );
    sessions.close().await;

    // Who is not approved makes nobody leave.
    let declined =
        SessionApprover::new(
            async |request: ApprovalRequest| match request.id.as_deref() {
                Some("bad") => Approval::Declined(None),
                _ => Approval::Granted,
            },
        );
    let asked = Sessions::new(SessionsOptions {
        max_handles: 1,
        approver: Some(declined),
        ..patient()
    });
    asked.add(tool("cat", ALL, "echo done"));
    handle(&asked, "cat", r#"{"action":"spawn","id":"a"}"#).await;
    let refused = handle(&asked, "cat", r#"{"action":"spawn","id":"bad"}"#).await;
    assert!(text(&refused).contains("not approved"), "{refused}");
    assert_eq!(state(&asked, "a"), SessionState::Stopped);
    handle(&asked, "cat", r#"{"action":"spawn","id":"good"}"#).await;
    assert_eq!(state(&asked, "a"), SessionState::Absent);

    let small = Sessions::new(SessionsOptions {
        max_memory: 1_500_000,
        ..patient()
    });
    small.add(tool("cat", ALL, ENDLESS));
    handle(&small, "cat", r#"{"action":"spawn","id":"a"}"#).await;
    let full = handle(&small, "cat", r#"{"action":"spawn","id":"b"}"#).await;
    assert_eq!(code(&full), "over_budget");
    small.close().await;
}

#[tokio::test]
async fn times_of_a_session_and_of_idleness_end_it() {
    let limits = |session: Option<u64>, idle: Option<u64>| SessionRules {
        session_time: session.map(Duration::from_millis),
        idle_time: idle.map(Duration::from_millis),
        ..SessionRules::default()
    };
    let sessions = Sessions::new(SessionsOptions {
        first_wait: Duration::ZERO,
        ..patient()
    });
    let mut long = tool("long", ALL, "while :; do echo x; sleep 0.05; done");
    long.rules = Some(limits(Some(300), Some(60_000)));
    let mut idle = tool("idle", ALL, "echo x; read y");
    idle.rules = Some(limits(None, Some(200)));
    let mut asks = tool(
        "asks",
        ALL,
        r#"echo '? {"id":"ok","text":"?","schema":{"type":"boolean"}}'; read y; read z"#,
    );
    asks.rules = Some(limits(None, Some(3000)));
    for (name, tool) in [("long", long), ("idle", idle), ("asks", asks)] {
        sessions.add(tool);
        handle(
            &sessions,
            name,
            &format!(r#"{{"action":"spawn","id":"{name}"}}"#),
        )
        .await;
    }
    sessions
        .wait(&["long", "idle"], WaitFor::All, Duration::from_secs(50))
        .await;
    for (id, reason) in [("long", "timed_out"), ("idle", "idle")] {
        let fetched = sessions
            .fetch(id, AnswerSource::User, &FetchOptions::default())
            .await;
        assert!(
            fetched
                .envelope
                .contains(&format!(r#""reason":"{reason}""#)),
            "{}",
            fetched.envelope
        );
    }
    // That clock stands still while a question is open, and goes on when it has its answer.
    eventually("it asks", || {
        state(&sessions, "asks") == SessionState::Waiting
    })
    .await;
    tokio::time::sleep(Duration::from_secs(4)).await;
    assert_eq!(state(&sessions, "asks"), SessionState::Waiting);
    handle(
        &sessions,
        "asks",
        r#"{"action":"apply","id":"asks","input":true}"#,
    )
    .await;
    eventually("it is idle", || {
        state(&sessions, "asks") == SessionState::Stopped
    })
    .await;
    sessions.close().await;
}

#[tokio::test]
async fn stopped_handles_are_kept_for_a_time_and_to_the_end_of_the_turn() {
    let options = SessionsOptions {
        keep: Duration::from_millis(200),
        first_wait: Duration::ZERO,
        ..patient()
    };
    let sessions = Sessions::new(options.clone());
    sessions.add(tool("echo", ALL, "echo done"));
    handle(&sessions, "echo", r#"{"action":"spawn","id":"a"}"#).await;
    eventually("it is forgotten", || sessions.list().is_empty()).await;
    let told = sessions.announcements();
    assert_eq!((told.len(), told[0].state), (1, SessionState::Absent));
    assert!(told[0].text.contains("never fetched"), "{told:?}");

    // A host that has turns keeps it until the turn is over.
    sessions.end_of_turn().await;
    handle(&sessions, "echo", r#"{"action":"spawn","id":"b"}"#).await;
    eventually("it has stopped", || {
        state(&sessions, "b") == SessionState::Stopped
    })
    .await;
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert_eq!(state(&sessions, "b"), SessionState::Stopped);
    sessions.end_of_turn().await;
    assert_eq!(state(&sessions, "b"), SessionState::Absent);
}

#[tokio::test]
async fn a_tool_that_runs_once_stays_as_it_is() {
    let sessions = Sessions::new(patient());
    let echo = InProcess::blocking(|call| {
        let document: Value = serde_json::from_str(call.document()).expect("a call");
        format!(
            r#"{{"content":[{{"type":"text","text":{}}}],"_meta":{{"computer.jp/status":"stopped"}}}}"#,
            Value::String(document["tool"]["arguments"].to_string())
        )
    });
    let transport = Arc::new(echo);
    sessions.add(SessionTool::one_shot(
        description("echo", ""),
        transport.clone(),
    ));
    // Its arguments are its own, whatever they are called.
    let arguments = json(r#"{"action":"spawn","id":"a","input":1}"#);
    let envelope = sessions.handle("echo", &arguments).await;
    let options = toolwire_host::CallOptions::default();
    let call = Call::new("echo", arguments);
    let called = toolwire_host::call(&*transport, call, &options, &mut toolwire_host::Nobody).await;
    assert_eq!(
        envelope.as_bytes(),
        called.expect("it runs").parsed.document()
    );
    assert!(envelope.contains(r#"\"action\":\"spawn\""#) && sessions.list().is_empty());
}

const ASKING_ONCE: &str = r#"grep -q '"ok":true' && echo Renamed. ||
    echo '{"content":[{"type":"text","text":"b exists"},{"type":"question","question":{"id":"ok","text":"Replace it?","schema":{"type":"boolean"}}}]}'"#;

fn asking_once(actions: &str) -> SessionTool {
    let process = toolwire_host::Process::from(common::sh(ASKING_ONCE));
    SessionTool::one_shot(description("rename", actions), Arc::new(process))
}

#[tokio::test]
async fn a_tool_that_runs_once_can_be_spawned_and_runs_again_with_the_answers() {
    let sessions = Sessions::new(patient());
    sessions.add(asking_once(""));
    let by = AnswerSource::User;
    let call = Call::new("rename", json("{}"));
    let spawned = sessions
        .spawn("r", "rename", call, by, &SpawnOptions::default())
        .await
        .expect("a tool");
    assert_eq!(spawned.state, SessionState::Waiting, "{}", spawned.envelope);
    assert!(spawned.envelope.contains("b exists"));
    let answered = sessions
        .apply(
            "r",
            Applied::Input(json("true")),
            Some("ok"),
            by,
            &FetchOptions::default(),
        )
        .await;
    assert!(
        answered.envelope.contains("Renamed."),
        "{}",
        answered.envelope
    );
    let fetched = sessions
        .fetch(
            "r",
            by,
            &FetchOptions {
                wait: Some(Duration::from_secs(50)),
                ..FetchOptions::default()
            },
        )
        .await;
    assert_eq!(fetched.state, SessionState::Stopped);

    // With actions, a model drives it; it takes no input but answers.
    let slow = SessionTool::one_shot(
        description("sleep", ALL),
        Arc::new(toolwire_host::Process::from(common::sh("sleep 60"))),
    );
    sessions.add(slow);
    let quick = SpawnOptions {
        reply: FetchOptions {
            wait: Some(Duration::ZERO),
            ..FetchOptions::default()
        },
        ..SpawnOptions::default()
    };
    sessions
        .spawn("s", "sleep", Call::new("sleep", json("{}")), by, &quick)
        .await
        .expect("a tool");
    let refused = handle(
        &sessions,
        "sleep",
        r#"{"action":"apply","id":"s","input":"x"}"#,
    )
    .await;
    assert_eq!(code(&refused), "action_not_offered");
    let aborted = handle(&sessions, "sleep", r#"{"action":"abort","id":"s"}"#).await;
    assert_eq!(
        aborted["_meta"]["dev.toolwire/session"]["end"]["reason"],
        "aborted"
    );
}

#[tokio::test]
async fn a_session_tool_without_sessions_is_called_as_a_whole() {
    let yes = |_: &PendingQuestion| Answer::accepted(Json::from(true), AnswerSource::User);
    let sessions = Sessions::new(SessionsOptions {
        answerer: Some(SessionAnswerer::new(yes)),
        ..patient()
    });
    let script = r#"echo one; echo '? {"id":"ok","text":"?","schema":{"type":"boolean"}}'; read a; echo "[$a]"; exit 3"#;
    sessions.add(tool("ask", "", script));
    let envelope = handle(&sessions, "ask", r#"{"action":"spawn"}"#).await;
    assert_eq!(
        text(&envelope),
        "one\n[ok accepted true]\nstopped: exit status 3"
    );
    assert!(envelope["isError"] == true && sessions.list().is_empty());

    // Without an answerer, nobody answers.
    let alone = Sessions::new(patient());
    alone.add(tool("ask", "", script));
    assert!(text(&handle(&alone, "ask", "{}").await).contains("[ok unavailable]"));
}

#[tokio::test]
async fn a_result_keeps_what_it_has_beside_its_blocks() {
    const ENVELOPE: &str = r#"{"content":[{"type":"text","text":"moved"}],"structuredContent":{"n":12345678901234567890123},"_meta":{"example.org/x":2,"computer.jp/status":"running"}}"#;
    let lines = format!(
        "read hello; echo '{}'; read call; echo '{}'; read end",
        r#"{"type":"hello","toolwire":1,"version":1}"#,
        format_args!(r#"{{"type":"result","call":1,"envelope":{ENVELOPE}}}"#),
    );
    let once = toolwire_host::Process::from(common::sh(&format!("echo '{ENVELOPE}'")));
    let session = LineSession::new(common::sh(&lines), ProcessOptions::default());
    let sessions = Sessions::new(patient());
    sessions.add(SessionTool::one_shot(
        description("once", ALL),
        Arc::new(once),
    ));
    sessions.add(SessionTool::new(
        description("lines", ALL),
        Arc::new(session),
    ));
    for name in ["once", "lines"] {
        let call = Call::new(name, json("{}"));
        let called = sessions.call(name, call.clone(), AnswerSource::User).await;
        let by = AnswerSource::User;
        let options = SpawnOptions::default();
        let spawned = sessions.spawn(name, name, call, by, &options);
        let spawned = spawned.await.expect("a tool");
        let again = FetchOptions {
            after: Some(0),
            wait: Some(Duration::from_secs(50)),
            ..FetchOptions::default()
        };
        let again = sessions.fetch(name, by, &again).await;
        let mut whole = vec![again.envelope];
        if spawned.state == SessionState::Stopped {
            whole.push(spawned.envelope);
        }
        // Called without a handle, a tool that runs once is answered to the letter.
        whole.extend(called.ok().filter(|_| name == "lines"));
        for envelope in whole {
            assert!(
                envelope.contains(r#""n":12345678901234567890123"#),
                "{envelope}"
            );
            let read: Value = serde_json::from_str(&envelope).expect("JSON");
            assert_eq!(read["_meta"]["example.org/x"], 2, "{envelope}");
            assert_eq!(read["_meta"]["computer.jp/status"], "stopped");
        }
        let nothing = sessions.fetch(name, by, &FetchOptions::default()).await;
        assert!(
            !nothing.envelope.contains("structuredContent"),
            "{}",
            nothing.envelope
        );
    }
    sessions.close().await;
}
