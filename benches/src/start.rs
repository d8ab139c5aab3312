//! Process start: a tool is a process, so what a package costs to load is paid with every call.

use crate::measure::median;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

/// A process that is started again and again.
pub struct Start {
    /// What the tables call it.
    pub name: String,
    /// Which group it is compared in.
    pub group: &'static str,
    command: Command,
    /// What it gets on its stdin.
    stdin: &'static str,
}

/// The median time of a start, and the one it is compared with.
pub struct Started {
    /// What the tables call it.
    pub name: String,
    /// Which group it is compared in; the first of a group is what the others are compared with.
    pub group: &'static str,
    /// Median milliseconds on the wall from the start to the end.
    pub millis: f64,
    /// Median of how many milliseconds more it took than the first of its group in the same round.
    pub more: f64,
}

impl Start {
    /// A command that is compared with the first of its group.
    pub fn new(group: &'static str, name: &str, command: Command) -> Self {
        Start {
            name: name.to_string(),
            group,
            command,
            stdin: "",
        }
    }

    /// The same in another group.
    fn within(mut self, group: &'static str) -> Self {
        self.group = group;
        self
    }

    /// A tool that is called.
    fn called(mut self, call: &'static str) -> Self {
        self.stdin = call;
        self.command.env("TOOLWIRE_CALL", "stdin");
        self
    }

    fn millis(&mut self) -> Result<f64, String> {
        let command = self
            .command
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let begun = Instant::now();
        let mut child = command
            .spawn()
            .map_err(|e| format!("cannot start {command:?}: {e}"))?;
        if let Some(mut stdin) = child.stdin.take() {
            // A program that ends without reading has nothing to do with it.
            let _ = stdin.write_all(self.stdin.as_bytes());
        }
        let status = child
            .wait()
            .map_err(|e| format!("cannot wait for {command:?}: {e}"))?;
        let took = begun.elapsed().as_secs_f64() * 1e3;
        if status.success() {
            Ok(took)
        } else {
            Err(format!("{command:?} ends with {status}"))
        }
    }
}

const NOTHING: &str = r#"{"tool":{"name":"noop"},"context":{"action":"run"}}"#;

/// The call that the tools of the two languages answer.
const GREET: &str =
    r#"{"tool":{"name":"greet","arguments":{"name":"Ada"}},"context":{"action":"run"}}"#;

/// The command line tool beside the program that does nothing.
pub fn cli(toolwire: &Path, envelope: &Path) -> Vec<Start> {
    let mut parse = Command::new(toolwire);
    parse.arg("parse").arg(envelope);
    let mut validate = Command::new(toolwire);
    validate.arg("validate").arg(envelope);
    // Built with this program, so it stands beside it.
    let noop = std::env::current_exe().unwrap_or_default();
    let noop = noop.with_file_name(format!("noop{}", std::env::consts::EXE_SUFFIX));
    let run = |args: &[&str], program: &Path| {
        let mut command = Command::new(toolwire);
        command.arg("run").args(args).arg(program);
        command
    };
    let tool = "a compiled tool that does nothing";
    vec![
        Start::new("command", "/bin/true", Command::new("/bin/true")),
        Start::new("command", "toolwire parse, one small envelope", parse),
        Start::new("command", "toolwire validate, one small envelope", validate),
        Start::new(tool, "called directly", Command::new(&noop)).called(NOTHING),
        Start::new(tool, "toolwire run", run(&[], &noop)),
        Start::new(tool, "toolwire run --call", run(&["--call"], &noop)),
        Start::new(
            "a program that knows nothing of it",
            "/bin/true",
            Command::new("/bin/true"),
        ),
        Start::new(
            "a program that knows nothing of it",
            "toolwire run /bin/true",
            run(&[], Path::new("/bin/true")),
        ),
    ]
}

const PYTHON_TOOL: &str = "
import toolwire as tw
@tw.tool
def greet(name: str) -> str:
    'Greet somebody.'
    return 'Hello ' + name
tw.main()
";

