//! `toolwire-bench`: Toolwire beside its peers, in one run. `cargo xtask bench` builds what it needs
//! and calls it; called alone it measures Rust, and says what is left out.

mod contract;
mod corpus;
mod locked;
mod measure;
mod report;
mod rust;
mod scripts;
mod start;
mod strict;

use clap::Parser;
use measure::{Effort, Sample};
use report::Results;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

/// Measures Toolwire and its peers, and prints Markdown tables.
///
/// Times are for reading, never for passing or failing: exits with 0 unless something cannot be
/// measured at all.
#[derive(Parser)]
#[command(name = "toolwire-bench", version)]
struct Options {
    /// Toolwire's wheel; without it Python is left out
    #[arg(long, value_name = "FILE")]
    wheel: Option<PathBuf>,
    /// Toolwire's npm tarballs, that of the platform too; without them Node is left out
    #[arg(long, value_name = "FILE")]
    tarball: Vec<PathBuf>,
    /// The toolwire command; without it its start is left out
    #[arg(long, value_name = "FILE")]
    toolwire: Option<PathBuf>,
    /// The Python to make an environment with
    #[arg(long, value_name = "FILE", default_value = "python3")]
    python: PathBuf,
    /// The Node to run
    #[arg(long, value_name = "FILE", default_value = "node")]
    node: PathBuf,
    /// Rounds in which everybody runs once
    #[arg(long, value_name = "N", default_value_t = 15)]
    rounds: usize,
    /// Few and short rounds, to see whether all of it works
    #[arg(long)]
    quick: bool,
    /// Measure only these
    #[arg(long, value_name = "PART", value_delimiter = ',')]
    only: Vec<Part>,
    /// Write benches/RESULTS.md too
    #[arg(long)]
    write: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Part {
    Rust,
    Python,
    Node,
    Start,
}

fn main() -> ExitCode {
    let options = Options::parse();
    match follow(&options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("toolwire-bench: {message}");
            ExitCode::FAILURE
        }
    }
}

struct Places {
    checkout: PathBuf,
    target: PathBuf,
    corpus: PathBuf,
    schema: PathBuf,
    probes: PathBuf,
}

