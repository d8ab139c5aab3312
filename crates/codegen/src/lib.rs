//! Everything that is generated from `schema/`: Rust, TypeScript and Python types, the
//! registry of diagnostic codes, and the tables of the spec and the reference.

mod api;
mod lower;
mod manifest_keys;
pub mod mime;
mod python;
pub mod registry;
mod rust_code;
mod rust_types;
mod shapes;
mod spec_table;
mod tables;
mod typescript;

use std::borrow::Cow;
use std::path::{Path, PathBuf};

/// One generated file.
pub struct Output {
    /// Path from the root of the checkout, with `/`.
    pub path: Cow<'static, str>,
    /// The whole text that belongs there.
    pub text: String,
}

impl Output {
    /// Writes the file into the checkout at `root`.
    pub fn write(&self, root: &Path) -> Result<(), String> {
        let path = root.join(&*self.path);
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)
                .map_err(|error| format!("cannot make `{}`: {error}", folder.display()))?;
        }
        std::fs::write(&path, &self.text)
            .map_err(|error| format!("cannot write `{}`: {error}", path.display()))
    }
}

/// The root of the checkout that this program was built from.
pub fn checkout() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).unwrap_or(here).to_path_buf()
}

/// Generates every file from the schemas and tables below `root`.
pub fn generate(root: &Path) -> Result<Vec<Output>, String> {
    let registry = registry::load(root)?;
    let envelope = json(root, "schema/envelope.schema.json")?;
    let report = json(root, "schema/report.schema.json")?;
    let identity = json(root, "schema/identity.schema.json")?;
    let call = json(root, "schema/call.schema.json")?;
    let description = json(root, "schema/describe.schema.json")?;
    let schemas = [envelope.clone(), report, identity, call, description];
    let api = api::Api::load(root)?;
    let mut shapes = shapes::shapes(&schemas, &registry)?;
    api.lint(&shapes)?;
    shapes.extend(api.shapes()?);
    let mut outputs = vec![
        Output {
            path: "crates/toolwire/src/base/diagnostic/code.rs".into(),
            text: rust_code::generate(&registry)?,
        },
        Output {
            path: "crates/toolwire/src/protocol/envelope/types.rs".into(),
            text: rust_types::generate(&envelope)?,
        },
        mime::generate(root)?,
        Output {
            path: "bindings-node/types.generated.d.ts".into(),
            text: typescript::generate(&shapes),
        },
        Output {
            path: "bindings-python/python/toolwire/types.py".into(),
            text: python::generate(&shapes),
        },
        Output {
            path: "spec/06-diagnostics.md".into(),
            text: spec_table::generate(&registry),
        },
        Output {
            path: "docs/reference/diagnostics.md".into(),
            text: spec_table::cures(&registry),
        },
        manifest_keys::generate(root)?,
    ];
    outputs.extend(tables::generate(root)?);
    outputs.extend(api.outputs(root)?);
    Ok(outputs)
}

/// The generated files whose text in the checkout differs from what `schema/` says.
pub fn stale(root: &Path) -> Result<Vec<Output>, String> {
    let mut outputs = generate(root)?;
    outputs.retain(|output| {
        // A checkout on Windows may have turned line ends into CRLF; that is not drift.
        std::fs::read_to_string(root.join(&*output.path))
            .map_or(true, |text| text.replace("\r\n", "\n") != output.text)
    });
    Ok(outputs)
}

/// Reads a text file of the checkout.
pub(crate) fn read(root: &Path, path: &str) -> Result<String, String> {
    std::fs::read_to_string(root.join(path))
        .map_err(|error| format!("cannot read `{path}`: {error}"))
}

/// Reads a JSON file of the checkout.
pub(crate) fn json(root: &Path, path: &str) -> Result<serde_json::Value, String> {
    serde_json::from_str(&read(root, path)?).map_err(|error| format!("`{path}`: {error}"))
}

/// Lays out Rust source; comments other than doc comments are lost, so `header` is put on top.
pub(crate) fn rust(header: &str, source: &str) -> Result<String, String> {
    let file = syn::parse_file(source).map_err(|error| format!("generated Rust: {error}"))?;
    Ok(format!("{header}\n{}", prettyplease::unparse(&file)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generated_files_are_up_to_date() {
        let stale = stale(&checkout()).expect("the schemas can be read");
        let paths: Vec<_> = stale.iter().map(|output| &output.path).collect();
        assert!(
            paths.is_empty(),
            "stale, run `cargo xtask codegen`: {paths:?}"
        );
    }
}
