//! What records come to: the lines that are written for them, and how many there were.

use toolwire::build::{ErrorOptions, error};

use crate::exit::{Failure, Result};
use crate::show::count;

/// How many records came to what.
#[derive(Default)]
pub struct Counts {
    pub ended: u64,
    pub failed: u64,
    pub passed: u64,
    pub cut: u64,
}

/// What a record came to.
pub enum End {
    /// The envelope that is its line.
    Line { document: Vec<u8>, error: bool },
    /// The same where nothing was called: the line says why.
    Refused(Vec<u8>),
    /// The call was cut off, so nobody knows what it did.
    Cut,
}

impl End {
    /// The bytes that wait to be written.
    pub fn len(&self) -> usize {
        match self {
            End::Line { document, .. } | End::Refused(document) => document.len(),
            End::Cut => 0,
        }
    }
}

impl Counts {
    /// The last line of a run.
    pub fn to_text(&self) -> String {
        let Counts {
            ended,
            failed,
            passed,
            cut,
        } = self;
        let all = count(ended + failed + passed + cut, "record");
        let mut text = format!("{all}: {ended} ended, {failed} failed");
        if *passed > 0 {
            text.push_str(&format!(", {passed} passed over"));
        }
        if *cut > 0 {
            text.push_str(&format!(", {cut} cut off"));
        }
        text
    }
}

/// The line of a record for which nothing was called.
pub fn refused(failure: &Failure) -> Result<End> {
    Ok(match failed(failure)? {
        End::Line { document, .. } => End::Refused(document),
        other => other,
    })
}

/// The line of a record whose call could not be carried out.
pub fn failed(failure: &Failure) -> Result<End> {
    if let Failure::Ended(_) | Failure::Closed = failure {
        return Ok(End::Cut);
    }
    let envelope = error(&failure.message(), ErrorOptions::default());
    let envelope = envelope.map_err(|error| Failure::refused(&error))?;
    Ok(End::Line {
        document: envelope.to_json().into_bytes(),
        error: true,
    })
}
