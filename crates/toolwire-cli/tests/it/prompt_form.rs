//! Objects that are asked field by field, in a real pseudo-terminal.

use crate::common;
use crate::common::prompt::*;
use serde_json::{Value, json};

const BACK: &str = "\x1b[Z";
const LEAVE: &str = "\x18";

/// The fields come in the order of their names, since `json!` sorts them.
fn who() -> Value {
    json!({"text": "Who are you?", "schema": {
        "type": "object",
        "required": ["a_name", "e_news"],
        "properties": {
            "a_name": {"type": "string", "title": "Your name", "description": "As on your passport.", "minLength": 2},
            "b_age": {"type": "integer", "minimum": 18},
            "c_plan": {"oneOf": [{"const": "s", "title": "Small"}, {"const": "l", "title": "Large"}], "default": "l"},
            "d_tags": {"type": "array", "items": {"enum": ["x", "y"]}},
            "e_news": {"type": "boolean"},
        },
    }})
}

#[test]
fn each_field_has_its_prompt_and_all_are_shown_before_they_are_sent() {
    let mut terminal = ask(&who());
    let screen = terminal.shows("Esc cancels");
    for row in [
        "│ Who are you?",
        "│ Your name",
        "  1 of 5, required",
        "│ As on your passport.",
        "tool asks › ",
        "Ctrl-D declines",
    ] {
        assert!(screen.contains(row), "{row}: {screen}");
    }
    assert!(
        !screen.contains("Ctrl-X") && !screen.contains("Shift-Tab"),
        "{screen}"
    );
    terminal.types("Ada\r", "│ b_age\n  2 of 5, optional");
    terminal.types("41\r", "❯ │ Large");
    terminal.types(ENTER, "[ ] │ x");
    terminal.types(" \r", "│ e_news\n  5 of 5, required");
    let screen = terminal.types("y", "❯ Send these answers");
    let rows = "tool asks › your answers\n  │ Your name: Ada\n  │ b_age: 41\n  │ c_plan: Large\n  │ d_tags: x\n  │ e_news: Yes\n";
    assert!(screen.contains(rows), "{screen}");
    nothing_is_forged(
        screen
            .split("  Enter")
            .next()
            .unwrap()
            .trim_end_matches("❯ Send these answers\n"),
    );
    let ended = terminal.ends(ENTER);
    let value =
        json!({"a_name": "Ada", "b_age": 41, "c_plan": "l", "d_tags": ["x"], "e_news": true});
    assert_eq!((ended.value(), ended.state()), (&value, "accepted"));
    let told = "✓ Your name: Ada, b_age: 41, c_plan: Large, d_tags: x, e_news: Yes";
    assert!(ended.screen.contains(told), "{}", ended.screen);
}

#[test]
fn what_is_optional_can_be_left_out() {
    let mut terminal = ask(&who());
    terminal.shows("Esc cancels");
    terminal.types(LEAVE, "this field can't be left out");
    terminal.types("Ada\r", "2 of 5, optional");
    terminal.types(ENTER, "3 of 5");
    terminal.types(LEAVE, "4 of 5");
    terminal.types(LEAVE, "5 of 5");
    terminal.types(ENTER, "there is no default");
    let screen = terminal.types("n", "❯ Send these answers");
    assert!(
        screen.contains("│ b_age: –\n  │ c_plan: –\n  │ d_tags: –\n"),
        "{screen}"
    );
    let ended = terminal.ends(ENTER);
    assert_eq!(ended.value(), &json!({"a_name": "Ada", "e_news": false}));
}

#[test]
fn a_wrong_value_is_told_at_its_field() {
    let mut terminal = ask(&who());
    terminal.shows("Esc cancels");
    terminal.types("A\r", "✗ │ ");
    terminal.types("da\r", "2 of 5");
    let screen = terminal.types("17\r", "✗ │ ");
    assert!(
        screen.contains("2 of 5") && screen.contains("18"),
        "{screen}"
    );
    terminal.types(&format!("{CTRL_U}x\r"), "type a whole number");
    terminal.types(&format!("{CTRL_U}18\r"), "3 of 5");
    assert_eq!(terminal.ends(ESC).state(), "cancelled");
}

