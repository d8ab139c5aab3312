//! Pages that are opened if a person agrees, in a real pseudo-terminal.

use std::fs;

use crate::common::Dir;
use crate::common::prompt::*;
use serde_json::{Value, json};

const PAGE: &str = "https://example.org:8443/login?a=$(id)&b;c";

/// Asks to open a page, with a browser that is a shell script. It keeps each URL that it gets.
fn page(url: &str, browser: &str, options: &str) -> Terminal {
    let dir = Dir::new();
    let question = json!({"id": "q", "text": "Sign in", "schema": {}, "url": url});
    let content = json!([{"type": "question", "question": question}]);
    dir.file("question.json", json!({"content": content}).to_string());
    script(
        &dir,
        "tool",
        "call=$(cat)\n\
         case $call in\n\
           *'\"q\":'*) printf '%s' \"$call\" ;;\n\
           *) cat question.json ;;\n\
         esac",
    );
    let keep = format!("printf '%s\\n' \"$@\" >> \"${{0%/*}}/opened\"\n{browser}");
    script(&dir, "a browser", &keep);
    let run = format!(
        "trap : INT; stty -g > before; BROWSER=\"no-such-browser %s:'$PWD/a browser' --new\" \
         \"$TOOLWIRE\" run --call --format model {options} ./tool > out; \
         code=$?; stty -g > after; cmp before after && echo code=$code"
    );
    start_shell(dir, &run)
}

fn opened(dir: &Dir) -> String {
    fs::read_to_string(dir.path().join("opened")).unwrap_or_default()
}

#[test]
fn a_page_is_opened_when_the_person_agrees_and_not_before() {
    let terminal = page(PAGE, "", "");
    let screen = terminal.shows("Esc cancels");
    for row in [
        "│ Sign in",
        "tool asks › ❯ Open the page at example.org",
        "│ https://example.org:8443/login?a=$(id)&b;c",
        "Enter opens it",
    ] {
        assert!(screen.contains(row), "{row}: {screen}");
    }
    assert_eq!(opened(&terminal.dir), "");
    let ended = terminal.ends(ENTER);
    assert_eq!(opened(&ended.dir), format!("--new\n{PAGE}\n"));
    assert_eq!((ended.state(), ended.value()), ("opened", &Value::Null));
    assert!(ended.screen.contains("✓ opened"), "{}", ended.screen);
    assert_eq!(ended.code, "0");
}

#[test]
fn a_page_that_is_declined_or_cancelled_is_not_opened() {
    for (key, state) in [(CTRL_D, "declined"), (ESC, "cancelled")] {
        let terminal = page(PAGE, "", "");
        terminal.shows("Esc cancels");
        let ended = terminal.ends(key);
        assert_eq!((ended.state(), &*opened(&ended.dir)), (state, ""));
    }
    let terminal = page(PAGE, "", "");
    terminal.shows("Esc cancels");
    let ended = terminal.ends(CTRL_C);
    assert_eq!((&*ended.code, &*opened(&ended.dir)), ("130", ""));
}

#[test]
fn where_no_browser_opens_it_the_person_does() {
    let mut terminal = page(PAGE, "exit 3", "");
    terminal.shows("Esc cancels");
    let screen = terminal.types(ENTER, "yourself, then press Enter");
    assert!(
        screen.contains("`a browser` ended with exit status 3"),
        "{screen}"
    );
    assert!(
        screen.contains("❯ I have opened the page at example.org"),
        "{screen}"
    );
    let ended = terminal.ends(ENTER);
    assert_eq!(ended.state(), "opened");
    assert_eq!(opened(&ended.dir).lines().count(), 2);
}

#[test]
fn a_person_can_open_it_alone() {
    let terminal = page(PAGE, "", "");
    terminal.shows("m: I open it myself");
    let ended = terminal.ends("m");
    assert_eq!((ended.state(), &*opened(&ended.dir)), ("opened", ""));
}

#[test]
fn a_browser_that_stays_open_holds_nothing_up() {
    let terminal = page(PAGE, "exec sleep 60", "");
    terminal.shows("Esc cancels");
    let start = std::time::Instant::now();
    let ended = terminal.ends(ENTER);
    assert!(start.elapsed().as_secs() < 45);
    assert_eq!(ended.state(), "opened");
}

#[test]
fn what_may_mislead_is_told_above() {
    let terminal = page("http://xn--pypal-4ve.com/", "", "");
    let screen = terminal.shows("Esc cancels");
    assert!(screen.contains("! The page is not encrypted"), "{screen}");
    assert!(
        screen.contains("! The host is written in another alphabet"),
        "{screen}"
    );
    assert_eq!(terminal.ends(ESC).state(), "cancelled");
}

#[test]
fn a_long_url_is_read_to_its_end_first() {
    let url = format!("https://example.org/{}end", "a".repeat(700));
    let mut terminal = page(&url, "", "");
    terminal.shows("Esc cancels");
    terminal.resize(10, 40);
    terminal.shows("⋯ 1 to");
    terminal.types(ENTER, "the address goes on");
    let screen = terminal.types(&DOWN.repeat(30), "end\n");
    assert!(screen.contains(" of 20 lines"), "{screen}");
    assert_eq!(opened(&terminal.dir), "");
    let ended = terminal.ends(ENTER);
    assert_eq!(opened(&ended.dir), format!("--new\n{url}\n"));
}

#[test]
fn neither_an_option_nor_an_assistant_agrees() {
    let assistant = "--assistant 'printf {\\\"answer\\\":true}'";
    let terminal = page(PAGE, "", assistant);
    terminal.shows("Esc cancels");
    assert_eq!(terminal.ends(ESC).state(), "cancelled");
    let ended = page(PAGE, "", "--answer q=true").ends("");
    assert!(
        ended.screen.contains("no value answers this question"),
        "{}",
        ended.screen
    );
    assert_eq!((&*ended.code, &*opened(&ended.dir)), ("2", ""));
    let ended = page(PAGE, "", "--non-interactive=defaults").ends("");
    let record = &ended.call["tool"]["dev.toolwire/answers"]["q"];
    assert_eq!(*record, json!({"state": "unavailable", "source": "policy"}));
}
