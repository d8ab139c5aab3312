//! The examples of the pages, and our own, as strict type checkers see them.

use std::path::Path;

use crate::step::{Failure, Runner, clear, folder};
use crate::{node, pages, python, toolchain};

/// What is checked beside the pages, in Python.
const PYTHON: [&str; 13] = [
    "bindings-python/tests/typed_author.py",
    "bindings-python/tests/typed_contract.py",
    "bindings-python/tests/typed_sessions.py",
    "bindings-python/tests/typed_tool.py",
    "examples/assistant/ask_model.py",
    "examples/host/ask_a_model.py",
    "examples/host/keep_running.py",
    "examples/mcp/serve_functions.py",
    "examples/python/commit.py",
    "examples/python/countdown.py",
    "examples/python/query.py",
    "examples/python/read_file.py",
    "examples/python/todo.py",
];

/// The same in Node.
const NODE: [&str; 3] = [
    "examples/host/ask-a-model.mjs",
    "examples/host/keep-running.mjs",
    "examples/mcp/serve-functions.mjs",
];

/// The strictest that people use. An expression on a line of its own shows what there is.
const PYRIGHT: &str = r#"{"typeCheckingMode": "strict", "reportUnusedExpression": "none"}"#;

/// Checks everything that has types, beside the packages that the tests have installed.
pub fn check(runner: &Runner) -> Result<(), Failure> {
    let (venv, app) = (python::workshop(runner)?, node::workshop(runner)?);
    let mut stubtest = runner.command(&venv);
    stubtest.args(["-m", "mypy.stubtest", "toolwire._toolwire"]);
    stubtest.args(["--mypy-config-file", "bindings-python/pyproject.toml"]);
    runner.run("python: the stubs against the binary", &mut stubtest)?;
    check_python(runner, &venv)?;
    let mut types = runner.command(toolchain::node()?);
    types
        .args(["node_modules/typescript/bin/tsc", "--project", "types"])
        .current_dir(&app);
    runner.run("node: a typed tool against the declarations", &mut types)?;
    check_node(runner, &app)
}

/// Checks the pages and our own code with mypy and pyright, and that nothing public has an unknown type.
fn check_python(runner: &Runner, python: &Path) -> Result<(), Failure> {
    let place = runner.target("typed");
    clear(&place)?;
    folder(&place)?;
    write(&place.join("pyrightconfig.json"), PYRIGHT)?;
    let mut files = Vec::new();
    // The fences of this page follow one another.
    let page = texts(&read(runner, "bindings-python/README.md")?, &["python"]);
    write(&place.join("readme_python.py"), &page.join("\n"))?;
    files.push("readme_python.py".to_owned());
    files.extend(write_files(runner, &place, "py")?);
    for file in PYTHON {
        let name = file.rsplit('/').next().unwrap_or(file);
        write(&place.join(name), &read(runner, file)?)?;
        files.push(name.to_owned());
    }
    let mut mypy = runner.command(python);
    mypy.args(["-m", "mypy", "--strict", "--warn-unreachable"])
        .args(&files)
        .current_dir(&place);
    runner.run("python: mypy, strict, on the same", &mut mypy)?;
    let pyright = |arguments: &[&str]| {
        let mut pyright = runner.command(python);
        pyright
            .args(["-m", "pyright"])
            .args(arguments)
            .current_dir(&place)
            .env("PYRIGHT_PYTHON_IGNORE_WARNINGS", "1")
            .env("PYRIGHT_PYTHON_CACHE_DIR", runner.target("pyright"));
        // It looks for the Python on the path, where no option names one.
        let inherited = std::env::var_os("PATH").unwrap_or_default();
        let own = python.parent().map(Path::to_path_buf);
        let path = own.into_iter().chain(std::env::split_paths(&inherited));
        if let Ok(path) = std::env::join_paths(path) {
            pyright.env("PATH", path);
        }
        pyright
    };
    let program = python.to_string_lossy();
    runner.run(
        "python: pyright, strict, on the pages, the examples and the typed tests",
        &mut pyright(&["--pythonpath", &program, "."]),
    )?;
    runner.quietly(
        "python: nothing public has an unknown type",
        &mut pyright(&["--verifytypes", "toolwire", "--ignoreexternal"]),
    )
}

/// Checks the pages and some examples with tsc, beside the package in `app`.
fn check_node(runner: &Runner, app: &Path) -> Result<(), Failure> {
    let place = app.join("readme");
    clear(&place)?;
    folder(&place)?;
    let page = read(runner, "bindings-node/README.md")?;
    for (index, fence) in texts(&page, &["js", "mjs", "ts"]).iter().enumerate() {
        write(&place.join(format!("package-{index}.mts")), fence)?;
    }
    write_files(runner, &place, "mjs")?;
    for file in NODE {
        let name = file.rsplit('/').next().unwrap_or(file);
        write(&place.join(name), &read(runner, file)?)?;
    }
    let mut types = runner.command(toolchain::node()?);
    types
        .args(["node_modules/typescript/bin/tsc", "--project"])
        .arg("types/readme.json")
        .current_dir(app);
    runner.run(
        "node: tsc, strict, on the pages and the examples",
        &mut types,
    )
}

/// Checks `toolwire/mcp-sdk` and its page with the types of the SDKs for TypeScript.
pub fn sdks(runner: &Runner, app: &Path) -> Result<(), Failure> {
    let page = read(runner, "bindings-node/README.md")?;
    for (index, fence) in texts(&page, &["typescript"]).iter().enumerate() {
        write(&app.join(format!("types/readme-{index}.mts")), fence)?;
    }
    let mut types = runner.command(toolchain::node()?);
    types
        .args(["node_modules/typescript/bin/tsc", "--project", "types"])
        .current_dir(app);
    runner.run(
        "node: toolwire/mcp-sdk and the types of the SDKs",
        &mut types,
    )
}

/// The fences of a page in one of these languages.
fn texts(page: &str, languages: &[&str]) -> Vec<String> {
    let fences = pages::fences(page).into_iter();
    let fences = fences.filter(|fence| languages.contains(&fence.language.as_str()));
    fences.map(|fence| fence.text).collect()
}

/// Writes the files of README.md and `docs/` with this ending, each under a name of its own; tests import the
/// others under theirs, and are left out.
fn write_files(runner: &Runner, place: &Path, ending: &str) -> Result<Vec<String>, Failure> {
    let mut files = Vec::new();
    for page in pages::pages(runner)? {
        for fence in pages::fences(&read(runner, &page)?) {
            let is_test = fence.name.starts_with("test");
            if fence.name.ends_with(&format!(".{ending}")) && !is_test {
                let name = format!("page_{}.{ending}", files.len());
                let origin = if ending == "py" { "#" } else { "//" };
                let text = format!("{origin} {page}, {}\n{}", fence.name, fence.text);
                write(&place.join(&name), &text)?;
                files.push(name);
            }
        }
    }
    Ok(files)
}

fn read(runner: &Runner, file: &str) -> Result<String, Failure> {
    std::fs::read_to_string(runner.path(file))
        .map_err(|error| Failure(format!("`{file}`: {error}")))
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    std::fs::write(path, text).map_err(|error| Failure(format!("`{}`: {error}", path.display())))
}
