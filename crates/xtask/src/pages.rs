//! README.md and the pages of `docs/`: every fence runs, or is marked as an excerpt.
//!
//! The fences of a page run in order, in a folder of its own. One with a name, such as `python tool.py`, is a
//! file. `sh` and `console` are run by one shell; what `console` shows is compared with what is written, where
//! `…` stands for anything. ✓ and `[y/N]` in what is shown answer a prompt.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::called::settle;
use crate::stage::{Stage, stage};
use crate::step::{Failure, Runner, clear, folder};

/// The maximum length of README.md in lines.
const README: usize = 180;
/// The time limit for the commands of one page.
const LIMIT: Duration = Duration::from_secs(180);
/// Marks the beginning and the exit status of a command in what the shell writes.
const MARK: &str = "@@@";
/// The ports on the pages, which may be taken on this machine.
const PORTS: [&str; 2] = ["8080", "8081"];

/// Where Python looks below HOME. Clients of MCP start servers without the variables of this process.
const SITE: &str = "site=$(python3 -m site --user-site); mkdir -p \"$site\"\n";

/// A fence of a page.
pub struct Fence {
    /// The line of its first line.
    line: usize,
    pub language: String,
    /// The file that it is, `excerpt`, or nothing.
    pub name: String,
    pub text: String,
}

/// A command of a page.
struct Command {
    line: usize,
    typed: String,
    shown: Vec<String>,
}

/// Checks all pages.
pub fn check(runner: &Runner) -> Result<(), Failure> {
    let stage = stage(runner)?;
    clear(&stage.app.join("pages"))?;
    borrow_zod(runner, &stage)?;
    let mut helps = HashMap::new();
    let mut wrong = Vec::new();
    for page in pages(runner)? {
        runner.say(&page);
        let checked = check_page(runner, &stage, &page, &mut helps);
        wrong.extend(checked.err().map(|Failure(why)| why));
    }
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(Failure(wrong.join("\n"))),
    }
}

/// README.md and the pages of `docs/`, except the reference, most of which is generated.
pub fn pages(runner: &Runner) -> Result<Vec<String>, Failure> {
    let mut pages = vec!["README.md".to_owned()];
    let mut folders = vec!["docs".to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(runner.path(&folder));
        let entries = entries.map_err(|error| Failure(format!("`{folder}`: {error}")))?;
        for entry in entries.flatten() {
            let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
            if entry.path().is_dir() && path != "docs/reference" {
                folders.push(path);
            } else if path.ends_with(".md") {
                pages.push(path);
            }
        }
    }
    pages.sort();
    Ok(pages)
}

/// The fences of a page.
pub fn fences(page: &str) -> Vec<Fence> {
    let mut fences = Vec::new();
    let mut lines = page.lines().zip(2..);
    while let Some((opening, line)) = lines.next() {
        let Some(words) = opening.strip_prefix("```") else {
            continue;
        };
        let (language, name) = words.split_once(' ').unwrap_or((words, ""));
        let text = lines.by_ref().map(|(text, _)| text);
        let text: Vec<&str> = text.take_while(|text| *text != "```").collect();
        fences.push(Fence {
            line,
            language: language.to_owned(),
            name: name.to_owned(),
            text: text.join("\n") + "\n",
        });
    }
    fences
}

/// The lines of a page outside of fences, with their numbers.
fn prose(page: &str) -> impl Iterator<Item = (&str, usize)> {
    let mut inside = false;
    page.lines().zip(1..).filter(move |(line, _)| {
        let fence = line.starts_with("```");
        inside ^= fence;
        !inside && !fence
    })
}

