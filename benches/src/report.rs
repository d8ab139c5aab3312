//! The tables, the targets and what is to be said about them, as Markdown.

use crate::corpus::Input;
use crate::locked;
use crate::measure::Sample;
use crate::start::Started;
use crate::strict::{Probe, Verdicts};
use std::fmt::Write as _;

/// All that a run found.
#[derive(Default)]
pub struct Results {
    /// Times per document.
    pub samples: Vec<Sample>,
    /// Times of process starts.
    pub started: Vec<Started>,
    /// Who takes which probe.
    pub verdicts: Verdicts,
    /// What ran: the machine, the peers and their versions.
    pub versions: Vec<String>,
    /// What could not be measured, and why.
    pub left_out: Vec<String>,
}

const TASKS: [(&str, &str); 4] = [
    ("verdict", "From bytes to a verdict"),
    ("canonical", "From bytes to canonical bytes (RFC 8785)"),
    ("lines", "A whole log on all cores, on the wall"),
    (
        "fingerprint",
        "From the bytes of a tool to its fingerprints",
    ),
];

/// How far ahead Toolwire should be on the log: language, task, peer, times as fast. 1 is: ahead.
const TARGETS: [(&str, &str, &str, f64); 10] = [
    ("Rust", "verdict", "rmcp", 1.0),
    ("Rust", "verdict", "sonic-rs Value", 1.3),
    ("Rust", "lines", "one thread", 1.8),
    ("Rust", "canonical", "serde_json_canonicalizer", 4.0),
    ("Python", "verdict", "mcp.types", 12.0),
    ("Python", "verdict", "msgspec", 1.0),
    ("Python", "verdict", "orjson", 1.0),
    ("Python", "canonical", "rfc8785", 15.0),
    ("Node", "verdict", "MCP SDK (zod)", 4.0),
    ("Node", "canonical", "canonicalize", 3.0),
];

/// The most microseconds that Toolwire should take: language, task, input.
const LIMITS: [(&str, &str, &str, f64); 1] = [("Rust", "fingerprint", "tool-100k", 1000.0)];

/// How much longer a start may take than the bare one: group, name, milliseconds.
const START_TARGETS: [(&str, &str, f64); 7] = [
    ("Python", "import toolwire", 10.0),
    ("Node", "import toolwire", 10.0),
    ("command", "toolwire parse, one small envelope", 5.0),
    ("a compiled tool that does nothing", "toolwire run", 5.0),
    (
        "a program that knows nothing of it",
        "toolwire run /bin/true",
        5.0,
    ),
    (locked::GROUP, locked::SERVERS, 50.0),
    (locked::GROUP, locked::PROGRAMS, 50.0),
];

impl Results {
    /// The whole report.
    pub fn markdown(&self, inputs: &[Input], probes: &[Probe]) -> String {
        let mut out = String::new();
        self.targets(&mut out, inputs);
        for language in ["Rust", "Python", "Node"] {
            for (task, title) in TASKS {
                self.table(&mut out, language, task, title, inputs);
            }
        }
        self.starts(&mut out);
        self.ahead(&mut out, inputs);
        self.strictness(&mut out, probes);
        self.method(&mut out, inputs);
        out
    }

    fn micros(&self, language: &str, task: &str, input: &str, peer: &str) -> Option<f64> {
        let wanted = (language, task, input, peer);
        self.samples
            .iter()
            .find(|s| {
                (
                    s.language.as_str(),
                    s.task.as_str(),
                    s.input.as_str(),
                    s.peer.as_str(),
                ) == wanted
            })
            .map(|s| s.micros)
    }

    /// The peers of a task, in the order in which they first appear, the batch call last.
    fn peers(&self, language: &str, task: &str) -> Vec<&str> {
        let mut peers: Vec<&str> = Vec::new();
        for sample in self
            .samples
            .iter()
            .filter(|s| s.language == language && s.task == task)
        {
            if !peers.contains(&sample.peer.as_str()) {
                peers.push(&sample.peer);
            }
        }
        peers.sort_by_key(|peer| *peer == "toolwire batch");
        peers
    }

