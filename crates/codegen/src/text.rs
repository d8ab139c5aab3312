//! Characters and SGR parameters, `schema/text.json`, as sorted arrays of the core.

use crate::Output;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// Where the tables lie in the checkout.
pub const PATH: &str = "schema/text.json";

const HEADER: &str = "\
// Generated from schema/text.json. Do not edit: run `cargo xtask codegen`.
";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Data {
    #[serde(rename = "$comment")]
    _comment: Option<String>,
    invisible: Vec<String>,
    marks: Vec<String>,
    wide: Vec<String>,
    lookalikes: BTreeMap<char, String>,
    sgr: Vec<Parameter>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Parameter {
    parameter: u8,
    #[serde(rename = "meaning")]
    _meaning: String,
}

/// Makes `format/text_table.rs` from the tables below `root`.
pub fn generate(root: &Path) -> Result<Output, String> {
    let text = crate::read(root, PATH)?;
    let source = source(&text).map_err(|error| format!("`{PATH}`: {error}"))?;
    Ok(Output {
        path: "crates/toolwire/src/protocol/format/text_table.rs".into(),
        text: crate::rust(HEADER, &source)?,
    })
}

fn source(text: &str) -> Result<String, String> {
    let data: Data = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let mut out = String::from("//! Characters, and the SGR parameters that a terminal gets.\n\n");
    let tables = [
        (
            "INVISIBLE",
            "Characters that reorder or hide text (FMT-5).",
            &data.invisible,
        ),
        (
            "MARKS",
            "Characters drawn in the column of the one before (FMT-48).",
            &data.marks,
        ),
        (
            "WIDE",
            "Characters that take two columns of a terminal.",
            &data.wide,
        ),
    ];
    for (name, about, texts) in tables {
        let ranges = ranges(texts).map_err(|error| format!("{name}: {error}"))?;
        let ranges: Vec<String> = ranges
            .iter()
            .map(|(first, last)| format!("(0x{first:04X}, 0x{last:04X})"))
            .collect();
        let _ = writeln!(
            out,
            "/// {about} Sorted; both ends belong to a range.\n\
             pub(super) static {name}: &[(u32, u32)] = &[{}];",
            ranges.join(", ")
        );
    }
    let mut lookalikes = BTreeMap::new();
    for (like, letters) in &data.lookalikes {
        for c in letters.chars() {
            if lookalikes.insert(c, *like).is_some() {
                return Err(format!("`{c}` looks like two letters"));
            }
        }
    }
    let lookalikes: Vec<(char, char)> = lookalikes.into_iter().collect();
    let _ = writeln!(
        out,
        "/// Letters, and the Latin ones that they look like (HID-14). Sorted.\n\
         pub(super) static LOOKALIKES: &[(char, char)] = &{lookalikes:?};"
    );
    let kept: Vec<u8> = data.sgr.iter().map(|entry| entry.parameter).collect();
    if !kept.is_sorted_by(|one, next| one < next) {
        return Err("the SGR parameters do not ascend".to_owned());
    }
    let _ = writeln!(
        out,
        "/// The SGR parameters that are kept (FMT-42), sorted.\n\
         pub(super) static SGR: &[u8] = &{kept:?};"
    );
    Ok(out)
}

/// Ranges of code points, which must ascend and not touch.
pub(crate) fn ranges(texts: &[String]) -> Result<Vec<(u32, u32)>, String> {
    let code = |digits: &str| {
        u32::from_str_radix(digits, 16).map_err(|error| format!("`{digits}`: {error}"))
    };
    let mut found: Vec<(u32, u32)> = Vec::new();
    for text in texts {
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        let (first, last) = (code(first)?, code(last)?);
        let after = found.last().map_or(0, |(_, before)| before + 1);
        if first > last || first <= after || last > u32::from(char::MAX) {
            return Err(format!("`{text}` does not follow what stands before it"));
        }
        found.push((first, last));
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_must_ascend_and_not_touch() {
        let of =
            |texts: &[&str]| ranges(&texts.iter().map(ToString::to_string).collect::<Vec<_>>());
        assert_eq!(
            of(&["00AD", "115F-1160"]),
            Ok(vec![(0xAD, 0xAD), (0x115F, 0x1160)])
        );
        for wrong in [
            &["00AD", "00AE"][..],
            &["0300", "00AD"],
            &["0301-0300"],
            &["x"],
            &["110000"],
        ] {
            assert!(of(wrong).is_err(), "{wrong:?}");
        }
    }
}
