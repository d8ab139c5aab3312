//! A session with a real program, as a host drives it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use toolwire::Json;
use toolwire::call::Call;
use toolwire::session::EndReason;
use toolwire_host::{
    Command, Environment, ProcessOptions, Screen, ScreenView, SessionStart, SessionTransport,
    ToolRequest, ToolRequestSender, ToolUpdate,
};
use toolwire_pty::{PtyOptions, PtySession};

/// Maximum time for anything on a loaded machine.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// A program that runs.
pub struct Session {
    transport: Arc<dyn SessionTransport>,
    told: tokio::sync::mpsc::Receiver<ToolUpdate>,
    given: ToolRequestSender,
    screen: Option<Arc<dyn Screen>>,
    pub driver: tokio::task::JoinHandle<()>,
    /// All text that was printed.
    pub printed: String,
    /// All blocks.
    pub blocks: Vec<Json>,
    /// Whether only a person types, each time that it changed.
    pub person: Vec<bool>,
    pub end: Option<End>,
}

#[derive(Debug, PartialEq)]
pub enum End {
    Exit(i64),
    Crash(String),
}

/// The options of the tests: nothing of this machine's user counts.
pub fn options(folder: &std::path::Path) -> PtyOptions {
    let environment = Environment::only(["PATH", "LD_LIBRARY_PATH"])
        .with("HOME", folder)
        .with("LANG", "C.UTF-8")
        .with("GIT_CONFIG_NOSYSTEM", "1")
        .with("PYTHON_BASIC_REPL", "1")
        .with("INPUTRC", "/dev/null")
        .with("LESSHISTFILE", "-");
    let mut options = PtyOptions::default();
    options.process = ProcessOptions {
        cwd: Some(folder.to_owned()),
        environment,
        ..ProcessOptions::default()
    };
    options
}

pub fn start(transport: impl SessionTransport + 'static) -> Session {
    let mut start = SessionStart::new(Call::new("test", Json::empty_object()));
    start.grace = Duration::from_secs(2);
    let running = transport.start(start);
    Session {
        transport: Arc::new(transport),
        told: running.updates,
        given: running.requests,
        screen: running.screen,
        driver: tokio::spawn(running.driver),
        printed: String::new(),
        blocks: Vec::new(),
        person: Vec::new(),
        end: None,
    }
}

pub fn pty(folder: &std::path::Path, program: &str, arguments: &[&str]) -> Session {
    let command = Command::new(program).args(arguments.iter().copied());
    start(PtySession::new(command, options(folder)))
}

/// Whether there is such a program; if not, the test says that it is skipped.
pub fn is_there(program: &str) -> bool {
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&paths).any(|folder| folder.join(program).is_file());
    if !found {
        eprintln!("skipped: `{program}` is not installed");
    }
    found
}

impl Session {
    pub fn input(&mut self, json: &str) {
        let input = Json::new(json).expect("JSON");
        self.transport.check(&input).expect("input");
        self.given
            .try_send(ToolRequest::Input(input))
            .expect("room");
    }

    pub fn person_input(&mut self, json: &str) {
        let input = ToolRequest::PersonInput(Json::new(json).expect("JSON"));
        self.given.try_send(input).expect("room");
    }

    pub fn screen(&self) -> &Arc<dyn Screen> {
        self.screen.as_ref().expect("a screen")
    }

    pub fn text(&self) -> String {
        self.screen().text()
    }

    /// The screen without its heading.
    pub fn rows(&self) -> Vec<String> {
        self.text().lines().skip(1).map(str::to_owned).collect()
    }

    pub fn show(&self, view: ScreenView) -> String {
        self.screen().show(view).text
    }

    pub fn give_end(&mut self) {
        let _ = self.given.try_send(ToolRequest::End(EndReason::Aborted));
    }

    pub fn kill(&mut self) {
        let _ = self.given.try_send(ToolRequest::Kill);
    }

    pub fn hear(&mut self, told: ToolUpdate) {
        match told {
            ToolUpdate::Output(blocks) => {
                for block in blocks {
                    if let Some(text) = text_of(&block) {
                        self.printed += &text;
                    }
                    self.blocks.push(block);
                }
            }
            ToolUpdate::PersonOnly(person) => self.person.push(person),
            ToolUpdate::Exit(code) => self.end = Some(End::Exit(code)),
            ToolUpdate::Crash(message) => self.end = Some(End::Crash(message)),
            _ => {}
        }
    }

