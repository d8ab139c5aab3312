//! The schemas, the typed values and the reader say the same of every document that the conformance
//! cases hold, and every document that the library writes fits its schema.

use base64::Engine;
use jsonschema::Validator;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::LazyLock;
use toolwire::call::{Call, read_description};
use toolwire::lines::{HostLine, ToolLine};
use toolwire::{Block, Code, Envelope, Exit, Limits, canonicalize, identify, parse, summarize};
use toolwire_ffi::readers;

/// Larger inputs only test limits, which no schema sees; here they would only cost time.
const MOST_BYTES: usize = 1 << 20;

fn load(path: &str) -> Value {
    let path = toolwire_codegen::checkout().join(path);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn schema(name: &str) -> Validator {
    compile(&load(&format!("schema/{name}.schema.json")))
}

fn compile(schema: &Value) -> Validator {
    jsonschema::draft202012::new(schema).unwrap_or_else(|error| panic!("{error}"))
}

/// A definition of a schema, as a schema of its own.
fn definition(name: &str, definition: &str) -> Validator {
    let mut schema = load(&format!("schema/{name}.schema.json"));
    let definitions = schema["$defs"].take();
    compile(&json!({ "$defs": definitions, "$ref": format!("#/$defs/{definition}") }))
}

struct Case {
    id: String,
    op: String,
    input: Vec<u8>,
    options: Value,
}

/// The cases whose input is not too large; read once for all tests.
static CASES: LazyLock<Vec<Case>> = LazyLock::new(|| {
    let folder: PathBuf = toolwire_codegen::checkout().join("conformance/cases");
    let mut cases = Vec::new();
    for entry in std::fs::read_dir(folder).expect("the cases are there") {
        let name = entry
            .expect("an entry")
            .file_name()
            .into_string()
            .expect("a plain name");
        let file = load(&format!("conformance/cases/{name}"));
        for case in file["cases"].as_array().expect("an array of cases") {
            if length(&case["input"]) <= MOST_BYTES {
                cases.push(Case {
                    id: case["id"].as_str().expect("an id").to_owned(),
                    op: case["op"].as_str().expect("an op").to_owned(),
                    input: bytes(&case["input"]),
                    options: case["options"].clone(),
                });
            }
        }
    }
    assert!(cases.len() > 400, "only {} cases", cases.len());
    cases
});

/// About how long an input is, without making it.
fn length(source: &Value) -> usize {
    let text = |name: &str| source[name].as_str().map_or(0, str::len);
    let times = source["times"].as_u64().unwrap_or(1) as usize;
    let parts = source["concat"].as_array().into_iter().flatten();
    text("text") + text("base64") + text("repeat") * times + parts.map(length).sum::<usize>()
}

fn bytes(source: &Value) -> Vec<u8> {
    if let Some(text) = source["text"].as_str() {
        text.as_bytes().to_vec()
    } else if let Some(text) = source["base64"].as_str() {
        base64::engine::general_purpose::STANDARD
            .decode(text)
            .expect("base64")
    } else if let Some(text) = source["repeat"].as_str() {
        text.as_bytes()
            .repeat(source["times"].as_u64().expect("a count") as usize)
    } else {
        source["concat"]
            .as_array()
            .into_iter()
            .flatten()
            .flat_map(bytes)
            .collect()
    }
}

/// The widest limits, since no schema sees a limit.
fn wide() -> Limits {
    Limits {
        max_diagnostics: usize::MAX,
        ..Limits::WIDEST
    }
}

#[test]
fn the_schema_accepts_what_the_reader_calls_valid() {
    let schema = schema("envelope");
    let (mut accepted, mut rejected) = (0, 0);
    let mut wrong = Vec::new();
    for case in CASES.iter() {
        let Ok(canonical) = canonicalize(&case.input, &wide()) else {
            continue;
        };
        // serde_json stops at a depth of 128.
        let Ok(value) = serde_json::from_slice(&canonical) else {
            continue;
        };
        let parsed = parse(&case.input[..], &wide());
        let seen: Vec<_> = parsed
            .diagnostics()
            .iter()
            .map(|found| found.code)
            .filter(|code| code.seen_by_schema())
            .collect();
        let accepts = schema.is_valid(&value);
        if accepts != seen.is_empty() {
            wrong.push(format!(
                "{}: schema accepts: {accepts}; reader: {seen:?}",
                case.id
            ));
        }
        *(if accepts {
            &mut accepted
        } else {
            &mut rejected
        }) += 1;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(
        accepted > 50 && rejected > 50,
        "{accepted} accepted, {rejected} rejected"
    );
}

/// Whether schema and reader agree about a document, and what they say where they don't.
fn agree(schema: &Validator, value: &Value) -> Result<bool, String> {
    let text = value.to_string();
    let parsed = parse(text.as_bytes(), &wide());
    let codes = parsed.diagnostics().iter().map(|found| found.code);
    let seen: Vec<_> = codes.filter(|code| code.seen_by_schema()).collect();
    let accepts = schema.is_valid(value);
    let canonical = canonicalize(parsed.document(), &wide()).expect("a document is strict JSON");
    if accepts != seen.is_empty() {
        Err(format!(
            "{text}\n  schema accepts: {accepts}; reader: {seen:?}"
        ))
    } else if parsed.to_envelope().to_json().as_bytes() != canonical {
        Err(format!("{text}\n  the typed envelope has lost something"))
    } else {
        Ok(accepts)
    }
}

/// Every document that differs from `value` at one place: another value there, or none.
fn variants(value: &Value, replacements: &[Value], give: &mut dyn FnMut(Value)) {
    replacements.iter().cloned().for_each(&mut *give);
    match value {
        Value::Array(elements) => {
            for (index, element) in elements.iter().enumerate() {
                let with = |replaced: Option<Value>| {
                    let mut elements = elements.clone();
                    elements.splice(index..=index, replaced);
                    Value::Array(elements)
                };
                give(with(None));
                variants(element, replacements, &mut |variant| {
                    give(with(Some(variant)))
                });
            }
        }
        Value::Object(members) => {
            for (name, member) in members {
                let mut without = members.clone();
                without.remove(name);
                give(Value::Object(without));
                variants(member, replacements, &mut |variant| {
                    let mut members = members.clone();
                    members[name] = variant;
                    give(Value::Object(members));
                });
            }
            let mut more = members.clone();
            for (name, member) in [("text", "aGk="), ("blob", "aGk="), ("type", "text")] {
                if !members.contains_key(name) {
                    more.insert(name.to_owned(), member.into());
                    give(Value::Object(more.clone()));
                    more.remove(name);
                }
            }
        }
        _ => {}
    }
}

#[test]
fn schema_and_reader_agree_about_every_variant_of_the_examples() {
    let schema = schema("envelope");
    let file = load("schema/envelope.schema.json");
    let mut documents: Vec<Value> = file["examples"].as_array().expect("examples").clone();
    let full = json!({
        "audience": ["user", "assistant"], "priority": 0.5, "lastModified": "2025-01-12T15:00:58Z"
    });
    for (name, definition) in file["$defs"].as_object().expect("definitions") {
        for block in definition["examples"].as_array().into_iter().flatten() {
            if name.ends_with("Block") {
                let mut block = block.clone();
                block["annotations"] = full.clone();
                block["_meta"] = json!({ "a": 1 });
                if name == "resourceBlock" {
                    block["resource"]["annotations"] = full.clone();
                    block["resource"]["name"] = json!("a");
                }
                documents.push(json!({ "content": [block, { "type": "text", "text": "" }] }));
            }
        }
    }
    let replacements = [
        json!(null),
        json!(true),
        json!(false),
        json!(0),
        json!(-1),
        json!(1.5),
        json!(1),
        json!(1e300),
        json!(9007199254740992_u64),
        json!(""),
        json!("user"),
        json!("a\nb"),
        json!("aGk="),
        json!("aGl="),
        json!("aGk"),
        json!("question"),
        json!("waiting"),
        json!("2024-02-31t23:59:60.5-23:59"),
        json!("2024-13-01T00:00:00Z"),
        json!([]),
        json!(["user"]),
        json!([0]),
        json!({}),
        json!({ "type": "video" }),
        json!({ "type": "text", "text": "" }),
    ];
    let (mut accepted, mut rejected, mut wrong) = (0, 0, Vec::new());
    for document in &documents {
        variants(
            document,
            &replacements,
            &mut |variant| match agree(&schema, &variant) {
                Ok(true) => accepted += 1,
                Ok(false) => rejected += 1,
                Err(message) => wrong.push(message),
            },
        );
    }
    assert!(
        wrong.is_empty(),
        "{} of them, such as\n{}",
        wrong.len(),
        wrong[..wrong.len().min(10)].join("\n")
    );
    assert!(
        accepted > 1000 && rejected > 1000,
        "{accepted} accepted, {rejected} rejected"
    );
}

#[test]
fn typed_values_lose_nothing_and_know_what_is_delivered() {
    let mut envelopes = 0;
    for case in CASES.iter() {
        let parsed = parse(&case.input[..], &wide());
        let envelope = parsed.to_envelope();
        let document = parsed.document();
        let canonical = canonicalize(document, &wide()).expect("a document is strict JSON");
        // What is written keeps its digits (CANON-9); only its canonical form is that of the document.
        let written = canonicalize(envelope.to_json().as_bytes(), &wide()).expect("strict JSON");
        assert_eq!(written, canonical, "{}", case.id);

        let kinds: Vec<_> = envelope.content.iter().filter_map(Block::kind).collect();
        let delivered: Vec<_> = parsed.blocks().map(|block| block.kind()).collect();
        assert_eq!(kinds, delivered, "{}", case.id);

        let within = !parse(document, &Limits::default()).is_raw();
        if let (true, Ok(text)) = (within, std::str::from_utf8(document)) {
            assert_eq!(
                Envelope::from_json(text).as_ref(),
                Ok(&envelope),
                "{}",
                case.id
            );
        }
        envelopes += usize::from(!parsed.is_raw());
    }
    assert!(envelopes > 100, "only {envelopes} envelopes");
}

#[test]
fn the_typed_reader_refuses_what_is_no_envelope() {
    for case in CASES.iter() {
        let Ok(text) = std::str::from_utf8(&case.input) else {
            continue;
        };
        let raw = parse(&case.input[..], &Limits::default()).is_raw();
        assert_eq!(Envelope::from_json(text).is_err(), raw, "{}", case.id);
    }
}

#[test]
fn reports_and_identities_fit_their_schemas() {
    let report = schema("report");
    let summary = definition("report", "summary");
    let identity = schema("identity");
    let mut identities = 0;
    for case in CASES.iter() {
        let parsed = parse(&case.input[..], &Limits::default());
        let text = parsed.report_json();
        if let Ok(value) = serde_json::from_str(&text) {
            report
                .validate(&value)
                .unwrap_or_else(|error| panic!("{}: {error}\n{text}", case.id));
        }
        let value = serde_json::from_str(&summarize(&case.input, &Limits::default()).to_json());
        let value = value.expect("a summary is JSON");
        summary
            .validate(&value)
            .unwrap_or_else(|error| panic!("{}: {error}", case.id));

        let options = readers::identify_options(&case.options.to_string()).unwrap_or_default();
        for found in identify(&parsed, &options).unwrap_or_default() {
            let value = serde_json::from_str(&found.to_json()).expect("an identity is JSON");
            identity
                .validate(&value)
                .unwrap_or_else(|error| panic!("{}: {error}", case.id));
            identities += 1;
        }
    }
    assert!(identities > 50, "only {identities} identities");
}

#[test]
fn options_are_taken_as_their_schema_says() {
    let limits = definition("options", "limits");
    let format = definition("options", "formatOptions");
    let identify = definition("options", "identifyOptions");
    let refusal = definition("options", "refusalOptions");
    let receive = definition("options", "receiveOptions");
    let mut accepted = 0;
    for case in CASES.iter().filter(|case| case.options.is_object()) {
        let text = case.options.to_string();
        let (by_schema, by_reader) = match case.op.as_str() {
            "parse" | "canonicalize" | "digest" | "validate" | "summarize" => (
                limits.is_valid(&case.options),
                readers::limits(&text).is_ok(),
            ),
            "format" => (
                format.is_valid(&case.options),
                readers::format_options(&text).is_ok(),
            ),
            "identify" => (
                identify.is_valid(&case.options),
                readers::identify_options(&text).is_ok(),
            ),
            "refusal" => (
                refusal.is_valid(&case.options),
                readers::refusal_options(&text).is_ok(),
            ),
            "receive" => {
                // Case files write bytes like an input.
                let mut told = case.options.clone();
                for name in ["stderr", "result"] {
                    if let Some(bytes) = told.get_mut(name) {
                        *bytes = Value::from("");
                    }
                }
                let code = told["exitCode"].as_i64().unwrap_or(0);
                let signal = told["signal"].as_i64().unwrap_or(1);
                let limits = told.get("limits").cloned().unwrap_or(json!({}));
                (
                    receive.is_valid(&told),
                    Exit::from_code(code).and(Exit::from_signal(signal)).is_ok()
                        && readers::limits(&limits.to_string()).is_ok(),
                )
            }
            _ => continue,
        };
        assert_eq!(by_schema, by_reader, "{}: {text}", case.id);
        accepted += usize::from(by_schema);
    }
    assert!(accepted > 50, "only {accepted} options");
}

#[test]
fn calls_are_read_as_their_schema_says() {
    let schema = schema("call");
    let (mut accepted, mut rejected) = (0, 0);
    for case in CASES.iter().filter(|case| case.op == "read_call") {
        let Ok(value) = serde_json::from_slice::<Value>(&case.input) else {
            continue;
        };
        if canonicalize(&case.input, &wide()).is_err() || case.options["carrier"] == "meta" {
            continue;
        }
        // That the answers do not contradict each other is for no schema to see.
        let tool = &value["tool"];
        let records = tool["dev.toolwire/answers"].as_object();
        let contradicts = records.into_iter().flatten().any(|(id, record)| {
            (record["state"] == "accepted") != tool["answers"].get(id).is_some()
        });
        let accepts = schema.is_valid(&value) && !contradicts;
        let read = Call::from_json(&case.input, &wide());
        assert_eq!(accepts, read.is_ok(), "{}", case.id);
        if let Ok(call) = read {
            let written: Value = serde_json::from_str(&call.to_json()).expect("JSON");
            schema
                .validate(&written)
                .unwrap_or_else(|error| panic!("{}: {error}", case.id));
        }
        *(if accepts {
            &mut accepted
        } else {
            &mut rejected
        }) += 1;
    }
    assert!(
        accepted > 10 && rejected > 20,
        "{accepted} accepted, {rejected} rejected"
    );
}

#[test]
fn descriptions_are_read_as_their_schema_says() {
    let schema = schema("describe");
    let (mut accepted, mut rejected) = (0, 0);
    for case in CASES.iter().filter(|case| case.op == "describe") {
        let parsed = parse(&case.input[..], &wide());
        let read = read_description(&parsed);
        if matches!(read, Ok(None)) {
            continue;
        }
        let content = parsed.structured_content().expect("a description has it");
        let value: Value = serde_json::from_str(content.raw()).expect("JSON");
        // That names differ is for no schema to see.
        let mut names: Vec<_> = value["tools"]
            .as_array()
            .into_iter()
            .flatten()
            .map(|tool| tool["name"].to_string())
            .collect();
        let all = names.len();
        names.sort();
        names.dedup();
        let accepts = schema.is_valid(&value) && names.len() == all;
        assert_eq!(accepts, read.is_ok(), "{}", case.id);
        *(if accepts {
            &mut accepted
        } else {
            &mut rejected
        }) += 1;
    }
    assert!(
        accepted > 3 && rejected > 15,
        "{accepted} accepted, {rejected} rejected"
    );
}

#[test]
fn the_tables_fit_their_schemas() {
    for table in ["diagnostics", "mime", "secrets"] {
        let value = load(&format!("schema/{table}.json"));
        schema(table)
            .validate(&value)
            .unwrap_or_else(|error| panic!("{table}: {error}"));
    }
    let languages = load("schema/secrets.json")["languages"].clone();
    assert!(languages.as_object().is_some_and(|all| all.len() >= 20));
}

#[test]
fn every_schema_explains_itself_and_its_examples_fit() {
    for name in [
        "envelope",
        "report",
        "identity",
        "call",
        "describe",
        "diagnostics",
        "mime",
        "options",
        "secrets",
    ] {
        let whole = load(&format!("schema/{name}.schema.json"));
        assert!(jsonschema::meta::is_valid(&whole), "{name}");
        assert_eq!(whole["$id"], format!("urn:toolwire:schema:{name}"));
        examples_fit(name, &whole, &compile(&whole));
        for (key, schema) in whole["$defs"].as_object().into_iter().flatten() {
            assert!(
                schema["description"].is_string(),
                "{name}: `{key}` has no description"
            );
            if schema["title"].is_string() {
                examples_fit(&format!("{name}: {key}"), schema, &definition(name, key));
            }
        }
    }
}

fn examples_fit(name: &str, schema: &Value, validator: &Validator) {
    let examples = schema["examples"]
        .as_array()
        .map_or(&[][..], |examples| examples);
    assert!(!examples.is_empty(), "{name} has no examples");
    for example in examples {
        validator
            .validate(example)
            .unwrap_or_else(|error| panic!("{name}: {error}"));
    }
    for (key, property) in schema["properties"].as_object().into_iter().flatten() {
        let described = property["description"].is_string() || property["$ref"].is_string();
        assert!(described, "{name}: `{key}` has no description");
    }
}

/// What is nested in a line has codes of its own, and a schema of its own.
#[test]
fn the_schema_of_lines_and_their_reader_take_the_same() {
    let sides = ["hostLine", "toolLine"].map(|side| definition("lines", side));
    let (mut taken, mut refused) = (0, 0);
    for case in CASES.iter().filter(|case| case.op == "read_line") {
        let Ok(line) = serde_json::from_slice::<Value>(&case.input) else {
            continue;
        };
        let of_host = case.options["from"] == "host";
        let limits = Limits::default();
        let read = match of_host {
            true => HostLine::from_json(&case.input, &limits).map(drop),
            false => ToolLine::from_json(&case.input, &limits).map(drop),
        };
        if read
            .as_ref()
            .is_err_and(|error| error.code() != Code::BadLine)
        {
            continue;
        }
        let fits = sides[usize::from(!of_host)].is_valid(&line);
        assert_eq!(fits, read.is_ok(), "{}", case.id);
        match fits {
            true => taken += 1,
            false => refused += 1,
        }
    }
    assert!(taken > 20 && refused > 20, "{taken} and {refused}");
}
