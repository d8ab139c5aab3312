//! `docs/reference/names.md`: what each function is called in each language, and a test that the names of
//! Rust exist.

use super::{Api, camel};
use crate::Output;
use std::fmt::Write;

const HEADER: &str = "\
<!-- Generated from schema/api.json. Do not edit: run `cargo xtask codegen`. -->
# Names in each language

Functions are named alike in Rust, Python and Node; each language uses its own spelling.
";

pub fn outputs(api: &Api) -> Vec<Output> {
    let mut page = String::from(HEADER);
    let mut paths = Vec::new();
    for group in &api.names {
        let [first, ..] = &group.rows[..] else {
            continue;
        };
        let _ = write!(page, "\n## {}\n\n", group.title);
        let (head, rows) = (first, &group.rows[1..]);
        let _ = writeln!(page, "| {} |\n|---|---|---|---|---|", head.join(" | "));
        for row in rows {
            let cells: Vec<_> = row
                .iter()
                .map(|cell| {
                    if cell.is_empty() {
                        "—".to_owned()
                    } else {
                        format!("`{cell}`")
                    }
                })
                .collect();
            let _ = writeln!(page, "| {} | {} |", row[0], cells[1..].join(" | "));
            paths.push(row[1].as_str());
        }
    }
    for (module, of) in &api.modules.0 {
        let _ = write!(
            page,
            "\n## `{module}`\n\n{}\n\n| Function | Rust | Python | Node | Command |\n|---|---|---|---|---|\n",
            of.doc
        );
        for (name, function) in api.of(module) {
            let rust = if function.rust.starts_with("crate") {
                "—".to_owned()
            } else {
                format!("`{}`", function.rust)
            };
            let cli = function
                .cli
                .as_ref()
                .map_or("—".to_owned(), |cli| format!("`{cli}`"));
            let _ = writeln!(
                page,
                "| {name} | {rust} | `toolwire.{module}.{name}` | `{module}.{}` | {cli} |",
                camel(name)
            );
        }
    }
    paths.retain(|path| path.contains("::"));
    paths.sort_unstable();
    paths.dedup();
    let imports: String = paths
        .iter()
        .map(|path| format!("use {path} as _;\n"))
        .collect();
    let test = format!(
        "// Generated from schema/api.json. Do not edit: run `cargo xtask codegen`.\n\
         //! Each name that the reference has for Rust exists, or this does not compile.\n\
         #![allow(unused_imports)] // To be importable is all that is asked of them.\n\n{imports}"
    );
    vec![
        Output {
            path: "docs/reference/names.md".into(),
            text: page,
        },
        Output {
            path: "crates/toolwire-ffi/tests/it/names.rs".into(),
            text: test,
        },
    ]
}
