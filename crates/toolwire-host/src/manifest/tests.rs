//! The manifest without processes: what is read, what is refused, and its schema.

use std::path::Path;

use serde_json::{Value, json};
use toolwire::Json;

use super::check::{File, file};
use super::source::Source;
use super::template::{Part, Template};

fn read(text: &str) -> Result<File, String> {
    let source = Source::read(Path::new("toolwire.toml"), text.into());
    source
        .and_then(|source| file(&source))
        .map_err(|error| error.to_string())
}

fn template(parts: Value) -> Result<Template, String> {
    let parts = parts.as_array().unwrap().iter().map(|part| match part {
        Value::Array(words) => Part::Group(
            words
                .iter()
                .map(|word| word.as_str().unwrap().into())
                .collect(),
        ),
        word => Part::Word(word.as_str().unwrap().into()),
    });
    Template::new(parts.collect())
}

fn expand(parts: Value, arguments: Value) -> Result<Vec<String>, String> {
    expand_text(parts, &arguments.to_string())
}

fn expand_text(parts: Value, arguments: &str) -> Result<Vec<String>, String> {
    let arguments = Json::new(arguments).unwrap();
    template(parts)?.expand(&arguments.to_value().unwrap())
}

#[test]
fn a_manifest_with_everything_is_read() {
    let file = read(
        r#"
        assistant = ["./assistant", "--quick"]
        [tools."a.b-c_1"]
        command = ["./tool.py", "serve"]
        tool = "rename"
        title = "Rename"
        description = "Renames."
        arguments = { to = "b", deep = { when = 2026-11-22, list = [1, 2.5, true] } }
        options = { dry = true }
        timeout = "1.5s"
        max-output = 1000
        task = "required"
        cwd = "."
        root = ".."
        env = { A = "b" }
        inherit = ["PATH"]
        assistant = ["other"]
        [tools."a.b-c_1".questions]
        a = "user"
        b = "assistant"
        c = "default"
        d = "decline"
        e = { value = [1] }
        "*" = { value = "x" }
        [tools."a.b-c_1".refusals]
        a = { service = "Example", oauth = "o", url = "u", up-front = "f", app-passwords = "p" }
        [tools.short]
        command = "date"
        plain = true
        inherit = "standard"
        "#,
    )
    .unwrap();
    let entry = &file.tools["a.b-c_1"];
    assert_eq!(
        entry.arguments["deep"].as_str(),
        r#"{"list":[1,2.5,true],"when":"2026-11-22"}"#
    );
    assert_eq!(entry.timeout, Some(std::time::Duration::from_millis(1500)));
    assert_eq!(entry.task, Some(super::TaskPolicy::Required));
    assert_eq!(
        entry.questions["e"],
        crate::Who::Value(Json::new("[1]").unwrap())
    );
    assert_eq!(entry.refusals["a"].up_front.as_deref(), Some("f"));
    assert_eq!(entry.assistant.as_deref(), Some(&["other".to_owned()][..]));
    assert_eq!(file.assistant.unwrap().len(), 2);
    assert!(!entry.gets_no_call() && file.tools["short"].gets_no_call());
}