fn check_page(
    runner: &Runner,
    stage: &Stage,
    page: &str,
    helps: &mut HashMap<String, String>,
) -> Result<(), Failure> {
    let text = fs::read_to_string(runner.path(page))
        .map_err(|error| Failure(format!("`{page}`: {error}")))?;
    if page == "README.md" && text.lines().count() > README {
        return Err(Failure(format!("{page} has more than {README} lines")));
    }
    for (line, number) in prose(&text) {
        let spans = line.split('`').skip(1).step_by(2);
        let spans: Vec<&str> = spans.filter(|span| span.starts_with("toolwire ")).collect();
        check_options(
            runner,
            stage,
            &format!("{page}:{number}"),
            &spans.join("\n"),
            helps,
        )?;
    }
    // A name of this run's own: sessions of an earlier one may still be known under the same path.
    let name = format!("{}-{}", page.replace('/', "-"), std::process::id());
    let place = stage.app.join("pages").join(name);
    folder(&place.join("home"))?;
    let ports = free_ports()?;
    let own_ports = |text: &str| {
        let pairs = PORTS.iter().zip(&ports);
        pairs.fold(text.to_owned(), |text, (shown, own)| {
            text.replace(shown, own)
        })
    };
    let mut commands = Vec::new();
    // Files are written when their turn comes: a page may change one.
    let mut script = format!(
        "{SITE}echo '{}' >\"$site/toolwire.pth\"\n",
        stage.packages.display()
    );
    let mut unused: Vec<(String, String)> = Vec::new();
    for fence in fences(&text) {
        let at = format!("{page}:{}", fence.line);
        match (fence.language.as_str(), fence.name.as_str()) {
            ("text", _) => {}
            ("sh" | "console", "excerpt") => check_options(runner, stage, &at, &fence.text, helps)?,
            (_, "excerpt") => {}
            ("rust" | "rust,no_run", "") => is_doctest(runner, page, &at)?,
            ("sh" | "console", "") => {
                unused.retain(|(name, _)| !name.ends_with(".toml") && !uses(&fence, name));
                for command in read_commands(&fence) {
                    write_step(
                        &mut script,
                        commands.len(),
                        &own_ports(&command.typed),
                        &command,
                    );
                    commands.push(command);
                }
            }
            (_, "") => {
                let help =
                    "give it the name of a file, as in `python tool.py`, or mark it `excerpt`";
                return Err(Failure(format!("{at}: this fence is not run; {help}")));
            }
            (_, name) => {
                let kept = format!("{}.fence", fence.line);
                write(&place.join(&kept), &own_ports(&fence.text))?;
                let _ = writeln!(script, "cp {kept} {name}; chmod +x {name}");
                unused.retain(|(other, _)| !uses(&fence, other));
                unused.push((name.to_owned(), at));
            }
        }
    }
    if let Some((name, at)) = unused.first() {
        return Err(Failure(format!(
            "{at}: no command of the page uses `{name}`"
        )));
    }
    if commands.is_empty() {
        return Ok(());
    }
    script.push_str(
        "toolwire session abort --all --quiet >/dev/null 2>&1\nkill $(jobs -p) 2>/dev/null\n",
    );
    write(&place.join("page.sh"), &script)?;
    let written = run_shell(runner, stage, page, &place)?;
    for (index, command) in commands.iter().enumerate() {
        let shown: Vec<String> = command.shown.iter().map(|line| own_ports(line)).collect();
        compare(index, command, &shown, &written)
            .map_err(|why| Failure(format!("{page}:{}: {why}", command.line)))?;
    }
    Ok(())
}

/// A fence names a file, or the module that it is.
fn uses(fence: &Fence, file: &str) -> bool {
    fence.text.contains(file.split('.').next().unwrap_or(file))
}

/// Commands of ours in an excerpt or in prose, and their options, exist.
fn check_options(
    runner: &Runner,
    stage: &Stage,
    at: &str,
    text: &str,
    helps: &mut HashMap<String, String>,
) -> Result<(), Failure> {
    for line in text.lines().map(|line| line.trim_start_matches("$ ")) {
        let words = line.split(" # ").next().unwrap_or(line).split_whitespace();
        let words: Vec<&str> = words.take_while(|word| *word != "--").collect();
        let [first, command, rest @ ..] = words.as_slice() else {
            continue;
        };
        if *first != "toolwire" {
            continue;
        }
        let mut name = vec![*command];
        if ["session", "profile"].contains(command) {
            name.extend(rest.first());
        }
        let shown = name.join(" ");
        if !helps.contains_key(&shown) {
            let mut help = stage.toolwire(runner, &[&name[..], &["--help"]].concat());
            let output = help.command.output();
            let output = output.map_err(|error| Failure(format!("toolwire: {error}")))?;
            let text = match output.status.success() {
                true => String::from_utf8_lossy(&output.stdout).into_owned(),
                false => return Err(Failure(format!("{at}: there is no `toolwire {shown}`"))),
            };
            helps.insert(shown.clone(), text);
        }
        for option in rest.iter().filter(|word| word.starts_with("--")) {
            let option = option.split('=').next().unwrap_or(option);
            if !helps[&shown].contains(option) {
                return Err(Failure(format!(
                    "{at}: `toolwire {shown}` has no `{option}`"
                )));
            }
        }
    }
    Ok(())
}

