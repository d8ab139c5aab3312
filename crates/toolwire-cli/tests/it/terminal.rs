//! What only a terminal gets, seen through a pseudo-terminal.

use crate::common::{self, Dir, RENAME, VALID, WARNING, on_terminal, run, run_command};

/// Whether there is an escape sequence in it.
fn colored(text: &str) -> bool {
    text.contains('\x1b')
}

#[test]
fn colour_is_for_terminals_unless_told_otherwise() {
    let dir = Dir::new();
    let file = dir.file("w.json", WARNING);
    for command in ["parse", "validate", "explain"] {
        let script = format!("toolwire {command} {file}");
        assert!(colored(&on_terminal(&script, &[])), "{command}");
        assert!(
            !colored(&on_terminal(&script, &[("NO_COLOR", "1")])),
            "{command}"
        );
        assert!(
            !colored(&on_terminal(&script, &[("TERM", "dumb")])),
            "{command}"
        );
        assert!(
            colored(&on_terminal(&script, &[("NO_COLOR", "")])),
            "{command}"
        );
        let never = format!("toolwire --color never {command} {file}");
        assert!(
            !colored(&on_terminal(&never, &[("CLICOLOR_FORCE", "1")])),
            "{command}"
        );

        assert!(!colored(&run(&[command, &file], "").stdout), "{command}");
        assert!(
            colored(&run(&[command, "--color", "always", &file], "").stdout),
            "{command}"
        );
        for (force, no_color, expected) in [
            ("1", None, true),
            ("0", None, false),
            ("", None, false),
            ("1", Some("1"), false),
        ] {
            let mut command = common::command(&[command, &file]);
            command.env("CLICOLOR_FORCE", force);
            command.envs(no_color.map(|value| ("NO_COLOR", value)));
            let run = run_command(command, b"");
            assert_eq!(colored(&run.stdout), expected, "{force:?} {no_color:?}");
        }
    }
}

#[test]
fn help_is_coloured_by_the_same_rules() {
    assert!(colored(&on_terminal("toolwire --help", &[])));
    assert!(!colored(&on_terminal(
        "toolwire --help",
        &[("NO_COLOR", "1")]
    )));
    assert!(!colored(&on_terminal("toolwire --color never --help", &[])));
    assert!(colored(&run(&["--color=always", "--help"], "").stdout));
}

/// Everything that a hostile tool may try: colours that hide, the title, the clipboard, the cursor,
/// bidi overrides, invisible characters and C1 controls, in each place that is shown.
#[test]
fn nothing_of_the_input_steers_the_terminal() {
    let evil =
        "\\u001b[2J\\u001b]0;title\\u0007\\u001b]52;c;aGk=\\u0007\\u009b31m\\u202egnp\\u200b\\r\\b";
    let envelope = format!(
        r#"{{"content":[
            {{"type":"text","text":"{evil}"}},
            {{"type":"{evil}"}},
            {{"type":"resource","resource":{{"uri":"x:{evil}","text":"t"}}}},
            {{"type":"resource","resource":{{"uri":"x:y","mimeType":"{evil}","text":"{evil}","name":"{evil}"}}}},
            {{"type":"question","question":{{"id":"{evil}","text":"{evil}","schema":{{}}}}}},
            {{"type":"image","data":"AAAA","mimeType":"{evil}"}}
        ],"structuredContent":{{"{evil}":1}},"isError":true,
        "_meta":{{"computer.jp/error":{{"trace":["{evil}"]}},"{evil}":"{evil}"}}}}"#
    );
    // The same characters unescaped, as raw text and inside of a string, where JSON allows them.
    let unescaped = "\u{1b}[2J\u{1b}]0;title\u{7}\u{9b}31m\u{202e}gnp\u{200b}\r\u{8}";
    let in_string = "{\"content\":[],\"x\":\"\u{9b}31m\u{202e}gnp\u{200b}\u{7f}\"}";
    let dir = Dir::new();
    let files = [
        dir.file("escaped.json", &envelope),
        dir.file("raw.txt", unescaped),
        dir.file("string.json", in_string),
        dir.file("broken.json", format!("{{\"content\": [{unescaped}")),
    ];
    let line = dir.file("log.ndjson", envelope.replace('\n', " "));
    let mut commands = Vec::new();
    for file in &files {
        for command in [
            "parse",
            "parse --json",
            "validate",
            "validate --json",
            "canonicalize",
            "canonicalize --json",
            "canonicalize --digest",
            "format",
            "format --for terminal",
            "format --style xml --header",
            "format --json",
            "explain",
            "explain --json",
            "identify",
            "identify --json",
        ] {
            commands.push(format!("toolwire {command} {file}"));
        }
    }
    for command in [
        "parse",
        "validate",
        "canonicalize",
        "canonicalize --digest",
        "identify",
    ] {
        commands.push(format!("toolwire {command} --lines {line}"));
        commands.push(format!("toolwire {command} --lines --json {line}"));
    }
    commands.push("toolwire identify --uri \"$(printf 'x:\\033[2J')\"".to_owned());
    commands.push("toolwire identify --uri --json \"$(printf 'x:\\033[2J')\"".to_owned());
    commands.push("toolwire parse \"$(printf 'no\\033[2Jfile')\"".to_owned());
    for script in commands {
        let seen = on_terminal(&script, &[("NO_COLOR", "1")]);
        // The terminal itself writes each line end as two characters.
        let seen = seen.replace("\r\n", "\n");
        let risky: Vec<char> = seen
            .chars()
            .filter(|c| {
                c.is_control() && !matches!(c, '\n' | '\t') || "\u{202e}\u{200b}".contains(*c)
            })
            .collect();
        assert!(risky.is_empty(), "{script}: {risky:?} in {seen:?}");
        assert_eq!(
            seen.contains("no such file"),
            script.ends_with("file')\""),
            "{script}: {seen}"
        );
    }
}

