//! The chapter of the spec that lists the diagnostic codes, and the page of the reference that says what to do
//! about each.

use crate::registry::{Entry, Registry};
use std::fmt::Write;

/// The rule of the codes that only functions outside of the specification give.
const OUTSIDE: &str = "DIAG-50";

const HEADER: &str = "\
<!-- Generated from schema/diagnostics.json. Do not edit: run `cargo xtask codegen`. -->

# 6. Errors and diagnostics

> **Operations** all. **Cases** all. **Class** all.

A *diagnostic* reports something about an output; an *error* reports that an operation refused its input. Both have these members.

| member | value |
|---|---|
| `code` | a code of the registry below |
| `severity` | of a diagnostic: `error`, `warning` or `note` |
| `pointer` | a JSON Pointer (RFC 6901) to the place, of unescaped names; empty for the whole document |
| `offset` | the byte at which the place begins, from 0; absent where there is no text or a rule gives none |
| `message` | a sentence in an implementation's own words |

If the input is a text, an error has the pointer of the wrong value and its offset; a missing member has its own pointer and the offset of the object that lacks it; a text that is not strict JSON, the offset of the first wrong byte and an empty pointer. If it is a value, an option or an argument, there is no offset. Of several mistakes, any one may be reported, unless a rule gives an order.

- **DIAG-50** An implementation MUST use the codes of the registry, with their severity, and no others.
- **DIAG-51** Programs MAY rely on `code`, `severity`, `pointer` and `offset`. The wording of `message` is free.

| effect | meaning |
|---|---|
| `raw` | the whole output is raw text |
| `skip` | the block is skipped; the diagnostic holds its JSON text |
| `ignore` | the member reads as absent |
| `none` | nothing is dropped |
| `refuse` | an operation fails with this code; reading an output never does |

## The registry

The codes up to `nonzero_exit` are the Reader's. Codes of functions outside of this specification are in [the reference](../docs/reference/diagnostics.md).

";

const CURES: &str = "\
<!-- Generated from schema/diagnostics.json. Do not edit: run `cargo xtask codegen`. -->

# Diagnostic codes

What each code means, and what to do about it. `toolwire explain` shows the place in an output; [chapter 6](../../spec/06-diagnostics.md) of the specification has the rules.

| Code | Severity | Meaning | What to do |
|---|---|---|---|
";

/// The text of `spec/06-diagnostics.md`.
pub fn generate(registry: &Registry) -> String {
    let mut out = String::from(HEADER);
    out.push_str("| Code | Severity | Effect | Rule | What it means |\n");
    out.push_str("|---|---|---|---|---|\n");
    for entry in registry.codes.iter().filter(|entry| entry.rule != OUTSIDE) {
        row(
            &mut out,
            entry,
            &[&entry.effect, &entry.rule, &cell(&entry.summary)],
        );
    }
    out
}

/// The text of `docs/reference/diagnostics.md`.
pub fn cures(registry: &Registry) -> String {
    let mut out = String::from(CURES);
    for entry in &registry.codes {
        row(
            &mut out,
            entry,
            &[&cell(&entry.summary), &cell(&entry.help)],
        );
    }
    out
}

/// A row of a table: a code, its severity, and these cells.
fn row(out: &mut String, entry: &Entry, cells: &[&str]) {
    let _ = writeln!(
        out,
        "| `{}` | {} | {} |",
        entry.code,
        entry.severity,
        cells.join(" | ")
    );
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}
