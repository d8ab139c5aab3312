//! Each command ends with the code that the specification promises.

use crate::common::{self, BROKEN, Dir, RESOURCE, VALID, WARNING, run};

#[test]
fn parse_and_explain_tell_the_verdict() {
    for command in ["parse", "explain"] {
        for json in [&[][..], &["--json"]] {
            let args = [&[command][..], json].concat();
            assert_eq!(run(&args, VALID).code, 0, "{args:?}");
            assert_eq!(run(&args, WARNING).code, 3, "{args:?}");
            assert_eq!(run(&args, BROKEN).code, 4, "{args:?}");
            assert_eq!(run(&args, "plain").code, 4, "{args:?}");
            assert_eq!(run(&args, "").code, 4, "{args:?}");
        }
    }
}

#[test]
fn validate_says_yes_or_no() {
    for extra in [&[][..], &["--json"], &["--quiet"]] {
        let args = [&["validate"][..], extra].concat();
        assert_eq!(run(&args, VALID).code, 0, "{args:?}");
        assert_eq!(run(&args, WARNING).code, 1, "{args:?}");
        assert_eq!(run(&args, BROKEN).code, 1, "{args:?}");
        let lenient = [&args[..], &["--allow-warnings"]].concat();
        assert_eq!(run(&lenient, WARNING).code, 0, "{lenient:?}");
        assert_eq!(run(&lenient, "plain").code, 1, "{lenient:?}");
    }
}

#[test]
fn what_writes_something_succeeds_or_not() {
    for command in [&["canonicalize"][..], &["canonicalize", "--digest"]] {
        for json in [&[][..], &["--json"]] {
            let args = [command, json].concat();
            assert_eq!(run(&args, "[1]").code, 0, "{args:?}");
            assert_eq!(run(&args, "[1,]").code, 1, "{args:?}");
            assert_eq!(run(&args, "").code, 1, "{args:?}");
        }
    }
    for command in ["format", "identify"] {
        assert_eq!(run(&[command], RESOURCE).code, 0, "{command}");
        assert_eq!(run(&[command], WARNING).code, 0, "{command}");
        assert_eq!(run(&[command], "plain").code, 0, "{command}");
    }
    let nonce = "0123456789abcdef";
    let collision = VALID.replace("hello", nonce);
    assert_eq!(
        run(&["format", &format!("--untrusted={nonce}")], collision).code,
        1
    );
    assert_eq!(run(&["identify", "--uri", "file:///a/../b"], "").code, 0);
    assert_eq!(
        run(&["identify", "--uri", "tag:b", "relative/without/root"], "").code,
        1
    );
    assert_eq!(run(&["completions", "bash"], "").code, 0);
}

#[test]
fn a_wrong_command_line_is_a_usage_error() {
    let dir = Dir::new();
    let (one, two) = (dir.file("one.json", VALID), dir.file("two.json", VALID));
    let (one, two) = (one.as_str(), two.as_str());
    for args in [
        &[][..],
        &["unknown"],
        &["parse", "--unknown"],
        &["parse", "--summary"],
        &["parse", "--max-depth", "many"],
        &["parse", "--max-depth", "5000"],
        &["parse", "--color", "sometimes"],
        &["parse", "--exit-status", "1", "--signal", "9"],
        &["parse", "--exit-status", "1", "--lines"],
        &["parse", "--exit-status", "1", one, two],
        &["validate", "--quiet", "--json"],
        &["canonicalize", one, two],
        &["format", one, two],
        &["format", "--style", "html"],
        &["format", "--for", "printer"],
        &["format", "--untrusted=has space"],
        &["format", "--untrusted=short"],
        &["format", "--max-bytes", "9"],
        &["format", "--max-bytes", "-1"],
        &["format", "--max-bytes", "255"],
        &["format", "--max-bytes", "4294967296"],
        &["parse", "-", "-"],
        &["canonicalize", "--digest", one, "-", two, "-"],
        &["validate", "--lines", "-", "-"],
        &["format", "--stderr", "-", "--exit-status", "1"],
        &["explain", one, "--stderr", "-", "--result", "-"],
        &["identify", "--known", "-"],
        &["identify", "--root", ""],
        &["identify", "--uri", "--root", "tag:b", "a"],
        &["completions"],
        &["completions", "dos"],
    ] {
        let run = run(args, VALID);
        assert_eq!(run.code, 2, "{args:?}: {run:?}");
        assert!(run.stdout.is_empty(), "{args:?}: {run:?}");
        assert!(!run.stderr.is_empty(), "{args:?}: {run:?}");
    }
}

