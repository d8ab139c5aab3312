//! Small questions that cost much: the command ends soon, within its memory, with an answer of the tool
//! or of the host, and never with a failure of its own (Q-16, Q-140).

use std::fs::{self, File};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::common::Dir;
use crate::generate::{Random, for_a_while};
use crate::pty;

/// The questions of a few bytes: name, schema and default.
const SMALL: &str = include_str!("questions.json");

/// How long a call may take, in a debug build on a machine that has other work.
const LONG: Duration = Duration::from_secs(60);

/// The memory that the command may take, in kilobytes of address space.
const MEMORY: u32 = 1_500_000;

/// A row: its name, the schema and the default.
type Row = (String, Value, Option<Value>);

fn members(count: usize, value: impl Fn(usize) -> Value) -> Value {
    (0..count).map(|i| (format!("m{i}"), value(i))).collect()
}

fn nested(depth: usize, innermost: Value, around: impl Fn(Value) -> Value) -> Value {
    (0..depth).fold(innermost, |value, _| around(value))
}

/// The shapes of the audit, up to hundreds of kilobytes: what grows by the square takes too long there.
fn rows() -> Vec<Row> {
    let small: serde_json::Map<String, Value> = serde_json::from_str(SMALL).unwrap();
    let small = small
        .into_iter()
        .map(|(name, row)| (name, row["schema"].clone(), row.get("default").cloned()));
    let names = |count: usize| (0..count).map(|i| format!("m{i}")).collect::<Vec<_>>();
    let doubling = |depth: usize, keyword: &str| {
        let mut defs = members(
            depth,
            |i| json!({keyword: [{"$ref": format!("#/$defs/m{}", i + 1)}, {"$ref": format!("#/$defs/m{}", i + 1)}]}),
        );
        defs[format!("m{depth}")] = json!({"properties": {"a": true}});
        json!({"$ref": "#/$defs/m0", "$defs": defs, "unevaluatedProperties": false})
    };
    let big = [
        (
            "doubling allOf with unevaluatedProperties",
            doubling(20, "allOf"),
            Some(json!({"a": 1})),
        ),
        (
            "doubling anyOf with unevaluatedProperties",
            doubling(20, "anyOf"),
            Some(json!({"b": 1})),
        ),
        (
            "doubling oneOf with unevaluatedProperties",
            doubling(20, "oneOf"),
            Some(json!({"a": 1})),
        ),
        (
            "many anchors",
            json!({"$defs": members(10_000, |i| json!({"$anchor": format!("a{i}")})), "allOf": (0..10_000).map(|i| json!({"$ref": format!("#a{i}")})).collect::<Vec<_>>()}),
            Some(json!(1)),
        ),
        (
            "many patterns",
            json!({"type": "object", "patternProperties": (0..2_000).map(|i| (format!("^(\\p{{L}}|\\d){{1,50}}x{i}$"), json!({}))).collect::<Value>()}),
            Some(json!({"a": 1})),
        ),
        (
            "many members",
            json!({"type": "object", "required": names(12_000), "properties": members(12_000, |_| json!({"type": "string"}))}),
            None,
        ),
        (
            "many references",
            json!({"type": "object", "properties": members(10_000, |i| json!({"$ref": format!("#/properties/m{}", i + 1)}))}),
            Some(json!({})),
        ),
        (
            "many choices",
            json!({"enum": names(20_000)}),
            Some(json!("m19999")),
        ),
        (
            "many choices of many",
            json!({"type": "array", "items": {"enum": names(12_000)}}),
            Some(json!(names(12_000))),
        ),
        (
            "unique items",
            json!({"type": "array", "uniqueItems": true}),
            Some(json!(names(12_000))),
        ),
        (
            "many alternatives",
            json!({"anyOf": (0..5_000).map(|i| json!({"required": [format!("m{i}")]})).collect::<Vec<_>>()}),
            Some(json!({"x": 1})),
        ),
        (
            "deep schema",
            nested(100, json!({}), |inner| json!({"not": inner})),
            Some(json!(1)),
        ),
        (
            "deep default",
            json!({}),
            Some(nested(100, json!(1), |inner| json!([inner]))),
        ),
        (
            "long text",
            json!({"type": "string", "description": "a ".repeat(80_000)}),
            Some(json!("x".repeat(80_000))),
        ),
        (
            "long description of an editor",
            json!({"description": "a\n".repeat(80_000)}),
            None,
        ),
        (
            "long number",
            json!({"type": "number"}),
            serde_json::from_str(&format!("0.{}", "1".repeat(500))).ok(),
        ),
    ];
    let big = big
        .into_iter()
        .map(|(name, schema, default)| (name.to_owned(), schema, default));
    small.chain(big).collect()
}

const X: &str = r#"{"name":"x","inputSchema":{"type":"object"}}"#;

/// A tool that asks these, one row each.
fn asks(dir: &Dir, rows: &[&Row]) {
    let asked = rows.iter().enumerate().map(|(i, (_, schema, default))| {
        let mut question = json!({"id": format!("q{i}"), "text": "MARK", "schema": schema});
        if let Some(default) = default {
            question["default"] = default.clone();
        }
        json!({"type": "question", "question": question})
    });
    let answer = json!({"content": asked.collect::<Vec<_>>()});
    let file = dir.file("question", answer.to_string());
    // It asks once: with the answers it is content.
    dir.tool(
        "tool",
        X,
        &format!("case $call in *'\"answers\":{{\"'*) ;; *) cat {file}; exit;; esac"),
    );
}

