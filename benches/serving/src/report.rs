//! The tables, the targets and what is to be said about them, as Markdown.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use crate::client::Revision;
use crate::servers::{COMPILED, FASTMCP, WARM, WARM_NODE};
use crate::{IN_FLIGHT, Measured, Results};

/// Where these tables begin in the file that has the others too.
const MARK: &str = "<!-- serving -->\n";

/// Puts the tables at the end of the results, in the place of those of the last run.
pub fn write(path: &Path, tables: &str) -> Result<(), String> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let others = text.split(MARK).next().unwrap_or_default().trim_end();
    std::fs::write(path, format!("{others}\n\n{MARK}\n{tables}"))
        .map_err(|error| format!("{}: {error}", path.display()))?;
    eprintln!("written: {}", path.display());
    Ok(())
}

pub fn markdown(results: &Results) -> String {
    let mut out = "# Tools served to MCP clients\n\n\
        Written by `cargo xtask bench serving --write`; do not edit. It is a run of its own, newer than what stands above.\n\n"
        .to_owned();
    targets(&mut out, results);
    first(&mut out, results);
    calls(&mut out, results);
    starts(&mut out, results);
    ahead(&mut out, results);
    out.push_str(
        "\n## How it was measured\n\n\
        Each server has one tool, which takes nothing and answers `ok`, and one client over stdio: it writes lines, reads \
        lines, and looks whether the answer is `ok`. All servers run at the same time and have turns, in each of the \
        rounds; the first round is not counted. What is measured is time on the wall, the client included. `toolwire serve` \
        starts a process for each call, or one for many if the tool is warm; all others run the tool in the server. So a call \
        of a warm tool crosses two more pipes, and wakes two more processes, than a call of a peer. A worker is replaced \
        after 10,000 calls, which is more than one gets here: the start of the next one is not in the tables, and would \
        add a ten-thousandth of it to each call. All servers and tools in Node run in the same Node. The server and the \
        tools of Toolwire and rmcp are release builds, and both have one thread.\n\n",
    );
    let _ = writeln!(out, "- {} rounds", results.rounds);
    for line in &results.versions {
        let _ = writeln!(out, "- {line}");
    }
    out
}

/// A time below which a share of all times is; in milliseconds.
fn quantile(times: &[Duration], share: f64) -> f64 {
    let mut times: Vec<f64> = times.iter().map(|time| time.as_secs_f64() * 1e3).collect();
    times.sort_by(f64::total_cmp);
    let at = (times.len().saturating_sub(1) as f64 * share).round() as usize;
    times.get(at).copied().unwrap_or(f64::NAN)
}

fn median(times: &[Duration]) -> f64 {
    quantile(times, 0.5)
}

impl Measured {
    fn p99(&self) -> f64 {
        quantile(&self.alone, 0.99)
    }

    /// Milliseconds of CPU time a call.
    fn cpu(&self) -> f64 {
        self.cpu.as_secs_f64() * 1e3 / self.together.len() as f64
    }

    /// The median of the rounds, in calls a second.
    fn rate(&self) -> f64 {
        let mut rates = self.rate.clone();
        rates.sort_by(f64::total_cmp);
        rates
            .get(rates.len().saturating_sub(1) / 2)
            .copied()
            .unwrap_or(f64::NAN)
    }
}

impl Results {
    fn find(&self, name: &str, revision: Revision) -> Option<&Measured> {
        self.measured
            .iter()
            .find(|one| one.revision == revision && self.servers[one.server].name == name)
    }

    fn first_of(&self, name: &str) -> Option<(f64, f64)> {
        let at = self.servers.iter().position(|one| one.name == name)?;
        let (answer, result) = &self.first[at];
        Some((median(answer), median(result)))
    }

    fn starts_of(&self, name: &str) -> Option<f64> {
        let at = self.servers.iter().position(|one| one.name == name)?;
        let starts = &self.starts[at];
        (!starts.is_empty()).then(|| median(starts))
    }
}

fn targets(out: &mut String, results: &Results) {
    let mut rows = String::new();
    let mut row = |what: &str, target: &str, ratio: f64, reached: bool| {
        let reached = if reached {
            "reached"
        } else {
            "**not reached**"
        };
        let _ = writeln!(rows, "| {what} | {target} | {ratio:.2}× | {reached} |");
    };
    if let (Some(ours), Some(theirs)) = (results.first_of(COMPILED), results.first_of(FASTMCP)) {
        let ratio = theirs.0 / ours.0;
        row(
            "first answer, FastMCP against `toolwire serve`",
            "≥ 20×",
            ratio,
            ratio >= 20.0,
        );
    }
    for revision in [Revision::V2025_11_25, Revision::V2026_07_28] {
        let (ours, theirs) = (
            results.find(COMPILED, revision),
            results.find(FASTMCP, revision),
        );
        let (Some(ours), Some(theirs)) = (ours, theirs) else {
            continue;
        };
        let said = revision.as_str();
        let ratio = median(&ours.alone) / median(&theirs.alone);
        row(
            &format!("{said}: a compiled tool, median against FastMCP's"),
            "≤ 1.5×",
            ratio,
            ratio <= 1.5,
        );
        let ratio = ours.p99() / theirs.p99();
        row(
            &format!("{said}: a compiled tool, p99 against FastMCP's"),
            "below 1×",
            ratio,
            ratio < 1.0,
        );
        let ratio = ours.rate() / theirs.rate();
        row(
            &format!(
                "{said}: a compiled tool, calls a second at {IN_FLIGHT} in flight against FastMCP's"
            ),
            "above 1×",
            ratio,
            ratio > 1.0,
        );
    }
    warm_targets(&mut row, results);
    let _ = write!(
        out,
        "## Targets\n\n| what | target | measured | |\n|---|---|---|---|\n{rows}\n"
    );
}