    fn targets(&self, out: &mut String, inputs: &[Input]) {
        let mut rows = String::new();
        for (language, task, peer, factor) in TARGETS {
            let ours = self.micros(language, task, "log", "toolwire");
            let theirs = self.micros(language, task, "log", peer);
            let (Some(ours), Some(theirs)) = (ours, theirs) else {
                continue;
            };
            let ratio = theirs / ours;
            let batch = self.micros(language, task, "log", "toolwire batch");
            let reached = match batch {
                _ if ratio >= factor => reached(true).to_string(),
                Some(batch) => format!(
                    "**not reached**; {:.1}× in one call for the whole log",
                    theirs / batch
                ),
                None => reached(false).to_string(),
            };
            let target = if factor == 1.0 {
                "ahead".to_string()
            } else {
                format!("≥ {factor}×")
            };
            let _ = writeln!(
                rows,
                "| {language}: {task} on the log, against {peer} | {target} | {ratio:.1}× | {reached} |"
            );
        }
        for (language, task, input, most) in LIMITS {
            let Some(ours) = self.micros(language, task, input, "toolwire") else {
                continue;
            };
            let about = inputs.iter().find(|one| one.name == input);
            let about = about.map_or(input, |one| one.about);
            let reached = reached(ours <= most);
            let _ = writeln!(
                rows,
                "| {language}: {task} of {about} | ≤ {most} µs | {} µs | {reached} |",
                digits(ours)
            );
        }
        for (group, name, most) in START_TARGETS {
            let ours = self
                .started
                .iter()
                .find(|s| s.group == group && s.name == name);
            let bare = self.started.iter().find(|s| s.group == group);
            let (Some(ours), Some(bare)) = (ours, bare) else {
                continue;
            };
            let more = ours.more;
            let reached = reached(more <= most);
            let _ = writeln!(
                rows,
                "| {group}: {name}, against {} | ≤ {most} ms more | {more:.1} ms more | {reached} |",
                bare.name
            );
        }
        if !rows.is_empty() {
            let _ = write!(
                out,
                "## Targets\n\n| what | target | measured | |\n|---|---|---|---|\n{rows}\n"
            );
        }
    }

    fn table(&self, out: &mut String, language: &str, task: &str, title: &str, inputs: &[Input]) {
        let peers = self.peers(language, task);
        if peers.is_empty() {
            return;
        }
        let _ = writeln!(out, "## {language}: {title}\n");
        let _ = writeln!(
            out,
            "µs per document, and in parentheses how many times Toolwire's.\n"
        );
        let _ = writeln!(out, "| input | {} |", peers.join(" | "));
        let _ = writeln!(out, "|---|{}", "---|".repeat(peers.len()));
        for input in inputs {
            let ours = self.micros(language, task, input.name, "toolwire");
            let measured = |peer: &&str| self.micros(language, task, input.name, peer).is_some();
            if !peers.iter().any(measured) {
                continue;
            }
            let cells: Vec<String> = peers
                .iter()
                .map(
                    |peer| match (self.micros(language, task, input.name, peer), ours) {
                        (Some(micros), _) if *peer == "toolwire" => {
                            format!("**{}**", digits(micros))
                        }
                        (Some(micros), Some(ours)) => {
                            format!("{} ({:.1})", digits(micros), micros / ours)
                        }
                        _ => "–".to_string(),
                    },
                )
                .collect();
            let _ = writeln!(out, "| {} | {} |", input.about, cells.join(" | "));
        }
        out.push('\n');
    }

    fn starts(&self, out: &mut String) {
        if self.started.is_empty() {
            return;
        }
        out.push_str("## Process start\n\nMilliseconds on the wall from start to end, median. What is more is the median of the differences within a round.\n\n| process | ms | more than the bare one |\n|---|---|---|\n");
        for started in &self.started {
            let bare = self.started.iter().find(|s| s.group == started.group);
            let more = match bare {
                Some(bare) if bare.name != started.name => format!("{:+.1}", started.more),
                _ => "–".to_string(),
            };
            let _ = writeln!(out, "| {} | {:.1} | {more} |", started.name, started.millis);
        }
        out.push('\n');
    }

    fn ahead(&self, out: &mut String, inputs: &[Input]) {
        let mut rows = Vec::new();
        for sample in self
            .samples
            .iter()
            .filter(|s| !s.peer.starts_with("toolwire"))
        {
            let ours = self.micros(&sample.language, &sample.task, &sample.input, "toolwire");
            let about = inputs
                .iter()
                .find(|i| i.name == sample.input)
                .map_or("", |i| i.about);
            if let Some(ours) = ours.filter(|ours| *ours > sample.micros) {
                rows.push(format!(
                    "- {}, {}, {about}: {} takes {} µs, Toolwire {} µs ({:.1} times as long)",
                    sample.language,
                    sample.task,
                    sample.peer,
                    digits(sample.micros),
                    digits(ours),
                    ours / sample.micros
                ));
            }
        }
        out.push_str("## Where a peer is ahead\n\n");
        if rows.is_empty() {
            out.push_str("Nowhere in this run.\n\n");
        } else {
            let _ = writeln!(out, "{}\n", rows.join("\n"));
        }
    }

