//! What `parse --json` keeps in memory: no more than six times an output of the largest size.

use std::fs;
use std::io::Read;

use crate::common::{Dir, command};

/// As many bytes as an output may have.
const SIZE: usize = 64 * 1024 * 1024;

/// The greatest memory that the command took before it wrote its first byte, in bytes. What it writes
/// is not waited for: by then all is there that it keeps.
fn most_memory(path: &str) -> usize {
    let mut child = command(&["parse", "--json", path]).spawn().unwrap();
    child.stdout.as_mut().unwrap().read_exact(&mut [0]).unwrap();
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes: String = line.unwrap().chars().filter(char::is_ascii_digit).collect();
    kilobytes.parse::<usize>().unwrap() * 1024
}

/// `head` and `tail` with as many parts between them as fit, and white space for what is left.
fn filled(head: &str, most: usize, part: impl Fn(usize) -> String, tail: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(SIZE);
    bytes.extend_from_slice(head.as_bytes());
    for i in 0..most {
        let part = part(i);
        if bytes.len() + part.len() + tail.len() > SIZE {
            break;
        }
        bytes.extend_from_slice(part.as_bytes());
    }
    bytes.extend_from_slice(tail.as_bytes());
    bytes.resize(SIZE, b' ');
    bytes
}

#[test]
fn a_report_takes_no_more_than_six_times_the_output() {
    let dir = Dir::new();
    let zero = |_| ",0".to_owned();
    let name = |i| format!(r#","{i:x}":0"#);
    let values = 9_900_000;
    let long = |part: &str| part.repeat(SIZE / part.len());
    for (shape, bytes) in [
        ("control characters", long("\u{1}").into_bytes()),
        (
            "names",
            filled(
                r#"{"content":[],"structuredContent":{"":0"#,
                values / 2,
                name,
                "}}",
            ),
        ),
        (
            "names of a block",
            filled(
                r#"{"content":[{"type":"text","text":"""#,
                values / 2,
                name,
                "}]}",
            ),
        ),
        (
            "a long trace with findings",
            filled(
                r#"{"content":[],"isError":true,"_meta":{"computer.jp/error":{"trace":[0"#,
                values,
                zero,
                "]}}}",
            ),
        ),
        (
            "skipped blocks with findings",
            filled(
                r#"{"content":[{"type":"x"}"#,
                99_999,
                |_| format!(r#",{{"type":"x","y":"{}"}}"#, "\\\"".repeat(300)),
                "]}",
            ),
        ),
        (
            "one skipped block",
            filled(
                r#"{"content":[{"type":"x","y":""#,
                usize::MAX,
                |_| "\\\"".repeat(512),
                "\"}]}",
            ),
        ),
    ] {
        let most = most_memory(&dir.file("output", bytes));
        println!("{shape}: {:.1} times", most as f64 / SIZE as f64);
        assert!(most < 6 * SIZE, "{shape}: {most} bytes");
    }
}
