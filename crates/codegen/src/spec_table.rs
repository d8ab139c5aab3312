//! The chapter of the spec that lists the diagnostic codes, and the page of the reference that says what to do
//! about each.

use crate::registry::{Entry, Registry};
use std::fmt::Write;

const HEADER: &str = "\
<!-- Generated from schema/diagnostics.json. Do not edit: run `cargo xtask codegen`. -->

# 6. Diagnostics

This registry lists a code for everything that can be said about an output, and for every reason why an operation can be refused.

- **DIAG-50** An implementation MUST use the codes of this registry, with their severity, and no others. Codes of which the table names this rule are given by functions outside of this specification. (no case: the runner checks every diagnostic of every case, see CONF-8)
- **DIAG-51** Programs MAY rely on `code`, `severity`, `pointer` and `offset`. The wording of `message` is up to the implementation. (no case: it is what the other chapters say of each code)

The columns of the table have these meanings:

| Column | Value | Meaning |
|---|---|---|
| Severity | `error` | the output cannot be read as UTF-8 JSON within the limits, or an operation is refused |
| | `warning` | something in the envelope is wrong, was dropped, or may not survive other readers; or the output is JSON that resembles an envelope but is not one |
| | `note` | says something about the reading; the output itself is not at fault |
| Effect | `raw` | the whole output is raw text |
| | `skip` | the block is skipped; the diagnostic holds its JSON text |
| | `ignore` | the member reads as absent |
| | `none` | nothing is dropped |
| | `refuse` | an operation fails with this code; reading an output never does, whatever the output is |
| Schema | `yes` | the JSON Schema of the envelope rejects such a document too, if it is JSON |
| | `no` | a schema cannot detect it: it is no longer visible once JSON has become values, it is about several members at once, or it is about an operation |
| Rule | | the rule that defines the code |

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
    out.push_str("| Code | Severity | Effect | Schema | Rule | What it means |\n");
    out.push_str("|---|---|---|---|---|---|\n");
    for entry in &registry.codes {
        let schema = if entry.schema { "yes" } else { "no" };
        let about = [&entry.effect, schema, &entry.rule, &cell(&entry.summary)];
        row(&mut out, entry, &about);
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
