//! Questions as prompts, in a real pseudo-terminal.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::Dir;
use crate::common::prompt::*;
use serde_json::{Value, json};

/// What is left of the folders in which an editor worked.
fn folders(dir: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    entries
        .filter(|path| {
            path.file_name()
                .unwrap()
                .to_string_lossy()
                .starts_with("toolwire-")
        })
        .collect()
}

fn boolean(default: Option<bool>) -> Value {
    let mut question = json!({"text": "Replace it?", "schema": {"type": "boolean"}});
    if let Some(default) = default {
        question["default"] = json!(default);
    }
    question
}

#[test]
fn yes_or_no() {
    let right = format!("{RIGHT}{ENTER}");
    for (default, keys, expected) in [
        (None, "y", true),
        (Some(true), "n", false),
        (Some(true), ENTER, true),
        (Some(false), ENTER, false),
        (Some(true), right.as_str(), false),
    ] {
        let terminal = ask(&boolean(default));
        let screen = terminal.shows("Esc cancels");
        assert!(screen.contains("Replace it?"), "{screen}");
        assert_eq!(screen.contains("❯ Yes"), default == Some(true), "{screen}");
        let ended = terminal.ends(keys);
        assert_eq!(
            (ended.value(), ended.state()),
            (&json!(expected), "accepted")
        );
        assert!(
            ended
                .screen
                .contains(if expected { "✓ Yes" } else { "✓ No" })
        );
        assert!(!ended.screen.contains("Esc cancels"), "{}", ended.screen);
        // There is colour, though the result goes into a file.
        assert!(ended.bytes.contains("\x1b[32m✓ "), "{:?}", ended.bytes);
    }
}

#[test]
fn without_a_default_enter_answers_nothing() {
    let mut terminal = ask(&boolean(None));
    terminal.shows("Esc cancels");
    terminal.types(ENTER, "there is no default");
    assert_eq!(terminal.ends("y").value(), &json!(true));
}

#[test]
fn declining_and_cancelling_are_told_apart_in_each_prompt() {
    let schemas = [
        json!({"type": "boolean"}),
        json!({"enum": ["a", "b"]}),
        json!({"type": "array", "items": {"enum": ["a", "b"]}}),
        json!({"type": "string"}),
        json!({"type": "number"}),
        json!({"type": "object"}),
    ];
    for schema in schemas {
        for (key, state) in [(CTRL_D, "declined"), (ESC, "cancelled")] {
            let terminal = ask(&json!({"text": "What?", "schema": schema}));
            let screen = terminal.shows("Esc cancels");
            assert!(screen.contains("Ctrl-D declines"), "{screen}");
            let ended = terminal.ends(key);
            assert_eq!(ended.state(), state, "{schema}");
            assert_eq!(ended.value(), &Value::Null);
            assert!(
                ended.screen.contains(&format!("– {state}")),
                "{}",
                ended.screen
            );
            assert_eq!(folders(ended.dir.path()).len(), 0);
        }
    }
}

#[test]
fn one_of_some() {
    let question = json!({"text": "Which branch?", "default": "dev", "schema": {"oneOf": [
        {"const": "main", "title": "Main", "description": "what is released"},
        {"const": "dev", "title": "Development"},
    ]}});
    let terminal = ask(&question);
    let screen = terminal.shows("Esc cancels");
    assert!(
        screen.contains("tool asks › one of these\n  │ Main  what is released\n❯ │ Development\n"),
        "{screen}"
    );
    assert_eq!(terminal.ends(ENTER).value(), "dev");
    let mut terminal = ask(&question);
    terminal.shows("Esc cancels");
    terminal.types(UP, "❯ │ Main");
    terminal.types(UP, "❯ │ Development");
    terminal.types(DOWN, "❯ │ Main");
    // Each frame takes the place of the one before.
    let head = "? tool asks\n│ Which branch?\n";
    let list = "tool asks › one of these\n❯ │ Main  what is released\n  │ Development\n";
    let keys = "  ↑/↓ and Enter · Ctrl-D declines · Esc cancels";
    assert_eq!(terminal.screen(), format!("{head}{list}{keys}"));
    let ended = terminal.ends(ENTER);
    assert_eq!(ended.value(), "main");
    assert_eq!(ended.screen.trim_end(), format!("{head}✓ Main\ncode=0"));
}

