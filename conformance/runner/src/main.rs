//! Runs the conformance cases against any implementation, and keeps the cases in order.
//!
//! The protocol is in `spec/08-conformance.md`, the use in `conformance/README.md`.

mod case;
mod classes;
mod compare;
mod coverage;
mod extract;
mod harness;
mod laws;
mod lint;
mod published;
mod registry;
mod report;
mod run;
mod script;
mod spec;
mod tool;

use clap::{Args, Parser, Subcommand};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// Run the conformance cases against any implementation, and keep the cases in order.
#[derive(Parser)]
#[command(name = "toolwire-conformance", version, arg_required_else_help = true)]
struct Cli {
    /// The checkout; by default the nearest directory upwards that has conformance/case.schema.json.
    #[arg(long, global = true, value_name = "DIR")]
    root: Option<PathBuf>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run the cases against one or more implementations.
    ///
    /// Exit status: 0 all as expected, 1 something was not, 2 could not run.
    Run(Box<RunArgs>),
    /// Check the case files themselves: schema, ids, rules, duplicates, codes without a case.
    Lint,
    /// Write the cases that stand in the specification to conformance/cases/spec-*.json.
    Extract {
        /// Write nothing; fail if a file is stale.
        #[arg(long)]
        check: bool,
    },
    /// Print each rule of the specification and each diagnostic code with the cases that show it.
    Coverage,
}

#[derive(Args)]
struct RunArgs {
    /// The command that starts a harness, split at white space and run without a shell;
    /// or a JSON array of its words.
    #[arg(long = "impl", value_name = "COMMAND", required = true)]
    implementations: Vec<String>,
    /// Run only the cases whose id, topic or operation contains this text.
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,
    /// Run only the case with this id; may be repeated, as the options below.
    #[arg(long, value_name = "ID")]
    id: Vec<String>,
    /// Run the cases of a class, such as `reader` or `reader+identity`, and end with its line for a README.
    #[arg(long, value_name = "CLASS")]
    class: Vec<String>,
    /// Write the line of `--class` as an SVG image to this file.
    #[arg(long, value_name = "FILE", requires = "class")]
    badge: Option<PathBuf>,
    /// Run only the cases of this operation, such as `parse`.
    #[arg(long, value_name = "OPERATION")]
    op: Vec<String>,
    /// Run only the cases that show this rule, such as `READ-24`.
    #[arg(long, value_name = "RULE")]
    rule: Vec<String>,
    /// Run only the cases of this topic, the name of a case file without `.json`.
    #[arg(long, value_name = "TOPIC")]
    topic: Vec<String>,
    /// Write one JSON object a line for each case, and a summary, instead of text.
    #[arg(long)]
    json: bool,
    /// Seconds that one case may take.
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    timeout: u64,
    /// A file of case ids that are known to fail, one a line.
    #[arg(long, value_name = "FILE")]
    expect_failures: Option<PathBuf>,
    /// Count a skipped case as a failure.
    #[arg(long)]
    no_skips: bool,
    /// Multiply the upper bounds of times in scripts.
    #[arg(long, value_name = "FACTOR", default_value_t = 1)]
    slow: u32,
    /// Compare also what the specification only recommends, such as a wording.
    #[arg(long)]
    reference: bool,
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    match dispatch(&cli) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(message) => {
            eprintln!("toolwire-conformance: {message}");
            ExitCode::from(2)
        }
    }
}

/// Runs the command; `Ok(false)` means that it ran and found something wrong.
fn dispatch(cli: &Cli) -> Result<bool, String> {
    let root = match &cli.root {
        Some(root) => root.clone(),
        None => find_root()?,
    };
    match &cli.command {
        Command::Run(args) => run_command(&root, args.as_ref()),
        Command::Lint => lint::command(&root),
        Command::Extract { check } => extract::command(&root, *check),
        Command::Coverage => coverage::command(&root),
    }
}

fn run_command(root: &Path, args: &RunArgs) -> Result<bool, String> {
    let expected_failures = match &args.expect_failures {
        None => Vec::new(),
        Some(path) => run::parse_failure_list(
            &std::fs::read_to_string(path)
                .map_err(|error| format!("cannot read `{}`: {error}", path.display()))?,
        ),
    };
    let mut cases = case::load_all(&root.join("conformance/cases"))?;
    cases.extend(published::load(root)?);
    let claim = match &args.class[..] {
        [] => None,
        wanted => Some(classes::Classes::load(root)?.claim(wanted)?),
    };
    if let Some(claim) = &claim {
        cases.retain(|case| claim.operations.contains(&case.op));
    }
    let plan = run::Plan {
        cases,
        registry: registry::Registry::load(&root.join("schema/diagnostics.json"))?,
        filter: run::Filter {
            part: args.filter.clone(),
            ids: args.id.clone(),
            topics: args.topic.clone(),
            ops: args.op.clone(),
            rules: args.rule.clone(),
        },
        timeout: Duration::from_secs(args.timeout),
        expected_failures,
        no_skips: args.no_skips,
        exact: args.reference,
        slow: args.slow,
        root: root.to_owned(),
    };
    let commands = args
        .implementations
        .iter()
        .map(|text| harness::split_command(text))
        .collect::<Result<Vec<_>, _>>()?;
    let mut reporter = report::Reporter::new(std::io::stdout().lock(), args.json);
    let tallies = run::run(&plan, &commands, &mut reporter)?;
    if let Some(claim) = &claim {
        for tally in &tallies {
            reporter.note(&claim.line(tally.passed, tally.selected))?;
        }
        if let (Some(path), Some(tally)) = (&args.badge, tallies.first()) {
            std::fs::write(path, claim.badge(tally.passed, tally.selected))
                .map_err(|error| format!("cannot write `{}`: {error}", path.display()))?;
        }
    }
    Ok(tallies.iter().all(report::Tally::as_expected))
}

/// The nearest directory upwards that looks like the checkout.
fn find_root() -> Result<PathBuf, String> {
    let here = std::env::current_dir().map_err(|error| error.to_string())?;
    here.ancestors()
        .find(|dir| dir.join("conformance/case.schema.json").is_file())
        .map(Path::to_path_buf)
        .ok_or_else(|| {
            "no `conformance/case.schema.json` here or above; name the checkout with `--root`"
                .to_owned()
        })
}
