//! Harnesses that are bad on purpose, for the runner's tests.
//!
//! The first argument names the bad habit. Asked without trouble, every one of them says that the
//! digest is `ok`; it shows its habit in a case with the option `trouble`.

use serde_json::{Value, json};
use std::io::{BufRead, Write};
use std::time::Duration;

fn main() {
    let habit = std::env::args().nth(1).unwrap_or_default();
    for line in std::io::stdin().lock().lines() {
        let Ok(request) = serde_json::from_str::<Value>(&line.unwrap_or_default()) else {
            std::process::exit(4);
        };
        let seq = &request["seq"];
        match request["cmd"].as_str() {
            Some("start") if habit == "silent-start" => {}
            Some("start") => say(&json!({
                "seq": seq,
                "protocol": if habit == "old-protocol" { 0 } else { 1 },
                "implementation": {"name": "bad", "language": habit, "version": "0"},
                "ops": if habit == "lacks" { json!(["parse"]) } else { json!(["digest", "parse"]) },
                "lacks": if habit.starts_with("lacks") { json!(["digest"]) } else { json!(null) },
            })),
            Some("run") => answer(&habit, seq, request["options"]["trouble"] == true),
            _ => std::process::exit(if habit == "ends-badly" { 5 } else { 0 }),
        }
    }
}

fn answer(habit: &str, seq: &Value, trouble: bool) {
    let ok = json!({"seq": seq, "result": {"digest": "ok"}});
    match habit {
        "always-crash" => std::process::exit(3),
        "other-opinion" => say(&json!({"seq": seq, "result": {"digest": "ok", "extra": 1}})),
        "lawless" => say(&json!({"seq": seq, "result": {
            "digest": "ok",
            "verdict": "valid",
            "document": "{}",
            "diagnostics": [
                {"code": "bom", "severity": "note", "pointer": "", "offset": 3},
                {"code": "invented", "severity": "note", "pointer": "", "offset": 1},
            ],
        }})),
        _ if !trouble => say(&ok),
        "wrong-seq" => say(&json!({"seq": 1, "result": {"digest": "ok"}})),
        "garbage" => print_line("debugging is fun"),
        "hang" => std::thread::sleep(Duration::from_secs(600)),
        "crash" => {
            eprintln!("the last words");
            std::process::exit(3);
        }
        "half-a-line" => {
            print!("{{\"seq\":");
            std::process::exit(0);
        }
        "wrong-answer" => say(&json!({"seq": seq, "result": {"digest": "no"}})),
        "two-answers" => say(&json!({"seq": seq, "result": {"digest": "ok"}, "skipped": "both"})),
        "errs" => say(&json!({"seq": seq, "errored": "out of luck"})),
        "skips" => say(&json!({"seq": seq, "skipped": "not here"})),
        _ => say(&ok),
    }
}

fn say(message: &Value) {
    print_line(&message.to_string());
}

fn print_line(text: &str) {
    println!("{text}");
    if std::io::stdout().flush().is_err() {
        std::process::exit(6);
    }
}
