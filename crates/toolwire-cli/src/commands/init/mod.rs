//! `toolwire init`: a first tool, or the entry of a program that there is already, in the manifest.

mod entry;
mod first_tool;
mod help_text;
mod manifest_file;
mod usage;

use std::ffi::OsString;
use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::path::Path;
use std::time::Duration;

use toolwire::json::{ObjectWriter, array, string};
use toolwire::question::{Choice, Prompt, TextRange};
use toolwire::{Exit, Json};
use toolwire_host::manifest::Manifest;
use toolwire_host::{Command, ProcessOptions, StopReason, run_until};

use super::observe::described;
use crate::args::{InitArgs, Language, ProcessArgs, quoted};
use crate::exit::{self, Failure, Outcome, Result};
use crate::output::{Out, use_color};
use crate::run::{Session, Target, block_on, text};
use crate::{prompt, terminal};
use entry::Entry;
use manifest_file::ManifestFile;

/// The name of a first tool, unless another is given.
const FIRST_NAME: &str = "hello";
/// How long a program may take to print its help.
const LONGEST: Duration = Duration::from_secs(30);
/// The most bytes of a help that are read.
const MOST: usize = 64 * 1024;

/// What is to be written: tables of the manifest, and a file with its text.
struct Plan {
    entries: Vec<Entry>,
    file: Option<(String, String)>,
    /// What the tool needs, if it can't be described.
    needs: &'static str,
}

pub fn run(args: &InitArgs, out: &mut Out) -> Result<Outcome> {
    let manifest = ManifestFile::find(&args.manifest)?;
    let words = match &args.program {
        Some(program) => std::slice::from_ref(program),
        None => &args.command[..],
    };
    let plan = match words.is_empty() {
        true => first_tool(args, &manifest, out)?,
        false => of_program(words, args, &manifest, out)?,
    };
    let text = manifest.with(&plan.entries)?;
    if let Some((path, text)) = &plan.file {
        create(path, text)?;
    }
    manifest.write(&text)?;
    let (mut works, mut commands) = (true, Vec::new());
    let written = Manifest::read(&manifest.path)?;
    for entry in &plan.entries {
        let tool = toolwire_source::tool(written.tool(&entry.name)?);
        match described(tool, &ProcessArgs::default(), out) {
            Ok(_) => {}
            Err(failure @ Failure::Ended(_)) => return Err(failure),
            Err(failure) => {
                works = false;
                out.complain(&format!("warning: {}", failure.message()));
            }
        }
        let words = ["toolwire", "run", &entry.name].map(str::to_owned);
        let words: Vec<String> = words.into_iter().chain(entry.example.clone()).collect();
        commands.push(shell(&words));
    }
    if !works {
        out.complain(plan.needs);
    }
    tell(&manifest.path, &plan, &commands, args.json, out)
}

/// Says what was written, and how it is tried.
fn tell(
    manifest: &Path,
    plan: &Plan,
    commands: &[String],
    json: bool,
    out: &mut Out,
) -> Result<Outcome> {
    let manifest = manifest.to_string_lossy();
    let names: Vec<&str> = plan.entries.iter().map(|entry| &*entry.name).collect();
    let file = plan.file.as_ref().map(|(path, _)| path);
    if json {
        let json = ObjectWriter::new()
            .text("manifest", &*manifest)
            .json("tools", array(names.into_iter().map(string)))
            .optional("file", file)
            .json(
                "commands",
                array(commands.iter().map(|command| string(command))),
            )
            .end();
        out.json(&json)?;
        return Ok(Outcome::Success);
    }
    if let Some(file) = file {
        out.line(&format!("wrote {}", terminal::safe(file)))?;
    }
    let here = std::env::current_dir().unwrap_or_default();
    let shown = Path::new(&*manifest)
        .strip_prefix(here)
        .unwrap_or(Path::new(&*manifest));
    let (names, shown) = (names.join("`, `"), shown.display().to_string());
    out.line(&format!("added `{names}` to {}", terminal::safe(&shown)))?;
    for command in commands {
        out.line(&format!("try it: {}", terminal::safe(command)))?;
    }
    Ok(Outcome::Success)
}

