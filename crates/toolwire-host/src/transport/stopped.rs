//! The result of a tool that the host stopped (PROC-25, PROC-26).

use std::time::Duration;

use toolwire::json::{Node, ObjectWriter, array, string};
use toolwire::{Code, Exit, Limits, Output, Parsed, parse, receive};

use crate::{ProcessOptions, StopReason};

/// Maximum bytes of raw text in the envelope; the outcome holds everything that was read.
const KEPT: usize = 65_536;

/// The error envelope of a tool that was stopped after this time: what happened, then what the tool had written
/// until then.
pub(crate) fn envelope(
    reason: StopReason,
    options: &ProcessOptions,
    elapsed: Duration,
    answer: &[u8],
    stderr: &[u8],
) -> Parsed<'static> {
    let parsed = parse(answer, &options.limits);
    let mut sentence = sentence(reason, options, elapsed);
    let mut blocks = String::new();
    if !parsed.is_raw() {
        blocks = kept_blocks(&parsed);
    } else if parsed
        .diagnostics()
        .iter()
        .all(|found| found.code != Code::EmptyOutput)
    {
        let kept = head(answer);
        if kept.len() < answer.len() {
            sentence.push_str(&format!(
                "; the first {} of the {} bytes that were read follow",
                kept.len(),
                answer.len()
            ));
        }
        blocks = format!("{},", text_block(&String::from_utf8_lossy(kept)));
    }
    let content = format!("{},{blocks}", text_block(&sentence));
    let is_transient = reason == StopReason::Timeout;
    let document = failure(&content, &sentence, stderr, is_transient);
    // The tool's part was judged by the caller's limits; the host's words must not fail them.
    let limits = Limits {
        max_diagnostics: options.limits.max_diagnostics,
        ..Limits::WIDEST
    };
    parse(document.into_bytes(), &limits)
}

/// An error of the host, with these blocks, each followed by a comma: what happened, and the end of stderr.
pub(crate) fn failure(content: &str, what: &str, stderr: &[u8], is_transient: bool) -> String {
    let lines = std::iter::once(what.to_owned()).chain(stderr_lines(stderr));
    format!(
        r#"{{"_meta":{{"computer.jp/error":{{"trace":{},"transient":{is_transient}}}}},"content":[{}],"isError":true}}"#,
        array(lines.map(|line| string(&line))),
        content.trim_end_matches(','),
    )
}

/// The elements of `content` without the questions: nobody waits for an answer any more.
pub(crate) fn kept<'p>(parsed: &'p Parsed<'_>) -> impl Iterator<Item = Node<'p>> {
    let content = parsed.root().get("content");
    let blocks = content.into_iter().flat_map(|content| content.elements());
    let is_question = |block: &Node<'_>| {
        block
            .get("type")
            .is_some_and(|kind| kind.is_str("question"))
    };
    blocks.filter(move |block| !is_question(block))
}

/// The same verbatim, each followed by a comma.
pub(crate) fn kept_blocks(parsed: &Parsed<'_>) -> String {
    kept(parsed).flat_map(|block| [block.raw(), ","]).collect()
}

fn sentence(reason: StopReason, options: &ProcessOptions, elapsed: Duration) -> String {
    match reason {
        StopReason::Timeout => match (options.silence, options.timeout) {
            (Some(silence), timeout) if timeout.is_none_or(|timeout| elapsed < timeout) => {
                format!(
                    "no output or progress came for {}, so the tool was stopped",
                    seconds(silence)
                )
            }
            (_, timeout) => format!(
                "the tool did not end within {} and was stopped",
                seconds(timeout.unwrap_or_default())
            ),
        },
        StopReason::Cancelled => "the call was cancelled and the tool was stopped".to_owned(),
        StopReason::StdoutLimit => format!(
            "the tool wrote more than {} bytes to stdout and was stopped",
            options.max_output
        ),
        StopReason::ResultLimit => format!(
            "the tool wrote more than {} bytes to the result channel and was stopped",
            options.max_output
        ),
    }
}

/// A time in seconds, with as many decimals as it needs and at most three.
fn seconds(time: Duration) -> String {
    let text = format!("{:.3}", time.as_secs_f64());
    format!("{} s", text.trim_end_matches('0').trim_end_matches('.'))
}

/// The bytes that are kept, less the beginning of a character that the cut splits.
fn head(answer: &[u8]) -> &[u8] {
    let mut end = answer.len().min(KEPT);
    let least = end.saturating_sub(3);
    while end > least && answer.get(end).is_some_and(|byte| byte & 0xC0 == 0x80) {
        end -= 1;
    }
    &answer[..end]
}

/// The end of stderr, as EXIT-4 takes it: the core says which lines those are.
fn stderr_lines(stderr: &[u8]) -> Vec<String> {
    let failed = Output {
        stdout: b"",
        result: None,
        // Of one that a signal ended all lines are there; of another the headline stands elsewhere.
        exit: Exit::Signal(9),
        stderr,
    };
    let parsed = receive(&failed, &Limits::default());
    let lines = parsed.trace().into_iter().skip(1);
    lines.map(|line| line.into_owned()).collect()
}

pub(crate) fn text_block(text: &str) -> String {
    ObjectWriter::new()
        .text("text", text)
        .text("type", "text")
        .end()
}
