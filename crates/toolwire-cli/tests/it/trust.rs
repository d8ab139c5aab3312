//! Whose manifest is used.

use std::fs;
use std::path::Path;

use crate::common::{Dir, Run, command, run_command, set_mode};

const MANIFEST: &str = "[tools.git]\ncommand = ['echo', '{x}']\nparameters.x = {type = 'string', default = 'of the manifest'}\n";

/// A user that is neither this one nor root.
const STRANGER: u32 = 4711;

/// A folder with a manifest and a program of the same name, and folders below it.
fn stage() -> Dir {
    let dir = Dir::new();
    dir.file("toolwire.toml", MANIFEST);
    dir.program("git", "echo of the path");
    fs::create_dir_all(dir.path().join("a/b")).unwrap();
    fs::create_dir_all(dir.path().join("home")).unwrap();
    dir
}

fn toolwire(dir: &Dir, folder: &str, variable: Option<&str>, args: &[&str]) -> Run {
    let mut command = command(args);
    command
        .current_dir(dir.path().join(folder))
        .env("XDG_CONFIG_HOME", dir.path().join("home"))
        .env("PATH", format!("{}:/usr/bin:/bin", dir.path().display()))
        .env_remove("TOOLWIRE_TRUSTED_MANIFESTS");
    if let Some(paths) = variable {
        command.env("TOOLWIRE_TRUSTED_MANIFESTS", paths);
    }
    run_command(command, b"")
}

fn is_used(dir: &Dir, folder: &str) -> bool {
    let run = toolwire(dir, folder, None, &["run", "git"]);
    let used = run.stdout == "of the manifest\n";
    // Without it nothing runs, not even what is on the `PATH`.
    assert!(used || (run.code == 2 && run.stdout.is_empty()), "{run:?}");
    used
}

fn manifest(dir: &Dir) -> String {
    dir.path().join("toolwire.toml").display().to_string()
}

/// Whether this user can give files away, which only root can.
fn gives_away(path: &Path) -> bool {
    let gave = std::os::unix::fs::lchown(path, Some(STRANGER), None).is_ok();
    if !gave {
        eprintln!("skipped: only root can make a file of another user");
    }
    gave
}

#[test]
fn a_manifest_that_everybody_can_write_is_not_used() {
    let dir = stage();
    assert!(is_used(&dir, "a/b"));
    set_mode(Path::new(&manifest(&dir)), 0o646);
    for folder in ["", "a/b"] {
        assert!(!is_used(&dir, folder));
    }
    for args in [
        &["run", "git"][..],
        &["run", "other"],
        &["tools", "git"],
        &["tools"],
    ] {
        let run = toolwire(&dir, "a", None, args);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{run:?}");
        let path = fs::canonicalize(dir.path()).unwrap().join("toolwire.toml");
        for part in [
            path.to_str().unwrap(),
            "is not used: everybody can write it, though it belongs to `",
            "`toolwire trust /",
            "`TOOLWIRE_TRUSTED_MANIFESTS`",
        ] {
            assert!(run.stderr.contains(part), "{part}: {run:?}");
        }
    }
}

#[test]
fn neither_is_one_in_a_folder_where_everybody_can_replace_it() {
    let dir = stage();
    set_mode(dir.path(), 0o777);
    assert!(!is_used(&dir, "a"));
    set_mode(dir.path(), 0o1777);
    assert!(is_used(&dir, "a"));
}

#[test]
fn neither_is_one_that_a_group_of_several_users_can_write() {
    let dir = stage();
    let file = dir.path().join("toolwire.toml");
    set_mode(&file, 0o664);
    if std::os::unix::fs::chown(&file, None, Some(STRANGER)).is_err() {
        eprintln!("skipped: only root can give a file to any group");
        return;
    }
    assert!(!is_used(&dir, "a"));
    set_mode(&file, 0o644);
    assert!(is_used(&dir, "a"));
    // The group `root` of the user `root` is nobody else's.
    set_mode(&file, 0o664);
    std::os::unix::fs::chown(&file, None, Some(0)).unwrap();
    assert!(is_used(&dir, "a"));
}

