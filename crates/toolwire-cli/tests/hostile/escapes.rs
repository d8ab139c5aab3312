//! Texts that would steer a terminal, through every way that text comes to one.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::Path;

use crate::common::Dir;
use crate::generate::{Random, for_a_while};
use crate::pty::Keys;
use crate::{oracle, pty};

/// What is tried. Parameters have four digits, so that they are told from what the command draws.
const PAYLOADS: &[(&str, &[u8])] = &[
    ("cursor", b"\x1b[4242;4242Hmoved\x1b[4242A"),
    ("clear", b"\x1b[2J\x1b[3J\x1b[4242J"),
    ("conceal", b"\x1b[8mhidden\x1b[4242m"),
    ("title", b"\x1b]0;owned\x07"),
    (
        "clipboard",
        b"\x1b]52;c;b3duZWQ=\x07\x1b]52;c;b3duZWQ=\x1b\\",
    ),
    (
        "link",
        b"\x1b]8;;http://evil.example\x1b\\safe\x1b]8;;\x1b\\",
    ),
    (
        "device",
        b"\x1bP4242;1|abc\x1b\\\x1b_app\x1b\\\x1b^pm\x1b\\\x1bXsos\x1b\\",
    ),
    ("reset", b"\x1bc\x1b#8\x1b(0\x1b7\x1b8\x1b="),
    (
        "c1",
        "\u{9b}4242A\u{9d}0;t\u{9c}\u{90}q\u{9c}\u{85}\u{8d}".as_bytes(),
    ),
    (
        "bidi",
        "\u{202e}exe\u{202c}\u{2066}a\u{2069}\u{200f}\u{061c}".as_bytes(),
    ),
    ("bell", b"\x07\x08\x08\x0b\x0c\x0e\x0f\x05\x7f"),
    ("overwrite", b"harmful\rharmless"),
    ("lines", b"one\ntoolwire: two\n\n\n"),
    (
        "combining",
        "a\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{489}".as_bytes(),
    ),
    (
        "invisible",
        "a\u{200b}\u{200d}\u{feff}\u{2060}\u{ad}\u{e0041}\u{fe0f}\u{3164}b".as_bytes(),
    ),
    ("separators", "a\u{2028}b\u{2029}c".as_bytes()),
    ("not_utf8", b"\x9b4242A\xff\xc2\xf0\x9f\xed\xa0\x80"),
];

/// One way of a text to a terminal: it sets the folder up and gives the command, or nothing where the
/// payload can't go that way.
type Way = fn(&Dir, &[u8]) -> Option<Vec<OsString>>;

