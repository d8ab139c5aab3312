//! Real programs in a pseudo-terminal: what they edit, and what their screens show in the end.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::common::{End, is_there, options, pty, start};
use toolwire_host::ScreenView;
use toolwire_pty::PtySession;

fn git(folder: &Path, arguments: &[&str]) -> String {
    let output = Command::new("git")
        .args(arguments)
        .current_dir(folder)
        .env("HOME", folder)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .output()
        .expect("git");
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).expect("text")
}

#[tokio::test]
async fn git_stages_one_of_two_hunks() {
    if !is_there("git") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let lines = |first: &str, last: &str| {
        let middle: String = (2..20).map(|n| format!("line {n}\n")).collect();
        format!("{first}\n{middle}{last}\n")
    };
    git(folder.path(), &["init", "-q"]);
    fs::write(folder.path().join("a.txt"), lines("line 1", "line 20")).unwrap();
    git(folder.path(), &["add", "a.txt"]);
    git(
        folder.path(),
        &[
            "-c",
            "user.name=a",
            "-c",
            "user.email=a@b.c",
            "commit",
            "-qm",
            "a",
        ],
    );
    fs::write(folder.path().join("a.txt"), lines("first", "last")).unwrap();

    let mut session = pty(folder.path(), "git", &["add", "--patch"]);
    session.prints("Stage this hunk").await;
    assert!(
        session.printed.contains("-line 1\n+first\n"),
        "{}",
        session.printed
    );
    session.input(r#"{"text":"n","enter":true}"#);
    session.prints("+last\n").await;
    session.shows("(2/2) Stage this hunk").await;
    session.input(r#""y\n""#);
    assert_eq!(*session.ended().await, End::Exit(0));
    assert_eq!(
        git(folder.path(), &["show", ":a.txt"]),
        lines("line 1", "last")
    );
    assert!(!session.printed.contains('\x1b'));
    assert!(session.person.is_empty());
}

#[tokio::test]
async fn python_is_asked_and_answers() {
    if !is_there("python3") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let mut session = pty(folder.path(), "python3", &["-q", "-i"]);
    session.last_row(">>>").await;
    session.input(r#"{"text":"print(6 * 7)","enter":true}"#);
    session.prints("42\n").await;
    session.last_row(">>>").await;
    session.input(r#"{"text":"for i in range(2):\n    print('row', i)\n\n"}"#);
    session.prints("row 0\nrow 1\n").await;
    session.last_row(">>>").await;
    session.input(r#"{"text":"open('out.txt', 'w').write('日本 e\u0301')","enter":true}"#);
    session.last_row(">>>").await;
    session.input(r#"{"text":"1 + 1"}"#);
    session.last_row(">>> 1 + 1").await;
    session.input(r#"{"keys":["backspace","5","enter"]}"#);
    session.prints("\n6\n").await;
    session.input(r#"{"key":"ctrl-d"}"#);
    assert_eq!(*session.ended().await, End::Exit(0));
    assert_eq!(
        fs::read_to_string(folder.path().join("out.txt")).unwrap(),
        "日本 e\u{301}"
    );
}

#[tokio::test]
async fn vi_edits_a_file() {
    if !is_there("vi") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.txt"), "one\ntwo\nthree\n").unwrap();
    let mut session = pty(folder.path(), "vi", &["-n", "a.txt"]);
    session.shows("three").await;
    session
        .until("full", |session| session.screen().is_full())
        .await;
    session.input(r#"{"keys":["down","d","d"]}"#);
    session
        .until("deletes", |session| !session.text().contains("two"))
        .await;
    session.input(r#""Onew 日本""#);
    session.input(r#"{"key":"escape"}"#);
    session.shows("new 日本").await;
    let rows = session.rows();
    assert_eq!(rows[..3], ["one", "new 日本", "three"]);
    assert_eq!(rows[3], "~");
    session.input(r#"{"text":":wq","enter":true}"#);
    assert_eq!(*session.ended().await, End::Exit(0));
    let file = fs::read_to_string(folder.path().join("a.txt")).unwrap();
    assert_eq!(file, "one\nnew 日本\nthree\n");
    assert!(!session.printed.contains("three"), "{}", session.printed);
}

#[tokio::test]
async fn less_pages_a_file() {
    if !is_there("less") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let text: String = (1..=100).map(|n| format!("line {n} ü\n")).collect();
    fs::write(folder.path().join("a.txt"), text).unwrap();
    for (columns, rows) in [(80_u16, 24_u16), (40, 10), (132, 43)] {
        let command = toolwire_host::Command::new("less").arg("a.txt");
        let mut options = options(folder.path());
        (options.columns, options.rows) = (columns, rows);
        let mut session = start(PtySession::new(command, options));
        let last = rows - 1;
        session.shows(&format!("line {last} ü\na.txt")).await;
        session.input(r#"{"key":"pgdn"}"#);
        session.shows(&format!("line {} ü\n:", 2 * last)).await;
        assert_eq!(session.rows()[0], format!("line {rows} ü"));
        session.input(r#"{"key":"G"}"#);
        session.shows("line 100 ü\n(END)").await;
        session.input(r#"{"size":[60,12]}"#);
        // What is typed before less has heard of the new size is lost to it.
        let mut tries = 0;
        while !session
            .soon(|session| session.rows()[0] == "line 1 ü")
            .await
        {
            tries += 1;
            assert!(tries < 60, "{}", session.text());
            session.input(r#"{"key":"g"}"#);
        }
        session.shows("line 11 ü\n").await;
        assert_eq!(session.rows()[0], "line 1 ü");
        session.input(r#""q""#);
        assert_eq!(*session.ended().await, End::Exit(0));
    }
}

#[tokio::test]
async fn bash_keeps_a_prompt_and_learns_of_a_new_size() {
    if !is_there("bash") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let mut session = pty(folder.path(), "bash", &["--norc", "--noprofile"]);
    session.shows("bash-").await;
    session.input(r#"{"text":"PS1='> '; stty size; echo $TERM","enter":true}"#);
    session.prints("24 80\nxterm-256color\n").await;
    session.input(r#"{"size":[100,30]}"#);
    session.input(r#"{"text":"stty size; tty","enter":true}"#);
    session.prints("30 100\n").await;
    session.prints("/dev/").await;
    session.last_row(">").await;
    let _ = session.show(ScreenView::Whole);
    assert_eq!(session.show(ScreenView::Changes), "");
    session.input(r#"{"text":"echo chan''ged","enter":true}"#);
    session.prints("\nchanged\n").await;
    session.last_row(">").await;
    let changes = session.show(ScreenView::Changes);
    assert!(changes.contains(": changed"), "{changes}");
    assert!(changes.lines().count() <= 4, "{changes}");
    // Several lines at once are one paste, which readline takes as one.
    session.input(r#"{"text":"echo first\necho second","enter":true}"#);
    session.prints("first\nsecond\n").await;
    session.input(r#"{"text":"sleep 600 & sleep 600","enter":true}"#);
    session.prints("[1]").await;
    session.input(r#"{"key":"ctrl-c"}"#);
    session.last_row(">").await;
    session.input(r#"{"text":"exit 3","enter":true}"#);
    assert_eq!(*session.ended().await, End::Exit(3));
}

#[tokio::test]
async fn a_program_that_asks_the_terminal_is_answered() {
    if !is_there("bash") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let script = r#"stty -echo -icanon; printf 'ab\033[6n'; read -rs -d R place; printf '\n%s\n' "${place#?}"
        printf '\033]0;title\007\033]52;c;aGk=\007\033[c'; read -rs -d c it; printf '%s\n' "${it#?}""#;
    let mut session = pty(folder.path(), "bash", &["-c", script]);
    assert_eq!(*session.ended().await, End::Exit(0));
    assert_eq!(session.printed, "ab\n[1;3\n[?62;22\n");
}

#[tokio::test]
async fn wide_and_combining_characters_keep_their_places() {
    let folder = tempfile::tempdir().unwrap();
    let script =
        "printf '日本語|\\ne\\314\\201|\\n👩\u{200d}💻 👍|\\n\\033[1;3HX\\033[4;1H'; read line";
    let mut session = pty(folder.path(), "sh", &["-c", script]);
    session.shows("👍").await;
    session
        .until("moves", |session| session.text().contains("row 4"))
        .await;
    assert_eq!(session.rows(), ["日X 語|", "e\u{301}|", "👩\u{200d}💻 👍|"]);
    session.input(r#"{"key":"enter"}"#);
    assert_eq!(*session.ended().await, End::Exit(0));
}

/// A terminal keeps 4,095 bytes of a line and drops the rest without a word.
#[tokio::test]
async fn a_line_that_the_terminal_would_cut_is_not_typed() {
    let folder = tempfile::tempdir().unwrap();
    let script = "echo ready; while read line; do echo \"got ${#line}\"; done";
    let mut session = pty(folder.path(), "sh", &["-c", script]);
    session.prints("ready").await;
    let long = "a".repeat(4096);
    session.input(&format!(r#"{{"text":"{long}","enter":true}}"#));
    session
        .prints("[not typed: a line is longer than the ")
        .await;
    // Not in pieces either, once they are too long together.
    session.input(&format!(r#"{{"text":"{}"}}"#, &long[..4000]));
    session.input(&format!(r#"{{"text":"{}","enter":true}}"#, &long[..95]));
    session.prints("got 4095").await;
    session.input(&format!(r#"{{"text":"{}"}}"#, &long[..4000]));
    session.input(&format!(r#"{{"text":"{}","enter":true}}"#, &long[..96]));
    session
        .until("is told again", |session| {
            session.printed.matches("[not typed").count() == 2
        })
        .await;
}
