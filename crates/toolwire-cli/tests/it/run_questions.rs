//! Who answers a question, and what is said where nobody does.

use crate::common::{Dir, Run, command, run_command};
use serde_json::{Value, json};

/// A folder with the tool `ask`, which asks a question until there is something of it in its call.
fn asking(question: &str) -> Dir {
    let dir = Dir::new();
    add(&dir, "ask", question);
    dir
}

fn add(dir: &Dir, name: &str, question: &str) {
    let tool = format!(r#"{{"name":"{name}","inputSchema":{{"type":"object"}}}}"#);
    let before = format!(
        r#"case $call in *'"q":{{"source"'*);; *)
    printf '%s' '{{"content":[{{"type":"text","text":"above"}},{{"type":"question","question":{question}}}]}}'
    exit;;
esac"#
    );
    dir.tool(name, &tool, &before);
}

const CONFIRM: &str =
    r#"{"id":"q","text":"Go on with a?","schema":{"type":"boolean"},"default":true}"#;

fn ask(dir: &Dir, args: &[&str]) -> Run {
    let mut command = command(&[&["run", "--format", "json"], args].concat());
    command.current_dir(dir.path());
    run_command(command, b"")
}

/// What the tool was told, and what the result tells.
fn told(dir: &Dir, args: &[&str]) -> (Value, Value) {
    let run = ask(dir, args);
    assert_eq!(run.code, 0, "{args:?}: {run:?}");
    let result = run.json();
    let tool = &result["structuredContent"]["tool"];
    assert_eq!(
        tool["dev.toolwire/answers"],
        result["_meta"]["dev.toolwire/answers"]
    );
    let state = tool["dev.toolwire/answers"]["q"].clone();
    (tool["answers"]["q"].clone(), state)
}

fn state(state: &str, source: &str) -> Value {
    json!({"state": state, "source": source})
}

#[test]
fn answers_are_given_on_the_command_line_and_in_files() {
    let dir = asking(CONFIRM);
    let given = state("accepted", "policy");
    assert_eq!(
        told(&dir, &["--answer", "q=false", "./ask"]),
        (json!(false), given.clone())
    );
    let file = dir.file("answers.json", r#"{"q":false}"#);
    assert_eq!(
        told(&dir, &["--answers", &file, "./ask"]),
        (json!(false), given.clone())
    );
    let both = told(&dir, &["--answers", &file, "--answer", "q=true", "./ask"]);
    assert_eq!(both, (json!(true), given));
}

#[test]
fn an_answer_is_typed_by_its_question() {
    for (schema, texts, value) in [
        (r#"{"type":"string"}"#, &["q=true"][..], json!("true")),
        (r#"{"type":"string"}"#, &["q="], json!("")),
        (r#"{"type":"string"}"#, &["q=a=b"], json!("a=b")),
        (r#"{"type":"integer"}"#, &["q=3"], json!(3)),
        (r#"{"type":["integer","null"]}"#, &["q=null"], json!(null)),
        (r#"{"enum":["main","develop"]}"#, &["q=main"], json!("main")),
        (
            r#"{"type":"array","items":{"type":"string"}}"#,
            &["q=1", "q=2"],
            json!(["1", "2"]),
        ),
        (
            r#"{"type":"array","items":{"type":"string"}}"#,
            &[r#"q=["1"]"#],
            json!(["1"]),
        ),
        (r#"{"type":"object"}"#, &[r#"q={"a":1}"#], json!({"a": 1})),
        (
            r##"{"$ref":"#/$defs/n","$defs":{"n":{"type":"string"}}}"##,
            &["q=1"],
            json!("1"),
        ),
    ] {
        let dir = asking(&format!(r#"{{"id":"q","text":"?","schema":{schema}}}"#));
        let answers = texts.iter().flat_map(|text| ["--answer", text]);
        let args: Vec<&str> = answers.chain(["./ask"]).collect();
        assert_eq!(told(&dir, &args).0, value, "{schema} {texts:?}");
    }
}

#[test]
fn an_answer_that_does_not_fit_ends_the_command() {
    let dir = asking(r#"{"id":"q","text":"How many?","schema":{"type":"integer","maximum":5}}"#);
    let file = dir.file("answers.json", r#"{"q":"three"}"#);
    for (args, word) in [
        (["--answer", "q=many"], "whole number"),
        (["--answer", "q=6"], "at most 5"),
        (["--answers", &file], "`q`"),
    ] {
        let run = ask(&dir, &[&args[..], &["./ask"]].concat());
        assert_eq!((run.code, &*run.stdout), (2, ""), "{args:?}: {run:?}");
        assert!(
            run.stderr.contains("the answer to `q` does not fit"),
            "{run:?}"
        );
        assert!(run.stderr.contains(word), "{run:?}");
    }
    let broken = dir.file("broken.json", "[]");
    assert_eq!(ask(&dir, &["--answers", &broken, "./ask"]).code, 2);
    assert_eq!(ask(&dir, &["--answers", "missing.json", "./ask"]).code, 5);
}

#[test]
fn an_answer_that_nobody_asked_for_is_told_of() {
    let dir = asking(CONFIRM);
    let file = dir.file("answers.json", r#"{"b":1}"#);
    let args = [
        "--answer",
        "q=true",
        "--answer",
        "a=1",
        "--answers",
        &file,
        "./ask",
    ];
    let run = ask(&dir, &args);
    assert_eq!(run.code, 0);
    assert!(
        run.stderr.contains("the question `a` was not asked") && run.stderr.contains("`b`"),
        "{run:?}"
    );
    assert!(!run.stderr.contains("`q`"), "{run:?}");
}

#[test]
fn without_a_person_there_is_a_way_to_say_what_happens() {
    let dir = asking(CONFIRM);
    let mode = |mode| told(&dir, &["--non-interactive", mode, "./ask"]);
    assert_eq!(
        mode("defaults"),
        (json!(true), state("accepted", "default"))
    );
    assert_eq!(mode("decline"), (json!(null), state("declined", "policy")));
    // Q-53: without a default that fits the tool is told so, and decides.
    for default in ["", r#","default":3"#] {
        let without = asking(&format!(
            r#"{{"id":"q","text":"Name?","schema":{{"type":"string"}}{default}}}"#
        ));
        let none = told(&without, &["--non-interactive", "defaults", "./ask"]);
        assert_eq!(none, (json!(null), state("unavailable", "policy")));
    }
}

#[test]
fn where_nobody_is_there_the_message_says_how_to_answer() {
    for (question, option) in [
        (CONFIRM, "`--answer q=true`"),
        (
            r#"{"id":"q","text":"Go on with a?","schema":{"enum":["a b",2]}}"#,
            "`--answer 'q=a b'`",
        ),
        (
            r#"{"id":"q","text":"Go on with a?","schema":{"type":"string"}}"#,
            "`--answer q=TEXT`",
        ),
        (
            r#"{"id":"q","text":"Go on with a?","schema":{"type":"integer","minimum":7}}"#,
            "`--answer q=7`",
        ),
        (
            r#"{"id":"q","text":"Go on with a?","schema":{"type":"object"}}"#,
            "`--answer q=JSON`",
        ),
    ] {
        let dir = asking(question);
        let run = ask(&dir, &["--non-interactive", "fail", "./ask"]);
        assert_eq!(run.code, 1, "{run:?}");
        // What is asked is said once, in the result.
        for words in ["`ask` asks `q`", "Go on with a?"] {
            assert!(run.stdout.contains(words), "{words}: {run:?}");
        }
        let cure = format!("toolwire: answer `q` in advance with {option}\n");
        assert_eq!(run.stderr, cure);
        assert_eq!(run.json()["isError"], true);
    }
}

/// Q-55: what the tool said stays, and so does who answered what before.
#[test]
fn a_call_that_nobody_answers_keeps_what_was_there() {
    let dir = Dir::new();
    let tool = r#"{"name":"ask","inputSchema":{"type":"object"}}"#;
    let asks = |id: &str| {
        format!(
            r#"printf '%s' '{{"content":[{{"type":"text","text":"above {id}"}},{{"type":"question","question":{{"id":"{id}","text":"Go on?","schema":{{"type":"string"}}}}}},{{"type":"text","text":"below"}}]}}'; echo log {id} >&2; exit"#
        )
    };
    let before = format!(
        r#"case $call in *'"b":{{"source"'*);; *'"a":{{"source"'*) {};; *) {};; esac"#,
        asks("b"),
        asks("a")
    );
    dir.tool("ask", tool, &before);
    let args = ["--answer", "a=x", "--non-interactive", "fail", "./ask"];
    {
        let run = ask(&dir, &args);
        assert_eq!(run.code, 1, "{run:?}");
        assert!(run.stderr.starts_with("log a\nlog b\n"), "{run:?}");
        let cure = "toolwire: answer `b` in advance with `--answer b=TEXT`\n";
        assert!(run.stderr.ends_with(cure), "{run:?}");
        let result = run.json();
        assert_eq!(result["isError"], true);
        let why =
            "`ask` asks `b` (Go on?), and nobody is there to answer: give the answer beforehand";
        let text = |text: &str| json!({"type": "text", "text": text});
        let content = json!([text("above b"), text("below"), text(why)]);
        assert_eq!(result["content"], content);
        let meta = &result["_meta"];
        assert_eq!(meta["computer.jp/error"]["trace"], json!([why]));
        let answers = json!({"a": state("accepted", "policy")});
        assert_eq!(meta["dev.toolwire/answers"], answers);
    }
}

/// The tool of `asking` with a question for a secret, which nobody answers.
#[test]
fn a_secret_is_not_taken_from_the_command_line() {
    let dir = asking(r#"{"id":"q","text":"Your password?","schema":{"type":"string"}}"#);
    let assistant = dir.program("assistant", "touch asked; echo '{\"answer\":\"x\"}'");
    let file = dir.file("answers.json", r#"{"q":"secret"}"#);
    for args in [
        ["--answer", "q=secret"],
        ["--answers", &file],
        ["--assistant", &assistant],
        ["--non-interactive", "defaults"],
    ] {
        let secret = told(&dir, &[&args[..], &["./ask"]].concat());
        assert_eq!(
            secret,
            (json!(null), state("unavailable", "policy")),
            "{args:?}"
        );
    }
    assert!(!dir.path().join("asked").exists());
    let told = ask(&dir, &["--answer", "q=secret", "./ask"]).stderr;
    assert!(told.contains("`q` asks for a secret"), "{told}");
}

/// Q-131: one field that seems to ask for a secret takes no other with it.
#[test]
fn a_field_for_a_secret_takes_no_other_with_it() {
    let form = |integer: &str| {
        json!({
            "id": "q",
            "text": "Please fill in the form:",
            "schema": {
                "type": "object",
                "properties": {
                    "name": { "type": "string", "description": "Your full name" },
                    "integer": { "type": "integer", "description": integer },
                },
                "required": ["name"],
            },
        })
        .to_string()
    };
    let dir = asking(&form("Your pin"));
    let taken = json!({ "name": "Ada" });
    let file = dir.file("answers.json", r#"{"q":{"name":"Ada"}}"#);
    for args in [
        &["--answer", "q.name=Ada"][..],
        &["--answer", r#"q={"name":"Ada"}"#],
        &["--answers", &file],
        &["--answer", "q.name=Ada", "--non-interactive", "defaults"],
    ] {
        let told = told(&dir, &[args, &["./ask"]].concat());
        assert_eq!(
            told,
            (taken.clone(), state("accepted", "policy")),
            "{args:?}"
        );
    }
    let unavailable = (json!(null), state("unavailable", "policy"));
    let secret = [
        "--answer",
        "q.name=Ada",
        "--answer",
        "q.integer=1234",
        "./ask",
    ];
    assert_eq!(told(&dir, &secret), unavailable);
    let said = ask(&dir, &secret).stderr;
    for part in [
        "the field `integer` of the question `q` mentions `pin` and may ask for a secret",
        "run it at a terminal, or give the other fields alone",
    ] {
        assert!(said.contains(part), "{said}");
    }
    // What is not to be given is not asked for.
    let dir = asking(&form(
        "Any (do not give us your phone number, pin, or other sensitive info)",
    ));
    let both = ["--answer", "q.name=Ada", "--answer", "q.integer=7", "./ask"];
    let given = json!({ "name": "Ada", "integer": 7 });
    assert_eq!(told(&dir, &both), (given, state("accepted", "policy")));
}

/// A person who says that keys stay at home means all programs.
#[test]
fn what_is_inherited_holds_for_the_assistant_too() {
    let dir = asking(CONFIRM);
    dir.program(
        "assistant",
        "echo \"${SECRET_KEY-none} ${GIVEN-none}\" > seen; echo '{\"answer\":true}'",
    );
    for (args, expected) in [
        (&[][..], "s3cret none\n"),
        (&["--inherit", "standard"], "none none\n"),
        (&["--inherit", "standard", "--env", "GIVEN=1"], "none 1\n"),
        (&["--inherit", "standard,SECRET_KEY"], "s3cret none\n"),
    ] {
        let all = [&["run", "--assistant", "./assistant"], args, &["./ask"]].concat();
        let mut command = command(&all);
        command
            .current_dir(dir.path())
            .env("SECRET_KEY", "s3cret")
            .env_remove("GIVEN");
        let run = run_command(command, b"");
        let seen = std::fs::read_to_string(dir.path().join("seen")).unwrap();
        assert_eq!(seen, expected, "{args:?}: {run:?}");
    }
}

#[test]
fn an_assistant_answers() {
    let dir = asking(CONFIRM);
    dir.program(
        "assistant",
        "cat > question.json; echo \"{\\\"answer\\\":$1}\"; echo thinking >&2",
    );
    let answered = told(&dir, &["--assistant", "./assistant 'false'", "./ask"]);
    assert_eq!(answered, (json!(false), state("accepted", "assistant")));
    let question = std::fs::read_to_string(dir.path().join("question.json")).unwrap();
    let question: Value = serde_json::from_str(&question).unwrap();
    assert_eq!(question["question"]["id"], "q");
    assert_eq!(question["context"][0]["text"], "above");
    // What was given beforehand is not put to it.
    let given = told(
        &dir,
        &["--assistant", "./missing", "--answer", "q=true", "./ask"],
    );
    assert_eq!(given, (json!(true), state("accepted", "policy")));
    let run = ask(&dir, &["--assistant", "./assistant true", "./ask"]);
    assert!(run.stderr.contains("thinking"), "{run:?}");
    let failing = ask(&dir, &["--assistant", "./missing", "./ask"]);
    assert!(
        failing.stderr.contains("the assistant failed"),
        "{failing:?}"
    );
    assert_eq!(
        failing.json()["_meta"]["dev.toolwire/answers"]["q"]["state"],
        "unavailable"
    );
}

#[test]
fn the_manifest_says_what_people_can_do_without_an_answer() {
    let dir = Dir::new();
    let question = r#"{"id":"q","text":"Your password?","schema":{"type":"string"}}"#;
    let always = format!(r#"{{"content":[{{"type":"question","question":{question}}}]}}"#);
    dir.program(
        "insists",
        &format!("cat > /dev/null; printf '%s' '{always}'"),
    );
    dir.file(
        "toolwire.toml",
        r#"
        [tools.named]
        command = "./insists"
        parameters = {}
        [tools.named.refusals]
        q = { service = "Example", up-front = "the variable EXAMPLE_PASSWORD", app-passwords = "example.org/apps" }
        "*" = { service = "Other" }
        [tools.others]
        command = "./insists"
        parameters = {}
        refusals = { "*" = { service = "Other" } }
        "#,
    );
    let text = |name: &str| {
        let run = ask(&dir, &[name]);
        run.json()["content"][0]["text"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    let named = text("named");
    for part in [
        "a password for Example",
        "(the variable EXAMPLE_PASSWORD)",
        "(example.org/apps)",
    ] {
        assert!(named.contains(part), "{named}");
    }
    assert!(text("others").contains("a password for Other"));
}

/// Q-111: declining for a person is no person's answer.
#[test]
fn a_question_that_seems_to_ask_for_a_secret_is_declined_by_nobody() {
    let dir = asking(r#"{"id":"q","text":"Your password?","schema":{"type":"string"}}"#);
    dir.file(
        "toolwire.toml",
        "[tools.t]\ncommand = './ask'\nquestions = { '*' = 'decline' }\n",
    );
    let unavailable = (json!(null), state("unavailable", "policy"));
    for args in [
        &["--non-interactive", "decline", "./ask"][..],
        &["t"],
        &["--non-interactive", "decline", "t"],
    ] {
        assert_eq!(told(&dir, args), unavailable, "{args:?}");
    }
}

#[test]
fn the_manifest_says_who_answers() {
    let dir = asking(CONFIRM);
    dir.program("assistant", "echo '{\"answer\":false}'");
    dir.file(
        "toolwire.toml",
        r#"
        [tools.value]
        command = "./ask"
        questions = { q = { value = false }, "*" = "decline" }
        [tools.default]
        command = "./ask"
        questions = { q = "default" }
        [tools.others]
        command = "./ask"
        questions = { "*" = "decline" }
        [tools.assistant]
        command = "./ask"
        questions = { q = "assistant" }
        assistant = ["./assistant"]
        [tools.none]
        command = "./ask"
        questions = { q = "assistant" }
        [tools.user]
        command = "./ask"
        questions = { q = "user" }
        assistant = ["./assistant"]
        [tools.wrong]
        command = "./ask"
        questions = { q = { value = 3 } }
        "#,
    );
    for (args, value, who) in [
        (&["value"][..], json!(false), state("accepted", "policy")),
        (
            &["--answer", "q=true", "value"],
            json!(true),
            state("accepted", "policy"),
        ),
        (&["default"], json!(true), state("accepted", "default")),
        (&["others"], json!(null), state("declined", "policy")),
        (
            &["--assistant", "./assistant", "others"],
            json!(null),
            state("declined", "policy"),
        ),
        (&["assistant"], json!(false), state("accepted", "assistant")),
        (
            &["--assistant", "./assistant", "none"],
            json!(false),
            state("accepted", "assistant"),
        ),
        (
            &["--non-interactive", "defaults", "user"],
            json!(true),
            state("accepted", "default"),
        ),
    ] {
        assert_eq!(told(&dir, args), (value, who), "{args:?}");
    }
    for name in ["none", "user"] {
        let run = ask(&dir, &["--non-interactive", "fail", name]);
        assert_eq!(run.code, 1, "{run:?}");
        assert!(run.stderr.contains("in advance with `--answer"), "{run:?}");
        assert_eq!(told(&dir, &[name]).1, state("unavailable", "policy"));
    }
    let wrong = ask(&dir, &["wrong"]);
    assert!(
        wrong.code == 2 && wrong.stderr.contains("does not fit"),
        "{wrong:?}"
    );
}

#[test]
fn a_tool_that_asks_for_ever_ends() {
    let dir = Dir::new();
    let tool = r#"{"name":"x","inputSchema":{"type":"object"}}"#;
    let question = r#"{"content":[{"type":"question","question":{"id":"q","text":"?","schema":{"type":"boolean"}}}]}"#;
    dir.tool("for_ever", tool, &format!("printf '%s' '{question}'; exit"));
    let run = ask(&dir, &["--answer", "q=true", "./for_ever"]);
    assert!(run.code == 1 && run.stdout.contains("`q`"), "{run:?}");
}

/// A tool that says what to do without an answer goes on, if nobody is there.
#[test]
fn a_tool_that_needs_no_answer_gets_its_turn() {
    let dir = Dir::new();
    let tool = r#"{"name":"ask","inputSchema":{"type":"object"}}"#;
    let question = r#"{"id":"b","text":"Go on?","schema":{"type":"boolean"}}"#;
    let before = format!(
        r#"case $call in *unavailable*) ;; *) printf '%s' '{{"content":[{{"type":"question","question":{question}}}]}}'; exit;; esac"#
    );
    dir.tool("ask", tool, &before);
    let run = ask(&dir, &["./ask"]);
    assert_eq!((run.code, &*run.stderr), (0, ""), "{run:?}");
    assert_eq!(ask(&dir, &["--non-interactive", "fail", "./ask"]).code, 1);
}

/// One that can't go on asks again: the message says what would help.
#[test]
fn a_tool_that_needs_an_answer_names_its_question() {
    let dir = Dir::new();
    let tool = r#"{"name":"ask","inputSchema":{"type":"object"}}"#;
    let question = r#"{"id":"b","text":"Go on?","schema":{"type":"boolean"}}"#;
    dir.tool(
        "ask",
        tool,
        &format!(
            r#"printf '%s' '{{"content":[{{"type":"question","question":{question}}}]}}'; exit"#
        ),
    );
    let run = ask(&dir, &["./ask"]);
    assert_eq!(run.code, 1, "{run:?}");
    for words in ["`ask` asks `b`: Go on?", "`--answer b=true`"] {
        assert!(run.stderr.contains(words), "{words}: {run:?}");
    }
    let trace = &run.json()["_meta"]["computer.jp/error"]["trace"][0];
    assert!(
        trace.as_str().unwrap().contains("without an answer to `b`"),
        "{trace}"
    );
}
