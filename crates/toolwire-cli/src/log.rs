//! What the commands share that read logs: the loop, the progress bar and the summary.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use toolwire::{Code, Limits, Parsed, Summary, all_threads, in_order};

use crate::args::{Files, LinesArgs};
use crate::exit::{Failure, Outcome, Result};
use crate::input::{self, Source};
use crate::lines::{self, Line};
use crate::output::Out;
use crate::record::Origin;
use crate::terminal;

/// Reads each line of each log; a log that can't be read does not keep the others from it.
fn each_line(
    files: &[PathBuf],
    max_bytes: usize,
    options: &LinesArgs,
    out: &mut Out,
    mut each: impl FnMut(&mut Out, Origin<'_>, &[u8]) -> Result<Outcome>,
) -> Result<Outcome> {
    let alone = options.summary || !out.terminal;
    each_log(files, alone, out, |out, file, source, progress| {
        let mut worst = Outcome::Success;
        lines::for_each(
            source,
            max_bytes,
            |Line {
                 number,
                 offset,
                 bytes,
             }| {
                let line = Some((number, offset));
                worst = worst.max(each(out, Origin { file, line }, bytes)?);
                Ok(())
            },
            |bytes| progress.advance(bytes),
        )?;
        Ok(worst)
    })
}

/// Reads each log. What was found before a log could not be read further is in `read`'s hands.
fn each_log(
    files: &[PathBuf],
    alone: bool,
    out: &mut Out,
    mut read: impl FnMut(&mut Out, Option<&str>, &mut Source, &mut Progress) -> Result<Outcome>,
) -> Result<Outcome> {
    let mut worst = Outcome::Success;
    for path in input::paths(files) {
        let mut source = match Source::open(path) {
            Ok(source) => source,
            Err(Failure::Io(message)) => {
                out.complain(&message);
                worst = worst.max(Outcome::Io);
                continue;
            }
            Err(failure) => return Err(failure),
        };
        let name = terminal::safe(&source.name());
        let file = (files.len() > 1).then_some(name.as_str());
        let mut progress = Progress::new(source.size, alone);
        out.bar = progress.bar.clone();
        let ended = read(out, file, &mut source, &mut progress);
        progress.bar.finish_and_clear();
        match ended {
            Ok(outcome) => worst = worst.max(outcome),
            Err(Failure::Io(message)) => {
                out.complain(&message);
                worst = worst.max(Outcome::Io);
            }
            Err(failure) => return Err(failure),
        }
    }
    Ok(worst)
}

/// How much of a log is one job for a thread.
const CHUNK: usize = 256 * 1024;

/// Lines that are read together, in one buffer.
#[derive(Default)]
struct Chunk {
    bytes: Vec<u8>,
    lines: Vec<(u64, u64, Range<usize>)>,
}

/// What came of a chunk.
struct Page {
    bytes: Vec<u8>,
    summary: Summary,
    outcome: Result<Outcome>,
}

/// Reads each line of each log as an output by itself, on all cores, writes in order what `each`
/// writes, and counts.
pub fn each_output_alone(
    files: &Files,
    limits: &Limits,
    options: &LinesArgs,
    out: &mut Out,
    each: impl Fn(&mut Out, Origin<'_>, &Parsed<'_>) -> Result<Outcome> + Sync,
) -> Result<(Outcome, Summary)> {
    let mut summary = Summary::default();
    let alone = options.summary || !out.terminal;
    let outcome = each_log(&files.files, alone, out, |out, file, source, progress| {
        let style = out.style();
        let mut worst = Outcome::Success;
        in_order(
            all_threads(),
            |hand_over| {
                let mut chunk = Chunk::default();
                let read = lines::for_each(
                    source,
                    limits.max_bytes,
                    |line| {
                        let start = chunk.bytes.len();
                        chunk.bytes.extend_from_slice(line.bytes);
                        let place = start..chunk.bytes.len();
                        chunk.lines.push((line.number, line.offset, place));
                        if chunk.bytes.len() < CHUNK {
                            return Ok(());
                        }
                        hand_over(std::mem::take(&mut chunk))
                    },
                    |bytes| progress.advance(bytes),
                );
                hand_over(chunk)?;
                read
            },
            |chunk| {
                let mut out = Out::page(style);
                let mut summary = Summary::default();
                let outcome = chunk.lines.iter().try_fold(
                    Outcome::Success,
                    |worst, (number, offset, place)| {
                        let parsed = toolwire::parse(&chunk.bytes[place.clone()], limits);
                        summary.add(&parsed);
                        let line = Some((*number, *offset));
                        let outcome = each(&mut out, Origin { file, line }, &parsed)?;
                        Ok(worst.max(outcome))
                    },
                );
                Page {
                    bytes: out.into_bytes(),
                    summary,
                    outcome,
                }
            },
            |page| {
                summary.merge(&page.summary);
                out.bytes(&page.bytes)?;
                worst = worst.max(page.outcome?);
                Ok(())
            },
        )?;
        Ok(worst)
    })?;
    Ok((outcome, summary))
}

/// Reads each line of each log as an output, and counts them.
pub fn each_output(
    files: &Files,
    limits: &Limits,
    options: &LinesArgs,
    out: &mut Out,
    mut each: impl FnMut(&mut Out, Origin<'_>, &Parsed<'_>) -> Result<Outcome>,
) -> Result<(Outcome, Summary)> {
    let mut summary = Summary::default();
    let outcome = each_line(
        &files.files,
        limits.max_bytes,
        options,
        out,
        |out, origin, line| {
            let parsed = toolwire::parse(line, limits);
            summary.add(&parsed);
            each(out, origin, &parsed)
        },
    )?;
    Ok((outcome, summary))
}

/// Makes something of each line of each log, writes it unless only the summary is asked for, and then
/// writes the summary.
pub fn each_written<T>(
    (files, options, json): (&Files, &LinesArgs, bool),
    max_bytes: usize,
    out: &mut Out,
    make: impl Fn(&[u8]) -> std::result::Result<T, toolwire::Error>,
    mut write: impl FnMut(
        &mut Out,
        Origin<'_>,
        &[u8],
        std::result::Result<T, toolwire::Error>,
    ) -> Result<Outcome>,
) -> Result<Outcome> {
    let mut written = Written::default();
    let outcome = each_line(
        &files.files,
        max_bytes,
        options,
        out,
        |out, origin, line| {
            let made = make(line);
            written.add(&made);
            match made {
                Ok(_) if options.summary => Ok(Outcome::Success),
                Err(_) if options.summary => Ok(Outcome::Negative),
                made => write(out, origin, line, made),
            }
        },
    )?;
    let (as_json, as_text) = (written.to_json(), written.to_text());
    write_summary(out, json, options.summary, &as_json, &as_text)?;
    Ok(outcome)
}

/// How long a log takes before a progress bar is worth it.
const PATIENCE: Duration = Duration::from_millis(250);

/// A bar if the size is known and a count if not, on a terminal that shows nothing else.
struct Progress {
    bar: ProgressBar,
    /// When the bar appears, if it does and has not yet.
    due: Option<Instant>,
}

impl Progress {
    fn new(size: Option<u64>, alone: bool) -> Progress {
        // Where standard error is no terminal, the target that is set later draws nothing.
        let bar = ProgressBar::with_draw_target(size, ProgressDrawTarget::hidden());
        let template = match size {
            Some(_) => "{wide_bar} {bytes} of {total_bytes}, {bytes_per_sec}, {eta} to go",
            None => "{spinner} {bytes}, {bytes_per_sec}",
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        Progress {
            bar,
            due: alone.then(|| Instant::now() + PATIENCE),
        }
    }

    fn advance(&mut self, bytes: u64) {
        self.bar.inc(bytes);
        if self.due.is_some_and(|due| Instant::now() >= due) {
            self.due = None;
            self.bar.set_draw_target(terminal::bar());
        }
    }
}

/// Writes the summary to standard output if nothing else is asked for, and else as text to standard
/// error, so that standard output holds one kind of records.
pub fn write_summary(
    out: &mut Out,
    json: bool,
    alone: bool,
    as_json: &str,
    as_text: &str,
) -> Result<()> {
    match (alone, json) {
        (true, true) => return out.json(&format!("{{\"summary\":{as_json}}}")),
        (true, false) => return out.line(as_text),
        (false, _) => {}
    }
    // The lines go out first, so that the summary is behind them where both meet.
    out.flush()?;
    terminal::tell(&format!("{as_text}\n"), false);
    Ok(())
}

/// The summary of a log that was read as outputs.
pub fn summary_text(summary: &Summary) -> String {
    let Summary {
        lines,
        valid,
        warnings,
        raw,
        errors,
        transient,
        by_code,
        ..
    } = summary;
    let noun = if *lines == 1 { "line" } else { "lines" };
    let mut head =
        format!("{lines} {noun}: {valid} valid, {warnings} with warnings, {raw} raw text");
    if *errors > 0 {
        let noun = if *errors == 1 { "error" } else { "errors" };
        head.push_str(&format!("; {errors} {noun}, {transient} transient"));
    }
    with_codes(head, by_code)
}

/// How many lines a command could use that writes something for each.
#[derive(Default)]
struct Written {
    lines: u64,
    failed: u64,
    by_code: BTreeMap<Code, u64>,
}

impl Written {
    fn add<T>(&mut self, result: &std::result::Result<T, toolwire::Error>) {
        self.lines += 1;
        if let Err(error) = result {
            self.failed += 1;
            *self.by_code.entry(error.code()).or_default() += 1;
        }
    }

    fn to_text(&self) -> String {
        let noun = if self.lines == 1 { "line" } else { "lines" };
        let written = self.lines - self.failed;
        let head = format!(
            "{} {noun}: {written} written, {} failed",
            self.lines, self.failed
        );
        with_codes(head, &self.by_code)
    }

    fn to_json(&self) -> String {
        let codes: Vec<String> = self
            .by_code
            .iter()
            .map(|(code, count)| format!("\"{code}\":{count}"))
            .collect();
        format!(
            "{{\"lines\":{},\"written\":{},\"failed\":{},\"byCode\":{{{}}}}}",
            self.lines,
            self.lines - self.failed,
            self.failed,
            codes.join(",")
        )
    }
}

/// The codes below the head line, the most frequent first.
fn with_codes(mut text: String, by_code: &BTreeMap<Code, u64>) -> String {
    let mut codes: Vec<_> = by_code.iter().collect();
    codes.sort_by_key(|(code, count)| (std::cmp::Reverse(**count), code.as_str()));
    for (code, count) in codes {
        text.push_str(&format!("\n{count:>8}  {code}: {}", code.summary()));
    }
    text
}
