//! The tool of `toolwire-author`'s page in a project of its own: with that one dependency, as
//! `cargo add toolwire-author` gives it.

use std::fs;
use std::path::Path;

use crate::step::{Failure, Runner, folder};

/// Builds the tool, and calls it.
pub fn check(runner: &Runner) -> Result<(), Failure> {
    let project = runner.target("alone");
    folder(&project.join("src"))?;
    write(&project.join("src/main.rs"), &snippet(runner)?)?;
    write(&project.join("Cargo.toml"), &manifest(runner)?)?;
    // The versions that everything else here is tested with.
    let lock = read(&runner.path("Cargo.lock"))?;
    write(&project.join("Cargo.lock"), &lock)?;
    let mut build = runner.cargo(&["build", "--quiet", "--offline", "--manifest-path"]);
    build.arg(project.join("Cargo.toml"));
    build.arg("--target-dir").arg(runner.target(""));
    runner.run(
        "rust: the tool of the page, with no other dependency",
        &mut build,
    )?;
    let program = format!("debug/alone-rename{}", std::env::consts::EXE_SUFFIX);
    let mut describe = runner.command(runner.target(&program));
    describe
        .env("TOOLWIRE_CALL", "file")
        .env_remove("TOOLWIRE_RESULT");
    describe.stdin(std::process::Stdio::null());
    let told = describe
        .output()
        .map_err(|error| Failure(format!("`{program}`: {error}")))?;
    let help = String::from_utf8_lossy(&told.stderr);
    if !help.contains("rename  Rename a file.") || !help.contains("rename path=… to=…") {
        return Err(Failure(format!("the tool of the page says:\n{help}")));
    }
    Ok(())
}

/// The first program of the page.
fn snippet(runner: &Runner) -> Result<String, Failure> {
    let page = read(&runner.path("crates/toolwire-author/README.md"))?;
    let code = page
        .split_once("```rust")
        .and_then(|(_, rest)| rest.split_once('\n'));
    let code = code.and_then(|(_, rest)| rest.split_once("```"));
    let (code, _) = code.ok_or_else(|| Failure("the page has no program".to_owned()))?;
    Ok(code.to_owned())
}

/// The manifest of the project. It is built as the workspace is, so that it finds what is built.
fn manifest(runner: &Runner) -> Result<String, Failure> {
    let workspace = read(&runner.path("Cargo.toml"))?;
    let profiles = workspace
        .find("[profile.")
        .map_or("", |at| &workspace[at..]);
    let path = runner.path("crates/toolwire-author");
    Ok(format!(
        "[workspace]\n\n[package]\nname = \"alone-rename\"\nedition = \"2024\"\n\n[dependencies]\n\
         toolwire-author = {{ path = '{}' }}\n\n{profiles}",
        path.display()
    ))
}

fn read(path: &Path) -> Result<String, Failure> {
    fs::read_to_string(path).map_err(|error| Failure(format!("`{}`: {error}", path.display())))
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    fs::write(path, text).map_err(|error| Failure(format!("`{}`: {error}", path.display())))
}