/// The ways on which nobody is asked.
const WAYS: &[(&str, Way)] = &[
    ("file: parse", |dir, p| file(dir, p, &["parse"])),
    ("file: parse --json", |dir, p| {
        file(dir, p, &["parse", "--json"])
    }),
    ("file: validate", |dir, p| file(dir, p, &["validate"])),
    ("file: explain", |dir, p| file(dir, p, &["explain"])),
    ("file: format", |dir, p| file(dir, p, &["format"])),
    ("file: identify", |dir, p| file(dir, p, &["identify"])),
    ("file: canonicalize", |dir, p| {
        file(dir, p, &["canonicalize"])
    }),
    ("raw: parse", |dir, p| raw(dir, p, &["parse"])),
    ("raw: format", |dir, p| raw(dir, p, &["format"])),
    ("raw: explain", |dir, p| raw(dir, p, &["explain"])),
    ("broken: explain", |dir, p| broken(dir, p, &["explain"])),
    ("stderr of an output", |dir, p| {
        dir.file("err", p);
        dir.file("out", "");
        Some(words(&[
            "format",
            "--exit-status",
            "1",
            "--stderr",
            "err",
            "out",
        ]))
    }),
    ("file name", |dir, p| {
        let name = name(p)?;
        std::fs::write(dir.path().join(&name), "{\"content\":[1]}").ok()?;
        Some([words(&["validate"]), vec![name.clone(), name]].concat())
    }),
    ("missing file", |_, p| {
        Some([words(&["parse"]), vec![word(p)?]].concat())
    }),
    ("option", |_, p| {
        Some(vec!["parse".into(), joined(b"--", &word(p)?)])
    }),
    ("command", |_, p| Some(vec![word(p)?])),
    ("choice of an option", |_, p| {
        Some([words(&["parse", "--color"]), vec![word(p)?]].concat())
    }),
    ("uri", |_, p| {
        Some([words(&["identify", "--uri"]), vec![word(p)?]].concat())
    }),
    ("program", |_, p| {
        Some([words(&["run"]), vec![joined(b"./", &word(p)?)]].concat())
    }),
    ("name of a tool", |dir, p| {
        tool(dir, "");
        Some([words(&["run", "./tool"]), vec![word(p)?]].concat())
    }),
    ("name of an argument", |dir, p| {
        tool(dir, "");
        Some(
            [
                words(&["run", "./tool", "x"]),
                vec![joined(&word(p)?.into_vec(), OsStr::new("=1"))],
            ]
            .concat(),
        )
    }),
    ("argument", |dir, p| {
        tool(dir, "");
        Some(
            [
                words(&["run", "./tool", "x"]),
                vec![joined(b"n=", &word(p)?)],
            ]
            .concat(),
        )
    }),
    ("answer", |dir, p| {
        tool(dir, "");
        let answer = [words(&["run", "--answer"]), vec![word(p)?]].concat();
        Some([answer, words(&["./tool", "x"])].concat())
    }),
    ("working directory", |dir, p| {
        tool(dir, "");
        let folder = [words(&["run", "--cwd"]), vec![word(p)?]].concat();
        Some([folder, words(&["./tool"])].concat())
    }),
    ("assistant", |dir, p| {
        tool(dir, &question("true", "Sure?"));
        let assistant = [words(&["run", "--assistant"]), vec![word(p)?]].concat();
        Some([assistant, words(&["./tool", "x"])].concat())
    }),
    ("stdout of a program", |dir, p| {
        program(dir, "cat payload", p, &["run", "--plain", "./p"])
    }),
    ("stderr of a program", |dir, p| {
        program(dir, "cat payload >&2", p, &["run", "--plain", "./p"])
    }),
    ("stderr of a tool", |dir, p| {
        program(
            dir,
            "cat payload >&2; echo '{\"content\":[]}'",
            p,
            &["run", "./p"],
        )
    }),
    ("stderr of a tool that fails", |dir, p| {
        program(dir, "cat payload >&2; exit 3", p, &["run", "./p"])
    }),
    ("output of a tool", |dir, p| {
        program(dir, "cat payload", p, &["run", "./p"])
    }),
    ("description", |dir, p| {
        let text = json(p)?;
        let tools = format!(
            r#"{{"name":"x","description":{text},"inputSchema":{{"type":"object","properties":{{{text}:{{"type":"string","description":{text},"default":{text}}}}}}}}}"#
        );
        dir.tool("tool", &tools, "");
        Some(words(&["tools", "./tool"]))
    }),
    ("name in a description", |dir, p| {
        let tools = format!(
            r#"{{"name":{},"inputSchema":{{"type":"object"}}}}"#,
            json(p)?
        );
        dir.tool("tool", &tools, "");
        Some(words(&["run", "./tool", "y"]))
    }),
    ("answer of a tool", |dir, p| {
        let answer = dir.file("answer", envelope(p)?);
        tool(dir, &format!("cat {answer}; exit"));
        Some(words(&["run", "./tool", "x"]))
    }),
    ("question without a person", |dir, p| {
        let text = json(p)?;
        let asked =
            format!(r#"{{"id":{text},"text":{text},"schema":{{"enum":[{text}]}},"default":1}}"#);
        asks(dir, &asked);
        Some(words(&["run", "--non-interactive", "fail", "./tool", "x"]))
    }),
    ("key of a manifest", |dir, p| {
        manifest(
            dir,
            &format!("[tools.{}]\ncommand = [\"true\"]\n", toml(p)?),
            &["tools"],
        )
    }),
    ("unknown key of a manifest", |dir, p| {
        manifest(dir, &format!("[tools.x]\n{} = 1\n", toml(p)?), &["tools"])
    }),
    ("description in a manifest", |dir, p| {
        let text = toml(p)?;
        manifest(
            dir,
            &format!("[tools.x]\ncommand = [\"true\", {text}]\ndescription = {text}\n"),
            &["tools"],
        )
    }),
    ("command in a manifest", |dir, p| {
        manifest(
            dir,
            &format!("[tools.x]\ncommand = [{}]\n", toml(p)?),
            &["run", "x"],
        )
    }),
    ("name that no manifest has", |dir, p| {
        let made = manifest(dir, "[tools.x]\ncommand = [\"true\"]\n", &["run"])?;
        Some([made, vec![word(p)?]].concat())
    }),
    ("file of a manifest", |_, p| {
        Some([words(&["tools", "--manifest"]), vec![word(p)?]].concat())
    }),
];

/// What a tool asks, with the keys that end the prompt. `@` stands for the payload.
const QUESTIONS: &[(&str, &str, Keys<'static>)] = &[
    (
        "text of a question",
        r#"{"id":"q","text":"MARK @","schema":{"type":"boolean"}}"#,
        ESCAPE,
    ),
    (
        "id of a question",
        r#"{"id":@,"text":"MARK","schema":{"type":"boolean"}}"#,
        ESCAPE,
    ),
    (
        "choices",
        r#"{"id":"q","text":"MARK","schema":{"enum":[@,"b","c"]}}"#,
        ESCAPE,
    ),
    (
        "labels and descriptions",
        r#"{"id":"q","text":"MARK","schema":{"oneOf":[{"const":1,"title":@,"description":@},{"const":2,"title":"b"}]}}"#,
        ESCAPE,
    ),
    (
        "many choices",
        r#"{"id":"q","text":"MARK","schema":{"type":"array","items":{"enum":[@,"b"]}},"default":[@]}"#,
        ESCAPE,
    ),
    (
        "default of a text",
        r#"{"id":"q","text":"MARK","schema":{"type":"string"},"default":@}"#,
        ESCAPE,
    ),
    (
        "accepted default",
        r#"{"id":"q","text":"MARK","schema":{"type":"string"},"default":@}"#,
        &[("MARK", "\r")],
    ),
    (
        "pattern that does not fit",
        r#"{"id":"q","text":"MARK","schema":{"type":"string","pattern":@,"description":@}}"#,
        &[("MARK", "zzz\r"), ("zzz", "\x1b")],
    ),
];

const ESCAPE: Keys<'static> = &[("MARK", "\x1b")];

fn word(payload: &[u8]) -> Option<OsString> {
    (!payload.contains(&0)).then(|| OsString::from_vec(payload.to_vec()))
}

fn words(words: &[&str]) -> Vec<OsString> {
    words.iter().map(OsString::from).collect()
}

fn joined(head: &[u8], tail: &OsStr) -> OsString {
    OsString::from_vec([head, tail.as_bytes()].concat())
}

/// The payload as one name in a folder.
fn name(payload: &[u8]) -> Option<OsString> {
    let name = word(payload)?;
    let is_one = !payload.contains(&b'/') && payload.len() < 200;
    is_one.then_some(name)
}

fn text(payload: &[u8]) -> Option<&str> {
    std::str::from_utf8(payload).ok()
}

fn json(payload: &[u8]) -> Option<String> {
    text(payload).map(toolwire::json::string)
}

/// A string of TOML.
fn toml(payload: &[u8]) -> Option<String> {
    let text = text(payload)?;
    let escaped = text.chars().map(|c| format!("\\U{:08X}", u32::from(c)));
    Some(format!("\"{}\"", escaped.collect::<String>()))
}

/// An answer that has the payload wherever it can be.
fn envelope(payload: &[u8]) -> Option<String> {
    let p = json(payload)?;
    Some(format!(
        r#"{{"content":[{{"type":"text","text":{p},"annotations":{{"audience":[{p}],"lastModified":{p}}}}},{{"type":{p}}},
        {{"type":"resource","resource":{{"uri":{p},"text":{p},"mimeType":{p},"name":{p}}}}},
        {{"type":"resource_link","uri":{p},"name":{p},"description":{p}}},
        {{"type":"image","data":"AAAA","mimeType":{p}}},{{"type":"text"}}],
        "structuredContent":{{{p}:{p}}},"isError":true,{p}:9007199254740993,
        "_meta":{{"computer.jp/error":{{"trace":[{p}]}},"computer.jp/status":{p},{p}:{p}}}}}"#
    ))
}

