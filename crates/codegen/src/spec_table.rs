//! The chapter of the spec that lists the diagnostic codes.

use crate::registry::Registry;
use std::fmt::Write;

const HEADER: &str = "\
<!-- Generated from schema/diagnostics.json. Do not edit: run `cargo xtask codegen`. -->

# 6. Diagnostics

Everything that can be said about an output, and every reason for which a call can fail, has a code
in this registry. The registry is closed: an implementation uses these codes and no others. A code,
the pointer and the offset are contract; the wording of a message is not.

- **Severity** `error`: the output began like a JSON document and is not a strict one, or a call is
  refused. `warning`: the document stands, but something in it is wrong, was dropped, or will not
  travel well; or it is JSON that looks like an envelope and is none. `note`: nothing is wrong.
- **Effect** `raw`: the whole output is raw text. `skip`: the block is skipped and kept raw in the
  diagnostic. `ignore`: the field reads as absent. `none`: nothing is dropped. `refuse`: the call
  fails, with this code; reading never does that.
- **Schema** `yes`: the JSON Schema of the envelope rejects such a document too, if it is JSON at all.
  `no`: a schema can't see it: it is lost when JSON becomes values, it compares members, or it is
  about the call.

";

/// The text of `spec/06-diagnostics.md`.
pub fn generate(registry: &Registry) -> String {
    let mut out = String::from(HEADER);
    out.push_str("| Code | Severity | Effect | Schema | Rule | What it means | What to do |\n");
    out.push_str("|---|---|---|---|---|---|---|\n");
    for entry in &registry.codes {
        let _ = writeln!(
            out,
            "| `{}` | {} | {} | {} | {} | {} | {} |",
            entry.code,
            entry.severity,
            entry.effect,
            if entry.schema { "yes" } else { "no" },
            entry.rule,
            cell(&entry.summary),
            cell(&entry.help),
        );
    }
    out
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}