#[test]
fn neither_is_one_of_another_user_or_in_their_folder_or_by_their_link() {
    let dir = stage();
    if !gives_away(&dir.path().join("toolwire.toml")) {
        return;
    }
    let run = toolwire(&dir, "a", None, &["run", "git"]);
    assert_eq!(run.code, 2, "{run:?}");
    assert!(
        run.stderr
            .contains("it belongs to the user 4711, which is neither you nor root"),
        "{run:?}"
    );
    let dir = stage();
    gives_away(dir.path());
    assert!(!is_used(&dir, "a"));
    let dir = stage();
    let link = dir.path().join("a/toolwire.toml");
    std::os::unix::fs::symlink("../toolwire.toml", &link).unwrap();
    assert!(is_used(&dir, "a/b"));
    gives_away(&link);
    assert!(!is_used(&dir, "a/b"));
}

#[test]
fn what_needs_no_manifest_works_as_before_and_one_that_is_named_was_chosen() {
    let dir = stage();
    set_mode(Path::new(&manifest(&dir)), 0o666);
    let path = dir.path().join("git").display().to_string();
    for args in [
        &["run", "./git"][..],
        &["run", &path],
        &["run", "--", "git"],
        &["run", "--plain", "--", "git"],
    ] {
        let run = toolwire(&dir, "", None, args);
        assert_eq!(run.stdout, "of the path\n", "{args:?}: {run:?}");
    }
    let run = toolwire(
        &dir,
        "",
        None,
        &["run", "--manifest", "toolwire.toml", "git"],
    );
    assert_eq!(run.stdout, "of the manifest\n", "{run:?}");
}

/// What was typed with a path is that path, though a manifest knows the name.
#[test]
fn a_name_never_stands_above_a_path() {
    let dir = stage();
    let path = dir.path().join("git").display().to_string();
    for args in [&["./git"][..], &["../a/../git"], &[&path], &["--", "git"]] {
        let run = toolwire(&dir, "", None, &[&["run"], args].concat());
        let expected = match args[0] {
            // From the folder itself this one leads elsewhere.
            "../a/../git" => toolwire(&dir, "a", None, &["run", args[0]]).stdout,
            _ => run.stdout.clone(),
        };
        assert_eq!(expected, "of the path\n", "{args:?}: {run:?}");
    }
    assert!(is_used(&dir, ""));
}

#[test]
fn one_is_trusted_as_it_is_and_not_after_a_change() {
    let dir = stage();
    let file = manifest(&dir);
    set_mode(Path::new(&file), 0o666);
    let run = toolwire(&dir, "a", None, &["trust"]);
    assert!(
        run.code == 0 && run.stdout.starts_with("trusted as it is: /"),
        "{run:?}"
    );
    assert!(is_used(&dir, "a"));
    fs::write(&file, format!("{MANIFEST}# more\n")).unwrap();
    assert!(!is_used(&dir, "a"));
    let run = toolwire(&dir, "", None, &["trust", "toolwire.toml", "--json"]).json();
    assert_eq!(run["trusted"], true);
    assert!(is_used(&dir, "a"));
    // There is one line for it, with its digest and its path.
    let list = dir.path().join("home/toolwire/trusted");
    let path = fs::canonicalize(&file).unwrap();
    let line = format!("{} {}\n", run["digest"].as_str().unwrap(), path.display());
    assert_eq!(fs::read_to_string(&list).unwrap(), line);
    // The same bytes elsewhere are another manifest.
    fs::copy(&file, dir.path().join("a/toolwire.toml")).unwrap();
    set_mode(&dir.path().join("a/toolwire.toml"), 0o666);
    assert!(!is_used(&dir, "a") && is_used(&dir, ""));
    let run = toolwire(&dir, "", None, &["trust", "--remove"]);
    assert!(run.stdout.starts_with("no longer trusted: /"), "{run:?}");
    assert!(!is_used(&dir, ""));
    // A list that others can write trusts nothing.
    toolwire(&dir, "", None, &["trust"]);
    assert!(is_used(&dir, ""));
    set_mode(&list, 0o666);
    assert!(!is_used(&dir, ""));
    set_mode(&list, 0o600);
    set_mode(&dir.path().join("home/toolwire"), 0o777);
    assert!(!is_used(&dir, ""));
    let broken = dir.file("broken.toml", "tools = 1");
    assert_eq!(toolwire(&dir, "", None, &["trust", &broken]).code, 2);
    assert_eq!(toolwire(&dir, "", None, &["trust", "none.toml"]).code, 5);
}

