//! The Rust half: everybody in this process.

use crate::corpus::Input;
use crate::measure::{Contender, Effort, Sample, race, race_on_the_wall};
use crate::strict::{Probe, Verdicts};
use rmcp::model::CallToolResult;
use serde_json::Value;
use std::num::NonZero;
use std::path::Path;
use toolwire::{Limits, Verdict};

const LANGUAGE: &str = "Rust";

/// Everybody who says whether bytes are an envelope, and how.
fn judges<'a>(schema: &'a jsonschema::Validator, limits: &'a Limits) -> Vec<Contender<'a>> {
    vec![
        Contender::new("toolwire", |text| {
            toolwire::parse(text, limits).verdict() == Verdict::Valid
        }),
        Contender::new("serde_json Value", |text| {
            serde_json::from_slice::<Value>(text).is_ok()
        }),
        Contender::new("rmcp", |text| {
            serde_json::from_slice::<CallToolResult>(text).is_ok()
        }),
        Contender::new("sonic-rs Value", |text| {
            sonic_rs::from_slice::<sonic_rs::Value>(text).is_ok()
        }),
        Contender::new("serde_json + jsonschema", |text| {
            serde_json::from_slice::<Value>(text).is_ok_and(|value| schema.is_valid(&value))
        }),
    ]
}

/// The canonical bytes by the peer.
fn canonical(text: &[u8]) -> Option<Vec<u8>> {
    let value: Value = serde_json::from_slice(text).ok()?;
    serde_json_canonicalizer::to_vec(&value).ok()
}

/// Everybody who gives canonical bytes.
fn canonicalizers(limits: &Limits) -> Vec<Contender<'_>> {
    vec![
        Contender::new("toolwire", |text| {
            toolwire::canonicalize(text, limits).is_ok()
        }),
        Contender::new("serde_json_canonicalizer", |text| canonical(text).is_some()),
    ]
}

/// The validator of the envelope's schema in this checkout.
///
/// # Errors
///
/// When the schema cannot be read or is none.
pub fn validator(checkout: &Path) -> Result<jsonschema::Validator, String> {
    let path = checkout.join("schema/envelope.schema.json");
    let text = std::fs::read(&path).map_err(|e| format!("cannot read {}: {e}", path.display()))?;
    let schema: Value =
        serde_json::from_slice(&text).map_err(|e| format!("{}: {e}", path.display()))?;
    jsonschema::validator_for(&schema).map_err(|e| format!("{} is no schema: {e}", path.display()))
}

/// Measures all inputs.
///
/// # Errors
///
/// When a peer refuses an input or gives other canonical bytes: then the times would compare different
/// work.
pub fn measure(
    inputs: &[Input],
    schema: &jsonschema::Validator,
    effort: Effort,
    mut done: impl FnMut(&Sample),
) -> Result<(), String> {
    let limits = Limits::default();
    for input in inputs {
        let documents = input.documents();
        for document in &documents {
            let ours = toolwire::canonicalize(document, &limits).ok();
            if ours != canonical(document) {
                return Err(format!(
                    "the canonical bytes of a document of {} differ",
                    input.name
                ));
            }
        }
        let mut tasks = vec![
            ("verdict", judges(schema, &limits)),
            ("canonical", canonicalizers(&limits)),
        ];
        if input.is_log() {
            let one = NonZero::<usize>::MIN;
            let all = toolwire::all_threads();
            let log = &input.bytes;
            tasks[0]
                .1
                .insert(1, batch("toolwire batch", log, &limits, one));
            tasks.push((
                "lines",
                vec![
                    batch("toolwire", log, &limits, all),
                    batch("one thread", log, &limits, one),
                ],
            ));
        }
        for (task, contenders) in &mut tasks {
            let results = match *task {
                "lines" => race_on_the_wall(&documents, contenders, effort),
                _ => race(&documents, contenders, effort),
            };
            for (contender, (micros, all)) in contenders.iter().zip(results) {
                if !all {
                    return Err(format!(
                        "{} refuses a document of {}",
                        contender.peer, input.name
                    ));
                }
                done(&Sample {
                    language: LANGUAGE.to_string(),
                    task: (*task).to_string(),
                    input: input.name.to_string(),
                    peer: contender.peer.to_string(),
                    micros,
                });
            }
        }
    }
    Ok(())
}

/// The whole log in one call.
fn batch<'a>(
    peer: &'static str,
    log: &'a [u8],
    limits: &'a Limits,
    threads: NonZero<usize>,
) -> Contender<'a> {
    let run = move |_: &[&[u8]]| toolwire::summarize_on(log, limits, threads).valid as usize;
    Contender {
        peer,
        run: Box::new(run),
    }
}

/// What each judge says of texts that are not quite right.
pub fn strictness(probes: &[Probe], schema: &jsonschema::Validator) -> Verdicts {
    let limits = Limits::default();
    let judges = judges(schema, &limits);
    judges
        .into_iter()
        .map(|mut judge| {
            let takes = probes
                .iter()
                .map(|probe| (judge.run)(&[&probe.text]) == 1)
                .collect();
            (format!("{LANGUAGE}: {}", judge.peer), takes)
        })
        .collect()
}
