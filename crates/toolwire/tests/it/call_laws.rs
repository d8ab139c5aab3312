//! What holds of every call, question and argument, whatever stands in it: tried on mutations of good
//! ones, repeatable from a seed.

use toolwire::call::{Call, describe, read_description};
use toolwire::question::{
    SecretContext, SecretTier, find_secret, prompt, read_question, read_template, template,
};
use toolwire::{Code, Json, Limits, canonicalize, parse, parse_arguments};

const CALLS: [&str; 3] = [
    r#"{"tool":{"name":"t","arguments":{"a":[1,{"b":null}]},"answers":{"q":1,"r":"x"},"options":{},"dev.toolwire/answers":{"q":{"state":"accepted","source":"user"},"s":{"state":"declined"}}},"context":{"action":"run","root":"/w"}}"#,
    r#"{"tool":{},"context":{"action":"describe"},"x":1.0}"#,
    r#"{"tool":{"name":"t","dev.toolwire/answers":{"q":{"state":"cancelled","source":"policy"}}},"context":{"action":"format_arguments","z":[]}}"#,
];

const QUESTIONS: [&str; 4] = [
    r##"{"id":"q","text":"Where to?","schema":{"type":"object","required":["a","b"],"properties":{"a":{"type":"string","title":"one"},"b":{"$ref":"#/$defs/x"},"c":{"anyOf":[{"type":"null"},{"type":"integer"}]}},"$defs":{"x":{"type":"array","items":{"enum":["y"]}}}}}"##,
    r#"{"id":"q","text":"How many?","schema":{"type":"integer","minimum":1},"default":3}"#,
    r#"{"id":"api_key","text":"Your API key","schema":{"type":"string","format":"password","writeOnly":true}}"#,
    r#"{"id":"q","text":"Which?","schema":{"type":"array","items":{"oneOf":[{"const":"a","title":"A"},{"const":1}]},"maxItems":2},"default":["a"]}"#,
];

/// The text with some of its parts cut, doubled, exchanged or replaced.
fn mutate(random: &mut fastrand::Rng, text: &str) -> String {
    const WORDS: [&str; 20] = [
        "null",
        "true",
        "1.5",
        "-0",
        "\"\"",
        "\"a/b~c\"",
        "{}",
        "[]",
        "\"$ref\":\"#\"",
        "\"type\"",
        "\"object\"",
        "\"password\"",
        "\"enum\"",
        "\"required\"",
        ",",
        ":",
        "\"\\n// x\"",
        "\u{7}",
        "\"accepted\"",
        "é",
    ];
    let mut text = text.to_owned();
    for _ in 0..random.usize(1..4) {
        let place = |random: &mut fastrand::Rng| {
            let at = random.usize(0..=text.len());
            (0..=at)
                .rev()
                .find(|at| text.is_char_boundary(*at))
                .unwrap_or(0)
        };
        let (a, b) = (place(random), place(random));
        let (a, b) = (a.min(b), a.max(b).min(a.min(b) + 24));
        let b = (b..=text.len())
            .find(|at| text.is_char_boundary(*at))
            .unwrap_or(text.len());
        let part = match random.u8(0..3) {
            0 => String::new(),
            1 => text[a..b].repeat(2),
            _ => random.choice(WORDS).unwrap_or_default().to_owned(),
        };
        text.replace_range(a..b, &part);
    }
    text
}

/// Values in the place of values keep a text good JSON far more often than cuts do.
fn exchange(random: &mut fastrand::Rng, text: &str) -> String {
    let values = [
        "null",
        "true",
        "7",
        "\"a\"",
        "[]",
        "{}",
        "{\"type\":\"string\"}",
        "[\"a\"]",
    ];
    let starts: Vec<usize> = text.match_indices(':').map(|(at, _)| at + 1).collect();
    let start = starts[random.usize(0..starts.len())];
    let mut depth = 0;
    let mut quoted = false;
    let end = text[start..].char_indices().find(|(_, c)| {
        match c {
            '"' => quoted = !quoted,
            '{' | '[' if !quoted => depth += 1,
            '}' | ']' if !quoted => depth -= 1,
            _ => {}
        }
        depth < 0 || depth == 0 && *c == ',' && !quoted
    });
    let end = end.map_or(text.len(), |(at, _)| start + at);
    let value = values[random.usize(0..values.len())];
    format!("{}{value}{}", &text[..start], &text[end..])
}

fn each(texts: &[&str], mut law: impl FnMut(&str)) {
    let mut random = fastrand::Rng::with_seed(58);
    for round in 0..6_000 {
        let text = texts[round % texts.len()];
        let text = match round % 3 {
            0 => mutate(&mut random, text),
            1 => exchange(&mut random, text),
            _ => {
                let once = exchange(&mut random, text);
                exchange(&mut random, &once)
            }
        };
        law(&text);
    }
}