fn follow(options: &Options) -> Result<(), String> {
    let checkout = Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .unwrap_or(Path::new("."));
    let target = checkout.join("target");
    eprintln!("the corpus, in {}", corpus::folder(&target).display());
    let mut inputs = corpus::load(&target).map_err(|e| format!("the corpus: {e}"))?;
    let places = Places {
        checkout: checkout.to_path_buf(),
        corpus: corpus::folder(&target),
        schema: checkout.join("schema/envelope.schema.json"),
        probes: target.join("bench-corpus/probes.json"),
        target,
    };
    let probes = strict::probes();
    let text = serde_json::to_vec(&probes).map_err(|e| e.to_string())?;
    std::fs::write(&places.probes, text)
        .map_err(|e| format!("{}: {e}", places.probes.display()))?;

    let mut results = Results {
        versions: machine(),
        ..Results::default()
    };
    let effort = match options.quick {
        true => Effort {
            rounds: 3,
            turn: Duration::from_millis(5),
        },
        false => Effort {
            rounds: options.rounds,
            turn: Duration::from_millis(50),
        },
    };
    let on = |part| options.only.is_empty() || options.only.contains(&part);
    if on(Part::Rust) {
        let schema = rust::validator(&places.checkout)?;
        rust::measure(&inputs, &schema, effort, |sample| {
            tell(sample);
            results.samples.push(sample.clone());
        })?;
        let tool = contract::tool();
        contract::measure(&tool, effort, |sample| {
            tell(sample);
            results.samples.push(sample.clone());
        })?;
        inputs.push(tool);
        results.verdicts.extend(rust::strictness(&probes, &schema));
        results.versions.push(peers_of(&places.checkout)?);
    }
    let mut starts = Vec::new();
    let envelope = places.corpus.join("text-200.json");
    match &options.toolwire {
        Some(command) if on(Part::Start) => {
            starts.extend(start::cli(command, &envelope));
            starts.extend(locked::starts(command, &places.target)?);
        }
        Some(_) => {}
        None => results
            .left_out
            .push("the command (no `--toolwire`)".to_string()),
    }
    match &options.wheel {
        Some(wheel) if on(Part::Python) || on(Part::Start) => {
            eprintln!("the Python peers, in target/bench-venv");
            let interpreter =
                scripts::python(&places.checkout, &places.target, &options.python, wheel)?;
            if on(Part::Python) {
                let mut command = Command::new(&interpreter);
                command.arg(places.checkout.join("benches/python/bench.py"));
                results.take(scripts::run(places.arguments(&mut command, effort), tell)?);
            }
            starts.extend(start::python(&interpreter, &envelope));
        }
        Some(_) => {}
        None => results
            .left_out
            .push("Python (no `--wheel`; `cargo xtask bench` builds one)".to_string()),
    }
    match &options.tarball[..] {
        [] => results
            .left_out
            .push("Node (no `--tarball`; `cargo xtask bench` builds them)".to_string()),
        tarballs if on(Part::Node) || on(Part::Start) => {
            eprintln!("the Node peers, in target/bench-node");
            let folder = scripts::node(&places.checkout, &places.target, tarballs)?;
            if on(Part::Node) {
                let mut command = Command::new(&options.node);
                command.arg(folder.join("bench.mjs"));
                results.take(scripts::run(places.arguments(&mut command, effort), tell)?);
            }
            starts.extend(start::node(&options.node, &folder, &envelope));
        }
        _ => {}
    }
    if on(Part::Start) && !starts.is_empty() {
        eprintln!("process starts");
        results.started =
            start::measure(starts, if options.quick { 3 } else { 2 * options.rounds })?;
    }

    let tables = results.markdown(&inputs, &probes);
    println!("{tables}");
    if options.write {
        let path = places.checkout.join("benches/RESULTS.md");
        let head = "# Toolwire beside its peers\n\nWritten by `cargo xtask bench --write`; do not edit.\n\n";
        // `cargo xtask bench serving` writes what stands behind its mark.
        let before = std::fs::read_to_string(&path).unwrap_or_default();
        let at = before.find("<!-- serving -->");
        let serving = at
            .map(|at| format!("\n{}", &before[at..]))
            .unwrap_or_default();
        std::fs::write(&path, format!("{head}{tables}{serving}"))
            .map_err(|e| format!("{}: {e}", path.display()))?;
        eprintln!("written: {}", path.display());
    }
    Ok(())
}

impl Places {
    /// What both scripts are called with.
    fn arguments<'c>(&self, command: &'c mut Command, effort: Effort) -> &'c mut Command {
        command
            .arg(&self.corpus)
            .arg(&self.schema)
            .arg(&self.probes);
        command
            .arg(effort.rounds.to_string())
            .arg(effort.turn.as_millis().to_string())
    }
}

impl Results {
    fn take(&mut self, found: scripts::Found) {
        self.samples.extend(found.samples);
        self.verdicts.extend(found.verdicts);
        self.left_out.extend(found.refused);
        self.versions.push(found.versions.join(", "));
    }
}

fn tell(sample: &Sample) {
    let Sample {
        language,
        task,
        input,
        peer,
        micros,
    } = sample;
    eprintln!("{language:6} {task:9} {input:13} {peer:25} {micros:12.2} µs");
}

/// What kind of machine this is, as far as the system says it.
fn machine() -> Vec<String> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info
        .lines()
        .find_map(|line| line.strip_prefix("model name")?.split_once(": "))
        .map_or(std::env::consts::ARCH, |(_, model)| model);
    vec![format!("{model}, {cores} cores, {}", std::env::consts::OS)]
}

/// The Rust peers and their versions, from the lock file.
fn peers_of(checkout: &Path) -> Result<String, String> {
    let lock = std::fs::read_to_string(checkout.join("Cargo.lock"))
        .map_err(|e| format!("Cargo.lock: {e}"))?;
    let version = |name: &str| {
        let entry = lock
            .split("[[package]]")
            .find(|entry| entry.contains(&format!("name = \"{name}\"\n")))?;
        entry
            .lines()
            .find_map(|line| line.strip_prefix("version = \"")?.strip_suffix('"'))
    };
    let peers = [
        "serde_json",
        "rmcp",
        "sonic-rs",
        "serde_json_canonicalizer",
        "sha2",
        "jsonschema",
    ];
    let list: Vec<String> = peers
        .iter()
        .map(|peer| format!("{peer} {}", version(peer).unwrap_or("?")))
        .collect();
    Ok(format!("Rust crates {}", list.join(", ")))
}