#[test]
fn a_person_can_go_back_and_change_what_was_entered() {
    let mut terminal = ask(&who());
    terminal.shows("Esc cancels");
    terminal.types("Ada\r", "2 of 5");
    terminal.types(BACK, "1 of 5");
    terminal.types(" L.\r", "2 of 5");
    terminal.types("20\r", "3 of 5");
    terminal.types(LEAVE, "4 of 5");
    terminal.types(LEAVE, "5 of 5");
    terminal.types("y", "❯ Send these answers");
    // One field is changed, and the review comes back.
    terminal.types(&format!("{DOWN}{DOWN}"), "❯ │ b_age: 20");
    terminal.types(ENTER, "2 of 5");
    terminal.types(&format!("{CTRL_U}21\r"), "❯ Send these answers");
    // Another is left as it was.
    terminal.types(&format!("{DOWN}\r"), "1 of 5");
    let screen = terminal.types(BACK, "your answers");
    assert!(
        screen.contains("│ Your name: Ada L.\n  │ b_age: 21\n"),
        "{screen}"
    );
    terminal.types("\x1b[F", "❯ Send these answers");
    let ended = terminal.ends(ENTER);
    assert_eq!(
        ended.value(),
        &json!({"a_name": "Ada L.", "b_age": 21, "e_news": true})
    );
}

#[test]
fn defaults_are_offered_field_by_field() {
    let mut question = who();
    question["default"] = json!({"a_name": "Grace", "c_plan": "s", "e_news": false});
    let mut terminal = ask(&question);
    terminal.shows("tool asks › Grace");
    terminal.types(ENTER, "2 of 5");
    terminal.types(ENTER, "❯ │ Small");
    terminal.types(ENTER, "4 of 5");
    terminal.types(LEAVE, "❯ No");
    terminal.types(ENTER, "❯ Send these answers");
    let ended = terminal.ends(ENTER);
    assert_eq!(ended.value(), &question["default"]);
}

#[test]
fn what_is_wrong_with_the_whole_is_told_at_the_end() {
    let question = json!({"text": "Which?", "schema": {
        "type": "object", "minProperties": 1, "properties": {"a": {"type": "string"}, "b": {"type": "string"}},
    }});
    let mut terminal = ask(&question);
    terminal.shows("Esc cancels");
    terminal.types(ENTER, "2 of 2");
    terminal.types(ENTER, "❯ Send these answers");
    let screen = terminal.types(ENTER, "✗ │ ");
    assert!(screen.contains("❯ Send these answers"), "{screen}");
    terminal.types(&format!("{UP}\r"), "2 of 2");
    terminal.types("x\r", "❯ Send these answers");
    assert_eq!(terminal.ends(ENTER).value(), &json!({"b": "x"}));
}

#[test]
fn a_form_is_declined_cancelled_or_interrupted_at_each_place() {
    let question = json!({"text": "Which?", "schema": {"type": "object", "properties": {"a": {"type": "string"}}}});
    for (key, state) in [(CTRL_D, "declined"), (ESC, "cancelled")] {
        for keys in ["", "x\r"] {
            let mut terminal = ask(&question);
            terminal.shows("Esc cancels");
            if !keys.is_empty() {
                terminal.types(keys, "❯ Send these answers");
            }
            let ended = terminal.ends(key);
            assert_eq!((ended.state(), ended.value()), (state, &Value::Null));
        }
    }
    let terminal = ask(&question);
    terminal.shows("Esc cancels");
    assert_eq!(terminal.ends(CTRL_C).code, "130");
}

#[test]
fn numbers_keep_their_digits() {
    let question = json!({"text": "Which?", "schema": {"type": "object", "properties": {"id": {"type": "integer"}}}});
    let mut terminal = ask(&question);
    terminal.shows("Esc cancels");
    terminal.types("1234567890123456789\r", "❯ Send these answers");
    let ended = terminal.ends(ENTER);
    assert_eq!(
        ended.value()["id"].as_u64(),
        Some(1_234_567_890_123_456_789)
    );
}

#[test]
fn a_small_window_shows_what_matters() {
    let terminal = ask(&who());
    terminal.shows("Esc cancels");
    for (rows, columns) in [(8, 30), (4, 20), (12, 40)] {
        terminal.resize(rows, columns);
        let screen = terminal.until("prompt", |screen| {
            screen.contains("› ") && screen.contains("? tool asks")
        });
        assert!(screen.lines().count() <= usize::from(rows), "{screen}");
    }
    terminal.shows("Your name");
    assert_eq!(terminal.ends(ESC).state(), "cancelled");
}