    fn strictness(&self, out: &mut String, probes: &[Probe]) {
        if self.verdicts.is_empty() {
            return;
        }
        out.push_str("## What the peers do not check\n\nA reader that checks less has less to do. Each was given texts that are not valid envelopes; ✓ is: it takes the text without a word.\nToolwire takes a text here if its verdict is `valid`; what it does not take it still delivers, as raw text or with warnings.\n\n");
        for language in ["Rust", "Python", "Node"] {
            let judges: Vec<(&str, &Vec<bool>)> = self
                .verdicts
                .iter()
                .filter_map(|(name, takes)| {
                    Some((name.strip_prefix(language)?.strip_prefix(": ")?, takes))
                })
                .collect();
            if judges.is_empty() {
                continue;
            }
            let names: Vec<&str> = judges.iter().map(|(name, _)| *name).collect();
            let _ = writeln!(out, "| {language} | {} |", names.join(" | "));
            let _ = writeln!(out, "|---|{}", ":-:|".repeat(names.len()));
            for (at, probe) in probes.iter().enumerate() {
                let cells: Vec<&str> = judges
                    .iter()
                    .map(|(_, takes)| {
                        if takes.get(at) == Some(&true) {
                            "✓"
                        } else {
                            ""
                        }
                    })
                    .collect();
                let _ = writeln!(out, "| {} | {} |", probe.about, cells.join(" | "));
            }
            out.push('\n');
        }
        out.push_str("What else differs:\n\n\
- serde_json `Value`, sonic-rs, orjson, `json` and `JSON.parse` read any JSON: they know nothing of blocks. They build a value, which a program that reads all of it would have to build anyway; Toolwire leaves views that decode a string, a blob or `structuredContent` when asked.\n\
- rmcp, mcp.types and the SDK's zod schema know MCP's blocks: they refuse a result that holds a `question`, and drop members that they do not know. mcp.types and zod build the typed result, which is what their users want from them.\n\
- msgspec gets structs written for this comparison; it reads the members that they name and skips the others.\n\
- The canonicalizers get a value that their language's JSON reader made, since bytes are what arrives; that reading is in their time. They take what that reader takes, names twice and rounded integers included.\n\
- The digest beside the fingerprints is one of the whole tool as it is: it changes with every word, and with the name or place of a definition.\n\
- The schema validators check the envelope's schema, which is most of what Toolwire checks, after somebody else's JSON reading.\n\n");
    }

    fn method(&self, out: &mut String, inputs: &[Input]) {
        out.push_str("## How it was measured\n\nCPU time of the thread (Rust) or process (Python, Node) per document, the median over rounds in which everybody runs once, in turns, in one process for each language. The first run is not counted. Every peer takes every document, or is left out for that input, as said below; all canonical bytes are the same, or the run stops. `toolwire batch` is one call for the whole log, in Rust on one thread. The log on all cores is measured by the clock on the wall.\n\n");
        for line in &self.versions {
            let _ = writeln!(out, "- {line}");
        }
        out.push_str("\n| input | bytes | documents |\n|---|---|---|\n");
        for input in inputs {
            let _ = writeln!(
                out,
                "| {} | {} | {} |",
                input.about,
                input.bytes.len(),
                input.documents().len()
            );
        }
        for left_out in &self.left_out {
            let _ = writeln!(out, "\nLeft out: {left_out}.");
        }
    }
}

fn reached(is_reached: bool) -> &'static str {
    match is_reached {
        true => "reached",
        false => "**not reached**",
    }
}

/// A time with three digits that count.
fn digits(micros: f64) -> String {
    match micros {
        m if m >= 100.0 => format!("{m:.0}"),
        m if m >= 10.0 => format!("{m:.1}"),
        m => format!("{m:.2}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(peer: &str, micros: f64) -> Sample {
        let text = |text: &str| text.to_string();
        Sample {
            language: text("Python"),
            task: text("verdict"),
            input: text("log"),
            peer: text(peer),
            micros,
        }
    }

    #[test]
    fn targets_say_when_they_are_missed_and_peers_when_they_are_ahead() {
        let samples = vec![
            sample("toolwire", 2.0),
            sample("mcp.types", 30.0),
            sample("orjson", 1.0),
        ];
        let fingerprint = Sample {
            language: "Rust".to_string(),
            task: "fingerprint".to_string(),
            input: "tool-100k".to_string(),
            ..sample("toolwire", 1001.0)
        };
        let results = Results {
            samples: [samples, vec![fingerprint]].concat(),
            ..Results::default()
        };
        let input = |name, about| Input {
            name,
            about,
            bytes: b"{}\n{}\n".to_vec(),
        };
        let inputs = [input("log", "a log"), input("tool-100k", "a tool")];
        let text = results.markdown(&inputs, &[]);
        assert!(
            text.contains(
                "| Rust: fingerprint of a tool | ≤ 1000 µs | 1001 µs | **not reached** |"
            ),
            "{text}"
        );
        assert!(
            text.contains("against mcp.types | ≥ 12× | 15.0× | reached |"),
            "{text}"
        );
        assert!(
            text.contains("against orjson | ahead | 0.5× | **not reached** |"),
            "{text}"
        );
        assert!(
            text.contains("orjson takes 1.00 µs, Toolwire 2.00 µs"),
            "{text}"
        );
        assert!(
            text.contains("| a log | **2.00** | 30.0 (15.0) | 1.00 (0.5) |"),
            "{text}"
        );
    }

    #[test]
    fn times_have_three_digits() {
        assert_eq!(
            [digits(1234.5), digits(12.34), digits(0.1234)],
            ["1234", "12.3", "0.12"]
        );
    }
}
