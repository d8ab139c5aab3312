//! A test of the Rust crates that each name in the tables of `docs/reference/libraries.md` exists: it is
//! generated from the tables, and does not compile where a name is missing.

use std::fmt::Write;
use std::path::Path;

const PATH: &str = "docs/reference/libraries.md";

const HEADER: &str = "\
//! Each name that the tables of docs/reference/libraries.md have for Rust exists, or this does not compile.
// Generated from docs/reference/libraries.md. Do not edit: run `cargo xtask codegen`.
#![allow(unused_imports)] // To be importable is all that is asked of them.

";

/// The text of `tests/it/languages.rs` of a crate, with those names that are its own.
pub fn generate(root: &Path, package: &str) -> Result<String, String> {
    let spec = crate::read(root, PATH)?;
    let mut names = rust_names(&spec)?;
    names.retain(|name| name.split("::").next() == Some(package));
    names.sort_unstable();
    let mut out = String::from(HEADER);
    for name in &names {
        let _ = writeln!(out, "use {name} as _;");
    }
    out.push_str(
        "\n#[test]\nfn every_name_of_the_tables_exists() {\n    \
         // The imports above are the test: without one of the names it would not compile.\n}\n",
    );
    Ok(out)
}

/// The names in the columns that are headed `Rust`.
fn rust_names(spec: &str) -> Result<Vec<&str>, String> {
    let mut column = None;
    let mut names = Vec::new();
    for line in spec.lines() {
        let Some(row) = line.trim().strip_prefix('|') else {
            column = None;
            continue;
        };
        let cells: Vec<_> = row.split('|').map(str::trim).collect();
        match column {
            None => column = Some(cells.iter().position(|cell| *cell == "Rust")),
            Some(Some(index)) => {
                let cell = cells.get(index).copied().unwrap_or_default();
                if let Some(name) = cell
                    .strip_prefix('`')
                    .and_then(|cell| cell.strip_suffix('`'))
                {
                    names.push(name);
                } else if cell != "—" && !cell.starts_with("--") {
                    return Err(format!("`{PATH}`: `{cell}` is neither a name nor a dash"));
                }
            }
            Some(None) => {}
        }
    }
    if names.is_empty() {
        Err(format!("`{PATH}` has no column `Rust`"))
    } else {
        Ok(names)
    }
}

#[cfg(test)]
mod tests {
    use super::rust_names;

    #[test]
    fn only_the_column_for_rust_is_read() {
        let spec =
            "| A | Rust |\n|---|---|\n| `x` | `a::b` |\n| `y` | — |\n\n| B |\n|---|\n| `z` |\n";
        assert_eq!(rust_names(spec), Ok(vec!["a::b"]));
        assert!(rust_names("| A |\n|---|\n| `x` |\n").is_err());
        assert!(rust_names("| Rust |\n|---|\n| words |\n").is_err());
    }
}
