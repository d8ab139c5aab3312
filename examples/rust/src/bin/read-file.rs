//! Answer with a file, or with some of its lines, as a resource.
//!
//! Usage: read-file PATH [FIRST-LAST]

use std::error::Error;
use std::path::Path;
use std::process::ExitCode;

use toolwire::Envelope;
use toolwire::build::{self, EnvelopeOptions, ErrorOptions, ResourceOptions};

fn read(path: &str, lines: Option<&str>) -> Result<Envelope, Box<dyn Error>> {
    let absolute = std::path::absolute(path)?;
    let bytes =
        std::fs::read(path).map_err(|problem| format!("`{path}` can't be read: {problem}"))?;
    let Some(lines) = lines else {
        let uri = toolwire::file_uri(&absolute.to_string_lossy())?;
        let block = build::resource_from_bytes(&uri, &bytes, ResourceOptions::default())?;
        return Ok(build::envelope(vec![block], EnvelopeOptions::default())?);
    };
    let (first, last) = range_of(lines)
        .ok_or_else(|| format!("`{lines}` is no range of lines; give FIRST-LAST, such as 1-20"))?;
    let text = String::from_utf8(bytes)?;
    let part: String = text
        .split_inclusive('\n')
        .take(last)
        .skip(first - 1)
        .collect();
    let name = Path::new(path)
        .file_name()
        .unwrap_or_default()
        .to_string_lossy();
    let options = ResourceOptions {
        name: Some(format!("{name}, lines {first} to {last}")),
        ..ResourceOptions::default()
    };
    let uri = format!(
        "{}#L{first}-{last}",
        toolwire::file_uri(&absolute.to_string_lossy())?
    );
    let block = build::resource(&uri, part.as_str(), options)?;
    Ok(build::envelope(vec![block], EnvelopeOptions::default())?)
}

/// The first and the last line, counted from 1.
fn range_of(lines: &str) -> Option<(usize, usize)> {
    let number = |text: &str| {
        let digits = (1..=9).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
        digits.then(|| text.parse().ok()).flatten()
    };
    let (first, last) = lines.split_once('-')?;
    let (first, last) = (number(first)?, number(last)?);
    (1 <= first && first <= last).then_some((first, last))
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (path, lines) = match &args[..] {
        [path] => (path, None),
        [path, lines] => (path, Some(lines.as_str())),
        _ => {
            eprintln!("Usage: read-file PATH [FIRST-LAST]");
            return Ok(ExitCode::from(2));
        }
    };
    match read(path, lines) {
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
