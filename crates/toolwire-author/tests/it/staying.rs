//! A program that stays, as a host sees it: a process with lines on its stdin and stdout, written by hand.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};

const HELLO: &str = r#"{"type":"hello","toolwire":1,"versions":[1],"maxLine":67108864}"#;

fn program() -> Command {
    let mut path: PathBuf = std::env::current_exe().unwrap();
    path.pop();
    path.pop();
    path.push("examples");
    path.push(format!("staying{}", std::env::consts::EXE_SUFFIX));
    let mut command = Command::new(path);
    command
        .env_remove("TOOLWIRE_RESULT")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    command
}

/// A host that writes lines by hand. What it has started ends with it.
struct Host {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
}

impl Host {
    fn start() -> Self {
        Host::greeting(HELLO)
    }

    fn greeting(hello: &str) -> Self {
        let mut host = Host::silent();
        host.say(hello);
        let greeted = r#"{"type":"hello","toolwire":1,"version":1,"calls":1,"maxLine":67108864}"#;
        assert_eq!(host.hear(), greeted);
        host
    }

    fn silent() -> Self {
        let mut command = program();
        let mut child = command
            .env("TOOLWIRE_CALL", "lines")
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        Host {
            stdin: child.stdin.take(),
            stdout: BufReader::new(child.stdout.take().unwrap()),
            child,
        }
    }