/// The crate for tools in Rust has a page's fences among the examples of its documentation.
fn is_doctest(runner: &Runner, page: &str, at: &str) -> Result<(), Failure> {
    let file = "crates/toolwire-author/src/lib.rs";
    let source = fs::read_to_string(runner.path(file)).unwrap_or_default();
    match source.contains(&format!("../../../{page}")) {
        true => Ok(()),
        false => Err(Failure(format!(
            "{at}: this fence is not run; add the page to `{file}`, or mark it `excerpt`"
        ))),
    }
}

/// The commands of a fence: that of each `$ ` with its `> `, or the whole of `sh`.
fn read_commands(fence: &Fence) -> Vec<Command> {
    if fence.language == "sh" {
        return vec![Command {
            line: fence.line,
            typed: fence.text.clone(),
            shown: Vec::new(),
        }];
    }
    let mut commands: Vec<Command> = Vec::new();
    for (text, line) in fence.text.lines().zip(fence.line..) {
        if let Some(typed) = text.strip_prefix("$ ") {
            commands.push(Command {
                line,
                typed: typed.to_owned(),
                shown: Vec::new(),
            });
        } else if let Some(command) = commands.last_mut() {
            match text.strip_prefix("> ") {
                Some(more) if command.shown.is_empty() => {
                    command.typed.push('\n');
                    command.typed.push_str(more);
                }
                _ => command.shown.push(text.trim_end().to_owned()),
            }
        }
    }
    commands
}

/// What a person types at the prompts that are shown: a text to wait for, and the keys.
fn prompts(shown: &[String]) -> Vec<(&str, String)> {
    let prompts = shown.iter().filter_map(|line| match line.as_str() {
        "✓ Yes" => Some(("›", "y".to_owned())),
        "✓ No" => Some(("›", "n".to_owned())),
        line => match line.strip_prefix("✓ ") {
            Some(text) => Some(("›", format!("--enter '{text}'"))),
            None => line
                .split_once("[y/N] ")
                .map(|(_, key)| ("[y/N]", format!("--enter {key}"))),
        },
    });
    prompts.collect()
}

fn write_step(script: &mut String, index: usize, typed: &str, command: &Command) {
    let _ = writeln!(script, "printf '\\n%s\\n' '{MARK}begin {index}'");
    let prompts = prompts(&command.shown);
    // A shell ignores what stands behind `#`; here it would hide what follows.
    let bare = typed.split("  # ").next().unwrap_or(typed).trim_end();
    if let Some(background) = bare.strip_suffix('&') {
        let _ = writeln!(script, "{{ {background}; }} >{index}.log 2>&1 &");
        let _ = writeln!(
            script,
            "until [ -s {index}.log ]; do sleep 0.1; done; cat {index}.log"
        );
    } else if let [(first, _), ..] = prompts.as_slice() {
        let _ = writeln!(script, "cat >{index}.sh <<'{MARK}'\n{typed}\n{MARK}");
        let spawn = format!("spawn page --pty --size 200x50 --quiet --until '{first}'");
        let _ = writeln!(
            script,
            "toolwire session {spawn} -- sh {index}.sh >{index}.log"
        );
        for (place, (_, keys)) in prompts.iter().enumerate() {
            let until = prompts
                .get(place + 1)
                .map(|(next, _)| format!("--until '{next}'"));
            let until = until.unwrap_or_default();
            let _ = writeln!(
                script,
                "toolwire session apply page --quiet {until} {keys} >>{index}.log"
            );
        }
        script.push_str("toolwire session wait page --timeout 20s >/dev/null\n");
        let _ = writeln!(
            script,
            "toolwire session fetch page --quiet >>{index}.log; cat {index}.log"
        );
    } else {
        let _ = writeln!(script, "{typed}");
    }
    let _ = writeln!(script, "printf '\\n%s\\n' \"{MARK}$?\"");
}

