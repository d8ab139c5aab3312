//! Laws of reading: nothing is lost, and what was written is read again as it was.

use super::{limits_of, same, shown};
use crate::calls::{self, Reading};
use crate::rng::Rng;
use serde_json::value::RawValue;
use toolwire::{Code, Limits, Severity};

/// An envelope as far as its parts stand in the text.
#[derive(serde::Deserialize)]
struct Parts<'a> {
    #[serde(borrow)]
    content: Vec<&'a RawValue>,
    #[serde(borrow, rename = "structuredContent")]
    structured: Option<&'a RawValue>,
}

fn parts(document: &[u8]) -> Result<Parts<'_>, String> {
    let mut reader = serde_json::Deserializer::from_slice(document);
    reader.disable_recursion_limit();
    serde::Deserialize::deserialize(&mut reader).map_err(|e| {
        format!(
            "serde_json finds no envelope in the document: {e}: {}",
            shown(document)
        )
    })
}

pub(super) fn nothing_lost(input: &[u8], salt: u64) -> Result<(), String> {
    let limits = limits_of(&mut Rng::with_seed(salt));
    let reading = calls::parse(input, &limits);
    same("raw() is not the input", &reading.raw, input)?;
    let parts = parts(&reading.document)?;
    if reading.verdict == "raw" {
        return Ok(());
    }
    // The document is what stands in the input, with nothing but white space or a BOM around it.
    let around = input.len() - reading.document.len().min(input.len());
    let outside = match find(input, &reading.document) {
        Some(at) => [&input[..at], &input[at + reading.document.len()..]].concat(),
        None => {
            return Err(format!(
                "the document does not stand in the input ({around} bytes less)"
            ));
        }
    };
    let rest = outside.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&outside);
    if !rest.iter().all(|b| b" \t\r\n".contains(b)) {
        return Err(format!("not in the document: {}", shown(rest)));
    }
    let mut indexes: Vec<usize> = reading.blocks.iter().map(|b| b.0).collect();
    indexes.extend(reading.skipped.iter().map(|s| s.0));
    indexes.sort_unstable();
    if !indexes.iter().copied().eq(0..parts.content.len()) {
        return Err(format!(
            "{} blocks, but delivered or skipped are {indexes:?}",
            parts.content.len()
        ));
    }
    for (index, raw) in &reading.skipped {
        same(
            "a skipped block is not as it was",
            raw.as_bytes(),
            parts.content[*index].get().as_bytes(),
        )?;
    }
    let told = reading
        .findings
        .iter()
        .filter(|f| f.code.effect() == "skip")
        .count();
    if reading.skipped.is_empty() != (told == 0) && !reading.has(Code::DiagnosticsTruncated) {
        return Err(format!(
            "{} blocks are skipped, {told} diagnostics say so",
            reading.skipped.len()
        ));
    }
    // Option<&RawValue> reads `null` as none, so only other values can be compared through it.
    if let Some(structured) = parts.structured {
        let read = reading.structured.as_deref().unwrap_or("absent");
        same(
            "structuredContent is not as it was",
            read.as_bytes(),
            structured.get().as_bytes(),
        )?;
    }
    Ok(())
}

fn find(text: &[u8], piece: &[u8]) -> Option<usize> {
    // Only white space or a BOM may stand before it, so this is short.
    (0..=text.len().checked_sub(piece.len())?).find(|&at| text[at..].starts_with(piece))
}

/// The diagnostics without offsets, and without the BOM's, which no document has.
fn told(reading: &Reading) -> Vec<(Code, &str, Option<&str>)> {
    let findings = reading.findings.iter().filter(|f| f.code != Code::Bom);
    findings
        .map(|f| (f.code, f.pointer.as_str(), f.raw.as_deref()))
        .collect()
}