/// A warm tool is to answer at least as fast as the same tool in the SDKs of its language.
fn warm_targets(row: &mut impl FnMut(&str, &str, f64, bool), results: &Results) {
    for (ours, theirs) in [
        (WARM, FASTMCP),
        (WARM, "official Python SDK"),
        (WARM_NODE, "official TypeScript SDK 1.x"),
        (WARM_NODE, "official TypeScript SDK 2.x"),
    ] {
        for revision in [Revision::V2025_11_25, Revision::V2026_07_28] {
            let (Some(own), Some(other)) =
                (results.find(ours, revision), results.find(theirs, revision))
            else {
                continue;
            };
            let said = revision.as_str();
            let ratio = median(&own.alone) / median(&other.alone);
            let what = format!("{said}: {ours}, median against that of {theirs}");
            row(&what, "≤ 1×", ratio, ratio <= 1.0);
            let ratio = own.rate() / other.rate();
            let what =
                format!("{said}: {ours}, calls a second at {IN_FLIGHT} in flight against {theirs}");
            row(&what, "≥ 1×", ratio, ratio >= 1.0);
        }
    }
}

fn first(out: &mut String, results: &Results) {
    out.push_str(
        "## The first answer\n\nMilliseconds from the start of the server to its answer to `initialize`, and to the result \
        of the first call; median, and in parentheses how many times as long FastMCP takes.\n\n\
        | server | first answer | first result |\n|---|---|---|\n",
    );
    let bare = results.first_of(FASTMCP);
    for server in &results.servers {
        let Some((answer, result)) = results.first_of(server.name) else {
            continue;
        };
        let cell = |own: f64, theirs: f64| format!("{} ({:.1})", digits(own), theirs / own);
        let (answers, result) = match bare {
            Some(bare) => (cell(answer, bare.0), cell(result, bare.1)),
            None => (digits(answer), digits(result)),
        };
        let _ = writeln!(out, "| {} | {answers} | {result} |", server.name);
    }
    out.push('\n');
}

fn calls(out: &mut String, results: &Results) {
    let _ = write!(
        out,
        "## Calls\n\nMilliseconds a call, one behind the other, and calls a second with {IN_FLIGHT} in flight; in \
        parentheses how many times FastMCP's of the same revision. CPU time is that of the server and of the processes that it \
        starts, in milliseconds for each call of those in flight; it depends least on what else the machine does.\n\n\
        | server | revision | median | p99 | calls a second | median of those in flight | their p99 | CPU time |\n\
        |---|---|---|---|---|---|---|---|\n"
    );
    for one in &results.measured {
        let theirs = results.find(FASTMCP, one.revision);
        let cell = |value: fn(&Measured) -> f64| {
            let own = value(one);
            match theirs {
                Some(theirs) => format!("{} ({:.2})", digits(own), own / value(theirs)),
                None => digits(own),
            }
        };
        let _ = writeln!(
            out,
            "| {} | {} | {} | {} | {} | {} | {} | {} |",
            results.servers[one.server].name,
            one.revision.as_str(),
            cell(|one| median(&one.alone)),
            cell(Measured::p99),
            cell(Measured::rate),
            cell(|one| median(&one.together)),
            cell(|one| quantile(&one.together, 0.99)),
            cell(Measured::cpu),
        );
    }
    out.push('\n');
}

fn starts(out: &mut String, results: &Results) {
    out.push_str(
        "## What of it is the start of a process\n\nMilliseconds to start the tool without a server, write a call to it, and \
        read its answer to the end; median.\n\n| tool | start | share of the median of a call |\n|---|---|---|\n",
    );
    for one in &results.measured {
        let name = results.servers[one.server].name;
        if let Some(start) = results.starts_of(name) {
            let share = start / median(&one.alone) * 100.0;
            let said = one.revision.as_str();
            let _ = writeln!(out, "| {name}, {said} | {} | {share:.0} % |", digits(start));
        }
    }
    out.push('\n');
}

fn ahead(out: &mut String, results: &Results) {
    out.push_str("## Where a peer is ahead\n\n");
    let mut none = true;
    for ours in &results.measured {
        let name = results.servers[ours.server].name;
        if !name.starts_with("toolwire") {
            continue;
        }
        for theirs in &results.measured {
            let peer = results.servers[theirs.server].name;
            if peer.starts_with("toolwire") || theirs.revision != ours.revision {
                continue;
            }
            let mut where_ahead = Vec::new();
            let mut compare = |what: &str, ratio: f64| {
                if ratio < 1.0 {
                    where_ahead.push(format!("{what} {:.1} times ours", 1.0 / ratio));
                }
            };
            compare("a throughput of", ours.rate() / theirs.rate());
            let median_ratio = median(&ours.alone) / median(&theirs.alone);
            let p99_ratio = ours.p99() / theirs.p99();
            for (what, ratio) in [("median", median_ratio), ("p99", p99_ratio)] {
                if ratio > 1.0 {
                    where_ahead.push(format!("our {what} is {ratio:.1} times theirs"));
                }
            }
            if !where_ahead.is_empty() {
                none = false;
                let said = ours.revision.as_str();
                let _ = writeln!(
                    out,
                    "- {name}, {said}, against {peer}: {}",
                    where_ahead.join(", ")
                );
            }
        }
    }
    if none {
        out.push_str("Nowhere in this run.\n");
    }
}

/// A number with three digits that count.
fn digits(number: f64) -> String {
    match number {
        n if n >= 100.0 => format!("{n:.0}"),
        n if n >= 10.0 => format!("{n:.1}"),
        n => format!("{n:.2}"),
    }
}
