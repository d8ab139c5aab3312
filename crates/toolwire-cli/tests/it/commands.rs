//! What each command writes.

use crate::common::{self, BROKEN, Dir, RESOURCE, VALID, WARNING, run};
use serde_json::{Value, json};

#[test]
fn parse_shows_blocks_and_diagnostics() {
    let run = run(&["parse"], WARNING);
    assert!(run.stdout.contains("1 block"), "{run:?}");
    assert!(run.stdout.contains("1 skipped"), "{run:?}");
    assert!(run.stdout.contains("hello"), "{run:?}");
    assert!(
        run.stdout
            .contains("warning[unknown_block_type] /content/1"),
        "{run:?}"
    );
    assert_eq!(run.stderr, "");
}

#[test]
fn parse_json_is_the_report_on_one_line() {
    let pretty = "{\n  \"content\": [ ],\r\n \"extra\": 1.50\n}";
    let run = run(&["parse", "--json"], pretty);
    assert_eq!(run.stdout.lines().count(), 1, "{run:?}");
    assert!(
        run.stdout.contains("1.50"),
        "the envelope is to the letter: {run:?}"
    );
    let report = run.json();
    assert_eq!(report["verdict"], "valid");
    assert_eq!(report["envelope"], json!({"content": [], "extra": 1.5}));
}

#[test]
fn several_files_are_told_apart() {
    let dir = Dir::new();
    let (one, two) = (dir.file("one.json", VALID), dir.file("two.json", "plain"));
    for command in ["parse", "validate", "explain", "identify"] {
        let run = run(&[command, "--json", &one, &two], "");
        let files: Vec<Value> = run
            .json_lines()
            .iter()
            .map(|line| line["file"].clone())
            .collect();
        assert_eq!(files, [one.as_str(), two.as_str()], "{command}: {run:?}");
    }
    let run = run(&["canonicalize", "--digest", &one, &one], "");
    assert_eq!(
        run.stdout.matches(&format!("  {one}\n")).count(),
        2,
        "{run:?}"
    );
}

#[test]
fn a_dash_is_standard_input() {
    assert_eq!(
        run(&["parse", "--json", "-"], VALID).json()["verdict"],
        "valid"
    );
}

#[test]
fn how_the_tool_ended_is_taken_into_account() {
    let dir = Dir::new();
    let stderr = dir.file("stderr.txt", "cannot open x\n");
    let failed = run(
        &["parse", "--json", "--exit-status", "2", "--stderr", &stderr],
        "partial",
    );
    let report = failed.json();
    assert_eq!(report["isError"], true, "{failed:?}");
    let trace = &report["envelope"]["_meta"]["computer.jp/error"]["trace"];
    assert!(
        trace.as_array().unwrap().contains(&json!("cannot open x")),
        "{failed:?}"
    );

    let killed = run(&["parse", "--json", "--signal", "9"], VALID);
    assert_eq!(killed.json()["isError"], true, "{killed:?}");
    let negative = run(&["parse", "--json", "--exit-status", "-1"], VALID);
    assert_eq!(negative.json()["isError"], true, "{negative:?}");

    let result = dir.file("result.json", VALID);
    let noisy = run(&["parse", "--json", "--result", &result], "log line\n");
    assert_eq!(noisy.json()["verdict"], "valid", "{noisy:?}");
    let text = run(
        &["format", "--exit-status", "2", "--stderr", &stderr],
        "partial",
    );
    assert!(text.stdout.contains("partial"), "{text:?}");
    let told = run(&["explain", "--exit-status", "2"], VALID);
    assert!(told.stdout.contains("nonzero_exit"), "{told:?}");
}