#[test]
fn mistakes_are_told_with_their_place_and_keys() {
    for (text, place, words) in [
        ("tools = 3", "1:9: `tools`", "expected a map"),
        (
            "[tols.a]\ncommand = 'x'",
            "1:2: `tols`",
            "did you mean `tools`?",
        ),
        (
            "[tools.a]\ncomand = 'x'",
            "2:1: `tools.a.comand`",
            "did you mean `command`?",
        ),
        (
            "[tools.a]\ntimeout = '3s'",
            "1:8: `tools.a`",
            "`command` is missing",
        ),
        ("[tools.'a b']\ncommand = 'x'", "1:8: `tools.a b`", "ASCII"),
        (
            "[tools.a]\ncommand = ''",
            "2:11: `tools.a.command`",
            "name a program",
        ),
        (
            "[tools.a]\ncommand = []",
            "2:11: `tools.a.command`",
            "name a program",
        ),
        (
            "[tools.a]\ncommand = 3",
            "2:11: `tools.a.command`",
            "a program, or an array",
        ),
        (
            "[tools.a]\ncommand = ['x', 3]",
            "2:17: `tools.a.command`",
            "must be a string: write `\"3\"`",
        ),
        (
            "[tools.a]\ncommand = [['x']]",
            "2:11: `tools.a.command`",
            "begin with the program",
        ),
        (
            "[tools.a]\ncommand = ['{x}']",
            "2:11: `tools.a.command`",
            "can't be the program",
        ),
        (
            "[tools.a]\ncommand = ['x', '{']",
            "2:11: `tools.a.command`",
            "`{{`",
        ),
        (
            "[tools.a]\ncommand = ['x', '}']",
            "2:11: `tools.a.command`",
            "`}}`",
        ),
        (
            "[tools.a]\ncommand = ['x', '{}']",
            "2:11: `tools.a.command`",
            "`{name}`",
        ),
        (
            "[tools.a]\ncommand = ['x', '{y}']",
            "2:1: `tools.a.command`",
            "`parameters`",
        ),
        (
            "[tools.a]\ncommand = ['x', '{pat}']\nparameters.path = {}",
            "2:1: `tools.a.command`",
            "there is no parameter `pat`; did you mean `path`?",
        ),
        (
            "[tools.a]\ncommand = ['x', '{y}']\nparameters = { y = {}, z = {} }",
            "3:24: `tools.a.parameters.z`",
            "would be lost",
        ),
        (
            "[tools.a]\ncommand = ['x', '{y?-y}']\nparameters.y.type = 'string'",
            "3:12: `tools.a.parameters.y`",
            "`boolean`",
        ),
        (
            "[tools.a]\ncommand = 'x'\nparameters.y = { typ = 'string' }",
            "3:18: `tools.a.parameters.y.typ`",
            "did you mean `type`?",
        ),
        (
            "[tools.a]\ncommand = 'x'\nparameters.y = 3",
            "3:16: `tools.a.parameters.y`",
            "a table",
        ),
        ("[tools]\na = 3", "2:5: `tools.a`", "a table"),
        (
            "[tools.a]\ncommand = 'x'\nquestions.q = 3",
            "3:15: `tools.a.questions.q`",
            "write `q = { value = 3 }`",
        ),
        (
            "[tools.a]\ncommand = 'x'\nrefusals.q.upfront = 'x'",
            "3:12: `tools.a.refusals.q.upfront`",
            "up-front",
        ),
        (
            "[tools.a]\ncommand = 'x'\ntimeout = '3'",
            "3:11: `tools.a.timeout`",
            "write `timeout = \"3s\"`",
        ),
        (
            "[tools.a]\ncommand = 'x'\ntimeout = 3",
            "3:11: `tools.a.timeout`",
            "write `timeout = \"3s\"`",
        ),
        (
            "[tools.a]\ncommand = 'x'\nmax-output = -1",
            "3:14: `tools.a.max-output`",
            "-1",
        ),
        (
            "[tools.a]\ncommand = 'x'\ninherit = 'some'",
            "3:11: `tools.a.inherit`",
            "standard",
        ),
        (
            "[tools.a]\ncommand = 'x'\nsession = 'tty'",
            "3:11: `tools.a.session`",
            "use `pty` or `pipe`",
        ),
        (
            "[tools.a]\ncommand = 'x'\nsession = 'pty'\nsize = [80, 501]",
            "4:8: `tools.a.size`",
            "from 2 to 500",
        ),
        (
            "[tools.a]\ncommand = 'x'\nsession = 'pipe'\nsize = [80, 24]",
            "4:1: `tools.a.size`",
            "only a terminal has a size",
        ),
        (
            "[tools.a]\ncommand = 'x'\nsession = 'pty'\nplain = false",
            "4:1: `tools.a.plain`",
            "gets no calls",
        ),
        (
            "[tools.a]\ncommand = 'x'\ntask = 'often'",
            "3:8: `tools.a.task`",
            "use `never`, `auto` or `required`",
        ),
        (
            "[tools.a]\ncommand = 'x'\nassistant = []",
            "3:13: `tools.a.assistant`",
            "program",
        ),
        (
            "[tools.a]\ncommand = 'git log'",
            "2:1: `tools.a.command`",
            "no program `git log`, and a string is not split at spaces: write `command = [\"git\", \"log\"]`",
        ),
        (
            "[tools.a]\ncommand = [ 'git log' ]",
            "2:1: `tools.a.command`",
            "write `command = [\"git\", \"log\"]`",
        ),
        (
            "[tools.a]\ncommand = './no such tool.py \"a b\"'",
            "2:1: `tools.a.command`",
            "write `command = [\"./no\", \"such\", \"tool.py\", \"a b\"]`",
        ),
        (
            "[tools.a]\ncommand = ['x', ['-n', 3]]",
            "2:24: `tools.a.command`",
            "must be a string: write `\"3\"`",
        ),
        (
            "[tools.a]\ncommand = 'x'\ntimeout = 1.5",
            "3:11: `tools.a.timeout`",
            "write `timeout = \"1.5s\"` for seconds",
        ),
        (
            "[tools.a]\ncommand = 'x'\nenv = { PORT = 80 }",
            "3:16: `tools.a.env.PORT`",
            "must be a string: write `PORT = \"80\"`",
        ),
        (
            "[tools.a]\ncommand = 'x'\nquestions.confirm = true",
            "3:21: `tools.a.questions.confirm`",
            "write `confirm = { value = true }` to give it as the answer",
        ),
        (
            "[tools.a]\ncommand = 'x'\nquestions = { \"*\" = 'yes' }",
            "3:21: `tools.a.questions.*`",
            "write `\"*\" = { value = 'yes' }`",
        ),
        (
            "[tools.a]\ncommand = 'x'\ninherit = 'none'",
            "3:11: `tools.a.inherit`",
            "write `inherit = []`",
        ),
        (
            "[tools.a]\ncommand = 'x'\ninherit = 'TOKEN'",
            "3:11: `tools.a.inherit`",
            "write `inherit = [\"standard\", \"TOKEN\"]`",
        ),
        (
            "[tools.a]\ncommand = 'x'\nplain = 'true'",
            "3:9: `tools.a.plain`",
            "write `plain = true`",
        ),
        (
            "[servers.a]\ncommand = 'uvx files'\n",
            "2:11: `servers.a.command`",
            "must be an array: write `command = [\"uvx\", \"files\"]`",
        ),
        (
            "[servers.a]\ninherit = ['standard']\n",
            "1:10: `servers.a`",
            "`command` or `url` is missing",
        ),
        (
            "[servers.a]\ncommand = ['x']\nurl = 'http://h/'\n",
            "3:1: `servers.a.url`",
            "leave out one of `command` and `url`",
        ),
        (
            "[servers.a]\nurl = 'http://h/'\nenv = { A = 'b' }\n",
            "3:1: `servers.a.env`",
            "only a program has it, and this server is a URL",
        ),
        (
            "[servers.a]\ncommand = ['x']\nheaders = { A = 'b' }\n",
            "3:1: `servers.a.headers`",
            "only a URL has it, and this server is a program",
        ),
        (
            "[servers.a]\ncommand = ['x']\ncdw = '.'\n",
            "3:1: `servers.a.cdw`",
            "did you mean `cwd`?",
        ),
        (
            "[tools.a]\ncommand = 'x'\n[servers.a]\ncommand = ['x']\n",
            "3:10: `servers.a`",
            "there is a tool `a` too",
        ),
        (
            "[servers.'a b']\ncommand = ['x']\n",
            "1:10: `servers.a b`",
            "a server's name is 1 to 128 letters",
        ),
        (
            "assistant = './ask it'\n",
            "1:13: `assistant`",
            "must be an array: write `assistant = [\"./ask\", \"it\"]`",
        ),
        (
            "[tools.a]\ncommand = 'x'\nquestions.q = 'usr'",
            "3:15: `tools.a.questions.q`",
            "must be `\"user\"`",
        ),
        (
            "[tools.a]\ncommand = 'x'\noptions.n = nan",
            "3:13: `tools.a.options.n`",
            "JSON",
        ),
        (
            "[tools.a]\ncommand = 'x'\nplain = true\noptions.n = 1",
            "4:1: `tools.a.options`",
            "gets no call",
        ),
        (
            "[tools.a]\ncommand = 'x'\nplain = true\narguments.n = 1",
            "4:1: `tools.a.arguments`",
            "`parameters`",
        ),
        ("a = \n", "1:5", "string values must be quoted"),
        (
            "[tools.a]\ncommand = 'x'\ncommand = 'y'",
            "3:1",
            "duplicate",
        ),
    ] {
        let error = read(text).expect_err(text);
        let start = format!("toolwire.toml:{place}");
        assert!(error.starts_with(&start), "{text:?}\n{error}\n{start}");
        assert!(error.contains(words), "{text:?}\n{error}\n{words}");
        for name in ["struct", "enum", "Vec", "Entry", "untagged", "variant of"] {
            assert!(!error.contains(name), "{text:?}: {error}");
        }
    }
    let bytes = Source::read(Path::new("toolwire.toml"), b"a = 1\n\xff".to_vec());
    assert!(matches!(bytes, Err(error) if error.to_string().contains(":2:1: it is not UTF-8")));
}