#[test]
fn a_long_list_is_searched_and_scrolls() {
    let names: Vec<String> = (1..=100).map(|n| format!("entry {n}")).collect();
    let question = json!({"text": "Which?", "schema": {"enum": names}});
    let mut terminal = ask(&question);
    let screen = terminal.shows("Esc cancels");
    assert!(
        screen.contains("type to search") && screen.contains("↓ 88 more"),
        "{screen}"
    );
    let screen = terminal.types(UP, "❯ │ entry 100");
    assert!(screen.contains("↑ 88 more"), "{screen}");
    terminal.types("zz", "nothing matches");
    terminal.types(ENTER, "✗ nothing matches");
    terminal.types(CTRL_U, "↓ 88 more");
    let screen = terminal.types("Y 42", "tool asks › Search: Y 42");
    assert!(
        screen.contains("❯ │ entry 42") && !screen.contains("entry 1\n"),
        "{screen}"
    );
    assert_eq!(terminal.ends(ENTER).value(), "entry 42");
}

#[test]
fn some_of_some_within_bounds() {
    let question = json!({"text": "Which tags?", "default": ["b"], "schema": {
        "type": "array", "minItems": 1, "maxItems": 2, "items": {"enum": ["a", "b", "c"]}}});
    let mut terminal = ask(&question);
    let screen = terminal.shows("Esc cancels");
    assert!(
        screen.contains("❯ [ ] │ a\n  [x] │ b\n  [ ] │ c\n"),
        "{screen}"
    );
    terminal.types(" ", "[x] │ a");
    terminal.types(&format!("{DOWN}{DOWN} "), "no more than 2");
    terminal.types(&format!("{UP} "), "❯ [ ] │ b");
    terminal.types(&format!("{UP} "), "❯ [ ] │ a");
    terminal.types(ENTER, "choose 1 or more");
    terminal.types(&format!("{UP} "), "❯ [x] │ c");
    assert_eq!(terminal.ends(ENTER).value(), &json!(["c"]));
}

#[test]
fn a_text_that_does_not_fit_stays_to_be_mended() {
    let question = json!({"text": "Commit message?", "default": "fix it",
        "schema": {"type": "string", "minLength": 5, "maxLength": 72}});
    let mut terminal = ask(&question);
    let screen = terminal.shows("Esc cancels");
    assert!(
        screen.contains("tool asks › fix it\n  5 to 72 characters (6 so far)\n"),
        "{screen}"
    );
    let screen = terminal.types("\x7f\x7f\x7f\r", "✗ ");
    assert!(screen.contains("tool asks › fix\n"), "{screen}");
    let screen = terminal.types(" ünï", "tool asks › fix ünï");
    assert!(!screen.contains('✗'), "{screen}");
    assert_eq!(terminal.ends(ENTER).value(), "fix ünï");
}

#[test]
fn what_is_pasted_answers_nothing_by_itself() {
    let mut terminal = ask(&json!({"text": "Notes?", "schema": {"type": "string"}}));
    terminal.shows("Esc cancels");
    terminal.types("\x1b[200~one\r\ntwo\x1b[201~", "tool asks › one⏎two");
    assert_eq!(terminal.ends(ENTER).value(), "one\ntwo");
}

#[test]
fn a_number_in_its_range() {
    let question = json!({"text": "How many?",
        "schema": {"type": "integer", "minimum": 1, "maximum": 5}});
    let mut terminal = ask(&question);
    let screen = terminal.shows("Esc cancels");
    assert!(
        screen.contains("a whole number, at least 1, at most 5"),
        "{screen}"
    );
    terminal.types("many\r", "✗ type a whole number");
    let screen = terminal.types(&format!("{CTRL_U}7\r"), "✗ │ the value");
    assert!(screen.contains("tool asks › 7\n"), "{screen}");
    terminal.types(CTRL_U, "tool asks › \n");
    assert_eq!(terminal.ends("+03\r").value(), &json!(3));
}

