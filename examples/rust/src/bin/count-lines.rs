//! Count the lines of code in a folder, by language.
//!
//! Usage: count-lines [FOLDER]
//!
//! A person or a model reads the table; a program reads the structured content.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;
use std::process::ExitCode;

use serde::Serialize;
use toolwire::build::{self, BlockOptions, EnvelopeOptions, ErrorOptions};
use toolwire::{Envelope, Json, mime};

#[derive(Debug, Default, Serialize)]
struct Count {
    files: u64,
    lines: u64,
}

const PASSED_OVER: &[&str] = &["target", "node_modules", "__pycache__"];

fn count(folder: &Path, counts: &mut BTreeMap<String, Count>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with('.') || PASSED_OVER.contains(&name.as_str()) {
            continue;
        }
        if entry.file_type()?.is_dir() {
            count(&entry.path(), counts)?;
        } else if let Some(language) = mime::language(mime::from_path(&name))
            && let Ok(text) = std::fs::read_to_string(entry.path())
        {
            let of_language = counts.entry(language.to_owned()).or_default();
            of_language.files += 1;
            of_language.lines += text.lines().count() as u64;
        }
    }
    Ok(())
}

fn answer(folder: &str) -> Result<Envelope, Box<dyn Error>> {
    let mut counts = BTreeMap::new();
    count(Path::new(folder), &mut counts)
        .map_err(|problem| format!("`{folder}` can't be counted: {problem}"))?;
    let mut table = String::from("language    files   lines\n");
    for (language, Count { files, lines }) in &counts {
        table.push_str(&format!("{language:<10} {files:>6} {lines:>7}\n"));
    }
    let structured = Json::from_value(&counts)?;
    let options = EnvelopeOptions {
        structured_content: Some(structured),
        ..EnvelopeOptions::default()
    };
    Ok(build::envelope(
        vec![build::text(table.trim_end(), BlockOptions::default())?],
        options,
    )?)
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| ".".into());
    match answer(&folder) {
        Ok(envelope) => {
            println!("{envelope}");
            Ok(ExitCode::SUCCESS)
        }
        Err(problem) => {
            println!(
                "{}",
                build::error_from(problem.as_ref(), ErrorOptions::default())?
            );
            Ok(ExitCode::FAILURE)
        }
    }
}
