//! A page that is opened if the person agrees.

use std::cell::Cell;
use std::env;
use std::io;
use std::net::Ipv4Addr;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use toolwire::WebUrl;
use toolwire::call::Answer;

use super::frame::{Frame, Line, Size, Style, fit, one_line, width};
use super::gutter;
use super::keys::Key;
use super::{Asking, Done, Fault, Machine, Reaction};
use crate::exit::reason;

/// How long it is looked whether a browser fails at once. One that goes on has opened the page.
const AT_ONCE: Duration = Duration::from_secs(2);
/// How often.
const TICK: Duration = Duration::from_millis(20);

/// Asks whether to open a page, and opens it if the person wants that.
pub async fn ask(asking: &mut Asking<'_>, url: &str) -> io::Result<Option<Answer>> {
    let Some(mut page) = Page::new(url) else {
        // Whoever read the question has refused it.
        return asking.conclude(Done::Cancelled);
    };
    loop {
        let done = asking.converse(&mut page).await?;
        if !matches!(done, Done::Open) {
            return asking.conclude(done);
        }
        match open(&browsers(env::var("BROWSER").ok().as_deref(), url)).await {
            Ok(()) => return asking.conclude(Done::Opened),
            Err(why) => asking.faults.push(Fault::Own(why)),
        }
        page.by_hand = true;
    }
}

/// What to think of before a page is opened, in the host's words.
pub fn warning(url: &str) -> Option<String> {
    let url = WebUrl::new(url)?;
    let host = url.host().to_ascii_lowercase();
    let local = host == "localhost" || host.ends_with(".localhost");
    let local = local || host == "[::1]" || host.starts_with("127.");
    let mut warnings = Vec::new();
    if !url.is_encrypted() && !local {
        let text =
            "The page is not encrypted (http): others on the way can read what you enter there.";
        warnings.push(text);
    }
    if host.split('.').any(|label| label.starts_with("xn--")) {
        let text = "The host is written in another alphabet (xn--): in a browser it may look like a \
                    name that you know.";
        warnings.push(text);
    }
    let is_number = host.parse::<Ipv4Addr>().is_ok()
        || host.starts_with('[')
        || host.rsplit('.').next().is_some_and(is_number);
    if is_number && !local {
        warnings.push("The host is a number, not a name: you can't tell whose it is.");
    }
    (!warnings.is_empty()).then(|| warnings.join("\n"))
}

/// Whether browsers take the last part of a host for that of an address.
fn is_number(part: &str) -> bool {
    let hexadecimal = part.strip_prefix("0x");
    match hexadecimal {
        Some(digits) => digits.bytes().all(|digit| digit.is_ascii_hexdigit()),
        None => !part.is_empty() && part.bytes().all(|digit| digit.is_ascii_digit()),
    }
}

/// The question whether to open a page.
struct Page {
    url: String,
    host: String,
    /// Whether the person is to open it, because this command can't.
    by_hand: bool,
    /// The first row of the URL that is shown, and how many rows were shown of how many.
    top: usize,
    shown: Cell<usize>,
    rows: Cell<usize>,
    /// Whether the last row is shown. Of several frames the last one is drawn.
    read: Cell<bool>,
}

impl Page {
    fn new(url: &str) -> Option<Page> {
        Some(Page {
            host: WebUrl::new(url)?.host().to_owned(),
            url: url.to_owned(),
            by_hand: false,
            top: 0,
            shown: Cell::new(0),
            rows: Cell::new(0),
            read: Cell::new(false),
        })
    }

    fn scroll(&mut self, by: isize) {
        let last = self.rows.get().saturating_sub(self.shown.get());
        self.top = self.top.saturating_add_signed(by).min(last);
    }
}

impl Machine for Page {
    fn key(&mut self, key: &Key) -> Reaction {
        let page = self.shown.get().max(1) as isize;
        match key {
            Key::Enter | Key::Char('m') if !self.read.get() => {
                let why = "the address goes on: ↓ shows the rest of it";
                return Reaction::Refuse(why.to_owned());
            }
            Key::Enter if !self.by_hand => return Reaction::Open,
            Key::Enter | Key::Char('m') => return Reaction::Opened,
            Key::Up => self.scroll(-1),
            Key::Down => self.scroll(1),
            Key::PageUp => self.scroll(-page),
            Key::PageDown | Key::Char(' ') => self.scroll(page),
            _ => {}
        }
        Reaction::Stay
    }