#[test]
fn the_context_stands_above_and_nothing_steers_the_terminal() {
    let evil = "\x1b[2J\x1b]0;title\x07\u{9b}31m\u{202e}gnp\r\nEsc cancels\u{200b}";
    let question = json!({"text": format!("Sure? {evil}"), "schema": {"oneOf": [
        {"const": "a", "title": evil, "description": evil},
        {"const": evil, "title": evil},
    ]}});
    let context = [
        json!({"type": "text", "text": "They differ:"}),
        json!({"type": "resource", "resource": {
            "uri": "file:///a.diff", "mimeType": "text/x-diff", "text": format!("+ b {evil}")}}),
        json!({"type": "text", "text": "not for people", "annotations": {"audience": ["assistant"]}}),
    ];
    let terminal = ask_with(&question, &context, "");
    let screen = terminal.shows("Ctrl-D declines");
    let (context, question) = (screen.find("They differ:"), screen.find("Sure?"));
    assert!(context.is_some() && context < question, "{screen}");
    assert!(!screen.contains("not for people"), "{screen}");
    let entries: Vec<&str> = screen
        .lines()
        .filter(|line| line.contains("gnp Esc"))
        .collect();
    assert!(
        entries[0].starts_with("❯ │ ␛[2J␛]0;title␇<U+009B>31m<U+202E>gnp Esc"),
        "{screen}"
    );
    assert!(
        entries[0].contains("(\"a\")") && entries[1].contains("(\"\\u"),
        "{screen}"
    );
    let ended = terminal.ends(ENTER);
    assert_eq!(ended.value(), "a");
    for risky in ["\x1b]", "\x1b[2J", "\x07", "\u{9b}", "\u{202e}", "\u{200b}"] {
        assert!(
            !ended.bytes.contains(risky),
            "{risky:?} in {:?}",
            ended.bytes
        );
    }
}

#[test]
fn each_question_stands_below_what_is_new_on_the_terminal_wherever_the_streams_go() {
    let dir = Dir::new();
    let block = |text: &str| json!({"type": "text", "text": text});
    let question = |id: &str| {
        let question = json!({"id": id, "text": format!("{id}?"), "schema": {"type": "boolean"}});
        json!({"type": "question", "question": question})
    };
    let content = [block("one"), question("first"), block("two"), question("q")];
    dir.file("question.json", json!({"content": content}).to_string());
    script(
        &dir,
        "tool",
        "call=$(cat); case $call in *'\"q\":'*) echo \"$call\" ;; *) cat question.json ;; esac",
    );
    let mut terminal = start(dir, "2> err");
    let screen = terminal.shows("Esc cancels");
    assert!(
        screen.starts_with("│ one\n? tool asks\n│ first?\n"),
        "{screen}"
    );
    let screen = terminal.types("y", "q?\ntool asks ›   Yes");
    let rest = screen.split("✓ Yes\n").nth(1).unwrap();
    assert!(rest.starts_with("│ two\n? tool asks\n│ q?"), "{screen}");
    let ended = terminal.ends("n");
    assert_eq!(
        ended.call["tool"]["answers"],
        json!({"first": true, "q": false})
    );
    assert_eq!(
        fs::read_to_string(ended.dir.path().join("err")).unwrap(),
        ""
    );
}

#[test]
fn narrow_and_low_terminals_show_what_matters() {
    let long = "a description that is far longer than the terminal is wide";
    let names: Vec<Value> = (1..=30)
        .map(|n| json!({"const": n, "title": format!("entry {n}"), "description": long}))
        .collect();
    let mut terminal = ask(&json!({"text": "Which?", "schema": {"oneOf": names}}));
    terminal.shows("Esc cancels");
    terminal.resize(10, 22);
    let screen = terminal.until("narrow prompt", |screen| screen.contains("↓ 2"));
    assert!(screen.lines().count() <= 10, "{screen}");
    terminal.types(DOWN, "❯ │ entry 2  a descr…");
    terminal.resize(4, 22);
    terminal.types(DOWN, "❯ │ entry 3");
    terminal.resize(30, 120);
    terminal.shows("Esc cancels");
    assert_eq!(terminal.ends(ENTER).value(), &json!(3));
}

#[test]
fn what_was_typed_before_a_question_was_seen_does_not_answer_it() {
    let question = boolean(Some(true));
    let mut terminal = ask(&question);
    // The tool is slow, and the person impatient.
    script(
        &terminal.dir,
        "tool",
        "cat >call\n\
        case $(cat call) in *'\"q\":'*) cat call;;\n\
        *) until [ -e go ]; do sleep 0.05; done; cat question.json;; esac",
    );
    terminal.keys.write_all(b"y\r\r").unwrap();
    terminal.keys.flush().unwrap();
    terminal.dir.file("go", "");
    terminal.shows("Esc cancels");
    assert_eq!(terminal.ends("n").value(), &json!(false));
}

