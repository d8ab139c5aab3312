//! The Rust enum of diagnostic codes.

use crate::registry::{Entry, Registry, camel};
use std::fmt::Write;

const HEADER: &str = "\
// Generated from schema/diagnostics.json. Do not edit: run `cargo xtask codegen`.
";

/// The text of `diagnostic/code.rs`.
pub fn generate(registry: &Registry) -> Result<String, String> {
    let mut source = String::from(
        "//! The closed registry of diagnostic codes.\n\
         use crate::base::diagnostic::Severity;\n",
    );
    write_enum(&mut source, registry);
    write_methods(&mut source, registry);
    crate::rust(HEADER, &source)
}

fn write_enum(source: &mut String, registry: &Registry) {
    source.push_str(ENUM_DOC);
    source.push_str(
        "#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]\n\
         #[non_exhaustive]\npub enum Code {\n",
    );
    for entry in &registry.codes {
        let _ = writeln!(
            source,
            "/// `{}`: {} ({}).",
            entry.code, entry.summary, entry.rule
        );
        let _ = writeln!(source, "{},", entry.variant());
    }
    source.push_str("}\n");
}

fn write_methods(source: &mut String, registry: &Registry) {
    source.push_str("impl Code {\n");
    method(
        source,
        registry,
        "severity",
        "Severity",
        "How grave it is.\n\n\
         ```\nuse toolwire::{Code, Severity};\n\nassert_eq!(Code::Bom.severity(), Severity::Warning);\n```",
        |entry| format!("Severity::{}", camel(&entry.severity)),
    );
    method(
        source,
        registry,
        "effect",
        "&'static str",
        "What happens to the document: `raw`, the whole output is raw text; `skip`, the block is \
         skipped\nand kept raw; `ignore`, the field reads as absent; `none`, nothing is dropped; \
         `refuse`, the call fails.\n\n\
         ```\nassert_eq!(toolwire::Code::BadBase64.effect(), \"skip\");\n```",
        |entry| quoted(&entry.effect),
    );
    method(
        source,
        registry,
        "seen_by_schema",
        "bool",
        "Whether the JSON Schema rejects such a document too.\n\n\
         ```\nuse toolwire::Code;\n\nassert!(Code::BothBodies.seen_by_schema());\n\
         assert!(!Code::DuplicateName.seen_by_schema());\n```",
        |entry| entry.schema.to_string(),
    );
    method(
        source,
        registry,
        "rule",
        "&'static str",
        "The id of the rule in the spec that it reports.\n\n\
         ```\nassert_eq!(toolwire::Code::Bom.rule(), \"READ-5\");\n```",
        |entry| quoted(&entry.rule),
    );
    method(
        source,
        registry,
        "summary",
        "&'static str",
        "What is wrong, in one clause. Wording is not contract.\n\n\
         ```\nassert!(toolwire::Code::Bom.summary().contains(\"byte order mark\"));\n```",
        |entry| quoted(&entry.summary),
    );
    method(
        source,
        registry,
        "help",
        "&'static str",
        "What to do about it. Wording is not contract.\n\n\
         ```\nassert!(toolwire::Code::Bom.help().contains(\"UTF-8\"));\n```",
        |entry| quoted(&entry.help),
    );
    source.push_str("}\n");

    source.push_str("closed_words!(Code, \"a diagnostic code\", {\n");
    for entry in &registry.codes {
        let _ = writeln!(source, "{} => {},", entry.variant(), quoted(&entry.code));
    }
    source.push_str("});\n");
}

/// One `const fn` that maps each code; codes with the same value share an arm.
fn method(
    source: &mut String,
    registry: &Registry,
    name: &str,
    returns: &str,
    doc: &str,
    value: impl Fn(&Entry) -> String,
) {
    let mut arms: Vec<(String, Vec<String>)> = Vec::new();
    for entry in &registry.codes {
        let (value, pattern) = (value(entry), format!("Self::{}", entry.variant()));
        match arms.iter_mut().find(|(other, _)| *other == value) {
            Some((_, patterns)) => patterns.push(pattern),
            None => arms.push((value, vec![pattern])),
        }
    }
    for line in doc.lines() {
        let _ = writeln!(source, "/// {line}");
    }
    let _ = writeln!(
        source,
        "pub const fn {name}(self) -> {returns} {{ match self {{"
    );
    for (value, patterns) in arms {
        let _ = writeln!(source, "{} => {value},", patterns.join("|"));
    }
    source.push_str("} }\n");
}

/// A Rust string literal.
fn quoted(text: &str) -> String {
    format!("{text:?}")
}

const ENUM_DOC: &str = r#"
/// What a diagnostic or an error is about. Codes are contract, their wording is not.
///
/// ```
/// use toolwire::Code;
///
/// let code: Code = "duplicate_name".parse()?;
/// assert_eq!(code, Code::DuplicateName);
/// assert_eq!(code.to_string(), "duplicate_name");
/// # Ok::<(), toolwire::UnknownWord>(())
/// ```
"#;