/// A new tool in a language that was given, or that a person chooses.
fn first_tool(args: &InitArgs, manifest: &ManifestFile, out: &Out) -> Result<Plan> {
    let asks = !args.yes && prompt::is_available();
    let language = match args.language {
        Some(language) => language,
        None if args.yes => Language::Python,
        None if asks => ask_language(out)?,
        None => {
            return Err(wrong(
                "nobody is there to ask for a language; give `--language python`, `node` or `sh`",
            ));
        }
    };
    let name = match &args.name {
        Some(name) => name.clone(),
        None if asks => ask_name(out)?,
        None => FIRST_NAME.to_owned(),
    };
    manifest.check_name(&name).map_err(wrong)?;
    let path = format!("./{}", language.file(&name));
    if Path::new(&path).symlink_metadata().is_ok() {
        return Err(exists(&path));
    }
    Ok(Plan {
        entries: vec![language.entry(&name, &manifest.program(&path)?)],
        file: Some((path, language.text(&name))),
        needs: language.needs(),
    })
}

fn ask_language(out: &Out) -> Result<Language> {
    let choices = Language::ALL.map(|language| Choice {
        value: Json::from(language.as_str()),
        label: language.as_str().to_owned(),
        description: None,
    });
    let first = Json::from(Language::ALL[0].as_str());
    let text = "In which language is the tool written?";
    let chosen = ask(text, Prompt::Select(choices.to_vec()), first, out)?;
    let mut all = Language::ALL.into_iter();
    all.find(|language| language.as_str() == chosen)
        .ok_or_else(not_written)
}

fn ask_name(out: &Out) -> Result<String> {
    let range = TextRange::default();
    ask(
        "What is its name?",
        Prompt::Text(range),
        Json::from(FIRST_NAME),
        out,
    )
}

/// Asks the person at the terminal for a text.
fn ask(text: &str, prompt: Prompt, default: Json, out: &Out) -> Result<String> {
    let color = use_color(out.when, true);
    block_on(async {
        let asked = prompt::ask_own(text, prompt, Some(default), color).await;
        match asked {
            Ok(answer) => answer
                .and_then(|answer| answer.to_text())
                .ok_or_else(not_written),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Err(Failure::Ended(None)),
            Err(error) => Err(Failure::Io(format!(
                "cannot ask a question at the terminal: {}",
                exit::reason(&error)
            ))),
        }
    })
}

/// The entries of a program: one for each tool that it describes, or one from its help.
fn of_program(
    words: &[OsString],
    args: &InitArgs,
    manifest: &ManifestFile,
    out: &mut Out,
) -> Result<Plan> {
    if args.language.is_some() {
        let message =
            "`--language` is for a new tool; leave it out for a program that there is already";
        return Err(Failure::usage(message));
    }
    let words: Vec<String> = words.iter().map(|word| text(word)).collect::<Result<_>>()?;
    let command = Command::new(&words[0]).args(&words[1..]);
    let program = manifest.program(&words[0])?;
    let source = toolwire_source::command(command.clone());
    let entries = match words.len() == 1 && source.is_tool(None) {
        true => {
            let tools = described(source, &ProcessArgs::default(), out)?;
            let one = tools.len() == 1;
            if args.name.is_some() && !one {
                let message = "`--name` is for one tool, and this program has several with names of their own; leave it out";
                return Err(Failure::usage(message));
            }
            let tools = tools.iter().map(|tool| {
                let name = args.name.as_ref().unwrap_or(&tool.name);
                Entry::of_tool(name, &program, (!one).then_some(&*tool.name))
            });
            tools.collect()
        }
        false => {
            agree(
                &format!("Start `{} --help` to read what it takes?", words.join(" ")),
                args,
            )?;
            let (text, failure) = help_of(command, out)?;
            let help = help_text::read(&text, &words[1..]);
            if !help.commands.is_empty() {
                let commands = help.commands.join("`, `");
                let first = words.iter().chain(help.commands.first()).cloned();
                let first: Vec<String> = first.collect();
                return Err(wrong(format!(
                    "`{}` has the commands `{commands}`; name one of them, as in `toolwire init -- {}`",
                    words.join(" "),
                    shell(&first)
                )));
            }
            if help.options.is_empty() && help.positionals.is_empty() {
                if let Some(failure) = failure {
                    return Err(Failure::Refused(format!(
                        "`{} --help` says nothing of arguments: {failure}; write the entry by hand",
                        words.join(" ")
                    )));
                }
                let message = format!(
                    "warning: its help says nothing of arguments, so `{program}` is run without any"
                );
                terminal::complain(&message);
            }
            let name = args.name.clone().unwrap_or_else(|| usual_name(&words));
            let entry_words: Vec<String> = std::iter::once(program.clone())
                .chain(words[1..].to_vec())
                .collect();
            vec![Entry::of_help(&name, &entry_words, &help)]
        }
    };
    for entry in &entries {
        manifest.check_name(&entry.name).map_err(wrong)?;
    }
    let texts: Vec<&str> = entries.iter().map(|entry| &*entry.text).collect();
    let text = texts.join("\n");
    match (args.yes, args.json) {
        (false, _) => terminal::tell(&text, false),
        (true, false) => out.text(&text)?,
        (true, true) => {}
    }
    agree(&format!("Add this to `{}`?", manifest.path.display()), args)?;
    Ok(Plan {
        entries,
        file: None,
        needs: "fix the entry in the manifest",
    })
}