    fn frame(&self, who: &str, size: Size) -> Frame {
        let what = match self.by_hand {
            true => "❯ I have opened the page at ",
            false => "❯ Open the page at ",
        };
        let room = size.columns.saturating_sub(width(who) + width(what));
        let head = Line::new(Style::Dim, who)
            .with(Style::Chosen, what)
            .with(Style::Bold, ending(&self.host, room));
        let mut lines = vec![head.fit(size.columns)];
        let rows = gutter::rows(&self.url, size.columns);
        let room = size.rows.saturating_sub(1);
        let scrolls = rows.len() > room;
        let shown = match scrolls {
            true => room.saturating_sub(1),
            false => rows.len(),
        };
        let top = self.top.min(rows.len() - shown);
        self.rows.set(rows.len());
        self.shown.set(shown);
        self.read.set(shown > 0 && top + shown == rows.len());
        let visible = rows.iter().skip(top).take(shown);
        lines.extend(visible.map(|row| Line::new(Style::Plain, row.as_str())));
        if scrolls {
            let text = format!("  ⋯ {} to {} of {} lines", top + 1, top + shown, rows.len());
            lines.push(Line::new(Style::Dim, text).fit(size.columns));
        }
        lines.truncate(size.rows.max(1));
        Frame {
            lines,
            cursor: None,
        }
    }

    fn hint(&self) -> Vec<String> {
        let keys: &[&str] = match self.by_hand {
            true => &["Enter goes on"],
            false => &["Enter opens it", "m: I open it myself"],
        };
        keys.iter().map(|&key| key.to_owned()).collect()
    }
}

/// The end of a host, which says more of it than its beginning, with `…` where it was cut.
fn ending(host: &str, most: usize) -> String {
    match host.len().checked_sub(most) {
        None | Some(0) => host.to_owned(),
        Some(over) => format!("…{}", host.get(over + 1..).unwrap_or_default()),
    }
}

/// A command that opens a page, and what it is called.
struct Browser {
    name: String,
    command: Command,
}

/// The commands to try, in their order: those of `$BROWSER`, or what the system has.
fn browsers(variable: Option<&str>, url: &str) -> Vec<Browser> {
    let named = variable
        .unwrap_or_default()
        .split(SEPARATOR)
        .filter_map(|words| {
            let mut words = shlex::split(words)?.into_iter();
            let program = words.next()?;
            let mut arguments: Vec<String> = words.collect();
            if !arguments.iter().any(|argument| argument.contains("%s")) {
                arguments.push("%s".to_owned());
            }
            let mut command = Command::new(program);
            command.args(arguments.iter().map(|argument| argument.replace("%s", url)));
            Some(command)
        });
    let mut commands: Vec<Command> = named.collect();
    if commands.is_empty() {
        commands = system(url);
    }
    let there = commands
        .into_iter()
        .filter(|command| which::which(command.get_program()).is_ok());
    there
        .map(|command| {
            let program = command.get_program().to_string_lossy();
            Browser {
                name: fit(&one_line(&super::draft::name(&program)), 40),
                command,
            }
        })
        .collect()
}

/// What stands between the commands of `$BROWSER`.
const SEPARATOR: char = if cfg!(windows) { ';' } else { ':' };

#[cfg(not(windows))]
fn system(url: &str) -> Vec<Command> {
    open::commands(url)
}

/// Here the crate would call a shell.
#[cfg(windows)]
fn system(url: &str) -> Vec<Command> {
    let mut command = Command::new("rundll32.exe");
    command.args(["url.dll,FileProtocolHandler", url]);
    vec![command]
}

/// Starts the first command that does not fail at once. No shell is involved. An error says why the
/// person has to open the page.
async fn open(browsers: &[Browser]) -> Result<(), String> {
    let mut why = "no browser was found".to_owned();
    for Browser { name, command } in browsers {
        let mut started = Command::new(command.get_program());
        started.args(command.get_args());
        for stream in [Command::stdin, Command::stdout, Command::stderr] {
            stream(&mut started, Stdio::null());
        }
        // Ctrl-C at the terminal is not meant for it.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut started, 0);
        match started.spawn() {
            Ok(child) => match ended_badly(child).await {
                None => return Ok(()),
                Some(ended) => why = format!("`{name}` ended with {ended}"),
            },
            Err(error) => why = format!("`{name}` can't be started: {}", reason(&error)),
        }
    }
    Err(format!(
        "{why}: open the address in your browser yourself, then press Enter"
    ))
}