#[test]
fn a_wrong_number_is_told_in_plain_words() {
    for (args, word) in [
        (
            ["parse", "--max-input", "10kg"],
            "a number of bytes, alone or with a unit such as kB",
        ),
        (
            ["parse", "--max-depth", "-1"],
            "a whole number without a unit",
        ),
        (
            ["format", "--max-bytes", "-1"],
            "a number of bytes, alone or with a unit such as kB",
        ),
        (
            ["format", "--max-bytes", "9"],
            "a size from 256 to 4294967295 bytes",
        ),
        (["parse", "--exit-status", "no"], "a whole number"),
        (["parse", "--signal", "KILL"], "the signal's number"),
    ] {
        let run = run(&args, VALID);
        assert_eq!(run.code, 2, "{args:?}: {run:?}");
        assert!(run.stderr.contains(word), "{args:?}: {run:?}");
    }
    let twice = run(&["parse", "-", "-"], VALID);
    assert!(twice.stderr.contains("only once"), "{twice:?}");
    let spaced = run(&["format", "--untrusted", "0123456789abcdef", "a.json"], "");
    let right = "`--untrusted=0123456789abcdef`";
    assert!(
        spaced.code == 2 && spaced.stderr.contains(right),
        "{spaced:?}"
    );
}

#[test]
fn files_that_cannot_be_read_are_named() {
    let dir = Dir::new();
    let missing = dir.path().join("missing.json");
    let missing = missing.to_str().unwrap();
    let folder = dir.path().to_str().unwrap();
    for command in [
        "parse",
        "validate",
        "canonicalize",
        "format",
        "explain",
        "identify",
    ] {
        let no_file = run(&[command, missing], "");
        assert_eq!(no_file.code, 5, "{command}: {no_file:?}");
        assert!(
            no_file.stderr.contains("missing.json"),
            "{command}: {no_file:?}"
        );
        assert!(
            no_file.stderr.contains("no such file"),
            "{command}: {no_file:?}"
        );
        let directory = run(&[command, folder], "");
        assert_eq!(directory.code, 5, "{command}: {directory:?}");
        assert!(
            directory.stderr.contains("is a directory"),
            "{command}: {directory:?}"
        );
    }
    for command in ["parse", "validate", "canonicalize", "identify"] {
        let run = run(&[command, "--lines", missing], "");
        assert_eq!(run.code, 5, "{command}: {run:?}");
    }
    for option in ["--stderr", "--result"] {
        let run = run(&["parse", option, missing], VALID);
        assert_eq!(run.code, 5, "{option}: {run:?}");
    }
    let known = run(&["identify", "--known", missing], VALID);
    assert_eq!(known.code, 5, "{known:?}");
}

#[test]
fn of_several_inputs_the_highest_code_counts_and_all_are_read() {
    let dir = Dir::new();
    let valid = dir.file("valid.json", VALID);
    let warning = dir.file("warning.json", WARNING);
    let broken = dir.file("broken.json", BROKEN);
    let missing = dir.path().join("missing.json").to_str().unwrap().to_owned();
    assert_eq!(run(&["parse", &warning, &valid], "").code, 3);
    assert_eq!(run(&["parse", &broken, &warning, &valid], "").code, 4);
    let run_all = run(&["parse", "--json", &missing, &broken, &valid], "");
    assert_eq!(run_all.code, 5);
    let verdicts: Vec<_> = run_all
        .json_lines()
        .iter()
        .map(|v| v["verdict"].clone())
        .collect();
    assert_eq!(verdicts, ["raw", "valid"]);
    assert_eq!(run(&["validate", &valid, &missing, &broken], "").code, 5);
    assert_eq!(
        run(&["canonicalize", "--digest", &valid, &broken], "").code,
        1
    );
}

#[cfg(target_os = "linux")]
#[test]
fn output_that_cannot_be_written_is_an_error() {
    let full = std::fs::OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let mut command = common::command(&["parse"]);
    command.stdout(full);
    let run = common::run_command(command, VALID.as_bytes());
    assert_eq!(run.code, 5, "{run:?}");
    assert!(run.stderr.contains("cannot write the output"), "{run:?}");
}
