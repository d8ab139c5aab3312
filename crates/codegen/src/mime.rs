//! The table of media types, `schema/mime.json`, as sorted arrays that the core searches.

use crate::Output;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// Where the table lies in the checkout.
pub const PATH: &str = "schema/mime.json";

const HEADER: &str = "\
// Generated from schema/mime.json. Do not edit: run `cargo xtask codegen`.
";

#[derive(Deserialize)]
struct Table {
    types: Vec<Type>,
    suffixes: Vec<Suffix>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Type {
    r#type: String,
    language: Option<String>,
    #[serde(default)]
    binary: bool,
    #[serde(default)]
    aliases: Vec<String>,
    #[serde(default)]
    extensions: Vec<String>,
    #[serde(default)]
    filenames: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Suffix {
    suffix: String,
    language: Option<String>,
    #[serde(default)]
    binary: bool,
}

/// Makes `format/mime_table.rs` from the table below `root`, after checking what would make a
/// look-up ambiguous: names in capitals, malformed names, and names that are there twice.
pub fn generate(root: &Path) -> Result<Output, String> {
    let text = crate::read(root, PATH)?;
    let table: Table = serde_json::from_str(&text).map_err(|error| format!("`{PATH}`: {error}"))?;
    Ok(Output {
        path: "crates/toolwire/src/protocol/format/mime_table.rs".into(),
        text: crate::rust(
            HEADER,
            &source(&table).map_err(|e| format!("`{PATH}`: {e}"))?,
        )?,
    })
}

fn source(table: &Table) -> Result<String, String> {
    let mut names = BTreeMap::new();
    let mut keys = BTreeMap::new();
    let mut extensions = BTreeMap::new();
    let mut filenames = BTreeMap::new();
    for (index, entry) in table.types.iter().enumerate() {
        if entry.binary && entry.language.is_some() {
            return Err(format!("`{}` is binary and has a language", entry.r#type));
        }
        if let Some(language) = &entry.language {
            check(language, "a language")?;
        }
        for name in std::iter::once(&entry.r#type).chain(&entry.aliases) {
            check(name, "a media type")?;
            if name.split('/').filter(|part| !part.is_empty()).count() != 2 {
                return Err(format!("`{name}` is not a media type"));
            }
            insert_once(&mut names, name.clone(), index)?;
            keys.entry(key(name).to_string()).or_insert(index);
        }
        for extension in &entry.extensions {
            check(extension, "an extension")?;
            insert_once(&mut extensions, extension.clone(), index)?;
        }
        for filename in &entry.filenames {
            insert_once(&mut filenames, filename.to_ascii_lowercase(), index)?;
        }
    }
    let mut suffixes = BTreeMap::new();
    for suffix in &table.suffixes {
        check(&suffix.suffix, "a suffix")?;
        insert_once(&mut suffixes, suffix.suffix.clone(), suffix)?;
    }

    let mut out = String::from(
        "//! The table of media types.\n\n\
         /// Name, language of the fence, and whether it is not text; in the table's own order.\n\
         pub(crate) static TYPES: &[(&str, Option<&str>, bool)] = &[\n",
    );
    for entry in &table.types {
        let _ = writeln!(
            out,
            "({:?}, {:?}, {}),",
            entry.r#type, entry.language, entry.binary
        );
    }
    out.push_str("];\n");
    let lists = [
        ("NAMES", "Names and aliases", &names),
        ("KEYS", "Names without what FMT-12 leaves out", &keys),
        ("EXTENSIONS", "Extensions", &extensions),
        ("FILENAMES", "File names in lower case", &filenames),
    ];
    for (name, about, list) in lists {
        let _ = writeln!(
            out,
            "/// {about}, sorted, with their place in [`TYPES`].\npub(crate) static {name}: &[(&str, u16)] = &["
        );
        for (text, index) in list {
            let _ = writeln!(out, "({text:?}, {index}),");
        }
        out.push_str("];\n");
    }
    let _ = writeln!(
        out,
        "/// Structured suffixes, sorted: the language, and whether it is not text.\n\
         pub(crate) static SUFFIXES: &[(&str, Option<&str>, bool)] = &["
    );
    for (name, suffix) in &suffixes {
        let _ = writeln!(out, "({name:?}, {:?}, {}),", suffix.language, suffix.binary);
    }
    out.push_str("];\n");
    Ok(out)
}

/// What FMT-12 compares: the subtype without `x-` or `x.` for text/ and application/, and else the
/// whole name.
fn key(name: &str) -> &str {
    let Some(subtype) = name
        .strip_prefix("text/")
        .or_else(|| name.strip_prefix("application/"))
    else {
        return name;
    };
    subtype
        .strip_prefix("x-")
        .or_else(|| subtype.strip_prefix("x."))
        .unwrap_or(subtype)
}

fn check(name: &str, what: &str) -> Result<(), String> {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "/+-._#".contains(c);
    if name.is_empty() || !name.chars().all(plain) {
        return Err(format!(
            "`{name}` cannot be {what}: lower case, digits and `+-._` only"
        ));
    }
    Ok(())
}

fn insert_once<V>(map: &mut BTreeMap<String, V>, name: String, value: V) -> Result<(), String> {
    if map.contains_key(&name) {
        return Err(format!("`{name}` is there twice"));
    }
    map.insert(name, value);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(types: &str) -> Result<String, String> {
        let text = format!(r#"{{"types": [{types}], "suffixes": []}}"#);
        source(&serde_json::from_str(&text).unwrap())
    }

    #[test]
    fn ambiguous_tables_are_refused() {
        for types in [
            r#"{"type": "text/a"}, {"type": "text/b", "aliases": ["text/a"]}"#,
            r#"{"type": "text/a", "extensions": ["a"]}, {"type": "text/b", "extensions": ["a"]}"#,
            r#"{"type": "text/a", "filenames": ["A"]}, {"type": "text/b", "filenames": ["a"]}"#,
            r#"{"type": "text/A"}"#,
            r#"{"type": "text"}"#,
            r#"{"type": "text/a", "binary": true, "language": "a"}"#,
            r#"{"type": "text/a", "language": "a`b"}"#,
        ] {
            assert!(table(types).is_err(), "{types}");
        }
        assert!(table(r#"{"type": "text/a", "language": "a"}"#).is_ok());
    }

    #[test]
    fn the_first_type_wins_a_shared_key() {
        let text = table(r#"{"type": "text/x-a"}, {"type": "application/a"}"#).unwrap();
        let keys = text.split("KEYS").nth(1).unwrap();
        assert!(
            keys.trim_start()
                .starts_with(": &[(&str, u16)] = &[\n(\"a\", 0),\n];"),
            "{keys}"
        );
    }
}
