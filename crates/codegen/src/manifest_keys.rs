//! The tables of keys in `docs/reference/toolwire-toml.md`, from the JSON Schema of the manifest.

use crate::{Output, json, read};
use serde_json::Value;
use std::path::Path;

const PAGE: &str = "docs/reference/toolwire-toml.md";
const BEGIN: &str =
    "<!-- generated from schema/manifest.schema.json: do not edit, run `cargo xtask codegen` -->\n";
const END: &str = "<!-- end of the generated part -->\n";

/// The page with its tables as the schema has them now; the rest of it is written by hand.
pub fn generate(root: &Path) -> Result<Output, String> {
    let schema = json(root, "schema/manifest.schema.json")?;
    let page = read(root, PAGE)?.replace("\r\n", "\n");
    let parts = page
        .split_once(BEGIN)
        .and_then(|(before, rest)| Some((before, rest.split_once(END)?.1)));
    let (before, after) = parts.ok_or_else(|| format!("`{PAGE}` has no generated part"))?;
    let tables = [
        table("key", &schema),
        table("key of a tool", &schema["$defs"]["tool"]),
        table("key of a server", &schema["$defs"]["server"]),
    ];
    let text = format!("{before}{BEGIN}\n{}\n{END}{after}", tables.join("\n"));
    Ok(Output {
        path: PAGE.into(),
        text,
    })
}

fn table(title: &str, object: &Value) -> String {
    let mut out = format!("| {title} | value |\n|---|---|\n");
    for (name, value) in object["properties"].as_object().into_iter().flatten() {
        let text = value["description"].as_str().unwrap_or_default();
        let text = text.replace('\n', " ").replace('|', "\\|");
        out.push_str(&format!("| `{name}` | {text} |\n"));
    }
    out
}