const MCP_TOOL: &str = "
from mcp.server.mcpserver import MCPServer
server = MCPServer('greet')
@server.tool()
def greet(name: str) -> str:
    'Greet somebody.'
    return 'Hello ' + name
";

const NODE_TOOL: &str = "
import * as tw from 'toolwire';
const input = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
tw.tool({ name: 'greet', description: 'Greet somebody.', input }, ({ name }) => 'Hello ' + name);
await tw.main();
";

/// The interpreter alone, with each package, and with the command that comes with ours.
pub fn python(interpreter: &Path, envelope: &Path) -> Vec<Start> {
    let start = |name: &str, code: &str| {
        let mut command = Command::new(interpreter);
        command.args(["-c", code]);
        Start::new("Python", name, command)
    };
    let command = |name: &str, program: &Path, args: &[&str]| {
        let mut command = Command::new(program);
        command.args(args).arg("validate").arg(envelope);
        Start::new("the command from pip", name, command)
    };
    let script = interpreter.with_file_name(format!("toolwire{}", std::env::consts::EXE_SUFFIX));
    vec![
        start("python", "pass").within("the command from pip"),
        command("toolwire validate, one small envelope", &script, &[]),
        command(
            "python -m toolwire validate, the same",
            interpreter,
            &["-m", "toolwire"],
        ),
        start("python", "pass"),
        start("import toolwire", "import toolwire"),
        start(
            "import toolwire, write an envelope",
            "import toolwire as t; print(t.envelope(t.text('ok')))",
        ),
        start("a tool answers a call", PYTHON_TOOL).called(GREET),
        start("the MCP SDK, the same tool declared", MCP_TOOL),
        start("import json", "import json"),
        start("import orjson", "import orjson"),
        start("import msgspec", "import msgspec"),
        start("import mcp.types", "import mcp.types"),
    ]
}

/// Node alone, with each package, and with the command that comes with ours.
pub fn node(node: &Path, folder: &Path, envelope: &Path) -> Vec<Start> {
    let start = |name: &str, code: &str| {
        let mut command = Command::new(node);
        command
            .args(["--input-type=module", "-e", code])
            .current_dir(folder);
        Start::new("Node", name, command)
    };
    let mut command = Command::new(node);
    command
        .arg(folder.join("node_modules/toolwire/command.cjs"))
        .arg("validate")
        .arg(envelope);
    let name = "toolwire validate, one small envelope";
    vec![
        start("node", "0").within("the command from npm"),
        Start::new("the command from npm", name, command),
        start("node", "0"),
        start(
            "require toolwire",
            "process.getBuiltinModule('module').createRequire(process.cwd() + '/')('toolwire')",
        ),
        start("import toolwire", "import 'toolwire'"),
        start(
            "import toolwire, write an envelope",
            "import * as t from 'toolwire'; console.log(String(t.envelope([t.text('ok')])))",
        ),
        start("a tool answers a call", NODE_TOOL).called(GREET),
        start("import canonicalize", "import 'canonicalize'"),
        start("import ajv", "import 'ajv'"),
        start(
            "import the MCP SDK's types (zod)",
            "import '@modelcontextprotocol/sdk/types.js'",
        ),
    ]
}

/// Starts everybody in every round.
///
/// # Errors
///
/// When a process cannot be started or fails.
pub fn measure(mut starts: Vec<Start>, rounds: usize) -> Result<Vec<Started>, String> {
    let mut times: Vec<Vec<f64>> = vec![Vec::new(); starts.len()];
    // The first round fills the system's caches.
    for round in 0..=rounds {
        for (start, times) in starts.iter_mut().zip(&mut times) {
            let took = start.millis()?;
            if round > 0 {
                times.push(took);
            }
        }
    }
    let started = starts.iter().enumerate().map(|(at, start)| {
        let bare = starts
            .iter()
            .position(|other| other.group == start.group)
            .unwrap_or(at);
        let more = times[at]
            .iter()
            .zip(&times[bare])
            .map(|(took, bare)| took - bare);
        Started {
            name: start.name.clone(),
            group: start.group,
            millis: median(times[at].clone()),
            more: median(more.collect()),
        }
    });
    Ok(started.collect())
}
