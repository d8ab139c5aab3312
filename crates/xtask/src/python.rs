//! The Python package: laid out for the path, packed as a wheel, and used as it is installed.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::profile::Profile;
use crate::step::{Failure, Runner, clear, copy_folder, folder, only_file};
use crate::toolchain;

/// The interpreter of a virtual environment.
pub fn interpreter(venv: &Path) -> PathBuf {
    if cfg!(windows) {
        venv.join("Scripts/python.exe")
    } else {
        venv.join("bin/python")
    }
}

/// The folder with the package, for PYTHONPATH.
pub fn laid_out(runner: &Runner, profile: Profile) -> PathBuf {
    profile.folder(runner).join("python")
}

/// Puts the package together from its sources and the built extension.
pub fn lay_out(runner: &Runner, profile: Profile) -> Result<(), Failure> {
    let place = laid_out(runner, profile);
    clear(&place)?;
    copy_folder(&runner.path("bindings-python/python"), &place)?;
    let ending = if cfg!(windows) { "pyd" } else { "abi3.so" };
    let extension = place.join(format!("toolwire/_toolwire.{ending}"));
    let built = profile.library(runner, "_toolwire");
    let linked = std::fs::hard_link(&built, &extension);
    let placed = linked.or_else(|_| std::fs::copy(&built, &extension).map(drop));
    placed.map_err(|error| Failure(format!("`{}`: {error}", built.display())))
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
fn pip_install(runner: &Runner, what: &str, python: &Path, args: &[&OsStr]) -> Result<(), Failure> {
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

/// Installs the wheel, and nothing else, over one that is there.
pub fn install(runner: &Runner, python: &Path, wheel: &Path) -> Result<(), Failure> {
    let args = ["--force-reinstall", "--no-index", "--no-deps"];
    let mut args: Vec<&OsStr> = args.iter().map(AsRef::as_ref).collect();
    args.push(wheel.as_os_str());
    pip_install(runner, "python: install the wheel", python, &args)
}

fn wheels(runner: &Runner, profile: Profile) -> PathBuf {
    profile.folder(runner).join("wheels")
}

/// The wheel, once it was built.
pub fn wheel(runner: &Runner, profile: Profile) -> Result<PathBuf, Failure> {
    only_file(&wheels(runner, profile), ".whl")
}

/// Builds the abi3 wheel as it ships.
pub fn build_wheel(runner: &Runner) -> Result<(), Failure> {
    let wheels = wheels(runner, Profile::Release);
    clear(&wheels)?;
    let mut maturin = maturin(runner, &["build", "--release", "--locked"])?;
    maturin
        .args(["--compression-level", "9", "--out"])
        .arg(&wheels);
    runner.run("python: build the wheel", &mut maturin)
}

/// Packs a wheel of what was laid out, without building anything.
pub fn pack(runner: &Runner, profile: Profile) -> Result<(), Failure> {
    let wheels = wheels(runner, profile);
    let place = laid_out(runner, profile);
    clear(&wheels)?;
    folder(&wheels)?;
    let mut metadata = maturin(runner, &["pep517", "write-dist-info"])?;
    metadata.arg("--metadata-directory").arg(&place);
    runner.quietly("python: write the metadata of the wheel", &mut metadata)?;
    let mut pack = runner.command(workshop(runner)?);
    pack.args(["-m", "wheel", "pack", "--dest-dir"]);
    pack.args([wheels, place]);
    runner.quietly("python: pack the wheel", &mut pack)
}

fn maturin(runner: &Runner, args: &[&str]) -> Result<Command, Failure> {
    let mut maturin = runner.command(workshop(runner)?);
    maturin.args(["-m", "maturin"]).args(args);
    maturin.args(["--manifest-path", "bindings-python/Cargo.toml"]);
    Ok(maturin)
}

/// Packs the source distribution, from which pip builds where no wheel fits.
pub fn build_sources(runner: &Runner) -> Result<PathBuf, Failure> {
    let sources = runner.target("sdist");
    clear(&sources)?;
    let mut maturin = maturin(runner, &["sdist"])?;
    maturin.arg("--out").arg(&sources);
    runner.quietly("python: pack the source distribution", &mut maturin)?;
    only_file(&sources, ".tar.gz")
}

/// Makes an empty environment with the wheel, as a user would, and runs the check that needs nothing else.
pub fn smoke(runner: &Runner, python: &Path, wheel: &Path, name: &str) -> Result<(), Failure> {
    let venv = runner.target(name);
    let what = format!("python: make an empty environment in {name}");
    create(runner, &what, python, &venv)?;
    let installed = interpreter(&venv);
    install(runner, &installed, wheel)?;
    let mut smoke = runner.command(&installed);
    smoke.args(["-I", "bindings-python/tests/smoke.py"]);
    runner.run("python: the wheel, and nothing else", &mut smoke)
}

/// Tests the wheel as it is installed: in an empty environment, and its behaviour and the examples of its
/// documentation beside the test tools.
pub fn test(runner: &Runner, profile: Profile) -> Result<(), Failure> {
    let wheel = wheel(runner, profile)?;
    let name = format!("venv-{}", profile.name());
    smoke(runner, &toolchain::python()?, &wheel, &name)?;
    let python = workshop(runner)?;
    install(runner, &python, &wheel)?;
    // Isolated mode keeps the source tree off the path, so that it is the wheel that is tested.
    let mut pytest = runner.command(&python);
    pytest.args(["-I", "-m", "pytest", "bindings-python/tests", "-q"]);
    pytest.args(["-c", "bindings-python/pyproject.toml"]);
    // They wait for processes more than they work.
    pytest.args(["--numprocesses", "6"]);
    runner.run(
        "python: tests and the examples in the documentation",
        &mut pytest,
    )
}

/// The one wheel runs on the other Pythons of this machine.
pub fn others(runner: &Runner) -> Result<(), Failure> {
    let wheel = wheel(runner, Profile::Release)?;
    for other in toolchain::other_pythons() {
        let name = format!("venv-{}", other.name);
        smoke(runner, &other.program, &wheel, &name)?;
    }
    Ok(())
}