#[test]
fn a_command_is_expanded_and_never_split() {
    let ok = |parts, arguments| expand(parts, arguments).unwrap();
    assert_eq!(
        ok(json!(["x", "{a}"]), json!({"a": "b $(c); d"})),
        ["b $(c); d"]
    );
    assert_eq!(
        ok(json!(["x", "a{{b}}{a}c"]), json!({"a": 1.5})),
        ["a{b}1.5c"]
    );
    assert_eq!(
        ok(json!(["x", "{a}"]), json!({"a": {"b": null}})),
        [r#"{"b":null}"#]
    );
    assert_eq!(ok(json!(["x", "{a}"]), json!({})), [] as [&str; 0]);
    assert_eq!(ok(json!(["x", ""]), json!({})), [""]);
    let group = json!(["x", ["-n", "{a}"], "y"]);
    assert_eq!(ok(group.clone(), json!({"a": 3})), ["-n", "3", "y"]);
    assert_eq!(ok(group, json!({})), ["y"]);
    let condition = json!(["x", "{a?--all}", "-{a?v}q"]);
    assert_eq!(ok(condition.clone(), json!({"a": true})), ["--all", "-vq"]);
    assert_eq!(ok(condition, json!({"a": false})), ["-q"]);
    let array = json!(["x", "--f={a}", "--", "{a}"]);
    assert_eq!(
        ok(array.clone(), json!({"a": ["p", "-q"]})),
        ["--f=p", "--f=-q", "--", "p", "-q"]
    );
    assert_eq!(ok(array, json!({"a": []})), ["--"]);
    assert_eq!(ok(json!(["x", "{a}"]), json!({"a": -3})), ["-3"]);
}

#[test]
fn a_number_keeps_its_digits() {
    let arguments = r#"{"a": 12345678901234567890123, "b": [0.1234567890123456789, 1.0], "c": { "d": 9007199254740993 }}"#;
    assert_eq!(
        expand_text(json!(["x", "{a}", "{b}", "{c}"]), arguments).unwrap(),
        [
            "12345678901234567890123",
            "0.1234567890123456789",
            "1",
            r#"{"d":9007199254740993}"#
        ]
    );
}

#[test]
fn a_value_is_not_taken_for_an_option() {
    for value in [json!("-rf"), json!(["a", "--x"])] {
        let error = expand(json!(["rm", "{a}"]), json!({ "a": value })).unwrap_err();
        assert!(
            error.contains("`a` begins with `-`") && error.contains("`rm`"),
            "{error}"
        );
    }
    assert!(expand(json!(["rm", "{a}", "--"]), json!({"a": "-rf"})).is_err());
    assert!(expand(json!(["rm", "--", "{a}"]), json!({"a": "-rf"})).is_ok());
    assert!(expand(json!(["rm", "--f={a}"]), json!({"a": "-rf"})).is_ok());
    let error = expand(json!(["x", "{a}{b}"]), json!({"a": [1], "b": [2]})).unwrap_err();
    assert!(error.contains("both arrays"), "{error}");
}

#[test]
fn a_command_is_shown_as_it_is_written() {
    let parts = json!(["x", "a{{b}}", "{c}", ["-n", "{d?e}"]]);
    let words = template(parts).unwrap().to_words();
    assert_eq!(words, ["x", "a{{b}}", "{c}", "-n", "{d?e}"]);
}

fn schema() -> Value {
    let mut schema = schemars::schema_for!(File).to_value();
    let members = schema.as_object_mut().unwrap();
    members.insert("$id".to_owned(), "urn:toolwire:schema:manifest".into());
    without_null(&mut schema);
    schema
}

/// TOML has no null that an editor could put in, and an empty text is no default.
fn without_null(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.retain(|name, value| name != "default" || !(value.is_null() || value == ""));
            if let Some(Value::Array(types)) = members.get("type")
                && let [only, Value::String(null)] = &types[..]
                && null == "null"
            {
                let only = only.clone();
                members.insert("type".to_owned(), only);
            }
            members.values_mut().for_each(without_null);
        }
        Value::Array(values) => values.iter_mut().for_each(without_null),
        _ => {}
    }
}