/// How the command fares with a question; says what is wrong.
fn fares(rows: &[&Row], options: &[&str], long: Duration) -> Option<String> {
    let dir = Dir::new();
    asks(&dir, rows);
    let mut command = Command::new("sh");
    let script = format!("ulimit -v {MEMORY}; exec \"$0\" run ./tool x \"$@\"");
    command
        .args(["-c", &script, env!("CARGO_BIN_EXE_toolwire")])
        .args(options)
        .current_dir(dir.path());
    let start = Instant::now();
    let child = timeout(command, &dir, long);
    let took = start.elapsed();
    let wrong = |what: &str| Some(format!("{}, {options:?}: {what} after {took:?}", rows[0].0));
    let (code, told) = match child {
        Ok(ended) => ended,
        Err(why) => return wrong(&why),
    };
    // 0 is an answer of the tool, 1 an error of it or that nobody answered, 2 an answer that does not fit.
    if !matches!(code, 0..=2) || told.contains("panicked") || told.contains("memory allocation") {
        return wrong(&format!(
            "ended with {code}: {}",
            told.chars().take(400).collect::<String>()
        ));
    }
    None
}

/// Runs a command for so long at most; its code and what it wrote.
fn timeout(mut command: Command, dir: &Dir, long: Duration) -> Result<(i32, String), String> {
    let told = dir.file("told", "");
    let file = File::create(&told).unwrap();
    command.stdin(Stdio::null());
    command.stdout(file.try_clone().unwrap()).stderr(file);
    let start = Instant::now();
    let mut child = command.spawn().unwrap();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            let told = fs::read(&told).unwrap();
            let told = String::from_utf8_lossy(&told).into_owned();
            return match status.code() {
                Some(code) => Ok((code, told)),
                None => Err(format!("ended by a signal: {told:.400}")),
            };
        }
        if start.elapsed() > long {
            child.kill().unwrap();
            child.wait().unwrap();
            return Err("did not end".to_owned());
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

const OPTIONS: &[&[&str]] = &[
    &["--non-interactive", "defaults"],
    &["--non-interactive", "decline"],
    &["--answer", "q0=[{\"a\":\"b\"}]"],
];

#[test]
fn no_question_costs_more_than_its_size_allows() {
    let mut wrong = Vec::new();
    for row in &rows() {
        let start = Instant::now();
        wrong.extend(
            OPTIONS
                .iter()
                .filter_map(|options| fares(&[row], options, LONG)),
        );
        println!("{:6} ms  {}", start.elapsed().as_millis(), row.0);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn no_question_stops_a_person() {
    for row in &rows() {
        let dir = Dir::new();
        asks(&dir, &[row]);
        let args = ["run", "./tool", "x"].map(Into::into);
        // Those that nobody can be asked end by themselves.
        pty::run(dir.path(), &args, &[("MARK", "\x1b")]);
    }
}

#[test]
fn many_questions_take_time_by_their_number() {
    let row = (
        "many questions".to_owned(),
        json!({"type": "boolean"}),
        Some(json!(true)),
    );
    let many = vec![&row; 5_000];
    assert_eq!(fares(&many, OPTIONS[0], LONG), None);
}

/// A schema of keywords in any order.
fn schema(random: &mut Random, depth: usize) -> Value {
    let mut schema = json!({});
    for _ in 0..random.below(5) {
        let keyword = random.pick(&[
            "allOf",
            "anyOf",
            "oneOf",
            "not",
            "if",
            "items",
            "properties",
            "$ref",
            "type",
            "enum",
            "pattern",
            "unevaluatedProperties",
            "required",
            "default",
            "$defs",
        ]);
        schema[keyword] = match keyword {
            "$ref" => json!(random.pick(&["#", "#/$defs/a", "#/$defs/b", "#/properties/a"])),
            "type" => json!(random.pick(&["object", "array", "string", "integer", "null"])),
            "enum" => json!([1, "a", null, {"a": 1}]),
            "pattern" => json!(random.pick(&[
                "^(a|a)*$",
                "(x+x+)+y",
                "\\p{L}{1,200}",
                "[",
                "(.{1,50}){1,50}"
            ])),
            "required" => json!(["a", "b"]),
            "default" => json!({"a": {"a": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab"}}),
            _ if depth == 0 => json!(true),
            "allOf" | "anyOf" | "oneOf" => (0..=random.below(6))
                .map(|_| self::schema(random, depth - 1))
                .collect(),
            "properties" | "$defs" => {
                json!({"a": self::schema(random, depth - 1), "b": self::schema(random, depth - 1)})
            }
            _ => self::schema(random, depth - 1),
        };
    }
    schema
}

#[test]
fn generated_questions_do_not_either() {
    for_a_while(|random| {
        let made = schema(random, 5);
        let row = (
            "generated".to_owned(),
            made.clone(),
            Some(json!({"a": {"b": [1]}})),
        );
        let options = OPTIONS[random.below(OPTIONS.len())];
        assert_eq!(fares(&[&row], options, LONG), None, "{made}");
    });
}
