//! What is started, with what, and what can't be (PROC-1 to PROC-5).

use std::ffi::OsString;
use std::fs;
use std::path::Path;

use crate::common::{self, blocking, misbehave, patient, run, texts};
use toolwire_host::{CallMode, Command, Environment, HostError, HostErrorKind, ProcessOptions};

fn error(tool: &Command, options: &ProcessOptions) -> HostError {
    blocking::run(tool, options).expect_err("the tool can't be run")
}

#[cfg(unix)]
#[test]
fn arguments_that_are_no_utf8_arrive_too() {
    use std::os::unix::ffi::OsStringExt as _;
    let argument = OsString::from_vec(vec![b'a', 0xff, b'b']);
    let outcome = run(&misbehave("arguments").arg(argument), &patient());
    assert_eq!(outcome.report.stdout, b"61ff62\n");
}

#[cfg(unix)]
#[test]
fn arguments_reach_a_script_to_the_letter() {
    let folder = tempfile::tempdir().expect("a folder");
    let script = folder.path().join("my tool.sh");
    fs::write(&script, "printf '%s|' \"$@\"").expect("a script");
    let outcome = run(
        &Command::new(&script).args(["a b", "$(id)", "-e", "it's"]),
        &patient(),
    );
    assert_eq!(outcome.report.stdout, b"a b|$(id)|-e|it's|");
}

/// Writes a file and gives it this mode.
#[cfg(unix)]
fn script(folder: &Path, name: &str, text: &str, mode: u32) -> Command {
    use std::os::unix::fs::PermissionsExt as _;
    let path = folder.join(name);
    fs::write(&path, text).expect("a script");
    fs::set_permissions(&path, fs::Permissions::from_mode(mode)).expect("its mode");
    Command::new(path)
}

#[cfg(unix)]
#[test]
fn a_file_that_can_not_run_by_itself_is_run_by_its_extension() {
    let folder = tempfile::tempdir().expect("a folder");
    let python = "import sys; print('python', sys.argv[1:])";
    for (name, mode) in [
        ("plain.py", 0o644),
        ("no-first-line.py", 0o755),
        ("UPPER.PY", 0o644),
    ] {
        let tool = script(folder.path(), name, python, mode);
        assert_eq!(
            run(&tool.arg("x"), &patient()).report.stdout,
            b"python ['x']\n",
            "{name}"
        );
    }
    let shell = script(folder.path(), "plain.sh", "echo shell \"$1\"", 0o644);
    assert_eq!(run(&shell.arg("x"), &patient()).report.stdout, b"shell x\n");
    for name in ["plain.mjs", "plain.cjs", "plain.js"] {
        let tool = script(
            folder.path(),
            name,
            "console.log('node', process.argv[2])",
            0o644,
        );
        assert_eq!(
            run(&tool.arg("x"), &patient()).report.stdout,
            b"node x\n",
            "{name}"
        );
    }
}

#[cfg(unix)]
#[test]
fn the_first_line_goes_before_the_extension() {
    let folder = tempfile::tempdir().expect("a folder");
    let tool = script(folder.path(), "tool.py", "#!/bin/sh\necho a shell\n", 0o755);
    // A fork of another test may hold the fresh file open for writing for a moment.
    let mut outcome = blocking::run(&tool, &patient());
    common::eventually(|| {
        if outcome.is_err() {
            outcome = blocking::run(&tool, &patient());
        }
        outcome.is_ok()
    });
    assert_eq!(
        outcome.expect("the tool is run").report.stdout,
        b"a shell\n"
    );
}

#[test]
fn a_bare_name_is_looked_up_and_a_path_is_not() {
    let error_of = |name: &str| error(&Command::new(name), &patient());
    let missing = error_of("no-such-program-anywhere");
    assert_eq!(missing.kind(), HostErrorKind::NotFound);
    assert_eq!(
        missing.to_string(),
        "there is no program `no-such-program-anywhere` on the PATH; check its spelling, or give a path"
    );
    // The tests run in the folder of the crate.
    let here = error_of("Cargo.toml");
    assert!(
        here.to_string()
            .ends_with("for the file in this folder write `./Cargo.toml`"),
        "{here}"
    );
    assert_eq!(error_of("./no/such/file").kind(), HostErrorKind::NotFound);
    assert_eq!(
        error_of("./Cargo.toml/file").kind(),
        HostErrorKind::NotFound
    );
    assert_eq!(error_of("").kind(), HostErrorKind::BadArgument);
}

#[test]
fn the_path_of_the_tool_is_where_programs_are_looked_up() {
    let options = |path: &Path| ProcessOptions {
        environment: Environment::standard().with("PATH", path),
        ..patient()
    };
    let folder = common::misbehave_path();
    let folder = folder.parent().expect("a folder");
    let tool = Command::new("misbehave").args(["print", "found"]);
    assert_eq!(texts(&run(&tool, &options(folder))), ["found"]);
    assert_eq!(
        error(&tool, &options(Path::new("/nowhere"))).kind(),
        HostErrorKind::NotFound
    );
}

