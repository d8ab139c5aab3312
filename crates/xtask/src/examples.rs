//! Every example tool does what it is there for; what is there in several languages answers with the
//! same bytes.

use crate::called;
use crate::stage::{output, pipe, stage};
use crate::step::{Failure, Runner};

/// What the example tools are expected to be read as.
const VALID: &str = "valid";
const RAW: &str = "raw";

/// Runs every example and checks what its answer is read as; the tool that is there in three
/// languages has to write the same bytes in each.
pub fn check(runner: &Runner) -> Result<(), Failure> {
    let stage = stage(runner)?;
    let file = "examples/README.md";
    let tools = [
        (stage.python_tool(runner, "read_file.py", &[file]), VALID),
        (
            stage.python_tool(runner, "read_file.py", &["no-such-file"]),
            VALID,
        ),
        (stage.python_tool(runner, "todo.py", &["crates"]), VALID),
        (
            stage.python_tool(runner, "todo.py", &["no-such-folder"]),
            VALID,
        ),
        (
            stage.node_tool(runner, "read-file.mjs", &["no-such-file"]),
            VALID,
        ),
        (
            stage.node_tool(runner, "links.mjs", &["README.md", file]),
            VALID,
        ),
        (
            stage.rust_tool(runner, "read-file", &["no-such-file"]),
            VALID,
        ),
        (stage.rust_tool(runner, "count-lines", &["crates"]), VALID),
        (stage.shell_tool(runner, "recent-changes.sh", &["2"]), RAW),
        (stage.shell_tool(runner, "by-hand.sh", &["README.md"]), RAW),
    ];
    for (tool, expected) in tools {
        let line = tool.line.clone();
        let report = pipe(runner, &stage, &["parse", "--json"], &output(tool)?)?;
        if !report.contains(&format!("\"verdict\":\"{expected}\"")) {
            return Err(Failure(format!(
                "`{line}` is not read as {expected}: {report}"
            )));
        }
    }
    for args in [&[file][..], &[file, "3-7"], &[file, "7-3"], &[file, "all"]] {
        let python = output(stage.python_tool(runner, "read_file.py", args))?;
        let node = output(stage.node_tool(runner, "read-file.mjs", args))?;
        let rust = output(stage.rust_tool(runner, "read-file", args))?;
        if python != node || python != rust {
            return Err(Failure(format!(
                "`read-file {}` differs between the languages:\n{}{}{}",
                args.join(" "),
                String::from_utf8_lossy(&python),
                String::from_utf8_lossy(&node),
                String::from_utf8_lossy(&rust),
            )));
        }
    }
    called::check(runner, &stage)
}