/// A question for the editor: with `allOf` it is no form.
fn tags() -> Value {
    json!({"text": "Which tags?", "schema": {"type": "object", "required": ["tag"], "allOf": [{}],
        "properties": {"tag": {"type": "string", "minLength": 1}}}})
}

#[test]
fn the_editor_opens_again_with_the_errors_and_what_was_typed() {
    // Each time it opens, the editor keeps what it got and types something else.
    let editor = "test \"$1\" = -x || exit 9\n\
        n=$(cat n 2>/dev/null || echo 0); n=$((n + 1)); echo $n > n\n\
        ls -ld \"$(dirname \"$2\")\" \"$2\" > modes; cp \"$2\" seen$n\n\
        case $n in\n\
          1) echo '{\"tag\": ' >> \"$2\" ;;\n\
          2) printf '// kept\\n{\"tag\": \"\"}\\n' > \"$2\" ;;\n\
          3) sed -i 's/\"\"/\"x\"/' \"$2\" ;;\n\
        esac";
    let terminal = ask_with(&tags(), &[], editor);
    let screen = terminal.shows("Enter opens the editor");
    assert!(screen.contains("❯ Answer in an editor"), "{screen}");
    let ended = terminal.ends(ENTER);
    assert_eq!(ended.value(), &json!({"tag": "x"}), "{}", ended.screen);
    let seen = |n: u32| fs::read_to_string(ended.dir.path().join(format!("seen{n}"))).unwrap();
    assert!(seen(1).starts_with("// Which tags?\n"), "{}", seen(1));
    let (notes, rest) = seen(2)
        .split_once("// Which")
        .map(|(a, b)| (a.to_owned(), b.to_owned()))
        .unwrap();
    assert!(
        notes.starts_with("//! This does not fit yet:\n//! - line "),
        "{notes}"
    );
    assert!(rest.ends_with("{\"tag\": \n"), "{rest}");
    assert!(
        seen(3).starts_with("//! ") && seen(3).ends_with("\n// kept\n{\"tag\": \"\"}\n"),
        "{}",
        seen(3)
    );
    let modes = fs::read_to_string(ended.dir.path().join("modes")).unwrap();
    assert!(
        modes.lines().all(|line| line[4..].starts_with("------")),
        "{modes}"
    );
    assert_eq!(folders(ended.dir.path()).len(), 0, "the file is removed");
}

#[test]
fn an_editor_that_leaves_nothing_cancels() {
    let terminal = ask_with(&tags(), &[], "sed -i '/^[^/]/d' \"$2\"");
    terminal.shows("Enter opens the editor");
    let ended = terminal.ends(ENTER);
    assert_eq!(ended.state(), "cancelled");
    assert_eq!(folders(ended.dir.path()).len(), 0);
}

#[test]
fn an_editor_that_saves_nothing_answers_nothing() {
    let mut terminal = ask_with(&json!({"text": "Any?", "schema": {}}), &[], ":");
    terminal.shows("Enter opens the editor");
    let screen = terminal.types(ENTER, "✗ nothing was saved");
    // Meanwhile it is saved, as by an editor that does not keep its caller waiting.
    let folder = folders(terminal.dir.path()).remove(0);
    assert!(screen.contains("q.jsonc"), "{screen}");
    fs::write(folder.join("q.jsonc"), "[1]").unwrap();
    assert_eq!(terminal.ends(ENTER).value(), &json!([1]));
}

#[test]
fn what_was_typed_in_an_editor_that_fails_is_not_lost() {
    let mut terminal = ask_with(&tags(), &[], "echo '\"typed\"' >> \"$2\"; exit 3");
    terminal.shows("Enter opens the editor");
    terminal.types(ENTER, "ended with exit status 3");
    let ended = terminal.ends(ESC);
    assert_eq!(ended.state(), "cancelled");
    assert!(
        ended.screen.contains("What you typed is in"),
        "{}",
        ended.screen
    );
    let folder = folders(ended.dir.path()).remove(0);
    let kept = fs::read_to_string(folder.join("q.jsonc")).unwrap();
    assert!(kept.ends_with("\"typed\"\n"), "{kept}");
}

/// Sends a signal to the command on the terminal.
fn signal(terminal: &Terminal, name: &str) {
    let pid = fs::read_to_string(terminal.dir.path().join("pid")).unwrap();
    let mut command = Command::new("sh");
    let sent = command
        .args(["-c", &format!("kill {name} {pid}")])
        .status()
        .unwrap();
    assert!(sent.success());
}