    /// A host that has begun a session.
    fn session(tool: &str, arguments: &str) -> Self {
        let mut host = Host::start();
        host.call(1, tool, arguments, r#","session":true"#);
        host
    }

    fn say(&mut self, line: &str) {
        self.stdin
            .as_mut()
            .unwrap()
            .write_all(format!("{line}\n").as_bytes())
            .unwrap();
    }

    fn call(&mut self, number: u32, tool: &str, arguments: &str, rest: &str) {
        self.say(&format!(
            r#"{{"type":"call","call":{number},"document":{{"tool":{{"name":"{tool}","arguments":{arguments}}},"context":{{"action":"run","root":"/project"}}}}{rest}}}"#
        ));
    }

    /// The next line.
    fn hear(&mut self) -> String {
        let mut line = String::new();
        self.stdout.read_line(&mut line).unwrap();
        line.strip_suffix('\n')
            .unwrap_or_else(|| panic!("no line: {line:?}; {}", self.log()))
            .to_owned()
    }

    #[track_caller]
    fn hears(&mut self, expected: &str) {
        assert_eq!(self.hear(), expected);
    }

    fn hears_text(&mut self, text: &str) {
        self.hears(&format!(
            r#"{{"type":"output","call":1,"blocks":[{{"text":"{text}","type":"text"}}]}}"#
        ));
    }

    /// The end of it all: nothing more is said.
    fn ends(mut self) -> (ExitStatus, String) {
        let mut rest = String::new();
        self.stdout.read_to_string(&mut rest).unwrap();
        assert_eq!(rest, "");
        let status = self.child.wait().unwrap();
        (status, self.log())
    }

    fn log(&mut self) -> String {
        let mut log = String::new();
        let stderr = self.child.stderr.take();
        let _ = stderr.map(|mut stderr| stderr.read_to_string(&mut log));
        log
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn result(number: u32, envelope: &str) -> String {
    format!(r#"{{"type":"result","call":{number},"envelope":{envelope}}}"#)
}

fn text(number: u32, text: &str) -> String {
    result(
        number,
        &format!(r#"{{"content":[{{"text":{text:?},"type":"text"}}]}}"#),
    )
}

fn error(number: u32, message: &str) -> String {
    result(
        number,
        &format!(r#"{{"content":[{{"text":"{message}","type":"text"}}],"isError":true}}"#),
    )
}

/// What it says, gets and does at its end.
#[test]
fn a_session_says_and_takes_things_until_it_is_to_end() {
    let mut host = Host::session("echo", "{}");
    host.hears_text("say something");
    for said in ["one", "two"] {
        host.say(&format!(r#"{{"type":"input","call":1,"input":"{said}"}}"#));
        host.hears(&format!(r#"{{"type":"event","call":1,"event":{{"done":1,"message":"{said}","type":"progress"}}}}"#));
        host.hears(&format!(r#"{{"type":"event","call":1,"event":{{"level":"info","message":"{said}","type":"log"}}}}"#));
        host.hears_text(&format!("you said {said}"));
    }
    // What is for no call of it is nothing to it.
    host.say(r#"{"type":"input","call":2,"input":"three"}"#);
    host.say(r#"{"type":"from the future","call":1}"#);
    host.say(r#"{"type":"end","call":1,"reason":"aborted"}"#);
    host.hears_text("cleaned up");
    host.hears(&text(1, "ended: aborted"));
    let (status, log) = host.ends();
    assert!(status.success() && log.is_empty(), "{log}");
}

/// It asks, and stands where it asked.
#[test]
fn a_session_waits_for_its_answers() {
    let mut host = Host::session("asks", "{}");
    host.hears_text("this will restart it");
    host.hears(r#"{"type":"question","call":1,"question":{"id":"restart","text":"Restart it?","schema":{"type":"boolean"}}}"#);
    host.say(
        r#"{"type":"answer","call":1,"id":"name","answer":{"state":"declined","source":"user"}}"#,
    );
    host.say(r#"{"type":"answer","call":1,"id":"restart","answer":{"state":"accepted","source":"assistant","value":true}}"#);
    host.hears(r#"{"type":"question","call":1,"question":{"id":"name","text":"As whom?","schema":{"type":"string"}},"person":true}"#);
    host.say(r#"{"type":"answer","call":1,"id":"name","answer":{"state":"accepted","source":"user","value":"ada"}}"#);
    let mut both = [host.hear(), host.hear()];
    both.sort();
    assert!(
        both[0].contains(r#""id":"one""#) && both[1].contains(r#""id":"two""#),
        "{both:?}"
    );
    host.say(r#"{"type":"answer","call":1,"id":"two","answer":{"state":"accepted","source":"user","value":false}}"#);
    host.say(r#"{"type":"answer","call":1,"id":"one","answer":{"state":"accepted","source":"user","value":true}}"#);
    host.hears(&text(1, r#"Some(true) Some("ada") true false"#));

    let mut host = Host::session("asks", "{}");
    host.hear();
    host.hear();
    host.say(r#"{"type":"answer","call":1,"id":"restart","answer":{"state":"declined","source":"user"}}"#);
    host.hears(&text(1, "left alone"));
    assert!(host.ends().0.success());

    // An answer that does not fit, from a host that does not look.
    let mut host = Host::session("asks", "{}");
    host.hear();
    host.hear();
    host.say(r#"{"type":"answer","call":1,"id":"restart","answer":{"state":"accepted","source":"user","value":"y"}}"#);
    assert!(host.hear().contains("the answer to `restart` does not fit"));
    assert_eq!(host.ends().0.code(), Some(1));
}

/// What still waits is reported, and is no failure.
#[test]
fn whatever_waits_ends_when_the_session_is_to_end() {
    for how in ["sleep", "recv", "recv_timeout", "ask", "wrapped"] {
        let mut host = Host::session("wait", &format!(r#"{{"how":"{how}"}}"#));
        host.hears_text("waiting");
        if how == "ask" {
            assert!(host.hear().contains(r#""type":"question""#));
        }
        host.say(r#"{"type":"end","call":1,"reason":"timed_out"}"#);
        host.hears(&result(1, r#"{"content":[]}"#));
        let (status, log) = host.ends();
        assert!(status.success() && log.is_empty(), "{how}: {log}");
    }
}

/// Neither an answer nor the end waits for a tool that takes no input.
#[test]
fn answers_and_the_end_pass_inputs_that_nobody_takes() {
    let flood = |host: &mut Host, count: usize| {
        let input = r#"{"type":"input","call":1,"input":"one more"}"#;
        host.say(&vec![input; count].join("\n"));
    };
    let mut host = Host::session("wait", r#"{"how":"ask"}"#);
    host.hears_text("waiting");
    assert!(host.hear().contains(r#""type":"question""#));
    flood(&mut host, 500);
    host.say(r#"{"type":"answer","call":1,"id":"go","answer":{"state":"accepted","source":"user","value":"on"}}"#);
    host.hears(&text(1, "on"));
    let (status, log) = host.ends();
    assert!(status.success() && log.is_empty(), "{log}");

    let mut host = Host::session("wait", r#"{"how":"sleep"}"#);
    host.hears_text("waiting");
    flood(&mut host, 10_500);
    host.say(r#"{"type":"end","call":1,"reason":"aborted"}"#);
    host.hears(&result(1, r#"{"content":[]}"#));
    let (status, log) = host.ends();
    assert!(status.success(), "{log}");
    assert_eq!(log.matches("input is lost").count(), 1, "{log}");
}

/// A host that has gone leaves nothing behind.
#[test]
fn the_end_of_the_host_is_the_end_of_its_sessions() {
    let mut host = Host::session("echo", "{}");
    host.hears_text("say something");
    host.stdin = None;
    host.hears_text("cleaned up");
    host.hears(&text(1, "ended: host_ended"));
    assert!(host.ends().0.success());

    // One that writes into a pipe that nobody reads ends by that.
    let mut host = Host::session("floods", "{}");
    host.hear();
    let Host {
        child,
        stdin,
        stdout,
    } = &mut host;
    drop((stdin.take(), std::mem::replace(stdout, another_pipe())));
    assert!(child.wait().unwrap().success());
}

/// A pipe in the place of one that is to be closed.
fn another_pipe() -> BufReader<ChildStdout> {
    let mut child = Command::new("true").stdout(Stdio::piped()).spawn().unwrap();
    let stdout = child.stdout.take().unwrap();
    child.wait().unwrap();
    BufReader::new(stdout)
}

/// One that takes no notice of the end of its host is ended by a signal, as a host would have done.
#[cfg(unix)]
#[test]
fn a_session_that_ignores_the_end_of_its_host_is_ended() {
    use std::os::unix::process::ExitStatusExt as _;

    let mut host = Host::session("wait", r#"{"how":"for ever"}"#);
    host.hears_text("waiting");
    host.stdin = None;
    let (status, _) = host.ends();
    assert_eq!(status.signal(), Some(15));
}

#[test]
fn what_goes_wrong_in_a_session_is_its_result() {
    let ends = |how: &str| {
        let mut host = Host::session("fails", &format!(r#"{{"how":"{how}"}}"#));
        host.hears_text("began");
        host
    };
    let mut host = ends("panic");
    host.hears(&error(1, "the tool panicked: no luck today"));
    let (status, log) = host.ends();
    assert!(
        status.code() == Some(1) && log.contains("no luck today"),
        "{log}"
    );

    let mut host = ends("as usual");
    host.hears(&error(1, "the printer is on fire"));
    assert_eq!(host.ends().0.code(), Some(1));

    assert!(ends("exit").ends().0.success());

    let mut host = ends("input");
    host.say(r#"{"type":"input","call":1,"input":256}"#);
    assert!(host.hear().contains("the input does not fit"));

    assert!(
        ends("question")
            .hear()
            .contains("a question is asked, not emitted")
    );

    let mut host = ends("twice");
    let both = [host.hear(), host.hear()].concat();
    assert!(both.contains(r#""id":"same""#), "{both}");
    assert!(
        both.contains("another question has the id `same`: give each its own"),
        "{both}"
    );
    host.say(
        r#"{"type":"answer","call":1,"id":"same","answer":{"state":"declined","source":"user"}}"#,
    );
    host.hears_text("answered");
    host.hears(&result(1, r#"{"content":[]}"#));

    let mut host = Host::start();
    host.call(1, "fails", r#"{"how":1}"#, r#","session":true"#);
    host.hears(&error(
        1,
        "the arguments of `fails` do not fit: `/how`: `how` must be a string, not `1`",
    ));
    let mut host = Host::start();
    host.call(1, "fial", "{}", r#","session":true"#);
    assert!(host.hear().contains("there is no tool `fial`"));
}

/// The host says how long a line may be.
#[test]
fn no_line_is_longer_than_the_host_takes() {
    let hello = r#"{"type":"hello","toolwire":1,"versions":[1,2],"maxLine":300}"#;
    let mut host = Host::greeting(hello);
    host.call(1, "fails", r#"{"how":"large"}"#, r#","session":true"#);
    host.hears_text("began");
    host.hears_text(
        "refused: this is 100063 bytes long, and the host takes lines of at most 300 bytes",
    );
    host.hears(&result(1, r#"{"content":[]}"#));

    // The result is another than the function has returned, and so is the status.
    let mut host = Host::greeting(hello);
    host.call(1, "wait", r#"{"how":"ask"}"#, r#","session":true"#);
    host.hears_text("waiting");
    host.hear();
    let large = "a".repeat(1000);
    host.say(&format!(r#"{{"type":"answer","call":1,"id":"go","answer":{{"state":"accepted","source":"user","value":"{large}"}}}}"#));
    assert!(
        host.hear()
            .contains("the host takes lines of at most 300 bytes")
    );
    assert_eq!(host.ends().0.code(), Some(1));

    let mut host = Host::greeting(hello);
    host.call(1, "tells", r#"{"how":"large"}"#, "");
    host.hears(&error(
        1,
        "this is 100077 bytes long, and the host takes lines of at most 300 bytes",
    ));
    host.call(2, "tells", "{}", "");
    assert!(host.hear().contains(r#""event""#));
    host.hears(&text(2, r#"Some("/project") None"#));
}

/// Flow control is the pipe: nobody's memory grows.
#[test]
fn whoever_does_not_read_makes_the_other_wait() {
    let mut host = Host::session("floods", "{}");
    host.hear();
    std::thread::sleep(std::time::Duration::from_millis(300));
    assert!(
        memory(&host.child) < 64 * 1024,
        "{} KiB",
        memory(&host.child)
    );
    host.say(r#"{"type":"end","call":1,"reason":"aborted"}"#);
    let mut last = host.hear();
    while last.contains("output") {
        last = host.hear();
    }
    assert_eq!(last, result(1, r#"{"content":[]}"#));

    // More inputs than wait: the rest is in the pipe until the tool takes them.
    let mut host = Host::session("deaf", "{}");
    host.hears_text("asleep");
    assert!(host.hear().contains("wake"));
    host.say(
        r#"{"type":"answer","call":1,"id":"wake","answer":{"state":"declined","source":"user"}}"#,
    );
    for nth in 0..300 {
        host.say(&format!(r#"{{"type":"input","call":1,"input":{nth}}}"#));
    }
    host.hears(&text(1, "299 before the last"));
}

/// The memory of a process, in KiB, where the system tells it.
fn memory(child: &Child) -> u64 {
    let status =
        std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok())
        .unwrap_or(0)
}

/// Many calls in one process.
#[test]
fn a_warm_program_answers_call_after_call() {
    let mut host = Host::start();
    host.call(
        1,
        "tells",
        r#"{"how":"one"}"#,
        r#","trace":{"traceparent":"00-1"}"#,
    );
    let mut line = host.hear();
    let mut events = 0;
    while line.contains(r#""type":"progress""#) {
        events += 1;
        line = host.hear();
    }
    // Progress is thinned out, but not its end.
    assert!((20..100).contains(&events), "{events}");
    assert_eq!(
        line,
        r#"{"type":"event","call":1,"event":{"level":"warning","message":"one","type":"log"}}"#
    );
    host.hears(&text(1, r#"Some("/project") Some("00-1")"#));

    // A panic is the failure of its call.
    host.call(2, "tells", r#"{"how":"panic"}"#, "");
    host.hears(&error(2, "the tool panicked: no luck today"));
    // A question is asked by the answer, and the call comes again.
    host.call(3, "tells", r#"{"how":"sure"}"#, "");
    host.hears(&result(3, r#"{"content":[{"question":{"id":"sure","schema":{"type":"boolean"},"text":"Sure?"},"type":"question"}]}"#));
    host.say(r#"{"type":"call","call":4,"document":{"tool":{"name":"tells","arguments":{"how":"sure"},"answers":{"sure":true}},"context":{"action":"run"}}}"#);
    host.hears(&text(4, "true"));
    // A call that is given up is told so, and still answers.
    host.call(5, "tells", r#"{"how":"wait"}"#, "");
    assert!(host.hear().contains("waiting"));
    host.say(r#"{"type":"input","call":5,"input":"no session takes this"}"#);
    host.say(r#"{"type":"end","call":5,"reason":"aborted"}"#);
    host.hears(&text(5, "given up"));
    // A session tool can be called once: what it says comes together, and no input comes.
    host.call(6, "echo", "{}", "");
    host.hears(&result(6, r#"{"content":[{"text":"say something","type":"text"},{"text":"cleaned up","type":"text"},{"text":"ended otherwise","type":"text"}]}"#));
    host.say(r#"{"type":"call","call":7,"document":{"tool":{},"context":{"action":"describe"}}}"#);
    assert!(
        host.hear()
            .contains(r#""dev.toolwire/actions":["spawn","fetch","apply","abort"]"#)
    );
    host.stdin = None;
    let (status, log) = host.ends();
    assert!(
        status.success() && log.contains("a print of the author's"),
        "{log}"
    );
}

#[cfg(unix)]
#[test]
fn a_child_has_no_part_in_the_lines() {
    let mut host = Host::start();
    host.call(1, "tells", r#"{"how":"child"}"#, "");
    host.hears(&text(1, r#""printed\n""#));
    host.call(2, "tells", r#"{"how":"inherited"}"#, "");
    assert!(host.hear().contains(r#""event""#));
    host.hears(&text(2, r#"Some("/project") None"#));
    host.stdin = None;
    assert!(host.ends().1.contains("a child"));
}

#[test]
fn a_tool_that_exits_ends_its_process() {
    let mut host = Host::start();
    host.call(1, "tells", r#"{"how":"exit"}"#, "");
    assert_eq!(host.ends().0.code(), Some(3));
}

/// What is no line of a host ends the program, which says why.
#[test]
fn a_host_that_is_none_is_not_listened_to() {
    for (said, why) in [
        ("", "the host ended before it said hello"),
        ("hello\n", "not JSON"),
        (
            "{\"type\":\"hello\",\"toolwire\":1,\"versions\":[2],\"maxLine\":9}\n",
            "version 1",
        ),
        (
            "{\"type\":\"end\",\"call\":1,\"reason\":\"aborted\"}\n",
            "no `hello`",
        ),
        ("{\"type\":\"hello\"", "can't be read"),
    ] {
        let mut host = Host::silent();
        host.stdin
            .take()
            .unwrap()
            .write_all(said.as_bytes())
            .unwrap();
        let (status, log) = host.ends();
        assert!(
            status.code() == Some(2) && log.contains(why),
            "{said}: {log}"
        );
    }
    for said in [
        "\u{1b}[2J",
        r#"{"type":"call","call":1}"#,
        r#"{"type":"end","call":"1","reason":"aborted"}"#,
    ] {
        let mut host = Host::start();
        host.say(said);
        let (status, log) = host.ends();
        assert!(
            status.code() == Some(2) && !log.contains('\u{1b}'),
            "{said}: {log}"
        );
    }
    // A last line without its line feed counts, if it is one.
    let mut host = Host::silent();
    host.stdin
        .take()
        .unwrap()
        .write_all(HELLO.as_bytes())
        .unwrap();
    assert!(host.hear().contains("hello"));
    assert!(host.ends().0.success());
    // A call that is open is told to end.
    let mut host = Host::session("echo", "{}");
    host.hears_text("say something");
    host.call(1, "echo", "{}", "");
    host.hears_text("cleaned up");
    host.hears(&text(1, "ended: host_ended"));
}

fn once(document: &str) -> (String, Option<i32>) {
    let mut child = program().env("TOOLWIRE_CALL", "stdin").spawn().unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(document.as_bytes())
        .unwrap();
    let output = child.wait_with_output().unwrap();
    (
        String::from_utf8(output.stdout).unwrap(),
        output.status.code(),
    )
}

/// A session tool that is called as one that runs once.
#[test]
fn a_session_tool_can_run_once() {
    let document = |tool: &str, rest: &str| {
        format!(
            r#"{{"tool":{{"name":"{tool}","arguments":{{}}{rest}}},"context":{{"action":"run"}}}}"#
        )
    };
    assert_eq!(
        once(&document("echo", "")),
        (
            "{\"content\":[{\"text\":\"say something\",\"type\":\"text\"},{\"text\":\"cleaned up\",\"type\":\"text\"},{\"text\":\"ended otherwise\",\"type\":\"text\"}]}\n".into(),
            Some(0)
        )
    );
    // A question ends the run, and the next one has the answer.
    let asked = "{\"content\":[{\"text\":\"this will restart it\",\"type\":\"text\"},{\"question\":{\"id\":\"restart\",\"schema\":{\"type\":\"boolean\"},\"text\":\"Restart it?\"},\"type\":\"question\"}]}\n";
    assert_eq!(once(&document("asks", "")), (asked.into(), Some(0)));
    let declined = r#","dev.toolwire/answers":{"restart":{"state":"declined"}}"#;
    let (answer, _) = once(&document("asks", declined));
    assert!(answer.contains("left alone"), "{answer}");
    // No input comes in a time, and an end by the wait for it is no failure.
    let (answer, _) = once(&document("wait", "").replace("{}", r#"{"how":"tick"}"#));
    assert!(answer.contains("3 ticks"), "{answer}");
    let (answer, status) = once(&document("wait", "").replace("{}", r#"{"how":"recv"}"#));
    assert_eq!(
        (answer.as_str(), status),
        (
            "{\"content\":[{\"text\":\"waiting\",\"type\":\"text\"}]}\n",
            Some(0)
        )
    );
}

#[test]
fn a_description_says_what_a_tool_can() {
    let (answer, _) = once(r#"{"tool":{},"context":{"action":"describe"}}"#);
    for (tool, meta) in [
        (
            "echo",
            r#""_meta":{"dev.toolwire/actions":["spawn","fetch","apply","abort"],"dev.toolwire/warm":true}"#,
        ),
        (
            "asks",
            r#""_meta":{"dev.toolwire/actions":["spawn","fetch","apply"],"dev.toolwire/warm":true}"#,
        ),
        (
            "wait",
            r#""_meta":{"dev.toolwire/actions":["spawn","fetch"],"dev.toolwire/warm":true}"#,
        ),
        ("tells", r#""_meta":{"dev.toolwire/warm":true}"#),
    ] {
        let at = answer.find(&format!(r#""name":"{tool}""#)).expect(tool);
        let begin = answer[..at].rfind(r#"{"_meta""#).expect(tool);
        assert!(
            answer[begin..at].starts_with(&format!("{{{meta}")),
            "{tool}: {}",
            &answer[begin..at]
        );
    }
    let (answer, _) = once(r#"{"tool":{"name":"cold"},"context":{"action":"describe"}}"#);
    assert!(
        answer.contains("cold") && !answer.contains("_meta"),
        "{answer}"
    );
}
