//! `toolwire-bench-serving`: a tool that does nothing, served by `toolwire serve` and by the servers of other
//! SDKs, to one client, in one run. `cargo xtask bench serving` builds what it needs and calls it.

mod client;
mod report;
mod servers;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use clap::Parser;
use client::{Client, Revision};
use servers::Server;

/// So many calls are in flight where that is measured.
const IN_FLIGHT: usize = 32;

/// Measures tools that are served over stdio, and prints Markdown tables.
///
/// Times are for reading, never for passing or failing: exits with 0 unless something cannot be measured at all.
#[derive(Parser)]
#[command(version)]
struct Options {
    /// The toolwire command
    #[arg(long, value_name = "FILE")]
    toolwire: PathBuf,
    /// A Python that has FastMCP, the official SDK and Toolwire
    #[arg(long, value_name = "FILE")]
    python: PathBuf,
    /// The Node to run
    #[arg(long, value_name = "FILE")]
    node: PathBuf,
    /// The folder with the npm packages
    #[arg(long, value_name = "DIR")]
    app: PathBuf,
    /// Rounds in which everybody has a turn
    #[arg(long, value_name = "N", default_value_t = 20)]
    rounds: usize,
    /// Few and short rounds, to see whether all of it works
    #[arg(long)]
    quick: bool,
    /// Measure only servers whose name contains this
    #[arg(long, value_name = "WORD")]
    only: Option<String>,
    /// Put the tables into benches/RESULTS.md too
    #[arg(long)]
    write: bool,
}

/// What was measured of one server with one revision.
pub struct Measured {
    server: usize,
    revision: Revision,
    /// One call behind the other.
    alone: Vec<Duration>,
    /// Each call of those in flight.
    together: Vec<Duration>,
    /// Calls a second, in each round.
    rate: Vec<f64>,
}

/// All that a run found.
pub struct Results {
    servers: Vec<Server>,
    /// From the start of each server to its first answer, and to its first result.
    first: Vec<(Vec<Duration>, Vec<Duration>)>,
    measured: Vec<Measured>,
    /// Starting each tool that is a process, without any server.
    starts: Vec<Vec<Duration>>,
    versions: Vec<String>,
    rounds: usize,
}

fn main() -> ExitCode {
    let options = Options::parse();
    match follow(&options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("toolwire-bench-serving: {message}");
            ExitCode::FAILURE
        }
    }
}

fn follow(options: &Options) -> Result<(), String> {
    let checkout = Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .unwrap_or(Path::new("."));
    let mut servers = servers::all(options, checkout)?;
    if let Some(word) = &options.only {
        servers.retain(|server| server.name.contains(word.as_str()));
    }
    let rounds = if options.quick { 2 } else { options.rounds };
    let begun = Instant::now();
    let mut results = Results {
        first: vec![Default::default(); servers.len()],
        measured: Vec::new(),
        starts: vec![Vec::new(); servers.len()],
        versions: servers::versions(options, checkout)?,
        servers,
        rounds,
    };
    first_answers(&mut results, rounds.div_ceil(2))?;
    calls(&mut results, options.quick)?;
    eprintln!("measured in {} s", begun.elapsed().as_secs());
    let tables = report::markdown(&results);
    println!("{tables}");
    if options.write {
        report::write(&checkout.join("benches/RESULTS.md"), &tables)?;
    }
    Ok(())
}

/// Starts each server anew in each round.
fn first_answers(results: &mut Results, rounds: usize) -> Result<(), String> {
    eprintln!("first answers");
    // The first round fills the system's caches.
    for round in 0..=rounds {
        for (server, first) in results.servers.iter().zip(&mut results.first) {
            let (_, took) = server.start(Revision::V2025_11_25)?;
            if round > 0 {
                first.0.push(took.answer);
                first.1.push(took.result);
            }
        }
    }
    Ok(())
}

/// Keeps all servers running, and gives each a turn in each round.
fn calls(results: &mut Results, quick: bool) -> Result<(), String> {
    let mut clients: Vec<Client> = Vec::new();
    for (at, server) in results.servers.iter().enumerate() {
        for &revision in &server.revisions {
            clients.push(server.start(revision)?.0);
            results.measured.push(Measured {
                server: at,
                revision,
                alone: Vec::new(),
                together: Vec::new(),
                rate: Vec::new(),
            });
        }
    }
    // The first round warms up.
    for round in 0..=results.rounds {
        eprintln!("round {round} of {}", results.rounds);
        for (server, starts) in results.servers.iter().zip(&mut results.starts) {
            let turn = if quick { 10 } else { server.turn };
            for _ in 0..turn / 2 {
                if let Some(took) = server.start_tool()? {
                    starts.push(took);
                }
            }
        }
        let everybody = clients.len();
        for at in 0..everybody {
            let at = (at + round) % everybody;
            let (client, measured) = (&mut clients[at], &mut results.measured[at]);
            let server = &results.servers[measured.server];
            let turn = if quick { 10 } else { server.turn };
            let told = |error| format!("{}: {error}", server.name);
            let alone: Result<Vec<_>, _> = (0..turn).map(|_| client.one()).collect();
            let alone = alone.map_err(told)?;
            let calls = (3 * turn).max(2 * IN_FLIGHT);
            let (took, together) = client.many(calls, IN_FLIGHT).map_err(told)?;
            if round > 0 {
                measured.alone.extend(alone);
                measured.together.extend(together);
                measured.rate.push(calls as f64 / took.as_secs_f64());
            }
        }
    }
    Ok(())
}

/// What a tool gets on stdin.
const CALL: &[u8] = br#"{"tool":{"name":"noop","arguments":{},"answers":{},"options":{}},"context":{"action":"run"}}"#;

impl Server {
    fn start(&self, revision: Revision) -> Result<(Client, client::First), String> {
        let mut command = Command::new(&self.command[0]);
        command
            .args(&self.command[1..])
            .envs(self.environment.clone());
        Client::start(&mut command, revision).map_err(|error| format!("{}: {error}", self.name))
    }

    /// Starts the tool of this server as a process, and waits for its end; nothing if it is no process.
    fn start_tool(&self) -> Result<Option<Duration>, String> {
        use std::io::Write as _;
        let Some((program, arguments)) = self.tool.split_first() else {
            return Ok(None);
        };
        let begun = Instant::now();
        let mut child = Command::new(program)
            .args(arguments)
            .env("TOOLWIRE_CALL", "stdin")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("cannot start {}: {error}", program.display()))?;
        if let Some(mut stdin) = child.stdin.take() {
            stdin.write_all(CALL).map_err(|error| error.to_string())?;
        }
        let output = child
            .wait_with_output()
            .map_err(|error| error.to_string())?;
        let took = begun.elapsed();
        let said = String::from_utf8_lossy(&output.stdout);
        match said.contains("ok") && output.status.success() {
            true => Ok(Some(took)),
            false => Err(format!("{} says {said}", program.display())),
        }
    }
}
