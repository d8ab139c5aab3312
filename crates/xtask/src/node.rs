//! The Node package: laid out beside what uses it, packed as tarballs, and used as it is installed.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::profile::Profile;
use crate::step::{Failure, Runner, clear, copy_folder, folder, only_file};
use crate::toolchain;

/// npm with what keeps it quiet and away from everything that isn't asked for.
pub fn npm(runner: &Runner, args: &[&str]) -> Result<Command, Failure> {
    let mut command = runner.command(toolchain::npm()?);
    command
        .args(args)
        .args(["--no-audit", "--no-fund", "--loglevel=error"]);
    Ok(command)
}

/// The folder that has the package in its `node_modules`.
pub fn laid_out(runner: &Runner, profile: Profile) -> PathBuf {
    profile.folder(runner).join("node")
}

/// Puts the package together from its sources and the built addon.
pub fn lay_out(runner: &Runner, profile: Profile) -> Result<(), Failure> {
    let place = laid_out(runner, profile);
    clear(&place)?;
    let mut pack = runner.command(toolchain::node()?);
    pack.args(["bindings-node/pack.mjs", "lay-out"])
        .arg(profile.folder(runner))
        .arg(place.join("node_modules"));
    runner.quietly("node: put the package together", &mut pack)
}

/// The package as it is published: `toolwire`, and what brings it the native library of this platform.
pub struct Tarballs {
    pub package: PathBuf,
    pub platform: PathBuf,
}

/// The tarballs, once they were packed.
pub fn tarballs(runner: &Runner, profile: Profile) -> Result<Tarballs, Failure> {
    let folder = profile.folder(runner).join("npm");
    Ok(Tarballs {
        package: only_file(&folder.join("package"), ".tgz")?,
        platform: only_file(&folder.join("platform"), ".tgz")?,
    })
}

/// Packs the tarballs of the addon that cargo has built.
pub fn pack(runner: &Runner, profile: Profile) -> Result<(), Failure> {
    let node = toolchain::node()?;
    let built = profile.folder(runner);
    let place = built.join("npm");
    clear(&place)?;
    folder(&place)?;
    let mut pack = runner.command(&node);
    pack.args(["bindings-node/pack.mjs", "package"])
        .arg(place.join("package"));
    runner.quietly("node: pack the package", &mut pack)?;
    let mut pack = runner.command(&node);
    pack.args(["bindings-node/pack.mjs", "platform"])
        .args([built, place.join("platform")]);
    runner.quietly("node: pack the native library", &mut pack)
}

/// Installs the tarballs into a folder, as npm does for a user.
pub fn install(runner: &Runner, profile: Profile, app: &Path) -> Result<(), Failure> {
    let tarballs = tarballs(runner, profile)?;
    // npm keeps what is there under the same version.
    for package in ["toolwire", "@toolwire"] {
        clear(&app.join("node_modules").join(package))?;
    }
    let args = ["install", "--no-save", "--offline", "--ignore-scripts"];
    let mut install = npm(runner, &args)?;
    install
        .args([&tarballs.package, &tarballs.platform])
        .current_dir(app);
    runner.quietly("node: install the package", &mut install)
}

/// The lockfile of what is installed in a folder. npm would remove it from `node_modules`.
const INSTALLED: &str = "installed-lock.json";

/// A folder with the npm packages that a lockfile of the repository pins; installed when needed.
pub fn tools(runner: &Runner, name: &str, pinned: &str) -> Result<PathBuf, Failure> {
    let tools = runner.target(name);
    let pinned = runner.path(pinned);
    let lock = pinned.join("package-lock.json");
    let read = |path: &Path| std::fs::read(path).ok();
    // Written last, so that what is half installed is installed again.
    let stamp = tools.join(INSTALLED);
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

/// The folder of the tests, with the tools that they need beside them.
pub fn workshop(runner: &Runner) -> Result<PathBuf, Failure> {
    tools(runner, "node-test", "bindings-node/test")
}

/// Tests the package as it is installed: alone in an empty folder, and its behaviour as both kinds of module and
/// the examples of its documentation beside the test tools.
pub fn test(runner: &Runner, profile: Profile) -> Result<(), Failure> {
    let empty = runner.target(format!("node-{}", profile.name()));
    clear(&empty)?;
    folder(&empty)?;
    let manifest = empty.join("package.json");
    std::fs::write(&manifest, "{\"private\": true}\n")
        .map_err(|error| Failure(format!("`{}`: {error}", manifest.display())))?;
    install(runner, profile, &empty)?;
    for words in [
        &["-p", "require('toolwire').parse('hello').verdict"][..],
        &["node_modules/toolwire/command.cjs", "--version"],
    ] {
        let mut tried = runner.command(toolchain::node()?);
        tried.args(words).current_dir(&empty);
        runner.run("node: the package, and nothing else", &mut tried)?;
    }

    let app = workshop(runner)?;
    for entry in std::fs::read_dir(&app).into_iter().flatten().flatten() {
        if entry.file_name() != "node_modules" && entry.file_name() != INSTALLED {
            clear(&entry.path())?;
        }
    }
    copy_folder(&runner.path("bindings-node/test"), &app)?;
    install(runner, profile, &app)?;
    let mut tests = runner.command(toolchain::node()?);
    tests
        // They wait for processes more than they work.
        .args(["--test", "--test-concurrency=6"])
        .current_dir(&app)
        .env("TOOLWIRE_REPOSITORY", runner.path(""));
    runner.run(
        "node: tests and the examples in the documentation",
        &mut tests,
    )
}
