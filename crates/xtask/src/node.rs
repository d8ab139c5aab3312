//! The Node package: packed as a tarball, and used as it is installed.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::step::{Failure, Runner, clear, folder, only_file};
use crate::test::installed_command;
use crate::{toolchain, typed};

/// npm with what keeps it quiet and away from everything that isn't asked for.
pub fn npm(runner: &Runner, args: &[&str]) -> Result<Command, Failure> {
    let mut command = runner.command(toolchain::npm()?);
    command
        .args(args)
        .args(["--no-audit", "--no-fund", "--loglevel=error"]);
    Ok(command)
}

/// The package as it is published: `toolwire`, and what brings it the native library of this platform.
pub struct Tarballs {
    pub package: PathBuf,
    pub platform: PathBuf,
}

/// Builds the addon and packs the tarballs.
pub fn build_tarballs(runner: &Runner) -> Result<Tarballs, Failure> {
    let node = toolchain::node()?;
    toolchain::npm()?;
    let mut build = runner.cargo(&[
        "build",
        "--quiet",
        "--release",
        "--locked",
        "--package",
        "toolwire-node",
    ]);
    runner.run("node: build the addon", &mut build)?;
    let tarballs = runner.target("npm");
    clear(&tarballs)?;
    folder(&tarballs)?;
    let (package, platform) = (tarballs.join("package"), tarballs.join("platform"));
    let mut pack = runner.command(&node);
    pack.args(["bindings-node/pack.mjs", "package"])
        .arg(&package);
    runner.quietly("node: pack the package", &mut pack)?;
    let mut pack = runner.command(&node);
    pack.args(["bindings-node/pack.mjs", "platform"])
        .arg(runner.target("release"))
        .arg(&platform);
    runner.quietly("node: pack the native library", &mut pack)?;
    Ok(Tarballs {
        package: only_file(&package, ".tgz")?,
        platform: only_file(&platform, ".tgz")?,
    })
}

/// Installs the tarballs into an empty folder, as npm does for a user.
pub fn install(runner: &Runner, tarballs: &Tarballs, name: &str) -> Result<PathBuf, Failure> {
    let app = runner.target(name);
    clear(&app)?;
    folder(&app)?;
    std::fs::write(app.join("package.json"), "{\"private\": true}\n")
        .map_err(|error| Failure(format!("`{}`: {error}", app.display())))?;
    let mut install = npm(runner, &["install", "--offline", "--ignore-scripts"])?;
    install
        .args([&tarballs.package, &tarballs.platform])
        .current_dir(&app);
    runner.quietly(
        &format!("node: install the package into {name}"),
        &mut install,
    )?;
    Ok(app)
}

/// A folder with the npm packages that a lockfile of the repository pins; installed when needed.
pub fn tools(runner: &Runner, name: &str, pinned: &str) -> Result<PathBuf, Failure> {
    let tools = runner.target(name);
    let pinned = runner.path(pinned);
    let lock = pinned.join("package-lock.json");
    let read = |path: &Path| std::fs::read(path).ok();
    // Written last, so that what is half installed is installed again.
    let stamp = tools.join("node_modules/installed-lock.json");
    if read(&stamp).is_none() || read(&stamp) != read(&lock) {
        clear(&tools)?;
        folder(&tools)?;
        for file in ["package.json", "package-lock.json"] {
            copy(&pinned.join(file), &tools.join(file))?;
        }
        let mut install = npm(runner, &["ci", "--ignore-scripts"])?;
        install.current_dir(&tools);
        runner.quietly(&format!("node: install the tools in {name}"), &mut install)?;
        copy(&lock, &stamp)?;
    }
    Ok(tools)
}

fn copy(from: &Path, to: &Path) -> Result<(), Failure> {
    let copied = std::fs::copy(from, to).map(drop);
    copied.map_err(|error| Failure(format!("`{}`: {error}", from.display())))
}

/// Tests the package as it is installed: its behaviour as both kinds of module, its documentation's
/// examples, and its types.
pub fn test(runner: &Runner, tarballs: &Tarballs) -> Result<(), Failure> {
    let node = toolchain::node()?;
    let app = runner.target("node-test");
    clear(&app)?;
    copy_folder(&runner.path("bindings-node/test"), &app)?;
    let mut tools = npm(runner, &["ci", "--ignore-scripts"])?;
    tools.current_dir(&app);
    runner.quietly("node: install the test tools", &mut tools)?;
    let mut install = npm(
        runner,
        &["install", "--no-save", "--ignore-scripts", "--offline"],
    )?;
    install
        .args([&tarballs.package, &tarballs.platform])
        .current_dir(&app);
    runner.quietly("node: install the package beside them", &mut install)?;

    let mut tests = runner.command(&node);
    tests
        .arg("--test")
        .current_dir(&app)
        .env("TOOLWIRE_REPOSITORY", runner.path(""));
    runner.run(
        "node: tests and the examples in the documentation",
        &mut tests,
    )?;

    // Windows has a script there, which this can't start.
    if !cfg!(windows) {
        installed_command(runner, "node", &app.join("node_modules/.bin/toolwire"))?;
    }

    let mut types = runner.command(&node);
    types
        .args(["node_modules/typescript/bin/tsc", "--project", "types"])
        .current_dir(&app);
    runner.run("node: a typed tool against the declarations", &mut types)?;
    typed::node(runner, &app)
}

/// Copies a folder, without what npm has installed in it.
pub fn copy_folder(from: &Path, to: &Path) -> Result<(), Failure> {
    let failed = |error: std::io::Error| Failure(format!("`{}`: {error}", from.display()));
    folder(to)?;
    for entry in std::fs::read_dir(from).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let target = to.join(entry.file_name());
        if entry.file_name() == "node_modules" {
            continue;
        }
        if entry.file_type().map_err(failed)?.is_dir() {
            copy_folder(&entry.path(), &target)?;
        } else {
            std::fs::copy(entry.path(), target).map_err(failed)?;
        }
    }
    Ok(())
}