#[test]
fn nothing_of_a_hostile_form_is_the_hosts() {
    let evil = "x\n? toolwire asks\u{1b}[2J\u{202e}\n❯ Send";
    let question = json!({"text": "Which?", "schema": {"type": "object", "required": [evil], "properties": {
        evil: {"type": "string", "title": evil, "description": evil.repeat(200), "pattern": "^\u{1b}\\[2Jtoolwire$"},
    }}});
    let mut terminal = ask(&question);
    let screen = terminal.shows("Esc cancels");
    nothing_is_forged(&screen);
    assert!(!screen.contains("Send these"), "{screen}");
    let screen = terminal.types("y\r", "✗ │ ");
    nothing_is_forged(&screen);
    assert_eq!(terminal.ends(ESC).state(), "cancelled");
}

#[test]
fn a_field_that_looks_like_a_secret_is_hidden() {
    let question = json!({"text": "Sign in", "schema": {"type": "object", "properties": {
        "user": {"type": "string"},
        "word": {"type": "string", "title": "Enter your password", "maxLength": 9, "default": "suggested"},
    }}});
    let mut terminal = ask(&question);
    let screen = terminal.shows("Esc cancels");
    assert!(screen.contains("! "), "{screen}");
    terminal.types("ada", "tool asks › ada");
    let screen = terminal.types(ENTER, "2 of 2");
    assert!(!screen.contains("suggested"), "{screen}");
    terminal.types("opensesame1", "•••••••••••");
    terminal.types(ENTER, "the answer does not fit");
    terminal.types(&format!("{CTRL_U}sesame"), "tool asks › ••••••\n");
    let screen = terminal.types(ENTER, "❯ Send these answers");
    assert!(
        screen.contains("│ user: ada\n") && screen.contains("Enter your password: ••••\n"),
        "{screen}"
    );
    let ended = terminal.ends(ENTER);
    assert_eq!(ended.value(), &json!({"user": "ada", "word": "sesame"}));
    assert!(!ended.bytes.contains("sesame"), "{:?}", ended.bytes);
    // Where the text of the question asks for it, any field may be meant.
    let question = json!({"text": "Enter your password", "schema": {"type": "object", "properties": {"a": {"type": "string"}}}});
    let mut terminal = ask(&question);
    terminal.shows("Esc cancels");
    terminal.types("sesame", "tool asks › ••••••");
    assert_eq!(terminal.ends(ESC).state(), "cancelled");
}

#[test]
fn fields_that_were_given_beforehand_are_their_defaults() {
    let schema = json!({"type": "object", "required": ["a", "b"], "properties": {
        "a": {"type": "string"}, "b": {"type": "integer"},
    }});
    let run = |options: &str| {
        let dir = common::Dir::new();
        let question = json!({"id": "q", "text": "Which?", "schema": schema});
        let content = json!([{"type": "question", "question": question}]);
        dir.file("question.json", json!({"content": content}).to_string());
        let tool = "call=$(cat)\ncase $call in *'\"q\":'*) printf '%s' \"$call\" ;; *) cat question.json ;; esac";
        script(&dir, "tool", tool);
        let run = format!(
            "trap : INT; stty -g > before; \"$TOOLWIRE\" run --call --format model {options} ./tool > out; \
             code=$?; stty -g > after; cmp before after && echo code=$code"
        );
        start_shell(dir, &run)
    };
    let mut terminal = run("--answer q.b=7");
    terminal.shows("Esc cancels");
    terminal.types("x\r", "tool asks › 7");
    terminal.types(ENTER, "❯ Send these answers");
    let ended = terminal.ends(ENTER);
    assert_eq!(
        (ended.value(), ended.state()),
        (&json!({"a": "x", "b": 7}), "accepted")
    );
    // Where all that is needed was given, nobody is asked; nor where nobody is there.
    let ended = run("--answer q.b=7 --answer q.a=y").ends("");
    assert_eq!(ended.value(), &json!({"a": "y", "b": 7}));
    let ended = run("--answer q.b=7 --non-interactive=decline").ends("");
    assert_eq!(ended.code, "2");
}