/// A usage error may quote a file's name, which `*` took from a folder that a tool wrote to.
#[test]
fn usage_errors_do_not_steer_the_terminal() {
    let evil = "$(printf 'x\\033]0;title\\007\\033[2J\\342\\200\\256')";
    for arguments in [
        format!("format a \"{evil}\""),
        format!("canonicalize a \"{evil}\""),
        format!("completions bash \"{evil}\""),
        format!("parse --max-input \"{evil}\""),
        format!("\"{evil}\""),
        format!("parse \"--{evil}\""),
    ] {
        for env in [&[][..], &[("NO_COLOR", "1")]] {
            let seen = on_terminal(&format!("toolwire {arguments}"), env);
            assert!(seen.contains("error:"), "{seen}");
            assert_eq!(seen.contains("\x1b[1m"), env.is_empty(), "{seen:?}");
            for risky in ["\x1b]", "\x07", "\x1b[2J", "\u{202e}"] {
                assert!(!seen.contains(risky), "{arguments}: {risky:?} in {seen:?}");
            }
        }
    }
}

#[test]
fn json_on_a_terminal_is_the_same_value() {
    let dir = Dir::new();
    let file = dir.file("s.json", "[\"\u{9b}\u{202e}\u{7f}\u{e0041}é\"]");
    let seen = on_terminal(&format!("toolwire canonicalize {file}"), &[]);
    assert_eq!(seen, "[\"\\u009b\\u202e\\u007f\\udb40\\udc41é\"]\r\n");
}

#[test]
fn slow_logs_have_a_progress_bar_on_a_terminal_only() {
    let dir = Dir::new();
    let log = dir.file("log.ndjson", format!("{VALID}\n").repeat(30_000));
    let out = dir.path().join("out.txt");
    let (slow, out) = (format!("(cat {log}; sleep 0.5; cat {log})"), out.display());
    let bar = |text: &str| text.contains("MiB/s");

    let alone = on_terminal(&format!("{slow} | toolwire parse --lines --summary"), &[]);
    assert!(bar(&alone), "no bar: {alone:?}");
    assert!(alone.contains("60000 lines: 60000 valid"), "{alone:?}");
    // The lines go elsewhere, so the bar may be drawn.
    assert!(bar(&on_terminal(
        &format!("{slow} | toolwire canonicalize --digest --lines > {out}"),
        &[]
    )));
    // Lines on the same terminal, no terminal, or nothing to wait for: no bar.
    assert!(!bar(&on_terminal(
        &format!("{slow} | toolwire canonicalize --digest --lines"),
        &[]
    )));
    assert!(!bar(&on_terminal(
        "echo '[]' | toolwire canonicalize --digest --lines --summary",
        &[]
    )));
    let piped = format!("{slow} | toolwire parse --lines --summary 2>&1 >/dev/null | cat");
    assert!(!bar(&on_terminal(&piped, &[])));
}

/// Of a file the size is known. How long it takes is not, so only the slower build is sure to show it.
#[cfg(debug_assertions)]
#[test]
fn the_bar_of_a_file_tells_how_much_is_left() {
    let dir = Dir::new();
    let log = dir.file("log.ndjson", format!("{VALID}\n").repeat(2_000_000));
    let seen = on_terminal(&format!("toolwire parse --lines --summary {log}"), &[]);
    assert!(seen.contains("MiB of 85.83 MiB"), "no bar: {seen:?}");
}

#[test]
fn what_is_typed_is_invited() {
    let dir = Dir::new();
    let seen = on_terminal("toolwire parse < /dev/tty & sleep 5; kill $!", &[]);
    assert!(seen.contains("end with Ctrl-D"), "{seen:?}");
    dir.tool("tool.sh", RENAME, "");
    let serve = format!(
        "cd {}; toolwire serve ./tool.sh < /dev/tty & sleep 5; kill $!",
        dir.path().display()
    );
    let seen = on_terminal(&serve, &[]);
    assert!(seen.contains("an MCP client starts this"), "{seen:?}");
}
