//! Where a program asks for a password, only a person types.

use crate::common::{End, is_there, pty};
use toolwire_host::Typed;

const ASKS: &str = "stty -echo; printf 'Password: '; read word; stty echo; printf '\\ngot %s\\n' \"$word\"; read more; echo \"more $more\"";

#[tokio::test]
async fn a_password_is_typed_by_a_person_alone() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = pty(folder.path(), "sh", &["-c", ASKS]);
    session
        .until("asks", |session| session.person == [true])
        .await;
    session.shows("Password:").await;
    assert!(
        session.text().contains("only a person types here"),
        "{}",
        session.text()
    );
    session.input(r#"{"text":"guess","enter":true}"#);
    session
        .prints("[not typed: only a person types here]")
        .await;

    let attached = session.screen().attach().expect("a terminal");
    let drawn = String::from_utf8(attached.drawn.clone()).unwrap();
    assert!(drawn.contains("Password:"), "{drawn:?}");
    attached
        .typed
        .send(Typed::Bytes(b"s3cret\r".to_vec()))
        .await
        .unwrap();
    session.prints("got s3cret\n").await;
    session
        .until("shows again", |session| session.person == [true, false])
        .await;
    assert!(
        !session.text().contains("only a person"),
        "{}",
        session.text()
    );
    session.input(r#"{"text":"yes","enter":true}"#);
    assert_eq!(*session.ended().await, End::Exit(0));
    assert!(
        session.printed.ends_with("more yes\n"),
        "{}",
        session.printed
    );
}

#[tokio::test]
async fn a_person_can_type_it_without_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = pty(folder.path(), "sh", &["-c", ASKS]);
    session
        .until("asks", |session| session.person == [true])
        .await;
    session.person_input(r#"{"text":"s3cret","enter":true}"#);
    session.prints("got s3cret\n").await;
    session.kill();
    session.ended().await;
    assert_eq!(session.person.last(), Some(&false));
}

/// Lines that were typed ahead do not become the password.
#[tokio::test]
async fn lines_that_wait_are_not_typed_where_a_person_types() {
    let folder = tempfile::tempdir().unwrap();
    if !is_there("bash") {
        return;
    }
    // It hides what it reads itself, without the start of another program.
    let script =
        "read first; echo \"first $first\"; read -rs word; echo; echo \"got $word\"; read more";
    let mut session = pty(folder.path(), "bash", &["-c", script]);
    session.input(r#""one\nguess\nagain\n""#);
    session.prints("first one").await;
    session
        .until("asks", |session| session.person == [true])
        .await;
    session
        .prints("[not typed: only a person types here]")
        .await;
    session.person_input(r#"{"text":"s3cret","enter":true}"#);
    session.prints("got s3cret\n").await;
    session.kill();
    session.ended().await;
    assert!(!session.printed.contains("guess"), "{}", session.printed);
}

/// What was typed while the program did something else, and hides what comes before it reads on.
#[tokio::test]
async fn what_was_not_read_before_is_taken_back() {
    let folder = tempfile::tempdir().unwrap();
    let asks = ASKS.replace("read word", "sleep 3; read word");
    let script = format!("echo ready; while [ ! -e go ]; do sleep 0.05; done; {asks}");
    let mut session = pty(folder.path(), "sh", &["-c", &script]);
    session.prints("ready").await;
    session.input(r#"{"text":"guess","enter":true}"#);
    session.prints("guess").await;
    std::fs::write(folder.path().join("go"), "").unwrap();
    session
        .until("asks", |session| session.person.first() == Some(&true))
        .await;
    session.prints("[not typed").await;
    session.person_input(r#"{"text":"s3cret","enter":true}"#);
    session
        .until("has it", |session| session.printed.contains("got "))
        .await;
    session.kill();
    session.ended().await;
}

#[tokio::test]
async fn a_program_that_reads_keys_is_no_password_prompt() {
    if !is_there("bash") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let script = "stty raw -echo; printf 'key: '; dd bs=1 count=1 2>/dev/null; stty sane; echo";
    let mut session = pty(folder.path(), "sh", &["-c", script]);
    session.shows("key:").await;
    session.input(r#"{"key":"k"}"#);
    assert_eq!(*session.ended().await, End::Exit(0));
    assert!(session.printed.contains("key: k"), "{}", session.printed);
    assert!(session.person.is_empty());
}
