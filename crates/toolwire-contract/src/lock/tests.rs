use toolwire::{Code, Json};

use super::*;
use crate::diff::Verdict;

fn json(text: &str) -> Json {
    Json::new(text).expect("JSON")
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

fn tool(name: &str, description: &str) -> String {
    format!(
        r#"{{"name":"{name}","description":"{description}","inputSchema":{{"type":"object"}}}}"#
    )
}

/// A source with a launch and some tools.
fn seen(launch: &str, tools: &[String]) -> String {
    format!(r#"{{"launch":{launch},"tools":[{}]}}"#, tools.join(","))
}

const LAUNCH: &str =
    r#"{"transport":"stdio","launcher":"uvx","package":"clock","version":"1.0.0"}"#;

fn locked() -> Lock {
    let mut lock = Lock::default();
    let now = seen(
        LAUNCH,
        &[tool("now", "The time."), tool("zone", "The zone.")],
    );
    update_lock(&mut lock, "clock", &json(&now)).expect("a lock");
    lock
}

fn check(lock: &Lock, now: &str) -> SourceReport {
    let now = json(&format!(r#"{{"sources":{{"clock":{now}}}}}"#));
    let mut report = check_lock(lock, &now, &CheckOptions::default()).expect("a report");
    report.sources.remove(0)
}

#[test]
fn what_is_written_is_read_again_and_has_the_same_bytes() {
    let mut lock = locked();
    let strange = r#"{"instructions":"a\u200b\u202eb","tools":[{"name":"n","inputSchema":
        {"maximum":123456789012345678901234567890,"x":1.50,"$defs":{"\uffff":{},"\ud83d\ude00":{}}}}]}"#;
    update_lock(&mut lock, "strange", &json(strange)).expect("a lock");
    let text = write_lock(&lock).expect("a text");
    let read = read_lock(&text).expect("a lock");
    assert_eq!((&read.lock, &read.diagnostics[..]), (&lock, &[][..]));
    assert_eq!(write_lock(&read.lock).as_ref(), Ok(&text));
    assert!(text.contains(r#""text": "a\u200b\u202eb""#), "{text}");
    assert!(
        text.contains("\"maximum\": 123456789012345678901234567890"),
        "{text}"
    );
    assert!(text.contains("\"x\": 1.5"), "{text}");
    // By UTF-16 units, as everywhere.
    assert!(text.find("😀") < text.find('\u{ffff}'), "{text}");
}

#[test]
fn members_of_others_are_kept() {
    let text = write_lock(&locked()).expect("a text");
    let text = text
        .replacen(
            "\"launch\": {",
            "\"mine\": [1, {\"a\": 2}], \"launch\": {\"built\": \"x\",",
            1,
        )
        .replacen(
            "\"fingerprints\"",
            "\"reviewed\": true, \"fingerprints\"",
            1,
        );
    let read = read_lock(&text).expect("a lock");
    let pointers: Vec<&str> = read
        .diagnostics
        .iter()
        .map(|one| one.pointer.as_str())
        .collect();
    assert_eq!(
        pointers,
        [
            "/sources/clock/mine",
            "/sources/clock/launch/built",
            "/sources/clock/tools/now/reviewed",
        ]
    );
    assert!(
        read.diagnostics
            .iter()
            .all(|one| one.code == Code::UnknownLockMember)
    );
    let mut lock = read.lock;
    update_lock(&mut lock, "clock", &json(&seen("{}", &[tool("now", "x")]))).expect("a lock");
    let again = write_lock(&lock).expect("a text");
    assert!(
        again.contains("\"mine\": [") && again.contains("\"reviewed\": true"),
        "{again}"
    );
}

#[test]
fn no_more_than_a_hundred_warnings_are_kept() {
    let with = |count: usize| {
        let members: String = (0..count).map(|at| format!(r#","x{at}":1"#)).collect();
        let read = read_lock(&format!(r#"{{"lockVersion":1,"sources":{{}}{members}}}"#));
        read.expect("a lock").diagnostics.len()
    };
    assert_eq!((with(100), with(101)), (100, 100));
}

#[test]
fn what_is_no_lock_is_refused_with_its_place() {
    let digest = format!("sha256:{}", "0".repeat(64));
    let entry = |digest: &str, name: &str| {
        format!(
            r#"{{"lockVersion":1,"sources":{{"s":{{"tools":{{"t":{{"fingerprints":{{"contract":"{digest}","text":"{digest}","safety":"{digest}"}},"tool":{{"name":"{name}"}}}}}}}}}}}}"#
        )
    };
    assert!(read_lock(&entry(&digest, "t")).is_ok());
    for (text, code, pointer) in [
        ("", Code::EmptyOutput, ""),
        ("[]", Code::BadLock, ""),
        ("{}", Code::BadLock, "/lockVersion"),
        (
            r#"{"lockVersion":"1","sources":{}}"#,
            Code::BadLock,
            "/lockVersion",
        ),
        (
            r#"{"lockVersion":0,"sources":{}}"#,
            Code::BadLock,
            "/lockVersion",
        ),
        (
            r#"{"lockVersion":2,"sources":[]}"#,
            Code::NewerLock,
            "/lockVersion",
        ),
        (r#"{"lockVersion":1}"#, Code::BadLock, "/sources"),
        (
            r#"{"lockVersion":1,"sources":[]}"#,
            Code::BadLock,
            "/sources",
        ),
        (
            r#"{"lockVersion":1,"sources":{"s":{}}}"#,
            Code::BadLock,
            "/sources/s/tools",
        ),
        (
            r#"{"lockVersion":1,"sources":{"s":{"tools":{}},"s":{"tools":{}}}}"#,
            Code::DuplicateName,
            "",
        ),
        (
            r#"{"lockVersion":1,"sources":{"s":{"launch":{"version":1},"tools":{}}}}"#,
            Code::BadLock,
            "/sources/s/launch/version",
        ),
        (
            r#"{"lockVersion":1,"sources":{"s":{"launch":{"with":["a",1]},"tools":{}}}}"#,
            Code::BadLock,
            "/sources/s/launch/with/1",
        ),
        (
            r#"{"lockVersion":1,"sources":{"s":{"instructions":{"text":"a","digest":"sha256:0"},"tools":{}}}}"#,
            Code::BadLock,
            "/sources/s/instructions/digest",
        ),
        (
            &entry(&digest.to_uppercase(), "t"),
            Code::BadLock,
            "/sources/s/tools/t/fingerprints/contract",
        ),
        (
            &entry(&digest, "u"),
            Code::BadLock,
            "/sources/s/tools/t/tool/name",
        ),
    ] {
        let error = read_lock(text).expect_err(text);
        assert_eq!((error.code(), error.pointer()), (code, pointer), "{text}");
    }
}

#[test]
fn a_tool_is_locked_only_if_the_lock_can_be_read_again() {
    let nested = |depth: usize| {
        let schema = format!("{}{{}}{}", r#"{"not":"#.repeat(depth), "}".repeat(depth));
        let now = json(&format!(
            r#"{{"tools":[{{"name":"t","inputSchema":{schema}}}]}}"#
        ));
        let mut lock = Lock::default();
        update_lock(&mut lock, "s", &now).map(|()| lock)
    };
    // The tool, its schema and what is in it.
    let lock = nested(118).expect("a lock");
    assert!(read_lock(&write_lock(&lock).expect("a text")).is_ok());
    let error = nested(119).unwrap_err();
    assert_eq!(
        (error.code(), error.pointer()),
        (Code::LimitDepth, "/tools/0")
    );
}

#[test]
fn nothing_has_changed() {
    let lock = locked();
    let now = seen(
        LAUNCH,
        &[tool("zone", "The zone."), tool("now", "The time.")],
    );
    let report = check(&lock, &now);
    assert_eq!(
        (report.state, report.verdict, report.same),
        (State::Same, Verdict::Same, 2)
    );
    assert_eq!(report.tools, []);
}

#[test]
fn tools_come_go_and_change() {
    let now = seen(
        LAUNCH,
        &[tool("now", "The time.\u{200b}"), tool("date", "The date.")],
    );
    let report = check(&locked(), &now);
    let tools: Vec<_> = report
        .tools
        .iter()
        .map(|tool| (tool.name.as_str(), tool.state))
        .collect();
    assert_eq!(
        tools,
        [
            ("date", State::Added),
            ("now", State::Changed),
            ("zone", State::Removed)
        ]
    );
    assert_eq!(
        (report.state, report.verdict),
        (State::Changed, Verdict::Breaking)
    );
    assert_eq!(report.tools[1].fingerprints, ["text"]);
    assert_eq!(report.tools[1].hidden[0].pointer, "/description");
}

#[test]
fn launch_facts_have_their_verdicts() {
    let lock = locked();
    let with = |launch: &str| {
        let report = check(&lock, &format!(r#"{{"launch":{launch}}}"#));
        let changes = report.launch_changes.into_iter();
        let members = changes.map(|change| change.member).collect::<Vec<_>>();
        (report.verdict, members.join(" "))
    };
    assert_eq!(with(LAUNCH), (Verdict::Same, String::new()));
    assert_eq!(
        with(&LAUNCH.replace("1.0.0", "1.0.1")),
        (Verdict::Behaviour, "version".to_owned())
    );
    assert_eq!(
        with(&LAUNCH.replace("clock", "c1ock")),
        (Verdict::Safety, "package".to_owned())
    );
    assert_eq!(
        with(&LAUNCH.replace("stdio", "http")),
        (Verdict::Safety, "transport".to_owned())
    );
    let with_integrity = LAUNCH.replace("\"1.0.0\"", "\"1.0.0\",\"integrity\":\"sha512-B\"");
    assert_eq!(
        with(&with_integrity),
        (Verdict::Safety, "integrity".to_owned())
    );
    let both = with_integrity.replace("1.0.0", "1.0.1");
    assert_eq!(
        with(&both),
        (Verdict::Behaviour, "version integrity".to_owned())
    );
    let more = LAUNCH.replace('}', r#","arguments":["-v"],"environment":["B=2","A=1"]}"#);
    assert_eq!(
        with(&more),
        (Verdict::Behaviour, "arguments environment".to_owned())
    );
    // The tools are compared with the launch facts of the lock.
    let now = seen(
        &LAUNCH.replace("clock", "c1ock"),
        &[tool("now", "The time."), tool("zone", "The zone.")],
    );
    let report = check(&lock, &now);
    assert_eq!(
        (report.verdict, report.same, report.tools.len()),
        (Verdict::Safety, 2, 0)
    );
}

#[test]
fn instructions_are_compared_word_by_word() {
    let mut lock = Lock::default();
    let with = |text: &str| format!(r#"{{"launch":{{}},"instructions":{text},"tools":[]}}"#);
    update_lock(&mut lock, "clock", &json(&with(r#""Ask for the time.""#))).expect("a lock");
    let report = check(&lock, &with(r#""Ask for the\u200b keys.""#));
    assert_eq!(
        (report.instructions, report.verdict),
        (State::Changed, Verdict::Text)
    );
    assert_eq!(
        report.instructions_diff.expect("a difference").to_string(),
        "Ask for the[- time-]{+<U+200B ZERO WIDTH SPACE> keys+}."
    );
    assert_eq!(check(&lock, &with("null")).instructions, State::Removed);
    // A server that gives tools and no instructions has none.
    assert_eq!(check(&lock, r#"{"tools":[]}"#).instructions, State::Removed);
    update_lock(&mut lock, "clock", &json(&with("null"))).expect("a lock");
    assert_eq!(check(&lock, &with("\"x\"")).instructions, State::Added);
    assert_eq!(check(&lock, &with("null")).state, State::Same);
}

#[test]
fn what_nobody_looked_at_is_not_verified() {
    let lock = locked();
    let report = check(&lock, &format!(r#"{{"launch":{LAUNCH}}}"#));
    assert_eq!(
        (report.state, report.launch, report.not_verified),
        (State::NotVerified, State::Same, 2)
    );
    let now = json(&format!(
        r#"{{"sources":{{"clock":{},"new":{{"tools":[]}},"gone":null}}}}"#,
        seen(LAUNCH, &[])
    ));
    let offline = CheckOptions {
        offline: true,
        ..CheckOptions::default()
    };
    let report = check_lock(&lock, &now, &offline).expect("a report");
    assert!(!report.is_verified);
    assert_eq!(
        (report.sources[0].state, report.sources[0].not_verified),
        (State::NotVerified, 2)
    );
    assert_eq!(
        (report.sources[1].name.as_str(), report.sources[1].state),
        ("new", State::Added)
    );
    assert_eq!(report.sources.len(), 2);
    // A source that is not named was not looked at; one that is null is gone.
    let report =
        check_lock(&lock, &json(r#"{"sources":{}}"#), &CheckOptions::default()).expect("a report");
    assert_eq!(
        (report.sources[0].state, report.verdict),
        (State::NotVerified, Verdict::Same)
    );
    let report = check_lock(
        &lock,
        &json(r#"{"sources":{"clock":null}}"#),
        &CheckOptions::default(),
    )
    .expect("a report");
    assert_eq!(
        (report.sources[0].state, report.verdict, report.is_verified),
        (State::Removed, Verdict::Breaking, true)
    );
}

#[test]
fn fingerprints_of_another_version_are_no_change() {
    let mut lock = locked();
    let source = lock.sources.get_mut("clock").expect("a source");
    let tool = source.tools.get_mut("now").expect("a tool");
    tool.fingerprints.contract = format!("sha256:{}", "0".repeat(64));
    assert!(!tool.is_consistent(&source.launch));
    let now = seen(
        LAUNCH,
        &[
            self::tool("now", "The time."),
            self::tool("zone", "The zone."),
        ],
    );
    assert_eq!(check(&lock, &now).state, State::Same);
}

#[test]
fn wrong_sources_are_refused_with_their_place() {
    let lock = locked();
    for (now, pointer) in [
        ("[]", "/sources"),
        (r#"{"sources":{"a/b":1}}"#, "/sources/a~1b"),
        (
            r#"{"sources":{"clock":{"tools":{}}}}"#,
            "/sources/clock/tools",
        ),
        (
            r#"{"sources":{"clock":{"instructions":1}}}"#,
            "/sources/clock/instructions",
        ),
        (
            r#"{"sources":{"clock":{"launch":{"with":1}}}}"#,
            "/sources/clock/launch/with",
        ),
    ] {
        let error = check_lock(&lock, &json(now), &CheckOptions::default()).unwrap_err();
        assert_eq!(
            (error.code(), error.pointer()),
            (Code::BadArgument, pointer),
            "{now}"
        );
    }
}

#[test]
fn credentials_never_enter_a_lock() {
    for (given, kept) in [
        (
            &["run", "--port", "80", "-v", "./server.py"][..],
            &["run", "--port", "80", "-v", "./server.py"][..],
        ),
        (&["--token=abc"], &["--token=***"]),
        (&["--api-key", "abc"], &["--api-key", "***"]),
        (&["--password", "--verbose"], &["--password", "--verbose"]),
        (&["--token", "${TOKEN}"], &["--token", "${TOKEN}"]),
        (&["--token", "${TOKEN:-abc}"], &["--token", "***"]),
        (&["TOKEN=abc", "NAME=me"], &["TOKEN=***", "NAME=me"]),
        (
            &["-e", "NAME=me", "-e", "NAME", "-eNAME=me"],
            &["-e", "NAME=***", "-e", "NAME", "-eNAME=***"],
        ),
        (
            &[
                "-endpoint=https://h/",
                "-url=https://h/",
                "-unit:x",
                "-HX-Team: red",
            ],
            &[
                "-endpoint=https://h/",
                "-url=https://h/",
                "-unit:***",
                "-HX-Team: ***",
            ],
        ),
        (&["--env=NAME=me"], &["--env=NAME=***"]),
        (
            &["-H", "X-Team: red", "--header=Accept: a/b"],
            &["-H", "X-Team: ***", "--header=Accept: ***"],
        ),
        (
            &["-u", "me:pw", "-ume:pw", "--user=me"],
            &["-u", "me:***", "-ume:***", "--user=me"],
        ),
        (
            &["postgresql://me:pw@db.example:5432/x"],
            &["postgresql://***@db.example:5432/x"],
        ),
        (
            &["--url=https://h/a?api_key=k&q=1#token=t"],
            &["--url=https://h/a?api_key=***&q=1#token=***"],
        ),
        (
            &["https://h/?q=${X}&access_token=${T}"],
            &["https://h/?q=${X}&access_token=${T}"],
        ),
        (
            &["https://h/hook/T00000000/Zm9vYmFyYmF6cXV4MTIzNA/x"],
            &["https://h/hook/T00000000/***/x"],
        ),
        (&["ghp_abc", "sk-ant-abc", "x"], &["***", "***", "x"]),
        (&["aB3dE5gH7jK9mN1pQ3sT"], &["***"]),
        (&["0123456789abcdef0123456789abcdef"], &["***"]),
        (
            &["@upstash/context7-mcp@1.0.14", "biomcp-python==0.6.1"],
            &["@upstash/context7-mcp@1.0.14", "biomcp-python==0.6.1"],
        ),
        (
            &["git+https://github.com/a/b@0123456789abcdef0123456789abcdef01234567"],
            &["git+https://github.com/a/b@0123456789abcdef0123456789abcdef01234567"],
        ),
        (
            &["C:\\Users\\Me2\\AppData\\Local\\server.exe", "--", "=", ""],
            &["C:\\Users\\Me2\\AppData\\Local\\server.exe", "--", "=", ""],
        ),
    ] {
        assert_eq!(without_credentials(&words(given)), words(kept), "{given:?}");
    }
    // Also where a caller did not take care.
    let now = r#"{"launch":{"arguments":["--token","hunter2"],"environment":["A=hunter2"],"headers":["X: hunter2"],
        "origin":"https://me:hunter2@h","package":"git+https://hunter2@h/a","with":["a @ https://hunter2@h/a"]},"tools":[]}"#;
    let mut lock = Lock::default();
    update_lock(&mut lock, "s", &json(now)).expect("a lock");
    assert!(!write_lock(&lock).expect("a text").contains("hunter2"));
}
