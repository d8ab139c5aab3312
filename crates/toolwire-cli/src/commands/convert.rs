//! `toolwire convert`: a server in another form.

use toolwire::mcp::{Fate, LossReport};
use toolwire_contract::convert::{Converted, write_server};
use toolwire_source::{Places, read_command, read_word};

use super::explore::surplus_word;
use crate::args::{ConvertArgs, parted};
use crate::exit::{Failure, Outcome, Result};
use crate::output::Out;
use crate::run;

pub fn run(args: &ConvertArgs, out: &mut Out) -> Result<Outcome> {
    let (word, rest) = parted(&args.words, &args.command);
    if let Some(surplus) = rest.first() {
        return Err(surplus_word("convert", surplus));
    }
    let name = args.name.as_deref();
    let (entry, report) = match word {
        None => {
            let words = args.command.iter().map(|word| run::text(word));
            read_command(&words.collect::<Result<Vec<String>>>()?, name)?
        }
        Some(word) => {
            let places = Places {
                config: args.config.clone(),
                verb: Some("toolwire convert".to_owned()),
                ..args.jn.places()
            };
            read_word(word, name, &places)?
        }
    };
    let converted = write_server(&entry, args.to).map_err(|error| Failure::refused(&error))?;
    let converted = with(converted, report);
    if args.json {
        out.json(converted.to_json().as_str())?;
        return Ok(Outcome::Success);
    }
    out.text(&converted.text)?;
    tell_losses(&converted.report, out);
    Ok(Outcome::Success)
}

/// The report of both halves of the way.
fn with(mut converted: Converted, mut before: LossReport) -> Converted {
    before.entries.append(&mut converted.report.entries);
    converted.report = before.finished();
    converted
}

/// Says what did not come along as it was, apart from the name, by which nothing is started.
pub fn tell_losses(report: &LossReport, out: &mut Out) {
    for one in report.entries.iter().filter(|one| one.pointer != "/name") {
        let what = match one.fate {
            Fate::Kept | Fate::Moved => continue,
            Fate::Approximated => "is only nearly the same",
            Fate::Dropped => "is left out",
        };
        out.complain(&format!(
            "warning: `{}` {what}: {}",
            one.pointer, one.reason
        ));
    }
}
