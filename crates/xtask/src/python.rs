//! The Python package: built as a wheel, and used as it is installed.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::step::{Failure, Runner, clear, only_file};
use crate::test::installed_command;
use crate::{toolchain, typed};

/// The interpreter of a virtual environment.
pub fn interpreter(venv: &Path) -> PathBuf {
    if cfg!(windows) {
        venv.join("Scripts/python.exe")
    } else {
        venv.join("bin/python")
    }
}

/// The environment with what building and testing need.
pub fn workshop(runner: &Runner) -> Result<PathBuf, Failure> {
    let requirements = runner.path("bindings-python/requirements-dev.txt");
    tools(runner, "venv-workshop", &requirements)
}

/// An environment with tools at the versions that the requirements pin; gives its interpreter.
pub fn tools(runner: &Runner, name: &str, requirements: &Path) -> Result<PathBuf, Failure> {
    let venv = runner.target(name);
    let wanted = std::fs::read_to_string(requirements)
        .map_err(|error| Failure(format!("`{}`: {error}", requirements.display())))?;
    let stamp = venv.join("requirements-installed.txt");
    if std::fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) {
        return Ok(interpreter(&venv));
    }
    create(
        runner,
        &format!("python: make an environment for tools in {name}"),
        &toolchain::python()?,
        &venv,
    )?;
    let python = interpreter(&venv);
    let requirements = requirements.as_os_str();
    let what = "python: install the requirements (one download)";
    pip_install(runner, what, &python, &["-r".as_ref(), requirements])?;
    std::fs::write(&stamp, wanted)
        .map_err(|error| Failure(format!("`{}`: {error}", stamp.display())))?;
    Ok(python)
}

fn create(runner: &Runner, what: &str, python: &Path, venv: &Path) -> Result<(), Failure> {
    clear(venv)?;
    let mut command = runner.command(python);
    command.args(["-m", "venv"]).arg(venv);
    runner.quietly(what, &mut command)
}

/// Runs `pip install` in an environment.
pub fn pip_install(
    runner: &Runner,
    what: &str,
    python: &Path,
    args: &[&OsStr],
) -> Result<(), Failure> {
    let mut pip = runner.command(python);
    pip.args([
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
    ]);
    pip.args(args);
    runner.quietly(what, &mut pip)
}

/// Builds the abi3 wheel.
pub fn build_wheel(runner: &Runner) -> Result<PathBuf, Failure> {
    let python = workshop(runner)?;
    let wheels = runner.target("wheels");
    clear(&wheels)?;
    let mut maturin = runner.command(&python);
    maturin.args(["-m", "maturin", "build", "--release", "--locked", "--quiet"]);
    maturin
        .args(["--manifest-path", "bindings-python/Cargo.toml", "--out"])
        .arg(&wheels);
    runner.run("python: build the wheel", &mut maturin)?;
    only_file(&wheels, ".whl")
}

/// Packs the source distribution, from which pip builds where no wheel fits.
pub fn build_sources(runner: &Runner) -> Result<PathBuf, Failure> {
    let python = workshop(runner)?;
    let folder = runner.target("sdist");
    clear(&folder)?;
    let mut maturin = runner.command(&python);
    maturin.args(["-m", "maturin", "sdist", "--manifest-path"]);
    maturin
        .args(["bindings-python/Cargo.toml", "--out"])
        .arg(&folder);
    runner.quietly("python: pack the source distribution", &mut maturin)?;
    only_file(&folder, ".tar.gz")
}

/// Installs the wheel into an empty environment, as a user would, with nothing else in it.
pub fn install(
    runner: &Runner,
    python: &Path,
    wheel: &Path,
    name: &str,
) -> Result<PathBuf, Failure> {
    let venv = runner.target(name);
    let what = format!("python: make an empty environment in {name}");
    create(runner, &what, python, &venv)?;
    let installed = interpreter(&venv);
    let args = [
        "--no-index".as_ref(),
        "--no-deps".as_ref(),
        wheel.as_os_str(),
    ];
    pip_install(runner, "python: install the wheel", &installed, &args)?;
    Ok(installed)
}

/// Tests the package as it is installed: its behaviour, its documentation's examples, its types
/// against the binary, and that the one wheel runs on the other Pythons of this machine.
pub fn test(runner: &Runner, wheel: &Path) -> Result<(), Failure> {
    let python = install(runner, &toolchain::python()?, wheel, "venv-python-test")?;
    let requirements = [
        "-r".as_ref(),
        "bindings-python/requirements-dev.txt".as_ref(),
    ];
    let what = "python: install the test tools beside the wheel";
    pip_install(runner, what, &python, &requirements)?;

    // Isolated mode keeps the source tree off the path, so that it is the wheel that is tested.
    let mut pytest = runner.command(&python);
    pytest.args(["-I", "-m", "pytest", "bindings-python/tests", "-q"]);
    pytest.args(["-c", "bindings-python/pyproject.toml"]);
    runner.run(
        "python: tests and the examples in the documentation",
        &mut pytest,
    )?;

    let toolwire = python.with_file_name(format!("toolwire{}", std::env::consts::EXE_SUFFIX));
    installed_command(runner, "python", &toolwire)?;

    typed::python(runner, &python)?;

    let mut stubtest = runner.command(&python);
    stubtest.args(["-m", "mypy.stubtest", "toolwire._toolwire"]);
    stubtest.args(["--mypy-config-file", "bindings-python/pyproject.toml"]);
    runner.run("python: the stubs against the binary", &mut stubtest)?;

    for other in toolchain::other_pythons() {
        let name = format!("venv-{}", other.name);
        let installed = install(runner, &other.program, wheel, &name)?;
        let mut smoke = runner.command(&installed);
        smoke.args(["-I", "bindings-python/tests/smoke.py"]);
        runner.run(
            &format!("python: the same wheel on {}", other.name),
            &mut smoke,
        )?;
    }
    Ok(())
}