/// The name of a tool that has none: that of its program, without folder and extension, and its command.
fn usual_name(words: &[String]) -> String {
    let program = Path::new(&words[0])
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy();
    let commands = words[1..]
        .iter()
        .filter(|word| !word.starts_with('-') && !word.contains(['/', '.']));
    let parts: Vec<&str> = std::iter::once(&*program)
        .chain(commands.map(String::as_str))
        .collect();
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    parts.join("-").chars().filter(|&c| is_part(c)).collect()
}

/// What a program prints as its help, and how it failed, if it did.
fn help_of(command: Command, out: &Out) -> Result<(String, Option<String>)> {
    let command = command.arg("--help");
    let target = Target::of_program(command.clone(), true);
    block_on(async {
        let session = Session::new(&target, &ProcessArgs::default(), out.when)?;
        // Wide and without colours, frames and pagers.
        let set = [
            ("COLUMNS", "200"),
            ("NO_COLOR", "1"),
            ("TERM", "dumb"),
            ("TYPER_USE_RICH", "0"),
            ("PAGER", "cat"),
        ];
        let environment = session.options.environment.clone();
        let options = ProcessOptions {
            environment: set
                .into_iter()
                .fold(environment, |all, (name, value)| all.with(name, value)),
            timeout: Some(LONGEST),
            max_output: MOST,
            result_channel: false,
            ..session.options.clone()
        };
        let reply = run_until(&command, &options, session.signals.nth(1)).await;
        if let Some(outcome) = session.signals.outcome() {
            return Err(Failure::Ended(Some(outcome)));
        }
        let report = reply
            .map_err(|error| Failure::Io(error.to_string()))?
            .report;
        if report.stopped == Some(StopReason::Timeout) {
            return Err(Failure::Refused(format!(
                "`{} --help` did not end within {} s; write the entry by hand",
                target.label,
                LONGEST.as_secs()
            )));
        }
        // Some programs print their help to stderr.
        let (stdout, stderr) = (&report.stdout, &report.stderr);
        let text = String::from_utf8_lossy(if stdout.trim_ascii().is_empty() {
            stderr
        } else {
            stdout
        });
        let failure = report.exit.filter(|exit| *exit != Exit::Code(0));
        let last = text
            .lines()
            .rfind(|line| !line.trim().is_empty())
            .unwrap_or("it prints nothing");
        let failure = failure.map(|_| last.trim().to_owned());
        Ok((text.to_string(), failure))
    })
}

/// Sees to it that a person agrees, or `--yes`.
fn agree(question: &str, args: &InitArgs) -> Result<()> {
    if args.yes {
        return Ok(());
    }
    match terminal::confirm(question)? {
        Some(true) => Ok(()),
        Some(false) => Err(not_written()),
        None => Err(wrong(
            "nobody is there to agree, so nothing was done; add `--yes`",
        )),
    }
}

/// Words as they are typed in a shell.
fn shell(words: &[String]) -> String {
    let words: Vec<String> = words.iter().map(|word| quoted(word)).collect();
    words.join(" ")
}

/// Writes a file that is not there yet, and lets it be run.
fn create(path: &str, text: &str) -> Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o777);
    let written = options
        .open(path)
        .and_then(|mut file| file.write_all(text.as_bytes()));
    written.map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => exists(path),
        _ => Failure::Io(format!("cannot write `{path}`: {}", exit::reason(&error))),
    })
}

fn exists(path: &str) -> Failure {
    wrong(format!(
        "`{path}` exists already, and nothing was written; give another name with `--name`"
    ))
}

fn not_written() -> Failure {
    Failure::Refused("nothing was written".to_owned())
}

fn wrong(message: impl Into<String>) -> Failure {
    Failure::Wrong(vec![message.into()])
}
