//! What the lint for hidden text knows of characters, `schema/hidden.json`, as sorted arrays.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use serde::Deserialize;

use crate::Output;
use crate::text::ranges;

/// Where the tables lie in the checkout.
pub const PATH: &str = "schema/hidden.json";

const HEADER: &str = "\
// Generated from schema/hidden.json. Do not edit: run `cargo xtask codegen`.
";

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Data {
    #[serde(rename = "$comment")]
    _comment: Option<String>,
    emoji: Vec<String>,
    right_to_left: Vec<String>,
    joining: Vec<String>,
    unspaced: Vec<String>,
    mongolian: Vec<String>,
    ideographs: Vec<String>,
    blank: Vec<String>,
    varied: Vec<String>,
    scripts: Scripts,
    names: BTreeMap<String, String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "PascalCase")]
struct Scripts {
    latin: Vec<String>,
    greek: Vec<String>,
    cyrillic: Vec<String>,
    armenian: Vec<String>,
    cherokee: Vec<String>,
    lisu: Vec<String>,
    coptic: Vec<String>,
}

/// Makes the table of the lint from those below `root`.
pub fn generate(root: &Path) -> Result<Output, String> {
    let text = crate::read(root, PATH)?;
    let source = source(&text).map_err(|error| format!("`{PATH}`: {error}"))?;
    Ok(Output {
        path: "crates/toolwire-contract/src/hidden/table.rs".into(),
        text: crate::rust(HEADER, &source)?,
    })
}

fn source(text: &str) -> Result<String, String> {
    let data: Data = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let mut out = String::from("//! What is ordinary in a text, scripts, and names.\n\n");
    let tables = [
        (
            "EMOJI",
            "Characters that can be emoji (HID-21).",
            &data.emoji,
        ),
        (
            "RIGHT_TO_LEFT",
            "What is written from right to left (HID-25).",
            &data.right_to_left,
        ),
        (
            "JOINING",
            "Characters behind which joiners choose a form (HID-20).",
            &data.joining,
        ),
        (
            "UNSPACED",
            "Scripts without spaces between words (HID-22).",
            &data.unspaced,
        ),
        (
            "MONGOLIAN",
            "Characters that have Mongolian variants (HID-23).",
            &data.mongolian,
        ),
        (
            "IDEOGRAPHS",
            "Characters that have ideographic variants (HID-23).",
            &data.ideographs,
        ),
        (
            "BLANK",
            "Characters with nothing to see that are no spaces (HID-26).",
            &data.blank,
        ),
        (
            "VARIED",
            "Others that have standardized variants (HID-23).",
            &data.varied,
        ),
    ];
    for (name, about, texts) in tables {
        let ranges = array(texts).map_err(|error| format!("{name}: {error}"))?;
        let _ = writeln!(
            out,
            "/// {about} Sorted; both ends belong to a range.\n\
             pub(super) static {name}: &[(u32, u32)] = &[{ranges}];"
        );
    }
    let scripts = [
        ("LATIN", &data.scripts.latin),
        ("GREEK", &data.scripts.greek),
        ("CYRILLIC", &data.scripts.cyrillic),
        ("ARMENIAN", &data.scripts.armenian),
        ("CHEROKEE", &data.scripts.cherokee),
        ("LISU", &data.scripts.lisu),
        ("COPTIC", &data.scripts.coptic),
    ];
    out.push_str(
        "/// Scripts by their names, each with its letters (HID-14).\n\
         pub(super) static SCRIPTS: &[(&str, &[(u32, u32)])] = &[",
    );
    for (name, texts) in scripts {
        let _ = write!(out, "({name:?}, &[{}]),", array(texts)?);
    }
    out.push_str("];\n");

    let code = |digits: &str| u32::from_str_radix(digits, 16).map_err(|error| error.to_string());
    let mut names = Vec::new();
    for (digits, name) in &data.names {
        names.push((code(digits)?, name));
    }
    names.sort_unstable();
    out.push_str(
        "/// The names of hidden characters, by their code. Sorted.\n\
         pub(super) static NAMES: &[(u32, &str)] = &[",
    );
    for (code, name) in names {
        let _ = write!(out, "(0x{code:04X}, {name:?}),");
    }
    out.push_str("];\n");
    Ok(out)
}

fn array(texts: &[String]) -> Result<String, String> {
    let ranges = ranges(texts)?;
    let pairs = ranges
        .iter()
        .map(|(first, last)| format!("(0x{first:04X}, 0x{last:04X})"));
    Ok(pairs.collect::<Vec<_>>().join(", "))
}
