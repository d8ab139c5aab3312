//! Calls of an earlier run of which nobody knows how they ended.

use toolwire::Json;
use toolwire::question::{Choice, Prompt};

use super::calls;
use crate::args::Unknown;
use crate::exit::{Failure, Result};
use crate::run::router::Router;

/// The most records that a message names.
const NAMED: usize = 20;

/// Whether each of these records is repeated; otherwise it is passed over.
pub async fn decide(
    records: &[u64],
    usual: Option<Unknown>,
    router: &Router,
    file: &str,
) -> Result<Vec<bool>> {
    let same = |what| vec![what == Unknown::Repeat; records.len()];
    if let Some(what) = usual {
        return Ok(same(what));
    }
    if router.nobody.is_some() && !records.is_empty() {
        return Err(Failure::Wrong(vec![format!(
            "`{file}`: nobody knows how the calls of {} ended; repeat them with `--unknown repeat`, or pass \
             over them with `--unknown skip`; nothing was called",
            named(records)
        )]));
    }
    let mut decided = Vec::new();
    for record in records {
        let left = records.len() - decided.len();
        let text = format!("The call of record {record} was begun, and nobody knows how it ended");
        let all = (left > 1).then(|| {
            [
                ("repeat all", format!("Repeat all {left} of them")),
                ("pass over all", format!("Pass over all {left} of them")),
            ]
        });
        let one = [
            ("repeat", "Repeat it".to_owned()),
            ("pass over", "Pass over it".to_owned()),
        ];
        let choices = one.into_iter().chain(all.into_iter().flatten());
        let choices = choices.map(|(value, label)| Choice {
            value: Json::from(value),
            label,
            description: None,
        });
        let prompt = Prompt::Select(choices.collect());
        let said = calls::own(router, &text, prompt, None).await?;
        let said = said.and_then(|said| said.to_text()).unwrap_or_default();
        match said.as_str() {
            "repeat" => decided.push(true),
            "pass over" => decided.push(false),
            "repeat all" | "pass over all" => {
                decided.resize(records.len(), said == "repeat all");
                break;
            }
            _ => {
                let message = "nothing was called, since it was not said what to do";
                return Err(Failure::Refused(message.to_owned()));
            }
        }
    }
    Ok(decided)
}

fn named(records: &[u64]) -> String {
    let numbers = records.iter().take(NAMED).map(u64::to_string);
    let mut text = numbers.collect::<Vec<_>>().join(", ");
    if records.len() > NAMED {
        text.push_str(&format!(" and {} more", records.len() - NAMED));
    }
    match records {
        [_] => format!("record {text}"),
        _ => format!("the records {text}"),
    }
}
