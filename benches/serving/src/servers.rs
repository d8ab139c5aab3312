//! Who is measured.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Options;
use crate::client::Revision::{self, V2025_11_25, V2026_07_28};

/// A server with a tool that does nothing.
pub struct Server {
    /// What the tables call it.
    pub name: &'static str,
    pub command: Vec<OsString>,
    pub environment: Vec<(&'static str, PathBuf)>,
    /// The revisions that it speaks.
    pub revisions: Vec<Revision>,
    /// How its tool is started where it is a process.
    pub tool: Vec<PathBuf>,
    /// How many calls it gets in a turn, one behind the other.
    pub turn: usize,
}

/// The server with which the others are compared.
pub const FASTMCP: &str = "FastMCP";
/// The servers that have targets.
pub const COMPILED: &str = "toolwire serve, a compiled tool";
/// Those whose tool is started once.
pub const WARM: &str = "toolwire serve, a warm tool in Python";
pub const WARM_NODE: &str = "toolwire serve, a warm tool in Node";

const BOTH: [Revision; 2] = [V2025_11_25, V2026_07_28];

pub fn all(options: &Options, checkout: &Path) -> Result<Vec<Server>, String> {
    let beside = |name: &str| {
        let own = std::env::current_exe().unwrap_or_default();
        own.with_file_name(format!("{name}{}", std::env::consts::EXE_SUFFIX))
    };
    let script = |name: &str| checkout.join("benches/serving/servers").join(name);
    let (noop, noop_py) = (beside("noop"), script("noop.py"));
    let server =
        |name, words: &[&Path], revisions: &[Revision], tool: &[&Path], turn: usize| Server {
            name,
            command: words.iter().map(OsString::from).collect(),
            environment: Vec::new(),
            revisions: revisions.to_vec(),
            tool: tool.iter().map(PathBuf::from).collect(),
            turn,
        };
    // A tool that says that it is warm is started once, unless somebody opts out.
    let warm = [options.toolwire.as_path(), Path::new("serve")];
    let serve = [&warm[..], &[Path::new("--no-warm")]].concat();
    // Scripts find packages from the folder that they are in.
    let node_script = |name: &str| -> Result<PathBuf, String> {
        let there = options.app.join(name);
        std::fs::copy(script(name), &there)
            .map_err(|error| format!("{}: {error}", there.display()))?;
        Ok(there)
    };
    let typescript_1 = node_script("typescript_1_noop.mjs")?;
    let typescript_2 = node_script("typescript_2_noop.mjs")?;
    let noop_mjs = node_script("noop.mjs")?;
    let python = options.python.as_path();
    let environment = python.ancestors().nth(2).unwrap_or(python).to_owned();
    let folder = options.node.parent().map(Path::to_owned);
    let folder = folder.filter(|folder| !folder.as_os_str().is_empty());
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = folder.into_iter().chain(std::env::split_paths(&path));
    let path = std::env::join_paths(path).map_err(|error| error.to_string())?;
    let path = PathBuf::from(path);
    Ok(vec![
        server(
            COMPILED,
            &[&serve[..], &[&noop]].concat(),
            &BOTH,
            &[&noop],
            100,
        ),
        server(
            "toolwire serve, a warm compiled tool",
            &[&warm[..], &[&noop]].concat(),
            &BOTH,
            &[],
            100,
        ),
        Server {
            // Its Python is that of the active environment.
            environment: vec![("VIRTUAL_ENV", environment.clone())],
            ..server(WARM, &[&warm[..], &[&noop_py]].concat(), &BOTH, &[], 100)
        },
        Server {
            // Its Node is the one on the path; the other servers for Node run in the same.
            environment: vec![("PATH", path)],
            ..server(
                WARM_NODE,
                &[&warm[..], &[&noop_mjs]].concat(),
                &BOTH,
                &[],
                100,
            )
        },
        Server {
            // Its Python is that of the active environment.
            environment: vec![("VIRTUAL_ENV", environment)],
            ..server(
                "toolwire serve, a tool in Python",
                &[&serve[..], &[&noop_py]].concat(),
                &[V2026_07_28],
                &[python, &noop_py],
                12,
            )
        },
        server(
            FASTMCP,
            &[python, &script("fastmcp_noop.py")],
            &BOTH,
            &[],
            100,
        ),
        server(
            "official Python SDK",
            &[python, &script("python_sdk_noop.py")],
            &BOTH,
            &[],
            100,
        ),
        server(
            "official TypeScript SDK 1.x",
            &[&options.node, &typescript_1],
            &[V2025_11_25],
            &[],
            100,
        ),
        server(
            "official TypeScript SDK 2.x",
            &[&options.node, &typescript_2],
            &BOTH,
            &[],
            100,
        ),
        server("rmcp", &[&beside("noop-rmcp")], &BOTH, &[], 100),
    ])
}

/// The machine and the versions of everything.
pub fn versions(options: &Options, checkout: &Path) -> Result<Vec<String>, String> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info
        .lines()
        .find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let model = model.map_or(std::env::consts::ARCH, |(_, model)| model);
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split(' ').next().unwrap_or("?").to_owned();
    let said = |program: &Path, args: &[&str]| -> Result<String, String> {
        let output = Command::new(program)
            .args(args)
            .output()
            .map_err(|error| format!("cannot start {}: {error}", program.display()))?;
        Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    const PACKAGES: &str = "import platform, importlib.metadata as m; \
        print('Python', platform.python_version() + ', fastmcp', m.version('fastmcp') + ', mcp', m.version('mcp'))";
    let npm = |name: &str| -> Result<String, String> {
        let package = format!("node_modules/@modelcontextprotocol/{name}/package.json");
        let package = options.app.join(package);
        let text = std::fs::read_to_string(&package)
            .map_err(|error| format!("{}: {error}", package.display()))?;
        let told: serde_json::Value =
            serde_json::from_str(&text).map_err(|error| error.to_string())?;
        Ok(told["version"].as_str().unwrap_or("?").to_owned())
    };
    let lock = std::fs::read_to_string(checkout.join("Cargo.lock")).unwrap_or_default();
    let rmcp = lock.split("name = \"rmcp\"\nversion = \"").nth(1);
    let rmcp = rmcp.and_then(|rest| rest.split('"').next()).unwrap_or("?");
    Ok(vec![
        format!(
            "{model}, {cores} cores, {}, load average {load} at the start",
            std::env::consts::OS
        ),
        said(&options.python, &["-c", PACKAGES])?,
        format!(
            "Node {}, @modelcontextprotocol/sdk {}, @modelcontextprotocol/server {}",
            said(&options.node, &["--version"])?.trim_start_matches('v'),
            npm("sdk")?,
            npm("server")?
        ),
        format!("rmcp {rmcp}"),
    ])
}
