//! A window that changes its size while a question is asked.

use crate::common::Dir;
use crate::common::prompt::*;
use serde_json::json;

/// A terminal that becomes narrower makes rows of its own of those that stand above, so nothing
/// stands above any more.
#[test]
fn when_the_window_becomes_narrower_the_prompt_is_alone_in_it() {
    let dir = Dir::new();
    let question = json!({"id": "q", "text": "Continue?", "schema": {"type": "boolean"}});
    dir.file(
        "question.json",
        json!({"content": [{"type": "question", "question": question}]}).to_string(),
    );
    script(
        &dir,
        "tool",
        "call=$(cat); case $call in *'\"q\":'*) echo \"$call\"; exit;; esac\n\
         printf '%038d? toolwire asks\\n' 0 >&2; cat question.json",
    );
    let mut terminal = start(dir, "");
    let screen = terminal.shows("Esc cancels");
    assert!(screen.contains("0? toolwire asks"), "{screen}");
    // Wider or lower, it only makes way.
    terminal.resize(20, 90);
    terminal.types(RIGHT, "❯ No");
    assert!(terminal.screen().contains("0? toolwire asks"));
    for columns in [40, 30, 60] {
        terminal.resize(20, columns);
        let prompt = "? tool asks\n│ Continue?\ntool asks ›   Yes  ❯ No\n";
        let screen = terminal.until("the prompt alone", |screen| screen.starts_with(prompt));
        nothing_is_forged(&screen);
    }
    // It is not lost: a person can scroll back.
    {
        let mut seen = terminal.seen.lock().unwrap();
        seen.screen.screen_mut().set_scrollback(25);
        let back = seen.screen.screen().contents();
        assert!(back.contains("│ 00000"), "{back}");
        seen.screen.screen_mut().set_scrollback(0);
    }
    assert_eq!(terminal.ends("n").value(), &json!(false));
}

/// A question under twelve lines of a person's own.
fn below_lines() -> Terminal {
    let dir = Dir::new();
    let text = "Is this a question that is too long for a window that is narrow?";
    let question = json!({"id": "q", "text": text, "schema": {"type": "string"}});
    dir.file(
        "question.json",
        json!({"content": [{"type": "question", "question": question}]}).to_string(),
    );
    let tool =
        "call=$(cat); case $call in *'\"q\":'*) echo \"$call\";; *) cat question.json;; esac";
    script(&dir, "tool", tool);
    let lines = "for n in 1 2 3 4 5 6 7 8 9 10 11 12; do echo \"my own line $n\"; done";
    let run = "\"$TOOLWIRE\" run --call ./tool > out";
    let terminal = start_shell(
        dir,
        &format!("{lines}; stty -g > before; {run}; echo code=$?"),
    );
    terminal.shows("Esc cancels");
    terminal
}

/// Each of them is there once, in the window or above it.
fn all_are_there(terminal: &Terminal, after: &str) {
    let history = terminal.history();
    for n in 1..=12 {
        let line = format!("my own line {n}");
        let found = history.iter().filter(|one| **one == line).count();
        assert_eq!(found, 1, "{line:?} after {after}:\n{}", history.join("\n"));
    }
}

/// In a terminal that fills its window anew, however it is dragged.
#[test]
fn no_line_above_the_prompt_is_lost_where_rows_are_filled_anew() {
    let sizes = [
        (30, 60),
        (30, 40),
        (12, 40),
        (30, 40),
        (30, 80),
        (10, 30),
        (24, 30),
        (24, 100),
        (6, 100),
        (40, 100),
    ];
    let mut terminal = below_lines();
    for (number, (rows, columns)) in sizes.into_iter().enumerate() {
        terminal.reflow(rows, columns);
        // What is typed is shown when the window has been drawn anew.
        let typed = format!("{number}");
        let all = (0..=number).map(|n| n.to_string()).collect::<String>();
        terminal.types(&typed, &format!("› {all}"));
        all_are_there(&terminal, &format!("{rows}x{columns}"));
    }
    let ended = terminal.ends(ENTER);
    assert_eq!(ended.value(), "0123456789");
}

/// And where the change is not seen yet when a key is: a terminal that leaves its rows as they are has
/// none more of the prompt to erase than before.
#[test]
fn no_line_above_the_prompt_is_lost_when_keys_come_with_the_change() {
    for _ in 0..4 {
        let mut terminal = below_lines();
        for columns in [50, 35, 30] {
            terminal.resize(30, columns);
            terminal.types("x", "› x");
            all_are_there(&terminal, &columns.to_string());
        }
        terminal.resize(30, 20);
        let ended = terminal.ends(ENTER);
        assert_eq!(ended.value(), "xxx");
        let history = ended.history.join("\n");
        for n in 1..=12 {
            assert!(history.contains(&format!("my own line {n}")), "{history}");
        }
    }
}
