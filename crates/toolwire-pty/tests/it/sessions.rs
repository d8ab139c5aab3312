//! A model drives programs on a terminal through a host: what a fetch shows of a screen, and who may type (SES-27).

use std::sync::Arc;
use std::time::Duration;

use toolwire::call::{AnswerSource, ToolDescription};
use toolwire::session::{Applied, SessionState, SessionView};
use toolwire::{Code, Json};
use toolwire_host::manifest::SessionKind;
use toolwire_host::{Command, FetchOptions, SessionTool, Sessions, SessionsOptions, WaitFor};
use toolwire_pty::{PtyOptions, PtySession};

/// A host with a tool that is this script on a terminal.
fn host(script: &str) -> Sessions {
    let command = Command::new("sh").args(["-c", script]);
    let session = PtySession::new(command, PtyOptions::default());
    let schema = Json::new(r#"{"type":"object"}"#).expect("JSON");
    let mut description = ToolDescription::new("screen", schema);
    SessionKind::Pty.describe(&mut description);
    let sessions = Sessions::new(SessionsOptions {
        first_wait: Duration::from_secs(50),
        quiet: Duration::from_millis(300),
        ..SessionsOptions::default()
    });
    sessions.add(SessionTool::new(description, Arc::new(session)));
    sessions
}

async fn call(sessions: &Sessions, arguments: &str) -> String {
    let arguments = Json::new(arguments).expect("JSON");
    sessions.handle("screen", &arguments).await
}

/// The texts of an envelope.
fn text(envelope: &str) -> String {
    let json = Json::new(envelope).expect("an envelope");
    let texts = (0..).map_while(|index| json.at(&format!("/content/{index}/text")));
    let texts: Vec<String> = texts.filter_map(|text| text.to_text()).collect();
    texts.join("\n")
}

#[tokio::test]
async fn a_program_that_draws_is_shown_as_a_screen() {
    let script = r"printf '\033[?1049h\033[2J\033[Hfirst line\r\nsecond line';
        read key; printf '\033[1;1Hother'; read key; printf '\033[?1049l'; echo done";
    let sessions = host(script);
    let shown = call(&sessions, r#"{"action":"spawn","id":"a"}"#).await;
    let shown = match text(&shown).contains("second line") {
        true => shown,
        false => {
            call(
                &sessions,
                r#"{"action":"fetch","id":"a","until":"second line"}"#,
            )
            .await
        }
    };
    assert!(text(&shown).contains("first line"), "{shown}");
    assert!(shown.contains(r#""view":"screen""#), "{shown}");
    // What has not changed takes a few bytes, unless it is asked for.
    let again = call(&sessions, r#"{"action":"fetch","id":"a"}"#).await;
    assert_eq!(text(&again), "screen unchanged");
    let whole = call(&sessions, r#"{"action":"fetch","id":"a","view":"screen"}"#).await;
    assert!(text(&whole).contains("second line"), "{whole}");
    let typed = r#"{"action":"apply","id":"a","input":{"key":"enter"}}"#;
    let applied = call(&sessions, typed).await;
    assert!(text(&applied).contains("other line"), "{applied}");
    let whole = call(&sessions, r#"{"action":"fetch","id":"a","view":"screen"}"#).await;
    assert!(text(&whole).contains("other line"), "{whole}");
    let changes = call(&sessions, r#"{"action":"fetch","id":"a","view":"changes"}"#).await;
    assert_eq!(text(&changes), "screen unchanged");
    sessions.close().await;
}

#[tokio::test]
async fn only_a_person_types_where_the_echo_is_off() {
    let script = r#"printf 'Password: '; stty -echo; read word; stty echo; echo; echo "it has ${#word} letters"; read x"#;
    let sessions = host(script);
    call(&sessions, r#"{"action":"spawn","id":"a"}"#).await;
    for _ in 0..500 {
        if sessions.list()[0].person {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert!(sessions.list()[0].person, "its echo is off");
    let fetched = call(&sessions, r#"{"action":"fetch","id":"a"}"#).await;
    assert!(fetched.contains(r#""person":true"#), "{fetched}");
    let typed = r#"{"action":"apply","id":"a","input":{"text":"secret","enter":true}}"#;
    let refused = call(&sessions, typed).await;
    assert!(refused.contains(r#""code":"person_only""#), "{refused}");
    let wrong = r#"{"action":"apply","id":"a","input":{"kye":"enter"}}"#;
    assert!(call(&sessions, wrong).await.contains(r#""isError":true"#));

    let secret = Json::new(r#"{"text":"secret","enter":true}"#).expect("JSON");
    let options = FetchOptions {
        wait: Some(Duration::from_secs(50)),
        until: Some("6 letters".to_owned()),
        ..FetchOptions::default()
    };
    let by = AnswerSource::User;
    let said = sessions
        .apply("a", Applied::Input(secret), None, by, &options)
        .await;
    assert!(
        said.envelope.contains("it has 6 letters"),
        "{}",
        said.envelope
    );
    assert!(!said.envelope.contains("secret"));
    // What is no input is refused at once, with what is wrong with it.
    let wrong = Json::new(r#"{"kye":"enter"}"#).expect("JSON");
    let refused = sessions
        .apply(
            "a",
            Applied::Input(wrong),
            None,
            by,
            &FetchOptions::default(),
        )
        .await;
    assert_eq!(
        refused.refusal.expect("it is no input").code,
        Code::BadArgument
    );
    sessions.close().await;
}

#[tokio::test]
async fn a_text_counts_only_if_it_is_new_and_no_echo() {
    let sessions = host(r#"echo ready; while read line; do sleep 0.3; echo "<$line>"; done"#);
    let by = AnswerSource::User;
    call(&sessions, r#"{"action":"spawn","id":"a"}"#).await;
    let until = |text: &str, wait: u64| FetchOptions {
        wait: Some(Duration::from_millis(wait)),
        until: Some(text.to_owned()),
        ..FetchOptions::default()
    };
    let found = |envelope: &str| match envelope {
        envelope if envelope.contains(r#""found":true"#) => Some(true),
        envelope if envelope.contains(r#""found":false"#) => Some(false),
        _ => None,
    };
    let typed = |text: &str| {
        let line = format!(r#"{{"text":"{text}","enter":true}}"#);
        Applied::Input(Json::new(line).expect("JSON"))
    };
    // The echo comes at once, and what the program says later.
    let said = sessions
        .apply("a", typed("one"), None, by, &until("one", 60_000))
        .await
        .envelope;
    assert!(
        said.contains("<one>") && found(&said) == Some(true),
        "{said}"
    );
    // What was told before is not new, on the screen neither.
    for view in [None, Some(SessionView::Screen)] {
        let options = FetchOptions {
            view,
            ..until("<one>", 200)
        };
        let said = sessions.fetch("a", by, &options).await.envelope;
        assert_eq!(found(&said), Some(false), "{said}");
        assert!(said.contains("the text of `until` has not come"), "{said}");
    }
    // A row of the screen that was not there is.
    let wait_for_two = FetchOptions {
        view: Some(SessionView::Screen),
        ..until("<two>", 60_000)
    };
    let said = sessions
        .apply("a", typed("two"), None, by, &wait_for_two)
        .await
        .envelope;
    assert!(
        said.contains("<one>") && found(&said) == Some(true),
        "{said}"
    );
    // Blanks at the end of a row are not told apart from none.
    let said = sessions
        .apply("a", typed("three"), None, by, &until("<three> ", 60_000))
        .await
        .envelope;
    assert_eq!(found(&said), Some(true), "{said}");
    sessions.close().await;
}

#[tokio::test]
async fn a_model_interrupts_what_asks_for_a_password() {
    let script = r#"trap 'stty echo; echo interrupted; read x' INT; printf 'Password: '; stty -echo; read word"#;
    let sessions = host(script);
    call(&sessions, r#"{"action":"spawn","id":"a"}"#).await;
    let waited = sessions
        .wait(&["a"], WaitFor::All, Duration::from_secs(60))
        .await;
    assert_eq!(waited[0].1, SessionState::Running);
    assert!(sessions.list()[0].person, "it needs a person");
    let mut said = call(
        &sessions,
        r#"{"action":"apply","id":"a","input":{"key":"ctrl-c"}}"#,
    )
    .await;
    if !said.contains("interrupted") {
        let fetch = r#"{"action":"fetch","id":"a","until":"interrupted"}"#;
        said = call(&sessions, fetch).await;
    }
    assert!(said.contains("interrupted"), "{said}");
    sessions.close().await;
}