/// How a command failed at once, if it did. One that goes on is left to itself.
async fn ended_badly(mut child: Child) -> Option<String> {
    let start = Instant::now();
    while start.elapsed() < AT_ONCE {
        match child.try_wait() {
            Ok(None) => tokio::time::sleep(TICK).await,
            Ok(Some(status)) if status.success() => return None,
            Ok(Some(status)) => return Some(status.to_string().replace(": ", " ")),
            Err(error) => return Some(reason(&error).to_string()),
        }
    }
    // Somebody has to hear of its end.
    thread::spawn(move || child.wait());
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: Size = Size {
        columns: 40,
        rows: 5,
    };

    fn texts(page: &Page, size: Size) -> Vec<String> {
        let frame = page.frame("t asks › ", size);
        frame.lines.iter().map(Line::text).collect()
    }

    #[test]
    fn the_host_stands_apart_and_the_whole_url_below() {
        let mut page = Page::new("https://example.org/login?state=7f3a").expect("a page");
        let shown = [
            "t asks › ❯ Open the page at example.org",
            "│ https://example.org/login?state=7f3a",
        ];
        assert_eq!(texts(&page, SIZE), shown);
        assert_eq!(page.key(&Key::Enter), Reaction::Open);
        page.by_hand = true;
        assert_eq!(page.key(&Key::Enter), Reaction::Opened);
    }

    #[test]
    fn nothing_is_opened_before_all_of_the_url_was_shown() {
        let url = format!("https://example.org/{}", "a".repeat(300));
        let mut page = Page::new(&url).expect("a page");
        let lines = texts(&page, SIZE);
        assert_eq!((lines.len(), &*lines[4]), (5, "  ⋯ 1 to 3 of 9 lines"));
        assert!(matches!(page.key(&Key::Enter), Reaction::Refuse(_)));
        assert!(matches!(page.key(&Key::Char('m')), Reaction::Refuse(_)));
        for _ in 0..9 {
            page.key(&Key::Down);
            texts(&page, SIZE);
        }
        assert_eq!(texts(&page, SIZE)[4], "  ⋯ 7 to 9 of 9 lines");
        assert_eq!(page.key(&Key::Enter), Reaction::Open);
    }

    #[test]
    fn of_a_long_host_the_end_is_shown() {
        let url = "https://accounts.your-bank.example.com.evil.example.net/";
        let lines = texts(&Page::new(url).expect("a page"), SIZE);
        assert_eq!(lines[0], "t asks › ❯ Open the page at …example.net");
    }

    #[test]
    fn what_may_mislead_is_told() {
        for (url, word) in [
            ("http://example.org/", "not encrypted"),
            ("https://xn--pypal-4ve.com/", "another alphabet"),
            ("https://192.0.2.1/", "number"),
            ("https://3221225985/", "number"),
            ("https://0xC0000201/", "number"),
            ("https://[2001:db8::1]/", "number"),
        ] {
            let warning = warning(url).unwrap_or_default();
            assert!(warning.contains(word), "{url}: {warning}");
        }
        for url in [
            "https://example.org/",
            "http://localhost:3000/",
            "http://127.0.0.1:1/",
        ] {
            assert_eq!(warning(url), None, "{url}");
        }
    }

    #[test]
    fn the_variable_names_commands_and_no_shell() {
        let listed = |variable: &str| {
            let all = browsers(Some(variable), "https://e.org/?a&b;c");
            let words = |browser: &Browser| {
                let arguments = browser.command.get_args();
                arguments
                    .map(|word| word.to_string_lossy().into_owned())
                    .collect()
            };
            all.iter().map(words).collect::<Vec<Vec<String>>>()
        };
        assert_eq!(listed("true"), [["https://e.org/?a&b;c"]]);
        assert_eq!(
            listed("no-such-browser:true --to '%s' x:true"),
            [
                vec!["--to", "https://e.org/?a&b;c", "x"],
                vec!["https://e.org/?a&b;c"]
            ]
        );
    }
}