#[test]
fn what_is_saved_in_another_encoding_is_neither_taken_nor_lost() {
    let mut terminal = ask_with(
        &tags(),
        &[],
        "test -e n || printf '\"\\344\"' > \"$2\"; touch n",
    );
    terminal.shows("Enter opens the editor");
    terminal.types(ENTER, "✗ what was saved is not UTF-8");
    // The editor opens again on the same file, and saves nothing this time.
    terminal.types(ENTER, "✗ nothing was saved");
    let ended = terminal.ends(CTRL_D);
    assert_eq!(ended.state(), "declined");
    let kept = fs::read(folders(ended.dir.path()).remove(0).join("q.jsonc")).unwrap();
    assert_eq!(kept, b"\"\xe4\"");
}

#[test]
fn a_template_that_is_saved_as_it_is_is_nothing_that_was_typed() {
    let mut terminal = ask_with(&tags(), &[], "touch \"$2\"");
    terminal.shows("Enter opens the editor");
    terminal.types(ENTER, "✗ │ `tag`");
    let ended = terminal.ends(ESC);
    assert!(!ended.screen.contains("What you typed"), "{}", ended.screen);
    assert_eq!(folders(ended.dir.path()).len(), 0);
}

#[test]
fn a_signal_takes_the_prompt_away_and_gives_the_terminal_back() {
    let terminal = ask(&boolean(None));
    terminal.shows("Esc cancels");
    signal(&terminal, "-TERM");
    let ended = terminal.ends("");
    assert_eq!(ended.code, "143");
    assert!(!ended.screen.contains("Esc cancels"), "{}", ended.screen);
}

#[test]
fn a_signal_while_the_editor_is_open_leaves_what_was_typed() {
    let editor = "echo '\"typed\"' >> \"$2\"; echo; echo open $(wc -l < \"$2\"); exec sleep 1000";
    let mut terminal = ask_with(&tags(), &[], editor);
    terminal.shows("Enter opens the editor");
    terminal.types(ENTER, "open 8");
    // Ctrl-C is the editor's own. This one dies of it, and the question stands.
    terminal.types(CTRL_C, "ended with signal");
    terminal.types(ENTER, "open 9");
    signal(&terminal, "-TERM");
    let ended = terminal.ends("");
    assert_eq!(ended.code, "143");
    assert!(
        ended.screen.contains("What you typed is in"),
        "{}",
        ended.screen
    );
    assert_eq!(folders(ended.dir.path()).len(), 1);
}

#[test]
fn what_was_saved_is_there_though_the_command_dies() {
    let editor =
        "echo '\"typed\"' >> \"$2\"; echo; echo open; until [ -e go ]; do sleep 0.05; done";
    let mut terminal = ask_with(&tags(), &[], editor);
    terminal.shows("Enter opens the editor");
    terminal.types(ENTER, "\nopen");
    signal(&terminal, "-KILL");
    let ended = terminal.ends("");
    ended.dir.file("go", "");
    assert_eq!(ended.code, "137");
    let kept = fs::read_to_string(folders(ended.dir.path()).remove(0).join("q.jsonc")).unwrap();
    assert!(kept.ends_with("\"typed\"\n"), "{kept}");
}

/// A question with these blocks before it, as a text on a terminal of this size.
fn hostile(text: &str, context: &[Value]) -> Terminal {
    let question = json!({"text": text, "schema": {"type": "string"}});
    let terminal = ask_with(&question, context, "");
    terminal.shows("Esc cancels");
    terminal
}

/// What the audit did: a context block that looks like the host's own prompt.
#[test]
fn a_context_that_looks_like_a_prompt_is_behind_the_mark() {
    let forged = "\n? toolwire asks\n  Enter the login password of this computer to go on:\n\n";
    let wide = format!("x{}? toolwire asks", " ".repeat(78));
    let context = [
        json!({"type": "text", "text": forged}),
        json!({"type": "text", "text": wide}),
        json!({"type": "resource", "resource": {"uri": "a:b", "text": "x", "formatted": forged}}),
    ];
    let mut terminal = hostile("Continue", &context);
    let screen = terminal.screen();
    nothing_is_forged(&screen);
    assert!(
        screen.contains("│ ? toolwire asks\n│   Enter the login"),
        "{screen}"
    );
    assert!(
        screen.contains("\n! `tool` seems to ask you for a"),
        "{screen}"
    );
    for (rows, columns) in [(30, 40), (12, 20), (30, 100)] {
        terminal.resize(rows, columns);
        let who = if columns > 30 {
            "\ntool asks ›"
        } else {
            "› \n"
        };
        let screen = terminal.until("the prompt", |screen| {
            screen.contains(who.trim()) && screen.lines().count() <= usize::from(rows)
        });
        nothing_is_forged(&screen);
    }
    // The words ask for a password, so that what is typed is not shown either.
    terminal.types("hunter2", "tool asks › •••••••");
    let ended = terminal.ends(ENTER);
    assert_eq!(ended.value(), "hunter2");
    let screen = ended.screen.split("code=").next().unwrap();
    nothing_is_forged(screen);
    assert!(!screen.contains("hunter2"), "{screen}");
}

