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
         use crate::diagnostic::Severity;\n",
    );
    write_enum(&mut source, registry);
    write_methods(&mut source, registry);
    source.push_str(FIXED);
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
    source.push_str(
        "/// Every code, in the order of the registry, which is also the order of `Ord`.\n\
         ///\n/// ```\n/// assert!(toolwire::Code::ALL.contains(&toolwire::Code::PlainText));\n/// ```\n",
    );
    let all: Vec<_> = registry
        .codes
        .iter()
        .map(|entry| format!("Self::{}", entry.variant()))
        .collect();
    let _ = writeln!(
        source,
        "pub const ALL: &'static [Self] = &[{}];",
        all.join(",")
    );

    method(
        source,
        registry,
        "as_str",
        "&'static str",
        "The code as it is written in documents, in snake_case.\n\n\
         ```\nassert_eq!(toolwire::Code::NoBody.as_str(), \"no_body\");\n```",
        |entry| quoted(&entry.code),
    );
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

    source.push_str(
        "impl std::str::FromStr for Code {\ntype Err = UnknownCode;\n\
         fn from_str(name: &str) -> Result<Self, UnknownCode> {\n Ok(match name {\n",
    );
    for entry in &registry.codes {
        let _ = writeln!(
            source,
            "{} => Self::{},",
            quoted(&entry.code),
            entry.variant()
        );
    }
    source.push_str("_ => return Err(UnknownCode(name.to_owned())),\n})\n}\n}\n");
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
/// # Ok::<(), toolwire::UnknownCode>(())
/// ```
"#;

const FIXED: &str = r#"
impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The name is not a code of the registry; it holds the name.
///
/// ```
/// let error = "no_such_code".parse::<toolwire::Code>().unwrap_err();
/// assert_eq!(error.to_string(), "`no_such_code` is not a diagnostic code");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownCode(pub String);

impl std::fmt::Display for UnknownCode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "`{}` is not a diagnostic code", self.0)
    }
}

impl std::error::Error for UnknownCode {}
"#;