    /// Hears the program until this is so.
    pub async fn until(&mut self, what: &str, mut is_so: impl FnMut(&Session) -> bool) {
        let end = Instant::now() + PATIENCE;
        while !is_so(self) {
            assert!(
                self.end.is_none() && Instant::now() < end,
                "never {what}: {:?}\nprinted: {}\nscreen: {}",
                self.end,
                self.printed,
                self.screen
                    .as_ref()
                    .map(|screen| screen.text())
                    .unwrap_or_default()
            );
            let next = tokio::time::timeout(Duration::from_millis(20), self.told.recv()).await;
            if let Ok(Some(told)) = next {
                self.hear(told);
            }
        }
    }

    /// Hears the program for half a second, or until this is so: whether it is.
    pub async fn soon(&mut self, mut is_so: impl FnMut(&Session) -> bool) -> bool {
        let end = Instant::now() + Duration::from_millis(500);
        while !is_so(self) && Instant::now() < end {
            let next = tokio::time::timeout(Duration::from_millis(20), self.told.recv()).await;
            if let Ok(Some(told)) = next {
                self.hear(told);
            }
        }
        is_so(self)
    }

    /// Until the screen has a text.
    pub async fn shows(&mut self, text: &str) {
        self.until(&format!("shows `{text}`"), |session| {
            session.text().contains(text)
        })
        .await;
    }

    /// Until the screen's last row that is not empty begins with a text.
    pub async fn last_row(&mut self, text: &str) {
        let is_last = |session: &Session| {
            session
                .rows()
                .last()
                .is_some_and(|row| row.starts_with(text))
        };
        self.until(&format!("has `{text}` last"), is_last).await;
    }

    pub async fn prints(&mut self, text: &str) {
        self.until(&format!("prints `{text}`"), |session| {
            session.printed.contains(text)
        })
        .await;
    }

    /// Hears whatever comes next.
    pub async fn until_any(&mut self) {
        match tokio::time::timeout(PATIENCE, self.told.recv()).await {
            Ok(Some(told)) => self.hear(told),
            other => panic!("silence: {other:?}"),
        }
    }

    /// Hears the program until it has ended.
    pub async fn ended(&mut self) -> &End {
        let end = Instant::now() + PATIENCE;
        while self.end.is_none() {
            assert!(Instant::now() < end, "never ends: {}", self.printed);
            match tokio::time::timeout(PATIENCE, self.told.recv()).await {
                Ok(Some(told)) => self.hear(told),
                Ok(None) => panic!("it ended without a word"),
                Err(_) => {}
            }
        }
        self.end.as_ref().expect("an end")
    }
}

fn text_of(block: &Json) -> Option<String> {
    let document = toolwire::json::Document::new(block.as_str()).expect("JSON");
    let text = document.root().get("text")?.as_str()?.into_owned();
    Some(text)
}

/// The processes with this in their environment, other than those that have ended.
pub fn left(mark: &str) -> Vec<String> {
    let mut found = Vec::new();
    for process in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
        let environment = std::fs::read(process.path().join("environ")).unwrap_or_default();
        let status = std::fs::read_to_string(process.path().join("stat")).unwrap_or_default();
        let ended = status
            .rsplit(')')
            .next()
            .is_some_and(|rest| rest.trim_start().starts_with('Z'));
        if !ended && String::from_utf8_lossy(&environment).contains(mark) {
            found.push(status);
        }
    }
    found
}

/// Waits until there are none.
pub async fn nothing_left(mark: &str) {
    for _ in 0..600 {
        if left(mark).is_empty() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("left: {:?}", left(mark));
}

/// The memory of this process in kB.
pub fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmRSS:"));
    let number = line.and_then(|line| line.split_whitespace().nth(1));
    number
        .and_then(|number| number.parse().ok())
        .unwrap_or_default()
}

/// Runs a test in a process of its own, which no other test disturbs; false in that process, which goes on.
///
/// The name of the test is `concat!(module_path!(), "::", …)`.
pub fn ran_alone(test: &str) -> bool {
    const ALONE: &str = "TOOLWIRE_TEST_ALONE";
    let (_, test) = test.split_once("::").expect("the name of a test");
    if std::env::var(ALONE).as_deref() == Ok(test) {
        return false;
    }
    let this = std::env::current_exe().expect("this program");
    let ran = std::process::Command::new(this)
        .args(["--exact", test, "--nocapture"])
        .env(ALONE, test)
        .output()
        .expect("the test runs");
    let told = [ran.stdout, ran.stderr].concat();
    let told = String::from_utf8_lossy(&told);
    println!("{told}");
    assert!(
        ran.status.success() && told.contains("1 passed"),
        "see above"
    );
    true
}