#[test]
fn a_folder_is_no_tool() {
    let found = error(&Command::new("./src"), &patient());
    assert_eq!(found.kind(), HostErrorKind::IsDirectory);
    assert_eq!(
        found.to_string(),
        "`./src` is a folder; name the program in it"
    );
}

#[cfg(unix)]
#[test]
fn a_file_that_nothing_runs_is_no_tool() {
    let found = error(&Command::new("./Cargo.toml"), &patient());
    assert_eq!(found.kind(), HostErrorKind::NotExecutable);
    assert!(found.to_string().contains("chmod +x"), "{found}");

    let folder = tempfile::tempdir().expect("a folder");
    let prose = script(folder.path(), "prose", "touch pwned\n", 0o755);
    let found = error(
        &prose,
        &ProcessOptions {
            cwd: Some(folder.path().into()),
            ..patient()
        },
    );
    assert_eq!(found.kind(), HostErrorKind::NotExecutable);
    assert!(
        !folder.path().join("pwned").exists(),
        "no shell may take it for a script"
    );

    // A file from Windows is run by its extension, or refused with the reason.
    let text = "#!/no/such/sh\r\nprintf crlf\r\n";
    let windows = script(folder.path(), "windows", text, 0o755);
    let found = error(&windows, &patient());
    assert_eq!(found.kind(), HostErrorKind::NotExecutable);
    assert!(found.to_string().contains("carriage return"), "{found}");
    let by_extension = script(folder.path(), "windows.sh", text, 0o755);
    let reply = run(&by_extension, &patient());
    assert!(reply.report.stdout.starts_with(b"crlf"), "{reply:?}");

    let broken = script(folder.path(), "broken", "\0\0\0 not a program", 0o755);
    assert!(common::eventually(
        || error(&broken, &patient()).kind() == HostErrorKind::NotExecutable
    ));
    let orphan = script(folder.path(), "orphan", "#!/no/such/interpreter\n", 0o755);
    assert!(common::eventually(
        || error(&orphan, &patient()).kind() == HostErrorKind::NoInterpreter
    ));
}

#[cfg(unix)]
#[test]
fn an_interpreter_that_is_not_there_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let tool = script(folder.path(), "tool.py", "print(1)", 0o644);
    let options = ProcessOptions {
        // Set to nothing, they are not active.
        environment: Environment::standard()
            .with("PATH", "/nowhere")
            .with("VIRTUAL_ENV", "")
            .with("CONDA_PREFIX", ""),
        ..patient()
    };
    let found = error(&tool, &options);
    assert_eq!(found.kind(), HostErrorKind::NoInterpreter);
    assert!(found.to_string().contains("needs `python3`"), "{found}");
}

/// What the host sets, then the virtual environment, then the `PATH`.
#[cfg(unix)]
#[test]
fn a_host_can_set_the_interpreter_of_an_extension() {
    let folder = tempfile::tempdir().expect("a folder");
    let tool = script(folder.path(), "tool.PY", "print('no echo')", 0o644);
    let venv = folder.path().join("venv");
    fs::create_dir_all(venv.join("bin")).expect("a folder");
    let echo = which::which("echo").expect("a program");
    std::os::unix::fs::symlink(&echo, venv.join("bin/python")).expect("a link");
    let with = |interpreters: &[(&str, &Path)], environment: &Environment| ProcessOptions {
        interpreters: interpreters
            .iter()
            .map(|(extension, program)| ((*extension).to_owned(), (*program).to_owned()))
            .collect(),
        environment: environment.clone(),
        ..patient()
    };
    let tool = tool.arg("x");
    let said = |options: &ProcessOptions| {
        String::from_utf8(run(&tool, options).report.stdout).expect("a text")
    };
    let active = Environment::standard().with("VIRTUAL_ENV", &venv);
    assert!(said(&with(&[], &active)).ends_with("tool.PY x\n"));
    let none = Environment::standard()
        .with("VIRTUAL_ENV", "")
        .with("CONDA_PREFIX", "");
    assert_eq!(said(&with(&[], &none)), "no echo\n");
    for program in [Path::new("echo"), &echo] {
        assert!(said(&with(&[("py", program)], &none)).ends_with("tool.PY x\n"));
    }
    let python = which::which("python3").expect("a program");
    assert_eq!(said(&with(&[("py", &python)], &active)), "no echo\n");
    let found = error(&tool, &with(&[("py", Path::new("/no/python"))], &active));
    assert_eq!(found.kind(), HostErrorKind::NoInterpreter);
    assert!(found.to_string().contains("needs `/no/python`"), "{found}");
    // Also of extensions that nothing else runs.
    let text = script(folder.path(), "notes.txt", "", 0o644);
    let ran = run(&text, &with(&[("txt", &echo)], &none)).report.stdout;
    assert!(ran.ends_with(b"notes.txt\n"));
}

