//! Laws of fingerprints: they are blind to what they say they ignore, and to nothing else.

use crate::rng::Rng;
use serde_json::{Value, json};
use toolwire::Json;
use toolwire_contract::fingerprint::Fingerprint;

use super::shown;
use super::verdict::schema_of;
use crate::calls;
use crate::generate::contract::{
    change, is_all_reached, pair, renamed, reordered, respelled, spell, values, with_unused, worded,
};
use crate::validators::Validators;

/// A tool of this schema, with words and annotations, spelled in one of many ways.
fn tool(schema: &Value, words: &str, hint: bool, rng: &mut Rng) -> Result<Json, String> {
    let tool = json!({
        "name": "t",
        "description": words,
        "inputSchema": schema,
        "outputSchema": schema,
        "annotations": {"readOnlyHint": hint},
    });
    Json::new(spell(&tool, rng)).map_err(|error| error.to_string())
}

fn print(tool: &Json) -> Result<Fingerprint, String> {
    let print = calls::fingerprint(tool);
    print.map_err(|error| {
        format!(
            "no fingerprint of {}: {error}",
            shown(tool.as_str().as_bytes())
        )
    })
}

/// Spelling and order make no difference to a fingerprint, words only to that of the text, annotations
/// only to that of safety.
pub(super) fn same(input: &[u8], salt: u64) -> Result<(), String> {
    let Some(schema) = schema_of(input) else {
        return Ok(());
    };
    let mut rng = Rng::with_seed(salt);
    let first = tool(&schema, "w", true, &mut rng)?;
    let Ok(print_of_first) = calls::fingerprint(&first) else {
        return Ok(());
    };
    let told = |what: &str, second: &Json| Err(format!("{what}: {first} and {second}"));
    // A definition that nothing leads to is part of the text as it is (FP-30).
    let same = match is_all_reached(&schema) {
        true => respelled(&schema, &mut rng),
        false => schema.clone(),
    };
    let second = tool(&same, "w", true, &mut rng)?;
    if print(&second)? != print_of_first {
        return told("another fingerprint for the same", &second);
    }
    // Names of definitions are part of the text, too (FP-30).
    let mut other = schema;
    for _ in 0..rng.usize(1..4) {
        other = match rng.u8(..4) {
            0 => renamed(&other, &mut rng),
            1 => reordered(&other, &mut rng),
            2 => with_unused(&other),
            _ => worded(&other, &mut rng),
        };
    }
    let third = tool(&other, "other words", true, &mut rng)?;
    let print_of_third = print(&third)?;
    if print_of_third.contract != print_of_first.contract
        || print_of_third.safety != print_of_first.safety
    {
        return told("words or definitions make a difference", &third);
    }
    if print_of_third.text == print_of_first.text {
        return told("words make none to the text", &third);
    }
    let fourth = tool(&other, "other words", false, &mut rng)?;
    let print_of_fourth = print(&fourth)?;
    if print_of_fourth.safety == print_of_third.safety {
        return told("an annotation makes no difference", &fourth);
    }
    if print_of_fourth.contract != print_of_third.contract
        || print_of_fourth.text != print_of_third.text
    {
        return told(
            "an annotation makes a difference to more than safety",
            &fourth,
        );
    }
    Ok(())
}

/// Any other change makes another contract.
pub(super) fn other(input: &[u8], salt: u64) -> Result<(), String> {
    let Some(schema) = schema_of(input) else {
        return Ok(());
    };
    let mut rng = Rng::with_seed(salt);
    let Some((changed, what)) = change(&schema, &mut rng) else {
        return Ok(());
    };
    let (first, second) = (
        tool(&schema, "w", true, &mut rng)?,
        tool(&changed, "w", true, &mut rng)?,
    );
    let (Ok(first_print), Ok(second_print)) =
        (calls::fingerprint(&first), calls::fingerprint(&second))
    else {
        return Ok(());
    };
    if first_print.contract == second_print.contract {
        return Err(format!(
            "{what} makes no difference: {schema} and {changed}"
        ));
    }
    Ok(())
}

/// Schemas of one contract allow the same values.
pub(super) fn meaning(input: &[u8], salt: u64) -> Result<(), String> {
    let Some(schema) = schema_of(input) else {
        return Ok(());
    };
    let mut rng = Rng::with_seed(salt);
    let (old, new) = match rng.u8(..3) {
        0 => {
            let other = with_unused(&respelled(&schema, &mut rng));
            (schema, renamed(&other, &mut rng))
        }
        1 => match change(&schema, &mut rng) {
            Some((changed, _)) => (schema, changed),
            None => return Ok(()),
        },
        _ => {
            let (old, new, _) = pair(&schema, &mut rng);
            (old, new)
        }
    };
    let tools = (
        tool(&old, "w", true, &mut rng)?,
        tool(&new, "w", true, &mut rng)?,
    );
    let prints = (calls::fingerprint(&tools.0), calls::fingerprint(&tools.1));
    let (Ok(first), Ok(second)) = prints else {
        return Ok(());
    };
    if first.contract != second.contract {
        return Ok(());
    }
    let (Some(before), Some(after)) = (Validators::of(&old), Validators::of(&new)) else {
        return Ok(());
    };
    for value in values(&old, &new, 16, &mut rng) {
        if let (Some(one), Some(other)) = (before.allow(&value), after.allow(&value))
            && one != other
        {
            return Err(format!(
                "one contract, but not for {value}: {old} and {new}"
            ));
        }
    }
    Ok(())
}
