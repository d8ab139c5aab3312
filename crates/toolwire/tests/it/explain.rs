//! Explanations: the mistakes that are recognized, and what holds for every input (`docs/reference/command.md`).

use toolwire::{
    Exit, ExplainOptions, Explanation, Limits, Locator, Output, explain, parse, receive,
};

fn told(output: &[u8]) -> String {
    explain(
        &parse(output, &Limits::default()),
        &ExplainOptions::default(),
    )
}

/// What a person sees: a line feed is the only control character, and nothing is invisible.
fn assert_safe(text: &str) {
    let risky = |c: char| {
        (c.is_control() && c != '\n')
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{feff}')
    };
    assert!(!text.contains(risky), "{text:?}");
}

#[test]
fn usual_mistakes_are_recognized() {
    let utf16: Vec<u8> = "\u{feff}{\"content\":[]}"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    for (output, hint) in [
        (utf16.as_slice(), "UTF-16"),
        (b"\0{\0\"\0a\0\"", "UTF-16"),
        (b"{\0\"\0a\0\"\0", "UTF-16"),
        (b"caf\xe9 au lait", "Latin-1"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\x0d", "binary content"),
        (b"log\nlog\n{\"content\":[]}\n", "an envelope begins here"),
        (b"log {\"content\":[]}\n", "an envelope begins here"),
        (b"log\n{\"content\":[]}\nlog", "among other output"),
        (
            b"{\"content\":[]}\nlog",
            "before that place is a whole envelope",
        ),
        (
            b"{\"content\":[]}\n{\"content\":[]}\n",
            "several JSON texts",
        ),
        (b"\x1b[1mbold", "terminal escape sequence"),
        (b"```json\n{\"content\":[]}\n```\n", "Markdown code fence"),
        (b"'{\"content\":[]}'\n", "single quotes"),
        (b"\"{\\\"content\\\":[]}\"", "holds an envelope"),
        (b"<toolwire.Envelope 1 block: text>\n", "print(envelope)"),
        (b"[<toolwire.Block text 'a'>]\n", "print(envelope)"),
        (b"Envelope { content: [ [Object] ] }\n", "String(envelope)"),
        (b"[object Object]\n", "String(envelope)"),
        (
            b"[{\"type\":\"text\",\"text\":\"x\"}]",
            "an array of blocks",
        ),
        (b"{\\\"content\\\": []}", "escaped once too often"),
        (b"{'content': []}", "json.dumps"),
        (
            b"{\"content\": [], \"isError\": False}",
            "Python's spelling",
        ),
        (b"{\"content\": [], \"x\": undefined}", "JavaScript's"),
        (b"{\"content\": [1,]}", "no trailing commas"),
        (b"{\"content\": [] // none\n}", "no comments"),
        (b"{\"content\": [], # none\n}", "no comments"),
        (b"{content: []}", "names stand in double quotes"),
        (
            b"{\"content\":[{\"type\":\"text\",\"text\":\"C:\\dir\"}]}",
            "Windows path",
        ),
        (
            b"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[]}}",
            "JSON-RPC",
        ),
        (b"{\"content\":\"hello\"}", "`content` is a string"),
        (
            b"{\"content\":{\"type\":\"text\",\"text\":\"x\"}}",
            "a single block",
        ),
        (
            b"{\"type\":\"text\",\"text\":\"x\"}",
            "if this object is a block",
        ),
    ] {
        let text = told(output);
        assert_eq!(text.matches("\nhint: ").count(), 1, "{text}");
        let told_hint = text.split("\nhint: ").nth(1).unwrap();
        assert!(told_hint.contains(hint), "{hint}: {text}");
        assert_safe(&text);
    }
}

#[test]
fn no_hint_without_a_reason() {
    for output in [
        &b"plain words"[..],
        b"",
        b"{\"content\":[]}",
        b"{\"a\":1}",
        b"{\"content\":[tru]}",
        b"[1,2]",
        b"\"text\"",
        b"{\"content\":[\"x",
        b"100 % done",
        b"{ broken {",
    ] {
        assert!(!told(output).contains("hint:"), "{}", told(output));
    }
}

#[test]
fn colour_only_adds_sgr_sequences() {
    let parsed = parse(&b"{\"content\":[7,]}"[..], &Limits::default());
    let mut colored = explain(&parsed, &ExplainOptions { color: true });
    assert!(colored.contains("\x1b["));
    while let Some(start) = colored.find("\x1b[") {
        let end = start + colored[start..].find('m').unwrap();
        colored.replace_range(start..=end, "");
    }
    assert_eq!(colored, explain(&parsed, &ExplainOptions::default()));
}

#[test]
fn a_failed_tool_is_told() {
    for (exit, sentence) in [(Exit::Code(3), "status 3"), (Exit::Signal(9), "signal 9")] {
        for stdout in [&b""[..], b"half", b"{\"content\":[]}"] {
            let output = Output {
                stdout,
                result: None,
                exit,
                stderr: b"\x1b[2Joops",
            };
            let text = explain(
                &receive(&output, &Limits::default()),
                &ExplainOptions::default(),
            );
            assert!(
                text.contains("note[nonzero_exit]") && text.contains(sentence),
                "{text}"
            );
            assert!(text.contains("The result is an error"), "{text}");
            assert_safe(&text);
        }
    }
}

/// Every prefix and every change of one byte of a document that has a bit of everything.
#[test]
fn every_input_can_be_explained() {
    let document = "{\"content\":[{\"type\":\"text\",\"text\":\"ä漢😀\u{202e}\\u001b\"},7,\n\
        {\"type\":\"x\u{9b}\"}],\r\n\"isError\":true,\"n\":1e5}\n"
        .as_bytes();
    let mut inputs: Vec<Vec<u8>> = (0..=document.len())
        .map(|n| document[..n].to_vec())
        .collect();
    for at in 0..document.len() {
        for byte in [0, b'\n', 0x1b, b'"', b'{', b'\\', 0x80, 0xc3, 0xff] {
            let mut changed = document.to_vec();
            changed[at] = byte;
            inputs.push(changed);
        }
    }
    for input in inputs {
        let parsed = parse(&input[..], &Limits::default());
        let text = explain(&parsed, &ExplainOptions::default());
        assert_safe(&text);
        for diagnostic in parsed.diagnostics() {
            assert!(text.contains(diagnostic.code.as_str()), "{text}");
            assert!(text.contains(diagnostic.code.rule()), "{text}");
        }
        let json = Explanation::of(&parsed).to_json();
        let json: serde_json::Value = serde_json::from_str(&json).expect("it is JSON");
        assert_eq!(json["verdict"], parsed.verdict().as_str());
        assert_eq!(
            json["diagnostics"].as_array().unwrap().len(),
            parsed.diagnostics().len()
        );
    }
}

/// Line, column and caret against a plain count over the decoded text.
#[test]
fn positions_agree_with_a_plain_count() {
    let text = "ab\nä漢😀 c\r\n\n\tlast";
    for (offset, _) in text.char_indices().chain([(text.len(), ' ')]) {
        let before = &text[..offset];
        let line = before.matches('\n').count() as u64 + 1;
        let column = before.rsplit('\n').next().unwrap().chars().count() as u64 + 1;
        let position = Locator::new(text.as_bytes()).locate(offset as u64);
        assert_eq!((position.line, position.column), (line, column), "{offset}");
    }
}

#[test]
fn large_outputs_are_explained_at_once() {
    let mut log = b"x\n".repeat(2_000_000);
    log.extend_from_slice(b"{\"content\":[]}");
    let started = std::time::Instant::now();
    assert!(told(&log).contains("line 2000001, column 1"));
    let mut line = b"{\"content\":[".to_vec();
    line.extend_from_slice(&b"1,".repeat(90_000));
    line.extend_from_slice(b"{\"type\":\"text\",\"text\":\"\"}]}");
    assert!(
        told(&line).contains("skips 90000 blocks"),
        "{}",
        told(&line)
    );
    assert!(started.elapsed().as_secs() < 100, "{:?}", started.elapsed());
}

#[test]
fn warnings_that_were_cut_off_are_not_counted_as_if_there_were_none() {
    let output = br#"{"content":[{"type":"a"},{"type":"b"}]}"#;
    for (most, summary) in [
        (0, "with more than 0 warnings."),
        (1, "with more than 1 warning."),
        (2, "with 2 warnings."),
    ] {
        let limits = Limits {
            max_diagnostics: most,
            ..Limits::default()
        };
        let text = explain(&parse(&output[..], &limits), &ExplainOptions::default());
        assert!(text.contains(summary), "{text}");
    }
}

/// Each output with what its explanation says, and what it does not.
#[test]
fn an_explanation_has_the_verdict_the_place_and_the_cause() {
    let rows: [(&[u8], &[&str], &[&str]); 25] = [
        // of a valid envelope it says what is delivered
        (b"{\"content\":[{\"type\":\"text\",\"text\":\"a\"},{\"type\":\"text\",\"text\":\"b\"}]}", &["2 blocks: 2 text"], &[]),
        // severity, code, rule, place and the mistake behind it
        (b"{\n  \"content\": [],\n}\n", &["error[json_syntax]", "line 3, column 1 (byte 19)", "READ-8", "comma"], &[]),
        // columns count characters, bytes count bytes
        (b"{\"content\":[\"\xc3\xa4\xc3\xb6\xc3\xbc\xf0\x9f\x98\x80\",]}", &["line 1, column 20 (byte 25)"], &[]),
        // a carriage return before the line feed belongs to the line end
        (b"{\r\n\"content\":[],\r\n\"a\":01}", &["line 3, column 6 (byte 23)", "\"a\":01}\n"], &[]),
        // each part of ill-formed UTF-8 is one character of a line and shown byte by byte
        (b"plain \xf0\x9f\x98 \xff", &["line 1, column 7 (byte 6)", "<f0><9f><98> <ff>"], &[]),
        // a diagnostic of a block names the pointer
        (b"{\"content\":[{\"type\":\"text\",\"text\":\"a\"},\n  7]}", &["warning[block_not_object]", "line 2, column 3 (byte 42), at /content/1", "READ-22", "1 block: 1 text", "/content/1"], &[]),
        // the caret stands under the place, wide characters counted as two columns
        (b"\xe6\xbc\xa2\xe5\xad\x97 text", &["| 漢字 text\n", "| ^\n"], &[]),
        // a caret after wide characters
        (b"{\"content\":[\"\xe6\xbc\xa2\xe5\xad\x97\",}", &["| {\"content\":[\"漢字\",}\n", "|                    ^\n"], &[]),
        // a long line is cut on both sides of the place
        (&[b"{\"content\":[{\"type\":\"text\",\"text\":\"".as_slice(), &b"a".repeat(300), b"\"},7,{\"type\":\"text\",\"text\":\"".as_slice(), &b"b".repeat(300), b"\"}]}".as_slice()].concat(), &["| …aaa", "\"},7,{\"", "\"text\":…\n"], &[]),
        // control characters and invisible ones are shown, not written
        (b"\x1b[2J\x07\xe2\x80\xae\xe2\x80\x8b\xc2\x9btext", &["␛[2J␇<U+202E><U+200B><U+009B>text"], &[]),
        // a pointer that holds escapes is shown as safely as an excerpt
        (b"{\"content\":[],\"_meta\":{\"computer.jp/status\":\"\\u001b[2J\"}}", &["warning[bad_status]", "/_meta/computer.jp~1status"], &[]),
        // plain text is no mistake
        (b"hello\n", &["note[plain_text]", "READ-7", "6 bytes"], &[]),
        // no output at all
        (b"", &["note[empty_output]", "READ-6"], &[]),
        // of many diagnostics the first 10 are shown in full
        (&[b"{\"content\":[".as_slice(), &b"1,".repeat(29), b"1,{\"type\":\"text\",\"text\":\"x\"}]}".as_slice()].concat(), &["/content/9", "and 20 more", "30 blocks"], &[]),
        // whether the result is an error, and what is skipped
        (b"{\"content\":[{\"type\":\"x-chart\"},{\"type\":\"text\",\"text\":\"a\"},{\"type\":\"image\",\"data\":\"AAAA\",\"mimeType\":\"image/png\"}],\"isError\":true}", &["1 text, 1 image", "skips 1 block", "/content/0", "is an error"], &[]),
        // JSON of another kind differs from what is not JSON
        (b"{\"a\":1}", &["raw text, not an envelope", "note[no_content]", "7 bytes"], &["error["]),
        // what is not strict JSON differs from other JSON
        (b"{\"content\":[]", &["error[json_truncated]"], &["not an envelope"]),
        // a letter of Latin-1 between ASCII ones
        (b"caf\xe9 x", &["Latin-1"], &[]),
        // a letter of Latin-1 at the end
        (b"caf\xe9", &["Latin-1"], &[]),
        // a byte that is no letter of Latin-1 is not taken for one
        (b"a\x80 x", &["invalid_utf8"], &["Latin-1"]),
        // nor are two such bytes in a row
        (b"a\xe9\xe9", &["invalid_utf8"], &["Latin-1"]),
        // a whole JSON-RPC message
        (b"{\"jsonrpc\":\"2.0\",\"result\":{\"content\":[]}}", &["JSON-RPC", "`result`"], &[]),
        // a `result` without an array is no such message
        (b"{\"result\":{\"content\":1}}", &["no_content"], &["JSON-RPC"]),
        // blocks of several types are counted in all and by type
        (b"{\"content\":[{\"type\":\"text\",\"text\":\"x\"},{\"type\":\"image\",\"data\":\"\",\"mimeType\":\"a/b\"},{\"type\":\"text\",\"text\":\"y\"}]}", &["3 blocks: 2 text, 1 image"], &[]),
        // one is not many
        (b"x", &["1 byte,"], &["1 bytes"]),
    ];
    for (output, parts, absent) in rows {
        let text = told(output);
        assert_safe(&text);
        for part in parts {
            assert!(text.contains(part), "`{part}` is not in:\n{text}");
        }
        for part in absent {
            assert!(!text.contains(part), "`{part}` is in:\n{text}");
        }
    }
}