/// Who trusts something at the same time loses nothing.
#[test]
fn what_is_trusted_at_a_time_is_all_trusted() {
    let dir = stage();
    std::thread::scope(|scope| {
        for number in 0..8 {
            let dir = &dir;
            let uri = format!("mcp+exec://server?command={number}");
            scope.spawn(move || {
                let ran = toolwire(dir, "", None, &["trust", "--server", &uri]);
                assert_eq!(ran.code, 0, "{ran:?}");
            });
        }
    });
    let list = fs::read_to_string(dir.path().join("home/toolwire/servers")).unwrap();
    assert_eq!(list.lines().count(), 8, "{list}");
}

#[test]
fn a_variable_trusts_files_and_folders() {
    let dir = stage();
    set_mode(Path::new(&manifest(&dir)), 0o666);
    let here = dir.path().display().to_string();
    let parent = dir.path().parent().unwrap().display().to_string();
    let run = |paths: &str| toolwire(&dir, "a", Some(paths), &["run", "git"]);
    for paths in [
        &manifest(&dir),
        &here,
        &parent,
        &format!("/nowhere::{here}/"),
    ] {
        assert_eq!(run(paths).stdout, "of the manifest\n", "{paths}");
    }
    for paths in [
        "",
        "/nowhere",
        &format!("{here}/a"),
        &format!("{here}-more"),
    ] {
        let run = run(paths);
        assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{paths}: {run:?}");
    }
    let relative = run("..");
    assert!(
        relative.code == 2
            && relative
                .stderr
                .contains("`..` in `TOOLWIRE_TRUSTED_MANIFESTS`"),
        "{relative:?}"
    );
}

/// Without a manifest, a lock that was found can be a stranger's.
#[test]
fn a_lock_that_others_could_have_written_is_not_used() {
    let dir = stage();
    fs::remove_file(manifest(&dir)).unwrap();
    let script = "#!/bin/sh\n# toolwire-tool: 1\necho '{\"content\":[],\"structuredContent\":{\"toolwire\":1,\
        \"tools\":[{\"name\":\"now\",\"inputSchema\":{\"type\":\"object\",\"properties\":{}}}]}}'\n";
    set_mode(dir.file("a/now.sh", script).as_ref(), 0o755);
    let folder = |args: &[&str]| toolwire(&dir, "a", None, args);
    assert_eq!(
        folder(&["lock", "--lock", "../toolwire.lock", "./now.sh"]).code,
        0
    );
    assert_eq!(folder(&["check"]).code, 0);
    assert_eq!(folder(&["run", "--locked", "./now.sh", "now"]).stderr, "");
    let lock = dir.path().join("toolwire.lock");
    let before = fs::read(&lock).unwrap();
    let refused = |why: &str| {
        for args in [
            &["check"][..],
            &["check", "--offline"],
            &["lock", "./now.sh"],
            &["lock", "--update", "--yes"],
            &["run", "--locked", "./now.sh", "now"],
        ] {
            let ran = folder(args);
            assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{ran:?}");
            assert!(ran.stderr.contains(why), "{ran:?}");
        }
        assert_eq!(fs::read(&lock).unwrap(), before);
        // What needs no lock works without one.
        let ran = folder(&["run", "./now.sh", "now"]);
        assert_eq!(ran.code, 0, "{ran:?}");
        assert!(ran.stderr.contains("toolwire.lock` is not used: ") && ran.stderr.contains(why));
        assert_eq!(
            folder(&["run", "--locked=ignore", "./now.sh", "now"]).stderr,
            ""
        );
        // One that is named, or whose folder is, was chosen by the user.
        assert_eq!(folder(&["check", "--lock", "../toolwire.lock"]).code, 0);
        let named = dir.path().to_str();
        assert_eq!(toolwire(&dir, "a", named, &["check"]).code, 0);
    };
    set_mode(&lock, 0o646);
    refused("everybody can write it, though it belongs to `");
    set_mode(&lock, 0o644);
    set_mode(dir.path(), 0o777);
    refused("everybody can write its folder");
    set_mode(dir.path(), 0o755);
    if gives_away(&lock) {
        refused("it belongs to the user 4711, which is neither you nor root");
        // Beside a manifest, that of the manifest counts.
        dir.file("toolwire.toml", MANIFEST);
        assert_eq!(folder(&["check", "./now.sh"]).code, 0);
    }
}
