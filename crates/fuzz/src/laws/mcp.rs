//! Laws of the way to MCP and back.

use super::told::is_well_told_of;
use super::{limits_of, same, shown};
use crate::calls;
use crate::generate::damage;
use crate::rng::Rng;
use toolwire::call::ToolDescription;
use toolwire::json::{Document, Node, pointer};
use toolwire::mcp::{Fate, LossReport, ResultOptions, Revision};
use toolwire::{Json, Limits};

/// Options drawn from a salt.
fn options_of(rng: &mut Rng) -> ResultOptions {
    let mut options = ResultOptions::new(Revision::ALL[rng.usize(..Revision::ALL.len())]);
    options.mirror = rng.bool();
    options.wrapped = rng.bool();
    options
}

pub(super) fn round_trip(input: &[u8], salt: u64) -> Result<(), String> {
    let limits = Limits::default();
    let options = options_of(&mut Rng::with_seed(salt));
    let before = calls::parse(input, &limits);
    let (result, report) = calls::to_result(input, &limits, &options);
    let (after, _) = calls::read_result(result.as_bytes(), &Limits::WIDEST);
    let exact = |text: &[u8]| {
        String::from_utf8(text.to_vec())
            .ok()
            .and_then(|text| Json::new(text).ok())
            .map(|json| json.sorted().to_string())
            .ok_or_else(|| format!("no JSON: {}", shown(text)))
    };
    let (before, after) = (exact(&before.document)?, exact(&after.document)?);
    if report.is_lossless() {
        return same(
            "the way back leads elsewhere",
            before.as_bytes(),
            after.as_bytes(),
        );
    }
    let (before, after) = (read(&before)?, read(&after)?);
    comes_back(before.root(), after.root(), "", &report)
}

/// What is neither dropped nor approximated is the same on both sides.
fn comes_back(
    before: Node<'_>,
    after: Node<'_>,
    place: &str,
    report: &LossReport,
) -> Result<(), String> {
    let lost = |entry: &&toolwire::mcp::Mapped| {
        matches!(entry.fate, Fate::Dropped | Fate::Approximated)
            && (entry.pointer == place || entry.pointer.starts_with(&format!("{place}/")))
    };
    let Some(lost) = report.entries.iter().find(lost) else {
        let what = format!("`{place}` does not come back");
        return same(&what, before.raw().as_bytes(), after.raw().as_bytes());
    };
    if lost.pointer == place {
        return Ok(());
    }
    for (name, value) in before.members() {
        let place = pointer::join(place, &name);
        if let Some(after) = after.get(&name) {
            comes_back(value, after, &place, report)?;
        } else if !report
            .entries
            .iter()
            .any(|e| e.pointer == place && e.fate == Fate::Dropped)
        {
            return Err(format!("`{place}` is lost"));
        }
    }
    // What was dropped leaves a null, so that the elements after it keep their places.
    let mut others = after.elements();
    for (index, value) in before.elements().enumerate() {
        let place = format!("{place}/{index}");
        let after = others.next().ok_or_else(|| format!("`{place}` is lost"))?;
        comes_back(value, after, &place, report)?;
    }
    Ok(())
}

fn read(text: &str) -> Result<Document<'_>, String> {
    Document::new(text).map_err(|error| format!("{error}: {}", shown(text.as_bytes())))
}

/// All pointers of a report lead somewhere.
fn resolves(report: &LossReport, text: &[u8]) -> Result<(), String> {
    let text = String::from_utf8_lossy(text);
    // Deeper ones than a value can be here.
    let Ok(json) = Json::new(&text) else {
        return Ok(());
    };
    // Few are looked up: each takes time that grows with the document.
    for entry in report.entries.iter().take(50) {
        if json.at(&entry.pointer).is_none() {
            return Err(format!("there is no `{}`", entry.pointer));
        }
    }
    is_well_told_of(report, json.as_str())
}

pub(super) fn report(input: &[u8], salt: u64) -> Result<(), String> {
    let mut rng = Rng::with_seed(salt);
    let limits = limits_of(&mut rng);
    let options = options_of(&mut rng);
    let (mut result, report) = calls::to_result(input, &limits, &options);
    resolves(&report, &calls::parse(input, &limits).document)?;
    toolwire::canonicalize(result.as_bytes(), &Limits::WIDEST)
        .map_err(|error| format!("the result is no JSON: {error}"))?;
    let mut given = std::mem::take(&mut result).into_bytes();
    if rng.bool() {
        damage(&mut given, input, &mut rng);
    }
    for given in [&given[..], input] {
        let (reading, report) = calls::read_result(given, &limits);
        resolves(&report, given)?;
        let again = calls::parse(&reading.document, &Limits::WIDEST);
        same("the envelope is none", &again.document, &reading.document)?;
        forges_nothing(given, &reading.document)?;
    }
    Ok(())
}

/// Who answered a question is the host's to say, so it is never taken out of what a peer moved.
fn forges_nothing(given: &[u8], document: &[u8]) -> Result<(), String> {
    let answers = |text: &[u8]| {
        let json = Json::new(String::from_utf8_lossy(text)).ok()?;
        json.at("/_meta/dev.toolwire~1answers")
    };
    match (answers(given), answers(document)) {
        (None, Some(forged)) => Err(format!("`{forged}` is forged")),
        _ => Ok(()),
    }
}

pub(super) fn tool(input: &[u8], salt: u64) -> Result<(), String> {
    let text = String::from_utf8_lossy(input);
    let Ok(schema) = Json::new(&text) else {
        return Ok(());
    };
    let listed = format!(
        r#"{{"name":"a","inputSchema":{{"type":"object","properties":{{"a":{schema}}}}},"outputSchema":{schema},"annotations":{{"x":{schema}}},"icons":{schema},"x":1,"_meta":{{"dev.toolwire/patch":{schema}}}}}"#
    );
    let Ok(tool) = ToolDescription::from_json(&listed) else {
        return Ok(());
    };
    let mut rng = Rng::with_seed(salt);
    let revision = Revision::ALL[rng.usize(..Revision::ALL.len())];
    let mapped = toolwire::mcp::to_tool(&tool, revision);
    resolves(&mapped.report, tool.to_json().as_bytes())?;
    let read = toolwire::mcp::from_tool(&mapped.json)
        .map_err(|error| format!("`{}` is no tool: {error}", mapped.json))?;
    resolves(&read.report, mapped.json.as_str().as_bytes())?;
    if !mapped.report.is_lossless() {
        return Ok(());
    }
    same(
        "the way back leads to another tool",
        tool.to_json().as_bytes(),
        read.tool.to_json().as_bytes(),
    )
}
