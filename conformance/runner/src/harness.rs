//! A harness as a child process: requests out, responses in, with time-outs.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// The version of the protocol that this runner speaks.
const PROTOCOL: u64 = 1;
/// No response is longer; a harness that writes more without a line feed has lost its way.
const MAX_LINE: u64 = 64 << 20;
/// So much of the harness's standard error is kept for the report of its death.
const STDERR_TAIL: usize = 2048;
/// A harness may take so long to end after `stop` before it is killed.
const STOP_GRACE: Duration = Duration::from_secs(2);

/// Why there is no usable answer. Every one of these costs the harness its life.
#[derive(Debug)]
pub struct Fault(pub String);

/// What a harness says of itself in the handshake.
#[derive(Clone, Debug)]
pub struct Info {
    pub name: String,
    pub language: String,
    pub version: String,
    pub ops: Vec<String>,
    /// Operations that it says itself it does not have.
    pub lacks: Vec<String>,
    /// The command of the program that holds the tools of `conformance/tools/`; empty if there is none.
    pub program: Vec<String>,
}

/// A running harness.
pub struct Harness {
    child: Child,
    requests: Option<Sender<Vec<u8>>>,
    responses: Receiver<Result<Vec<u8>, String>>,
    stderr: Tail,
    seq: u64,
    timeout: Duration,
    pub info: Info,
}

/// Splits the text of `--impl` into words: at white space, or as a JSON array of strings.
pub fn split_command(text: &str) -> Result<Vec<String>, String> {
    let words: Vec<String> = if text.trim_start().starts_with('[') {
        serde_json::from_str(text)
            .map_err(|error| format!("`{text}` is not a JSON array of words: {error}"))?
    } else {
        text.split_whitespace().map(str::to_owned).collect()
    };
    if words.is_empty() {
        return Err("`--impl` is empty; give the command that starts a harness".to_owned());
    }
    Ok(words)
}

impl Harness {
    /// Starts the command and shakes hands with it.
    pub fn start(command: &[String], timeout: Duration) -> Result<Self, String> {
        let mut child = Command::new(&command[0])
            .args(&command[1..])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| format!("cannot start `{}`: {error}", command.join(" ")))?;
        let (stdin, stdout, stderr) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(stdin), Some(stdout), Some(stderr)) = (stdin, stdout, stderr) else {
            return Err("the harness has no pipes".to_owned());
        };
        let mut harness = Harness {
            child,
            requests: Some(write_lines(stdin)),
            responses: read_lines(stdout),
            stderr: Tail::keep(stderr),
            seq: 0,
            timeout,
            info: Info {
                name: String::new(),
                language: String::new(),
                version: String::new(),
                ops: Vec::new(),
                lacks: Vec::new(),
                program: Vec::new(),
            },
        };
        harness.info = harness
            .shake_hands()
            .map_err(|reason| format!("`{}` did not start: {reason}", command.join(" ")))?;
        Ok(harness)
    }

    fn shake_hands(&mut self) -> Result<Info, String> {
        let answer = self
            .ask(json!({"cmd": "start", "protocol": PROTOCOL}))
            .map_err(|Fault(reason)| reason)?;
        if answer["protocol"] != json!(PROTOCOL) {
            return Err(format!(
                "the answer to `start` names protocol {}, not {PROTOCOL}",
                answer["protocol"]
            ));
        }
        let text = |name: &str| -> Result<String, String> {
            answer["implementation"][name]
                .as_str()
                .map(str::to_owned)
                .ok_or_else(|| format!("the answer to `start` has no text `implementation.{name}`"))
        };
        let names = |member: &str| -> Option<Vec<String>> {
            let names = answer[member].as_array()?.iter();
            Some(names.filter_map(Value::as_str).map(str::to_owned).collect())
        };
        let ops = names("ops").ok_or("the answer to `start` has no array `ops`")?;
        let lacks = names("lacks").unwrap_or_default();
        if let Some(op) = lacks.iter().find(|op| ops.contains(op)) {
            return Err(format!(
                "the answer to `start` names `{op}` in `lacks` and in `ops`; take it off one of them"
            ));
        }
        Ok(Info {
            name: text("name")?,
            language: text("language")?,
            version: text("version")?,
            ops,
            lacks,
            program: names("program").unwrap_or_default(),
        })
    }

    /// Sends one request and waits for its response.
    ///
    /// After a fault the harness cannot be used any more.
    pub fn ask(&mut self, mut request: Value) -> Result<Value, Fault> {
        self.seq += 1;
        request["seq"] = json!(self.seq);
        let mut line = request.to_string().into_bytes();
        line.push(b'\n');
        // A failing send means that the harness is gone; the missing response tells so below.
        if let Some(requests) = &self.requests {
            let _ = requests.send(line);
        }
        let line = match self.responses.recv_timeout(self.timeout) {
            Ok(Ok(line)) => line,
            Ok(Err(reason)) => return Err(Fault(reason)),
            Err(RecvTimeoutError::Timeout) => {
                let seconds = self.timeout.as_secs_f64();
                return Err(Fault(format!("no answer within {seconds} s")));
            }
            Err(RecvTimeoutError::Disconnected) => return Err(Fault(self.describe_death())),
        };
        let response: Value = serde_json::from_slice(&line).map_err(|_| {
            Fault(format!(
                "the answer is not a line of JSON: {}",
                excerpt(&line)
            ))
        })?;
        if response["seq"] != json!(self.seq) {
            return Err(Fault(format!(
                "the answer has the sequence number {}, not {}",
                response["seq"], self.seq
            )));
        }
        Ok(response)
    }

    /// Why standard output ended: exit status and the last lines of standard error.
    fn describe_death(&mut self) -> String {
        let status = match wait_for(&mut self.child, STOP_GRACE) {
            Some(status) => format!("the harness ended ({status})"),
            None => "the harness closed its output".to_owned(),
        };
        let tail = self.stderr.text();
        if tail.is_empty() {
            status
        } else {
            format!("{status}; its last words: {tail}")
        }
    }

    /// Ends the harness in order; whether it ended by itself with success.
    pub fn stop(mut self) -> bool {
        self.seq += 1;
        if let Some(requests) = self.requests.take() {
            let _ = requests.send(format!("{}\n", json!({"seq": self.seq, "cmd": "stop"})).into());
        }
        wait_for(&mut self.child, STOP_GRACE).is_some_and(|status| status.success())
    }
}