#[test]
fn limits_are_set_from_the_command_line() {
    for (option, value, code) in [
        ("--max-input", "10", "limit_bytes"),
        ("--max-depth", "2", "limit_depth"),
        ("--max-values", "3", "limit_values"),
        ("--max-blocks", "1", "limit_blocks"),
    ] {
        let run = run(&["parse", "--json", option, value], WARNING);
        assert_eq!(run.json()["diagnostics"][0]["code"], code, "{run:?}");
    }
    let two = r#"{"content":[{"type":"x"},{"type":"y"},{"type":"text","text":""}]}"#;
    let run = run(&["parse", "--json", "--max-diagnostics", "1"], two);
    let codes: Vec<Value> = run.json()["diagnostics"]
        .as_array()
        .unwrap()
        .iter()
        .map(|d| d["code"].clone())
        .collect();
    assert!(codes.contains(&json!("diagnostics_truncated")), "{run:?}");
}

#[test]
fn validate_writes_a_line_for_each_fault() {
    let dir = Dir::new();
    let bad = dir.file(
        "bad.json",
        "{\"content\":[\n  {\"type\":\"chart\"},\n  7\n]}",
    );
    let good = dir.file("good.json", VALID);
    let run = run(&["validate", &good, &bad], "");
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert_eq!(lines[0], format!("{good}: valid"));
    assert!(lines[1].starts_with(&format!("{bad}:2:")), "{run:?}");
    assert!(lines[1].contains("warning[unknown_block_type]"), "{run:?}");
    assert!(
        lines[2].starts_with(&format!("{bad}:3:3: warning[block_not_object]")),
        "{run:?}"
    );
    assert_eq!(common::run(&["validate", "--quiet", &bad], "").stdout, "");
}

#[test]
fn validate_json_has_the_answer_and_the_diagnostics() {
    let run = run(&["validate", "--json"], WARNING);
    let report = run.json();
    assert_eq!(report["valid"], false);
    assert_eq!(report["verdict"], "warnings");
    assert_eq!(report["diagnostics"][0]["code"], "unknown_block_type");
}

#[test]
fn canonicalize_writes_the_bytes_and_nothing_else() {
    let run = run(&["canonicalize"], "{ \"b\": 1.0, \"a\": \"\\u00e9\" }\n");
    assert_eq!(run.bytes, "{\"a\":\"é\",\"b\":1}".as_bytes());
    let json = common::run(&["canonicalize", "--json"], "[ 1 ]").json();
    assert_eq!(json["canonical"], "[1]");
    assert_eq!(json["bytes"], 3);
    assert_eq!(
        json["digest"],
        common::run(&["canonicalize", "--digest"], "[1]")
            .stdout
            .trim_end()
    );
}

#[test]
fn digest_is_that_of_the_canonical_bytes() {
    let expected = "sha256:4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945\n";
    assert_eq!(run(&["canonicalize", "--digest"], " [ ] ").stdout, expected);
    let json = run(&["canonicalize", "--digest", "--json"], "[]").json();
    assert_eq!(json["digest"], expected.trim_end());
}