pub(super) fn round_trip(input: &[u8], _: u64) -> Result<(), String> {
    let limits = Limits::default();
    let first = calls::parse(input, &limits);
    let second = calls::parse(&first.document, &limits);
    if second.verdict == "raw" {
        return Err(format!(
            "the document is read as raw text: {}",
            shown(&first.document)
        ));
    }
    same(
        "the document changes when it is read again",
        &first.document,
        &second.document,
    )?;
    if first.verdict == "raw" {
        return Ok(());
    }
    if told(&first) != told(&second) {
        return Err(format!(
            "read again it tells {:?} instead of {:?}",
            told(&second),
            told(&first)
        ));
    }
    let state = |r: &Reading| (r.is_error, r.status.clone(), r.transient, r.trace.clone());
    if state(&first) != state(&second) {
        return Err(format!(
            "read again it is {:?} instead of {:?}",
            state(&second),
            state(&first)
        ));
    }
    if first.skipped != second.skipped || !first.same_content(&second) {
        return Err("blocks read otherwise the second time".to_string());
    }
    // White space outside of strings means nothing: the canonical form is read the same too, but for
    // the order of members, which no diagnostic's code or pointer depends on.
    let canonical = toolwire::canonicalize(&first.document, &limits)
        .map_err(|e| format!("a document has no canonical form: {e}"))?;
    let third = calls::parse(&canonical, &limits);
    let sorted = |reading: &Reading| {
        let mut codes: Vec<(Code, String)> = reading
            .findings
            .iter()
            // A big integer is a double in the canonical form, and which one is told depends on order.
            .filter(|f| {
                !matches!(
                    f.code,
                    Code::Bom | Code::BigInteger | Code::DiagnosticsTruncated
                )
            })
            .map(|f| (f.code, f.pointer.clone()))
            .collect();
        codes.sort_by_key(|(code, pointer)| (code.as_str(), pointer.clone()));
        codes
    };
    if !first.has(Code::DiagnosticsTruncated) && sorted(&first) != sorted(&third) {
        return Err(format!(
            "the canonical form reads as {:?}, the document as {:?}",
            sorted(&third),
            sorted(&first)
        ));
    }
    if first.blocks != third.blocks
        || first.bodies != third.bodies
        || first.is_error != third.is_error
    {
        return Err("the canonical form has other blocks than the document".to_string());
    }
    Ok(())
}

pub(super) fn raw_is_text(input: &[u8], salt: u64) -> Result<(), String> {
    let reading = calls::parse(input, &limits_of(&mut Rng::with_seed(salt)));
    let told = reading.findings.iter().any(|f| f.code.effect() == "raw");
    if told != (reading.verdict == "raw") && !reading.has(Code::DiagnosticsTruncated) {
        return Err(format!(
            "the verdict is {}, the diagnostics are {:?}",
            reading.verdict, reading.findings
        ));
    }
    if reading.verdict != "raw" {
        return Ok(());
    }
    let usual = Limits {
        max_bytes: toolwire::MAX_BYTES,
        ..Limits::default()
    };
    let canonical = toolwire::canonicalize(&reading.document, &usual)
        .map_err(|e| format!("the envelope of raw text has no canonical form: {e}"))?;
    same(
        "the envelope of raw text is not canonical",
        &reading.document,
        &canonical,
    )?;
    toolwire::validate(&reading.document, &usual)
        .map_err(|e| format!("the envelope of raw text is not valid: {e}"))?;
    let again = calls::parse(&reading.document, &usual);
    let text: Vec<u8> = again
        .bodies
        .iter()
        .flat_map(|body| body.bytes.clone())
        .collect();
    same(
        "the text is not that of the output",
        &text,
        String::from_utf8_lossy(input).as_bytes(),
    )
}

/// The byte at which `pointer` stands in `document`, followed with serde_json alone.
fn place(document: &str, pointer: &str) -> Option<usize> {
    let mut at: &RawValue = from_str(document)?;
    for token in pointer.split('/').skip(1) {
        let name = token.replace("~1", "/").replace("~0", "~");
        at = if at.get().starts_with('[') {
            let elements: Vec<&RawValue> = from_str(at.get())?;
            elements.get(name.parse::<usize>().ok()?)?
        } else {
            member(at.get(), &name)?
        };
    }
    Some(at.get().as_ptr() as usize - document.as_ptr() as usize)
}

fn from_str<'a, T: serde::Deserialize<'a>>(text: &'a str) -> Option<T> {
    let mut reader = serde_json::Deserializer::from_str(text);
    reader.disable_recursion_limit();
    T::deserialize(&mut reader).ok()
}

fn member<'a>(object: &'a str, name: &str) -> Option<&'a RawValue> {
    let members: std::collections::HashMap<String, &'a RawValue> = from_str(object)?;
    members.get(name).copied()
}

