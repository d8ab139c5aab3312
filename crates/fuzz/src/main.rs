//! `toolwire-fuzz`: tries the laws for a while and says what broke.

use clap::Parser;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};
use toolwire_fuzz::corpus::{Corpus, cases_folder};
use toolwire_fuzz::laws::{self, LAWS, Law};
use toolwire_fuzz::report::Replay;
use toolwire_fuzz::run::{self, Length, Slow, Tally};
use toolwire_fuzz::subject::Toolwire;

/// Tries the laws that every reader must keep on generated and mutated input.
///
/// Exits with 0 if no law broke, 1 if one did, 2 if it was called wrongly.
#[derive(Parser)]
#[command(name = "toolwire-fuzz", version)]
struct Options {
    /// How long, in seconds [default: 10]
    #[arg(long, value_name = "N", conflicts_with = "minutes")]
    seconds: Option<u64>,
    /// How long, in minutes
    #[arg(long, value_name = "N")]
    minutes: Option<u64>,
    /// Try so many inputs instead; with a seed this is the same run on every machine
    #[arg(long, value_name = "N", conflicts_with_all = ["seconds", "minutes"])]
    inputs: Option<u64>,
    /// What all inputs follow from [default: drawn from the clock]
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// Try only this law
    #[arg(long, value_name = "NAME")]
    law: Option<String>,
    /// List the laws and leave
    #[arg(long)]
    list: bool,
    /// Try the law, input and options of a failure file again
    #[arg(long, value_name = "FILE")]
    replay: Option<PathBuf>,
    /// Where failure files go
    #[arg(long, value_name = "FOLDER", default_value = "target/fuzz")]
    failures: PathBuf,
}

fn main() -> ExitCode {
    let options = Options::parse();
    match run::on_a_deep_stack(|| follow(&options)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(message) => {
            eprintln!("toolwire-fuzz: {message}");
            ExitCode::from(2)
        }
    }
}

/// True if no law broke.
fn follow(options: &Options) -> Result<bool, String> {
    if options.list {
        for law in LAWS {
            println!("{:13} {}", law.name, law.about);
        }
        return Ok(true);
    }
    run::keep_panics();
    if let Some(path) = &options.replay {
        return replay(path);
    }
    let only = options.law.as_deref().map(law).transpose()?;
    let length = match (options.inputs, options.minutes, options.seconds) {
        (Some(inputs), _, _) => Length::Inputs(inputs),
        (_, Some(minutes), _) => Length::Time(Duration::from_secs(minutes * 60)),
        (_, _, seconds) => Length::Time(Duration::from_secs(seconds.unwrap_or(10))),
    };
    let seed = options.seed.unwrap_or_else(|| fastrand::u64(..));
    let corpus = Corpus::with_cases(&cases_folder())?;
    eprintln!(
        "fuzzing with seed {seed}; laws: {}, documents to start from: {}, URIs: {}",
        only.map_or(LAWS.len(), |_| 1),
        corpus.documents.len(),
        corpus.uris.len()
    );
    let mut failures = 0;
    let mut line = ProgressLine::new();
    let tally = run::run(
        &Toolwire,
        &corpus,
        seed,
        length,
        only,
        |tally| line.show(tally),
        |failure| {
            failures += 1;
            eprintln!("\nthe law `{}` is broken: {}", failure.law, failure.message);
            match failure.write(&options.failures) {
                Ok(path) => eprintln!(
                    "  again: cargo run -p toolwire-fuzz -- --replay {}\n  a case for conformance/cases/regressions.json is in that file",
                    path.display()
                ),
                Err(error) => eprintln!("  and its file can't be written: {error}"),
            }
        },
    );
    line.end();
    println!(
        "{} inputs, {} checks, {failures} laws broken (seed {seed})",
        tally.inputs, tally.checks
    );
    if let Some(slow) = tally.slowest {
        tell_slowest(slow)?;
    }
    Ok(failures == 0)
}

/// Tells of the slowest check, if it is slow when it is tried again: the machine has other work too.
fn tell_slowest(slow: Slow) -> Result<(), String> {
    let law = law(slow.law)?;
    let again = (0..3).map(|_| {
        let begun = Instant::now();
        let _ = run::attempt(law, &Toolwire, &slow.input, slow.salt);
        begun.elapsed()
    });
    let took = again.min().unwrap_or(slow.took);
    if took > Duration::from_millis(100) {
        println!(
            "slowest: {took:.1?} for `{}` on {} bytes",
            law.name,
            slow.input.len()
        );
    }
    Ok(())
}

fn law(name: &str) -> Result<&'static Law, String> {
    laws::by_name(name)
        .ok_or_else(|| format!("`{name}` is not a law; `--list` shows those that are"))
}

fn replay(path: &Path) -> Result<bool, String> {
    let (name, input, salt) = Replay::read(path)?;
    match run::attempt(law(&name)?, &Toolwire, &input, salt) {
        Ok(()) => println!("the law `{name}` holds"),
        Err(message) => {
            println!("the law `{name}` is broken: {message}");
            return Ok(false);
        }
    }
    Ok(true)
}

/// One line on a terminal that tells how far the run is; nothing elsewhere.
struct ProgressLine {
    on: bool,
    begun: Instant,
    shown: Instant,
}

impl ProgressLine {
    fn new() -> Self {
        let now = Instant::now();
        Self {
            on: std::io::stderr().is_terminal(),
            begun: now,
            shown: now,
        }
    }

    fn show(&mut self, tally: &Tally) {
        if self.on && self.shown.elapsed() > Duration::from_millis(200) {
            self.shown = Instant::now();
            let seconds = self.begun.elapsed().as_secs_f64();
            let each = tally.inputs as f64 / seconds;
            eprint!(
                "\r{seconds:.0} s, {} inputs ({each:.0}/s), {} checks\x1b[K",
                tally.inputs, tally.checks
            );
            let _ = std::io::stderr().flush();
        }
    }

    fn end(&self) {
        if self.on {
            eprint!("\r\x1b[K");
        }
    }
}