#[test]
fn a_refusal_says_where() {
    for command in [&["canonicalize"][..], &["canonicalize", "--digest"]] {
        let text = run(command, "{\n \"a\": nul }");
        assert!(text.stderr.contains("line 2, column"), "{text:?}");
        assert_eq!(text.stdout, "");
        let json = run(&[command, &["--json"]].concat(), r#"{"a":1,"a":2}"#).json();
        assert_eq!(json["error"]["code"], "duplicate_name");
        assert_eq!(json["error"]["offset"], 7);
    }
}

#[test]
fn format_takes_its_options() {
    let plain = run(&["format"], RESOURCE).stdout;
    assert!(plain.contains("```rs\nfn a() {}\n```"), "{plain}");
    let xml = run(&["format", "--style", "xml"], RESOURCE).stdout;
    assert!(xml.contains('<') && !xml.contains("```"), "{xml}");
    let header = run(&["format", "--header"], RESOURCE).stdout;
    assert!(
        header.contains("file:///p/") && header.contains("a.rs"),
        "{header}"
    );
    let cut = run(
        &["format", "--max-bytes", "300"],
        format!(
            "{{\"content\":[{{\"type\":\"text\",\"text\":\"{}\"}}]}}",
            "x".repeat(5000)
        ),
    );
    let text = cut.stdout.strip_suffix('\n').unwrap();
    assert!(text.len() <= 300 && text.starts_with("xx"), "{cut:?}");
    let person =
        r#"{"content":[{"type":"text","text":"secret","annotations":{"audience":["user"]}}]}"#;
    assert!(
        !run(&["format", "--audience", "assistant"], person)
            .stdout
            .contains("secret")
    );
    assert!(
        run(&["format", "--audience", "user"], person)
            .stdout
            .contains("secret")
    );
    let json = run(&["format", "--json"], VALID).json();
    assert!(json["text"].as_str().unwrap().contains("hello"));
}

#[test]
fn format_writes_the_message_of_a_provider() {
    let error = r#"{"content":[{"type":"text","text":"no such file"},{"type":"image","data":"R0lGODlhAQABAAAAADs=","mimeType":"image/gif"}],"isError":true}"#;
    let shown = run(&["format", "--for", "openai_chat"], error);
    let messages: Vec<Value> = serde_json::Deserializer::from_str(&shown.stdout)
        .into_iter()
        .collect::<Result<_, _>>()
        .unwrap();
    assert_eq!(messages[0]["role"], "tool", "{shown:?}");
    let text = "[error]\n\nno such file\n\n[image type=image/gif attachment=1]";
    assert_eq!(messages[0]["content"], text);
    assert_eq!(messages[1]["content"][1]["type"], "image_url");
    assert!(
        shown
            .stderr
            .contains("/content/1: moved: it follows the results"),
        "{shown:?}"
    );
    let json = run(&["format", "--for", "anthropic", "--json"], error).json();
    assert_eq!(json["message"]["content"][0]["is_error"], true);
    assert_eq!(json["report"][1]["fate"], "moved");
    let refused = run(&["format", "--for", "gemini", "--header"], error);
    assert_eq!(refused.code, 2, "{refused:?}");
    assert!(
        refused.stderr.contains("not for `--for gemini`"),
        "{refused:?}"
    );
}

#[test]
fn untrusted_text_gets_a_nonce() {
    let given = run(&["format", "--untrusted=abcdef0123456789"], VALID).stdout;
    assert!(given.contains("abcdef0123456789"), "{given}");
    let random = |_| run(&["format", "--untrusted", "--json"], VALID).json()["nonce"].clone();
    let nonces: Vec<Value> = (0..3).map(random).collect();
    assert_eq!(nonces[0].as_str().unwrap().len(), 32, "{nonces:?}");
    assert!(
        nonces[0] != nonces[1] && nonces[1] != nonces[2],
        "{nonces:?}"
    );
    let collision = VALID.replace("hello", "abcdef0123456789");
    let refused = run(
        &["format", "--untrusted=abcdef0123456789", "--json"],
        collision,
    );
    assert_eq!(refused.json()["error"]["code"], "nonce_collision");
}

#[test]
fn explain_names_rule_place_and_help() {
    let run = run(&["explain"], BROKEN);
    for part in [
        "json_syntax",
        "line 3, column 1 (byte 19)",
        "READ-8",
        "help:",
        "trailing comma",
    ] {
        assert!(run.stdout.contains(part), "{part}: {run:?}");
    }
    let json = common::run(&["explain", "--json"], BROKEN).json();
    assert_eq!(json["diagnostics"][0]["line"], 3);
    assert_eq!(json["diagnostics"][0]["column"], 1);
    assert_eq!(json["diagnostics"][0]["rule"], "READ-8");
    assert_eq!(json["hints"].as_array().unwrap().len(), 1);
}

#[test]
fn identify_and_receipts() {
    let dir = Dir::new();
    let first = run(&["identify", "--json"], RESOURCE);
    let identity = &first.json()["identities"][0];
    assert_eq!(identity["uri"], "file:///p/a.rs");
    assert_eq!(identity["status"], "new");

    let known = dir.file("known.json", &first.stdout);
    let again = run(&["identify", "--json", "--known", &known], RESOURCE).json();
    assert_eq!(again["identities"][0]["status"], "repeat");
    let other = RESOURCE.replace("fn a() {}", "fn b() {}");
    let changed = run(&["identify", "--known", &known], other);
    assert!(changed.stdout.starts_with("changed"), "{changed:?}");

    // An array of what the library returns is good, too.
    let list = dir.file("list.json", first.json()["identities"].to_string());
    let again = run(&["identify", "--json", "--known", &list], RESOURCE).json();
    assert_eq!(again["identities"][0]["status"], "repeat");

    for bad in [
        "[{\"uri\":\"a:b\"}]",
        "not json",
        "7",
        "[{\"uri\":\"a:b\",\"digest\":\"md5:1\"}]",
    ] {
        let known = dir.file("bad.json", bad);
        let run = run(&["identify", "--known", &known], RESOURCE);
        assert_eq!(run.code, 1, "{bad}: {run:?}");
        assert!(run.stderr.contains("bad.json"), "{bad}: {run:?}");
    }

    let relative = RESOURCE.replace("file:///p/./a.rs", "src/../a.rs");
    let rooted = run(&["identify", "--json", "--root", "/home"], relative).json();
    assert_eq!(rooted["identities"][0]["uri"], "file:///home/a.rs");
}

#[test]
fn a_relative_root_is_meant_from_the_current_directory() {
    let dir = Dir::new();
    let expected = run(
        &[
            "identify",
            "--uri",
            dir.path().join("src/a.rs").to_str().unwrap(),
        ],
        "",
    )
    .stdout;
    let output = RESOURCE.replace("file:///p/./a.rs", "a.rs");
    for (root, relative) in [(".", "src/a.rs"), ("src", "a.rs"), ("./x/../src", "a.rs")] {
        let mut uri = common::command(&["identify", "--uri", "--root", root, relative]);
        uri.current_dir(dir.path());
        assert_eq!(common::run_command(uri, b"").stdout, expected, "{root}");
    }
    let mut identify = common::command(&["identify", "--json", "--root", "src"]);
    identify.current_dir(dir.path());
    let identities = common::run_command(identify, output.as_bytes()).json();
    assert_eq!(identities["identities"][0]["uri"], expected.trim_end());
}

#[test]
fn outputs_that_follow_know_those_before() {
    let dir = Dir::new();
    let one = dir.file("one.json", RESOURCE);
    let two = dir.file("two.json", RESOURCE.replace("fn a() {}", "fn b() {}"));
    let run = run(&["identify", "--json", &one, &two, &two], "");
    let status: Vec<Value> = run
        .json_lines()
        .iter()
        .map(|line| line["identities"][0]["status"].clone())
        .collect();
    assert_eq!(status, ["new", "changed", "repeat"], "{run:?}");
}

#[test]
fn uris_come_from_arguments_or_lines() {
    let run_args = run(
        &[
            "identify",
            "--uri",
            "HTTP://Example.COM:80/a/../b",
            "file:///x/./y",
        ],
        "",
    );
    assert_eq!(run_args.stdout, "http://example.com/b\nfile:///x/y\n");
    let run_lines = run(&["identify", "--uri", "--root", "/w"], "a\r\n\nb/../c\n");
    assert_eq!(run_lines.stdout, "file:///w/a\nfile:///w/c\n");
    let json = run(&["identify", "--uri", "--json"], "tag:b\nno-root\n");
    let lines = json.json_lines();
    assert_eq!(lines[0], json!({"input": "tag:b", "uri": "tag:b"}));
    assert_eq!(lines[1]["error"]["code"], "bad_uri");
    assert_eq!(json.code, 1);

    let unusable = [b"a\xff\n".as_slice(), &vec![b'x'; 2_000_000], b"\ntag:c\n"].concat();
    let text = run(&["identify", "--uri", "--root", "/w"], &unusable);
    assert_eq!((text.code, text.stdout.as_str()), (1, "tag:c\n"));
    assert!(
        text.stderr.contains("line 1 is not valid UTF-8"),
        "{text:?}"
    );
    assert!(text.stderr.contains("line 2 is too long"), "{text:?}");
    let json = run(&["identify", "--uri", "--root", "/w", "--json"], &unusable).json_lines();
    assert_eq!(json[1]["error"]["code"], "bad_uri");
}

#[test]
fn completions_name_every_command() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = run(&["completions", shell], "").stdout;
        let json = run(&["completions", shell, "--json"], "").json();
        assert_eq!(json["script"], script.as_str());
        // These ask the command, as tests/it/completions.rs shows.
        if script.contains("toolwire __complete") {
            continue;
        }
        assert!(matches!(shell, "elvish" | "powershell"), "{shell}");
        for command in ["parse", "validate", "canonicalize", "format", "explain"] {
            assert!(script.contains(command), "{shell} lacks {command}");
        }
    }
}

