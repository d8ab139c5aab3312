//! The Node package: packed as a tarball, and used as it is installed.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::step::{Failure, Runner, clear, folder, only_file};
use crate::toolchain;

/// npm with what keeps it quiet and away from everything that isn't asked for.
pub fn npm(runner: &Runner, args: &[&str]) -> Result<Command, Failure> {
    let mut command = runner.command(toolchain::npm()?);
    command
        .args(args)
        .args(["--no-audit", "--no-fund", "--loglevel=error"]);
    Ok(command)
}

/// Builds the addon and packs the tarball.
pub fn build_tarball(runner: &Runner) -> Result<PathBuf, Failure> {
    let node = toolchain::node()?;
    let mut build = runner.cargo(&[
        "build",
        "--quiet",
        "--release",
        "--locked",
        "--package",
        "toolwire-node",
    ]);
    runner.run("node: build the addon", &mut build)?;
    let mut place = runner.command(node);
    place
        .arg("bindings-node/scripts/place-addon.mjs")
        .arg(runner.target("release"));
    runner.run("node: put the addon in its place", &mut place)?;
    let tarballs = runner.target("npm");
    clear(&tarballs)?;
    folder(&tarballs)?;
    let mut pack = npm(runner, &["pack", "./bindings-node", "--pack-destination"])?;
    pack.arg(&tarballs);
    runner.quietly("node: pack the tarball", &mut pack)?;
    only_file(&tarballs, ".tgz")
}

/// Installs the tarball into an empty folder, as a user would.
pub fn install(runner: &Runner, tarball: &Path, name: &str) -> Result<PathBuf, Failure> {
    let app = runner.target(name);
    clear(&app)?;
    folder(&app)?;
    std::fs::write(app.join("package.json"), "{\"private\": true}\n")
        .map_err(|error| Failure(format!("`{}`: {error}", app.display())))?;
    let mut install = npm(runner, &["install", "--offline", "--ignore-scripts"])?;
    install.arg(tarball).current_dir(&app);
    runner.quietly(
        &format!("node: install the tarball into {name}"),
        &mut install,
    )?;
    Ok(app)
}

/// Tests the package as it is installed.
pub fn test(_runner: &Runner, _tarball: &Path) -> Result<(), Failure> {
    Err(Failure("no recipe yet".into()))
}