/// The file in `schema/` is what `schemars` makes of the types. `UPDATE=1` writes it anew.
#[test]
fn the_schema_in_the_repository_is_that_of_the_types() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../schema/manifest.schema.json"
    );
    let made = serde_json::to_string_pretty(&schema()).unwrap() + "\n";
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(path, &made).unwrap();
    }
    let there = std::fs::read_to_string(path).unwrap_or_default();
    assert!(
        there == made,
        "the schema is stale: run this test with `UPDATE=1`"
    );
}

/// What the reader takes fits the schema, so that no editor complains of a good manifest.
#[test]
fn the_schema_takes_the_manifest_of_the_reference() {
    let spec = include_str!("../../../../docs/reference/toolwire-toml.md");
    let text = spec
        .split("```toml\n")
        .nth(1)
        .unwrap()
        .split("```")
        .next()
        .unwrap();
    let file = read(text).unwrap();
    assert_eq!(file.tools.len(), 2);
    let value = |text: &str| {
        let value: toml::Value = toml::from_str(text).unwrap();
        Json::from_value(&value).unwrap()
    };
    let schema = Json::from_value(&schema()).unwrap();
    crate::check_value(&schema, &value(text)).unwrap();
    for wrong in [
        "[tools.a]\ncomand = 'x'",
        "[tools.a]\ncommand = 3",
        "tols = 1",
        "[servers.a]\ncommand = 'x'",
    ] {
        assert!(
            crate::check_value(&schema, &value(wrong)).is_err(),
            "{wrong}"
        );
    }
}