/// Each shell that is installed reads its script without complaint.
#[test]
fn completions_are_scripts_that_shells_can_read() {
    let dir = Dir::new();
    for (shell, check) in [("bash", "-n"), ("zsh", "-n"), ("fish", "--no-execute")] {
        let script = dir.file(shell, run(&["completions", shell], "").bytes);
        let Ok(checked) = std::process::Command::new(shell)
            .args([check, &script])
            .output()
        else {
            continue;
        };
        assert!(checked.status.success(), "{shell}: {checked:?}");
    }
}

#[test]
fn an_endless_input_ends_at_the_limit() {
    let run = run(
        &["parse", "--json", "--max-input", "1000"],
        vec![b'x'; 50_000_000],
    );
    assert_eq!(run.json()["diagnostics"][0]["code"], "limit_bytes");
    assert!(run.bytes.len() < 5000, "{}", run.bytes.len());
}

#[test]
fn a_list_of_blocks_stays_short_however_long_a_uri_is() {
    let uri = format!("file:///{}", "é".repeat(100_000));
    let answer =
        format!(r#"{{"content":[{{"type":"resource","resource":{{"uri":"{uri}","text":"t"}}}}]}}"#);
    let run = run(&["parse"], answer);
    assert!(run.stdout.contains("éé…  1 byte"), "{run:?}");
    assert!(run.stdout.len() < 1000, "{run:?}");
}

#[test]
fn get_writes_one_value() {
    let call = r#"{"tool":{"name":"a","arguments":{"path":"x\ny","n":1.50,"no":null,"deep":{"list":[true]}}}}"#;
    for (args, expected) in [
        (&["/tool/name"][..], "a\n"),
        (&["/tool/arguments/path"], "x\ny\n"),
        (&["/tool/arguments/path", "--json"], "\"x\\ny\"\n"),
        (&["/tool/arguments/n"], "1.50\n"),
        (&["/tool/arguments/deep/list/0"], "true\n"),
        (&["/tool/arguments/no"], "null\n"),
        (&["/tool/arguments/no", "--default", "-1"], "-1\n"),
        (&["/tool/answers/x", "--default", ""], "\n"),
        (&["/tool/answers/x", "--default", "a", "--json"], "\"a\"\n"),
    ] {
        let args = [&["get"], args].concat();
        let got = run(&args, call);
        assert_eq!((got.stdout.as_str(), got.code), (expected, 0), "{args:?}");
    }
    assert_eq!(run(&["get", ""], "[1, 2]").stdout, "[1, 2]\n");
    let missing = run(&["get", "/tool/answers/x"], call);
    assert_eq!(missing.code, 1);
    assert!(
        missing
            .stderr
            .contains("there is no value at `/tool/answers/x`"),
        "{}",
        missing.stderr
    );
    let usage = run(&["get", "tool.name"], call);
    assert_eq!(usage.code, 2);
    assert!(
        usage.stderr.contains("not a JSON Pointer"),
        "{}",
        usage.stderr
    );
    let twice = run(&["get", "/a", "--json"], r#"{"a":1,"a":2}"#);
    assert_eq!(
        (twice.code, twice.json()["error"]["code"].as_str()),
        (1, Some("duplicate_name"))
    );
}