fn file(dir: &Dir, payload: &[u8], command: &[&str]) -> Option<Vec<OsString>> {
    dir.file("file", envelope(payload)?);
    Some([words(command), words(&["file"])].concat())
}

fn raw(dir: &Dir, payload: &[u8], command: &[&str]) -> Option<Vec<OsString>> {
    dir.file("file", payload);
    Some([words(command), words(&["file"])].concat())
}

fn broken(dir: &Dir, payload: &[u8], command: &[&str]) -> Option<Vec<OsString>> {
    dir.file(
        "file",
        [b"{\"content\":[{\"", payload, b"\" : ", payload].concat(),
    );
    Some([words(command), words(&["file"])].concat())
}

fn program(dir: &Dir, script: &str, payload: &[u8], command: &[&str]) -> Option<Vec<OsString>> {
    dir.file("payload", payload);
    dir.program("p", script);
    Some(words(command))
}

fn manifest(dir: &Dir, text: &str, command: &[&str]) -> Option<Vec<OsString>> {
    dir.file("toolwire.toml", text);
    Some(words(command))
}

const X: &str = r#"{"name":"x","inputSchema":{"type":"object","additionalProperties":false,"properties":{"n":{"type":"integer"}}}}"#;

fn tool(dir: &Dir, before: &str) {
    dir.tool("tool", X, before);
}