#[test]
fn a_call_that_is_written_is_read_as_the_same() {
    let limits = Limits::default();
    let (mut good, mut bad) = (0, 0);
    each(&CALLS, |text| {
        match Call::from_json(text.as_bytes(), &limits) {
            Ok(call) => {
                good += 1;
                let written = call.to_json();
                assert_eq!(
                    Call::from_json(written.as_bytes(), &limits).as_ref(),
                    Ok(&call),
                    "{text}"
                );
                assert_eq!(
                    canonicalize(written.as_bytes(), &limits).unwrap(),
                    written.as_bytes()
                );
                let mut carried = Call::from_meta(call.to_meta().as_bytes(), &limits).unwrap();
                carried.extra.document.clone_from(&call.extra.document);
                assert_eq!(carried, call, "{text}");
            }
            Err(error) => {
                bad += 1;
                assert!(
                    error.offset().is_some_and(|at| at <= text.len() as u64),
                    "{text}"
                );
            }
        }
    });
    assert!(good > 500 && bad > 1_000, "{good} good, {bad} bad");
}

#[test]
fn a_template_is_always_json_with_comments() {
    let (mut templates, mut refused) = (0, 0);
    each(&QUESTIONS, |text| {
        let Ok(question) = read_question(text) else {
            return;
        };
        let answer = read_template(&template(&question));
        assert!(
            matches!(answer, Ok(Some(_))),
            "{text}\n{}",
            template(&question)
        );
        let secret = find_secret(&question, &SecretContext::default());
        let secret = secret.filter(|secret| secret.tier == SecretTier::Declared);
        match prompt(&question) {
            Ok(prompt) => {
                templates += 1;
                assert_eq!(secret, None, "{text}");
                Json::new(prompt.to_json(&question, question.default.as_ref())).unwrap();
            }
            Err(error) => {
                refused += 1;
                assert_eq!(error.code(), Code::SecretQuestion, "{text}");
                assert_eq!(
                    Some(error.pointer()),
                    secret.as_ref().map(|found| &*found.pointer)
                );
            }
        }
    });
    assert!(
        templates > 1_000 && refused > 300,
        "{templates} prompts, {refused} refused"
    );
}

#[test]
fn arguments_are_an_object_or_a_bad_argument() {
    let mut random = fastrand::Rng::with_seed(4);
    let names = ["a", "b", "c", "a.b", "b.c.d", "", ".", "a."];
    let values = [
        "",
        "1",
        "x",
        "null",
        "[1]",
        "{}",
        "{\"b\":1}",
        "\"",
        "1e999",
        "é",
    ];
    let (mut good, mut bad) = (0, 0);
    let schemas = QUESTIONS.map(|text| {
        let at = text.find("\"schema\":").unwrap() + 9;
        text[at..].trim_end_matches('}').to_owned()
    });
    each(&schemas.each_ref().map(String::as_str), |text| {
        // The braces that were trimmed are put back until it is JSON.
        let closed = (0..6).map(|count| format!("{text}{}", "}".repeat(count)));
        let Some(schema) = closed.filter_map(|text| Json::new(text).ok()).next() else {
            return;
        };
        let words: Vec<String> = (0..random.usize(0..4))
            .map(|_| {
                let name = names[random.usize(0..names.len())];
                format!("{name}={}", values[random.usize(0..values.len())])
            })
            .collect();
        match parse_arguments(&words, &schema) {
            Ok(given) => {
                good += 1;
                assert!(given.as_str().starts_with('{'), "{schema} {words:?}");
            }
            Err(error) => {
                bad += 1;
                assert_eq!(error.code(), Code::BadArgument, "{schema} {words:?}");
            }
        }
    });
    assert!(good > 300 && bad > 300, "{good} good, {bad} bad");
}

#[test]
fn a_description_that_is_read_can_be_written() {
    let whole = r#"{"content":[],"structuredContent":{"toolwire":1,"tools":[{"name":"a","title":"A","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true},"_meta":{"dev.toolwire/actions":["spawn","fetch"]}},{"name":"b","inputSchema":{"type":"object"},"outputSchema":{}}]}}"#;
    let limits = Limits::default();
    let mut good = 0;
    each(&[whole], |text| {
        let Ok(Some(tools)) = read_description(&parse(text.as_bytes(), &limits)) else {
            return;
        };
        good += 1;
        let written = describe(&tools).unwrap().to_json();
        let again = read_description(&parse(written.as_bytes(), &limits));
        assert_eq!(again, Ok(Some(tools)), "{text}");
    });
    assert!(good > 100, "{good} good");
}