/// Known without starting the program.
#[cfg(unix)]
#[test]
fn whether_a_program_gets_calls_is_known_before_it_runs() {
    let folder = tempfile::tempdir().expect("a folder");
    let mode = |tool: &Command, asked| CallMode::of(tool, &patient(), asked);
    let marked = script(folder.path(), "marked.py", "# toolwire-tool: 1\n", 0o644);
    let bare = script(folder.path(), "bare.py", "print(1)\n", 0o644);
    for (tool, asked, expected) in [
        (&marked, false, CallMode::Describe),
        (&marked, true, CallMode::Describe),
        (&bare, false, CallMode::Plain),
        (&bare, true, CallMode::Call),
        (&Command::new("sh"), false, CallMode::Plain),
    ] {
        assert_eq!(mode(tool, asked).expect("a program"), expected, "{tool:?}");
    }
    // Its arguments are not the program.
    let sh = Command::new("sh").arg(marked.program());
    assert_eq!(mode(&sh, false).expect("a program"), CallMode::Plain);
    let missing = mode(&Command::new("./no/such/file"), true).unwrap_err();
    assert_eq!(missing.kind(), HostErrorKind::NotFound);
    let pipe = folder.path().join("pipe.py");
    nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).expect("a pipe");
    assert_eq!(
        mode(&Command::new(pipe), false).expect("a program"),
        CallMode::Plain
    );
}

#[test]
fn what_no_process_can_be_given_is_refused() {
    let found = error(&misbehave("print").arg("a\0b"), &patient());
    assert_eq!(found.kind(), HostErrorKind::BadArgument);
    for name in ["", "A=B", "A\0"] {
        let environment = Environment::all().with(name, "x");
        let found = error(
            &misbehave("nothing"),
            &ProcessOptions {
                environment,
                ..patient()
            },
        );
        assert_eq!(found.kind(), HostErrorKind::BadArgument, "{name:?}");
    }
    #[cfg(target_os = "linux")]
    {
        let found = error(&misbehave("print").arg("x".repeat(10_000_000)), &patient());
        assert_eq!(found.kind(), HostErrorKind::BadArgument, "{found}");
    }
}

#[test]
fn the_tool_runs_in_its_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path().canonicalize().expect("its real path");
    let options = ProcessOptions {
        cwd: Some(folder.clone()),
        ..patient()
    };
    assert_eq!(
        texts(&run(&misbehave("folder"), &options))[0].trim_end(),
        folder.display().to_string()
    );

    let options = ProcessOptions {
        cwd: Some(folder.join("missing")),
        ..patient()
    };
    let found = error(&misbehave("folder"), &options);
    assert_eq!(found.kind(), HostErrorKind::BadDirectory);
}

#[cfg(unix)]
#[test]
fn the_folder_of_the_tool_does_not_change_which_file_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let options = ProcessOptions {
        cwd: Some(folder.path().into()),
        ..patient()
    };
    // Relative to the host's folder, the crate's, whatever the tool's own is.
    let relative = pathdiff(&common::misbehave_path());
    assert_eq!(
        texts(&run(
            &Command::new(relative).args(["print", "here"]),
            &options
        )),
        ["here"]
    );
}

/// The path of a file relative to this process's folder.
#[cfg(unix)]
fn pathdiff(path: &Path) -> OsString {
    let here = std::env::current_dir().expect("a folder");
    let up = "../".repeat(here.components().count() - 1);
    format!(
        "./{up}{}",
        path.strip_prefix("/").expect("absolute").display()
    )
    .into()
}

/// The lines of the tool's environment.
fn environment(environment: Environment) -> Vec<String> {
    let options = ProcessOptions {
        environment,
        result_channel: false,
        ..patient()
    };
    let mut lines: Vec<String> =
        String::from_utf8_lossy(&run(&misbehave("environment"), &options).report.stdout)
            .lines()
            .map(str::to_owned)
            .collect();
    lines.sort();
    lines
}

#[cfg(unix)]
#[test]
fn only_allowed_variables_are_handed_on() {
    // Cargo sets many variables for a test, none of which a tool needs.
    assert!(std::env::var_os("CARGO_PKG_NAME").is_some());
    let has = |lines: &[String], name: &str| lines.iter().any(|line| line.starts_with(name));

    let standard = environment(Environment::standard());
    assert!(
        has(&standard, "PATH=") && !has(&standard, "CARGO_PKG_NAME="),
        "{standard:?}"
    );
    assert!(has(
        &environment(Environment::all()),
        "CARGO_PKG_NAME=toolwire-host"
    ));
    let only = Environment::only(["CARGO_PKG_NAME", "NOT_SET_ANYWHERE"]).with("MORE", "a=b c");
    assert_eq!(
        environment(only),
        ["CARGO_PKG_NAME=toolwire-host", "MORE=a=b c"]
    );
    let replaced = Environment::all()
        .with("CARGO_PKG_NAME", "1")
        .with("CARGO_PKG_NAME", "2");
    assert!(has(&environment(replaced), "CARGO_PKG_NAME=2"));
}

#[test]
fn what_the_host_was_given_is_not_handed_on() {
    let all = Environment::all()
        .with("TOOLWIRE_RESULT", "mine")
        .with("TOOLWIRE_CALL", "mine");
    let variables = environment(all);
    assert!(!variables.iter().any(|line| line.starts_with("TOOLWIRE_")));
}