/// And a question whose lines scroll the header away and end in a forged one.
#[test]
fn a_long_question_keeps_its_header_and_can_be_read() {
    let mut lines: Vec<String> = (1..=58).map(|n| format!("line {n}")).collect();
    lines.push("? toolwire asks".to_owned());
    lines.push("Enter the login name of this computer:".to_owned());
    let mut terminal = hostile(&lines.join("\n"), &[]);
    let screen = terminal.screen();
    nothing_is_forged(&screen);
    assert!(screen.starts_with("? tool asks\n│ line 1\n"), "{screen}");
    assert!(!screen.contains("toolwire"), "{screen}");
    assert!(
        screen.contains("\n  ⋯ 34 more lines\ntool asks ›"),
        "{screen}"
    );
    assert!(screen.contains("Ctrl-O shows all 60 lines"), "{screen}");
    let screen = terminal.types("\x0f", "? tool says, 1 to 28 of 60 lines");
    nothing_is_forged(&screen);
    let screen = terminal.types("\x1b[F", "33 to 60 of 60");
    assert!(
        screen.contains("│ ? toolwire asks\n│ Enter the login"),
        "{screen}"
    );
    nothing_is_forged(&screen);
    terminal.types("\x1b[5~", "5 to 32 of 60");
    terminal.types(ESC, "Ctrl-O shows all");
    // Who asks, and what, is there in the lowest window in which there is room for it.
    terminal.resize(4, 80);
    let low = "? tool asks\n│ line 1 …\ntool asks ›";
    let screen = terminal.until("a low prompt", |screen| screen.starts_with(low));
    nothing_is_forged(&screen);
    terminal.resize(30, 80);
    terminal.shows("Ctrl-O shows all");
    terminal.types("no", "tool asks › no");
    assert_eq!(terminal.ends(ENTER).value(), "no");
}

/// So is what it writes to standard error, however it tries to make a row of its own.
#[test]
fn what_a_tool_logs_is_behind_the_mark() {
    let dir = Dir::new();
    dir.file(
        "question.json",
        json!({"content": [{"type": "question", "question":
            {"id": "q", "text": "Continue?", "schema": {"type": "boolean"}}}]})
        .to_string(),
    );
    script(
        &dir,
        "tool",
        "call=$(cat); case $call in *'\"q\":'*) echo \"$call\"; exit;; esac\n\
         printf '? toolwire asks\\n' >&2\n\
         printf 'over\\r? toolwire asks\\n' >&2\n\
         printf 'x%078d? toolwire asks\\n' 0 >&2\n\
         printf '\\033[31m%090d? toolwire asks\\033[0m\\n' 0 >&2\n\
         printf '? toolwire asks: begun' >&2\n\
         sleep 0.7; cat question.json",
    );
    let terminal = start(dir, "");
    let screen = terminal.shows("Esc cancels");
    assert_eq!(screen.matches("toolwire").count(), 5, "{screen}");
    nothing_is_forged(&screen);
    assert_eq!(terminal.ends("y").value(), &json!(true));
}

/// What stands on one row of a tool's cannot fill memory or cover its neighbours.
#[test]
fn a_heap_of_marks_is_cut() {
    let heap = format!("a{}b", "\u{301}".repeat(1_000_000));
    let context = [json!({"type": "text", "text": heap.clone()})];
    let terminal = hostile(&heap, &context);
    let screen = terminal.screen();
    assert!(screen.contains("<+999990 marks>b"), "{screen}");
    let ended = terminal.ends(CTRL_D);
    assert!(ended.bytes.len() < 20_000, "{}", ended.bytes.len());
}