fn run_shell(runner: &Runner, stage: &Stage, page: &str, place: &Path) -> Result<String, Failure> {
    let broken = |error: std::io::Error| Failure(format!("{page}: {error}"));
    let output = place.join("page.out");
    let file = File::create(&output).map_err(broken)?;
    let mut shell = runner.command("sh");
    stage.find_packages(&mut shell);
    settle(&mut shell);
    shell
        .arg("page.sh")
        .current_dir(place)
        .env("HOME", place.join("home"))
        .env("COLUMNS", "100")
        .stdout(file.try_clone().map_err(broken)?)
        .stderr(Stdio::from(file));
    for variable in [
        "XDG_CONFIG_HOME",
        "XDG_DATA_HOME",
        "XDG_STATE_HOME",
        "XDG_CACHE_HOME",
    ] {
        shell.env_remove(variable);
    }
    let mut child = shell.spawn().map_err(broken)?;
    let began = Instant::now();
    while child.try_wait().map_err(broken)?.is_none() {
        if began.elapsed() > LIMIT {
            child.kill().map_err(broken)?;
            let written = fs::read_to_string(&output).unwrap_or_default();
            let limit = LIMIT.as_secs();
            return Err(Failure(format!(
                "{page}: not done in {limit} s:\n{written}"
            )));
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    let written = fs::read(&output).map_err(broken)?;
    Ok(String::from_utf8_lossy(&written).into_owned())
}

/// A command has written what the page shows, or has succeeded if the page shows nothing.
fn compare(index: usize, command: &Command, shown: &[String], written: &str) -> Result<(), String> {
    let begin = format!("\n{MARK}begin {index}\n");
    let parts = written.split_once(&begin).and_then(|(_, rest)| {
        let (actual, rest) = rest.split_once(&format!("\n{MARK}"))?;
        Some((actual, rest.lines().next().unwrap_or_default()))
    });
    let Some((actual, status)) = parts else {
        return Err(format!("`{}` was not run:\n{written}", command.typed));
    };
    // A session writes what is typed at a prompt on a line of its own.
    let actual = actual
        .replace("[y/N]\n ", "[y/N]\n")
        .replace("[y/N]\n", "[y/N] ");
    let lines: Vec<&str> = actual.trim_end().lines().map(str::trim_end).collect();
    let mut shown: Vec<&str> = shown.iter().map(String::as_str).collect();
    while shown.last().is_some_and(|line| line.is_empty()) {
        shown.pop();
    }
    let fits = match shown.as_slice() {
        [] => status == "0",
        _ if !prompts(&command.shown).is_empty() => are_among(&shown, &lines),
        _ => are(&shown, &lines),
    };
    match fits {
        true => Ok(()),
        false => Err(format!(
            "`{}` ended with {status} and wrote:\n{}",
            command.typed,
            actual.trim_end()
        )),
    }
}

/// The lines are those that are shown; `…` on a line of its own stands for any lines.
fn are(shown: &[&str], lines: &[&str]) -> bool {
    match (shown, lines) {
        ([], []) => true,
        (["…", rest @ ..], _) => (0..=lines.len()).any(|skip| are(rest, &lines[skip..])),
        ([first, shown @ ..], [line, lines @ ..]) => is(first, line) && are(shown, lines),
        _ => false,
    }
}

/// The lines that are shown are among these, in this order: a prompt draws more than what stays.
fn are_among(shown: &[&str], lines: &[&str]) -> bool {
    let mut lines = lines.iter();
    shown.iter().all(|shown| lines.any(|line| is(shown, line)))
}

/// A line is the one that is shown; `…` stands for any text.
fn is(shown: &str, line: &str) -> bool {
    match shown.split_once('…') {
        None => shown == line,
        Some((start, end)) => line.strip_prefix(start).is_some_and(|rest| {
            (0..=rest.len()).any(|at| rest.get(at..).is_some_and(|rest| is(end, rest)))
        }),
    }
}

fn free_ports() -> Result<Vec<String>, Failure> {
    let free = || {
        let listener = std::net::TcpListener::bind("127.0.0.1:0")?;
        Ok(listener.local_addr()?.port().to_string())
    };
    let ports: std::io::Result<Vec<String>> = PORTS.iter().map(|_| free()).collect();
    ports.map_err(|error| Failure(format!("no free port: {error}")))
}

/// Puts zod, which the tests of the package for Node have installed, where the tools of the pages find it.
fn borrow_zod(runner: &Runner, stage: &Stage) -> Result<(), Failure> {
    let installed = crate::node::workshop(runner)?.join("node_modules/zod");
    let place = stage.app.join("node_modules/zod");
    crate::step::copy_folder(&installed, &place)
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    fs::write(path, text).map_err(|error| Failure(format!("`{}`: {error}", path.display())))
}