fn question(schema: &str, text: &str) -> String {
    let asked = format!(r#"{{"id":"q","text":"{text}","schema":{{"const":{schema}}}}}"#);
    format!(r#"printf '%s' '{{"content":[{{"type":"question","question":{asked}}}]}}'; exit"#)
}

/// A tool that asks this, again and again.
fn asks(dir: &Dir, question: &str) {
    let answer = format!(r#"{{"content":[{{"type":"question","question":{question}}}]}}"#);
    let file = dir.file("question", answer);
    tool(dir, &format!("cat {file}; exit"));
}

fn hold(
    way: &str,
    payload: (&str, &[u8]),
    folder: &Path,
    args: &[OsString],
    keys: Keys<'_>,
) -> Option<String> {
    let seen = pty::run(folder, args, keys);
    let wrong = oracle::check(&seen, payload.1).err()?;
    Some(format!(
        "{way}, {}: {wrong} in {:?}",
        payload.0,
        String::from_utf8_lossy(&seen)
    ))
}

fn try_way(way: &str, make: Way, payload: (&str, &[u8])) -> Option<String> {
    let dir = Dir::new();
    let args = make(&dir, payload.1)?;
    hold(way, payload, dir.path(), &args, &[])
}

fn try_question(way: &str, asked: &str, keys: Keys<'_>, payload: (&str, &[u8])) -> Option<String> {
    let dir = Dir::new();
    let string = json(payload.1)?;
    let asked = asked
        .replace("MARK @", &format!("MARK {}", string.trim_matches('"')))
        .replace('@', &string);
    asks(&dir, &asked);
    hold(
        way,
        payload,
        dir.path(),
        &words(&["run", "./tool", "x"]),
        keys,
    )
}

fn nothing_broke_through(wrong: &[String]) {
    assert!(
        wrong.is_empty(),
        "{} tries broke through:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn nothing_reaches_a_terminal_that_would_steer_it() {
    let tries = WAYS
        .iter()
        .flat_map(|way| PAYLOADS.iter().map(move |payload| (way, payload)));
    let wrong: Vec<String> = tries
        .filter_map(|((way, make), payload)| try_way(way, *make, *payload))
        .collect();
    nothing_broke_through(&wrong);
}

#[test]
fn no_question_steers_the_terminal() {
    // A prompt takes time, so here all go together; a line end ends a word of some, so it goes alone.
    let of = |names: &dyn Fn(&str) -> bool| -> Vec<u8> {
        let some = PAYLOADS.iter().filter(|(name, _)| names(name));
        some.flat_map(|(_, payload)| payload.to_vec()).collect()
    };
    let together = of(&|name| !matches!(name, "not_utf8" | "lines" | "overwrite"));
    let alone = of(&|name| matches!(name, "lines" | "overwrite"));
    let tries = [("all together", &together[..]), ("line ends", &alone)];
    let tries = QUESTIONS
        .iter()
        .flat_map(|asked| tries.map(|payload| (asked, payload)));
    let wrong: Vec<String> = tries
        .filter_map(|((way, asked, keys), payload)| try_question(way, asked, keys, payload))
        .collect();
    nothing_broke_through(&wrong);
}

/// Pieces of payloads in any order.
fn generated(random: &mut Random) -> Vec<u8> {
    let mut payload = Vec::new();
    for _ in 0..=random.below(6) {
        let (_, piece) = PAYLOADS[random.below(PAYLOADS.len())];
        let (a, b) = (random.below(piece.len() + 1), random.below(piece.len() + 1));
        payload.extend_from_slice(&piece[a.min(b)..a.max(b)]);
        payload.extend(
            random
                .pick(&["", "\u{1b}", "\u{9b}", "[4242", "\r", "x", "é", "\u{301}"])
                .bytes(),
        );
    }
    payload
}

#[test]
fn generated_payloads_do_not_either() {
    for_a_while(|random| {
        let payload = generated(random);
        let payload = ("generated", &payload[..]);
        let wrong = if random.below(3) == 0 {
            let (way, asked, keys) = QUESTIONS[random.below(QUESTIONS.len())];
            try_question(way, asked, keys, payload)
        } else {
            let (way, make) = WAYS[random.below(WAYS.len())];
            try_way(way, make, payload)
        };
        assert_eq!(wrong, None, "{payload:?}");
    });
}

/// A way on which nothing comes to the terminal would hold whatever is tried.
#[test]
fn every_way_leads_to_the_terminal() {
    let marker = b"m4rk3r";
    let shown = |seen: &[u8]| seen.windows(marker.len()).any(|window| window == marker);
    for (way, make) in WAYS {
        let dir = Dir::new();
        let args = make(&dir, marker).unwrap();
        let seen = pty::run(dir.path(), &args, &[]);
        assert!(shown(&seen), "{way}: {}", String::from_utf8_lossy(&seen));
    }
    for (way, asked, keys) in QUESTIONS {
        let dir = Dir::new();
        asks(
            &dir,
            &asked
                .replace("MARK @", "MARK m4rk3r")
                .replace('@', "\"m4rk3r\""),
        );
        let seen = pty::run(dir.path(), &words(&["run", "./tool", "x"]), keys);
        assert!(shown(&seen), "{way}: {}", String::from_utf8_lossy(&seen));
    }
}