impl Drop for Harness {
    fn drop(&mut self) {
        // Both fail only if the child has ended already, which is what is wanted.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Waits for the child's end, but not for ever.
fn wait_for(child: &mut Child, grace: Duration) -> Option<std::process::ExitStatus> {
    const STEP: Duration = Duration::from_millis(5);
    let mut waited = Duration::ZERO;
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Some(status),
            Ok(None) if waited < grace => {
                thread::sleep(STEP);
                waited += STEP;
            }
            _ => return None,
        }
    }
}

/// Writes on a thread of its own, so that a harness that does not read cannot hang the runner.
fn write_lines(mut stdin: impl Write + Send + 'static) -> Sender<Vec<u8>> {
    let (sender, receiver) = channel::<Vec<u8>>();
    thread::spawn(move || {
        for line in receiver {
            if stdin.write_all(&line).and_then(|()| stdin.flush()).is_err() {
                break;
            }
        }
    });
    sender
}

fn read_lines(stdout: impl Read + Send + 'static) -> Receiver<Result<Vec<u8>, String>> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let mut reader = BufReader::new(stdout);
        loop {
            let mut line = Vec::new();
            let item = match reader.by_ref().take(MAX_LINE).read_until(b'\n', &mut line) {
                Ok(0) | Err(_) => break,
                Ok(_) if line.ends_with(b"\n") => Ok(line),
                Ok(_) if line.len() as u64 == MAX_LINE => {
                    Err(format!("the answer is longer than {MAX_LINE} bytes"))
                }
                Ok(_) => Err(format!(
                    "the answer ends without a line feed: {}",
                    excerpt(&line)
                )),
            };
            let done = item.is_err();
            if sender.send(item).is_err() || done {
                break;
            }
        }
    });
    receiver
}

/// The last bytes that a harness wrote to standard error.
struct Tail {
    bytes: Arc<Mutex<Vec<u8>>>,
    /// Disconnected when standard error has ended.
    end: Receiver<()>,
}

impl Tail {
    fn keep(mut stderr: impl Read + Send + 'static) -> Self {
        let bytes = Arc::new(Mutex::new(Vec::new()));
        let (sender, end) = channel();
        let kept = Arc::clone(&bytes);
        thread::spawn(move || {
            let _open = sender;
            let mut chunk = [0; 4096];
            while let Ok(read @ 1..) = stderr.read(&mut chunk) {
                if let Ok(mut kept) = kept.lock() {
                    kept.extend_from_slice(&chunk[..read]);
                    let surplus = kept.len().saturating_sub(STDERR_TAIL);
                    kept.drain(..surplus);
                }
            }
        });
        Tail { bytes, end }
    }

    /// The text, after standard error has ended or the grace is over.
    fn text(&self) -> String {
        let _ = self.end.recv_timeout(STOP_GRACE);
        match self.bytes.lock() {
            Ok(bytes) => String::from_utf8_lossy(&bytes).trim().to_owned(),
            Err(_) => String::new(),
        }
    }
}

fn excerpt(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(&line[..line.len().min(200)])
        .trim_end()
        .to_owned();
    format!("`{}`", text.escape_debug())
}