pub(super) fn diagnostics(input: &[u8], salt: u64) -> Result<(), String> {
    let limits = limits_of(&mut Rng::with_seed(salt));
    let reading = calls::parse(input, &limits);
    let most = limits.max_diagnostics + 1;
    if reading.findings.len() > most {
        return Err(format!(
            "{} diagnostics, {most} are the most",
            reading.findings.len()
        ));
    }
    for finding in &reading.findings {
        if finding.offset.is_some_and(|o| o > input.len() as u64) {
            return Err(format!(
                "{finding:?} is beyond the {} bytes of the input",
                input.len()
            ));
        }
    }
    let listed = reading
        .findings
        .iter()
        .filter(|f| f.code != Code::DiagnosticsTruncated);
    let offsets: Vec<Option<u64>> = listed.map(|f| f.offset).collect();
    if !offsets.is_sorted() {
        return Err(format!(
            "the diagnostics are not in order: {:?}",
            reading.findings
        ));
    }
    let warned = reading
        .findings
        .iter()
        .any(|f| f.code.severity() == Severity::Warning);
    if reading.verdict != "raw"
        && warned != (reading.verdict == "warnings")
        && !reading.has(Code::DiagnosticsTruncated)
    {
        return Err(format!(
            "the verdict is {}, the diagnostics are {:?}",
            reading.verdict, reading.findings
        ));
    }
    if reading.verdict == "raw" {
        return Ok(());
    }
    let Ok(document) = std::str::from_utf8(&reading.document) else {
        return Err("the document is not UTF-8".to_string());
    };
    let shift = find(input, &reading.document).unwrap_or(0);
    for finding in &reading.findings {
        let (Some(offset), pointer) = (finding.offset, &finding.pointer) else {
            continue;
        };
        if matches!(finding.code, Code::Bom | Code::DiagnosticsTruncated) {
            continue;
        }
        // A missing member's pointer names what is not there; its offset is the object's.
        let place =
            place(document, pointer).or_else(|| place(document, pointer.rsplit_once('/')?.0));
        match place {
            Some(place) if place + shift == offset as usize => {}
            Some(place) => {
                return Err(format!(
                    "{finding:?}: what it points to stands at byte {}",
                    place + shift
                ));
            }
            None => return Err(format!("{finding:?} points to nothing")),
        }
    }
    Ok(())
}

pub(super) fn limits(input: &[u8], salt: u64) -> Result<(), String> {
    const CODES: [Code; 4] = [
        Code::LimitBytes,
        Code::LimitDepth,
        Code::LimitValues,
        Code::LimitBlocks,
    ];
    let tight = limits_of(&mut Rng::with_seed(salt));
    let all = Limits {
        max_diagnostics: usize::MAX,
        ..tight
    };
    let (narrow, kept) = (calls::parse(input, &all), calls::parse(input, &tight));
    let wide = Limits {
        max_depth: toolwire::MAX_DEPTH,
        max_diagnostics: usize::MAX,
        ..Limits::default()
    };
    let wide = calls::parse(input, &wide);
    if input.len() > tight.max_bytes && !narrow.has(Code::LimitBytes) {
        return Err(format!(
            "{} bytes are read under a limit of {}",
            input.len(),
            tight.max_bytes
        ));
    }
    if !CODES.iter().any(|&code| narrow.has(code)) {
        // No limit was met, so none may have had an effect.
        if narrow != wide && !CODES.iter().any(|&code| wide.has(code)) {
            return Err(format!(
                "under {tight:?} it is {narrow:?}, without {wide:?}"
            ));
        }
    } else if narrow.verdict != "raw" {
        return Err(format!(
            "a limit is met, but the verdict is {}",
            narrow.verdict
        ));
    }
    if (kept.verdict, &kept.document, &kept.blocks)
        != (narrow.verdict, &narrow.document, &narrow.blocks)
    {
        return Err("how many diagnostics are kept changes what is read".to_string());
    }
    // The one reason why an output is raw text is always told.
    let most = if narrow.verdict == "raw" {
        tight.max_diagnostics.max(1)
    } else {
        tight.max_diagnostics
    };
    let cut = narrow.findings.len() > most;
    if kept.has(Code::DiagnosticsTruncated) != cut {
        return Err(format!(
            "{} of {} diagnostics are kept, and it is not said",
            kept.findings.len(),
            narrow.findings.len()
        ));
    }
    Ok(())
}

pub(super) fn validate(input: &[u8], salt: u64) -> Result<(), String> {
    let limits = limits_of(&mut Rng::with_seed(salt));
    let (reading, result) = (
        calls::parse(input, &limits),
        toolwire::validate(input, &limits),
    );
    match (reading.verdict, result) {
        ("valid", Ok(())) => Ok(()),
        ("valid", Err(error)) => Err(format!("valid, but refused: {error}")),
        (verdict, Ok(())) => Err(format!("{verdict}, but not refused")),
        (_, Err(error)) => {
            let codes: Vec<Code> = reading.findings.iter().map(|f| f.code).collect();
            if codes.contains(&error.code()) || reading.has(Code::DiagnosticsTruncated) {
                Ok(())
            } else {
                Err(format!(
                    "refused with {:?}, but the diagnostics are {codes:?}",
                    error.code()
                ))
            }
        }
    }
}
