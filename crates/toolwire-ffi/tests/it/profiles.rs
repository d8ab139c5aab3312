//! A profile is compared with its server when a program connects to it.

use std::path::Path;
use std::process::Command;
use std::time::Duration;
use std::{env, fs};

use toolwire_ffi::caller::{Caller, Unit};
use toolwire_ffi::calls::Calls;
use toolwire_ffi::connection::Server;

/// A server with the tools `add` and `where`.
const OFFERS: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../toolwire-mcp/tests/servers/offers.py"
);

/// Longer than any server takes.
const PATIENCE: Duration = Duration::from_secs(60);

/// Says that this process is the one that works in the folder of the test.
const INSIDE: &str = "TOOLWIRE_TEST_PROFILES";

// The folder of profiles is found from the current folder, so the test runs once more in a process with its own.
#[test]
fn a_profile_is_compared_when_a_program_connects() {
    if env::var_os(INSIDE).is_none() {
        let name = format!("profiles-{}", std::process::id());
        let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(&dir).unwrap();
        let test = "profiles::a_profile_is_compared_when_a_program_connects";
        let ran = Command::new(env::current_exe().unwrap())
            .args(["--exact", test, "--nocapture"])
            .env(INSIDE, "1")
            .current_dir(&dir)
            .output()
            .unwrap();
        let told = String::from_utf8_lossy(&[ran.stdout, ran.stderr].concat()).into_owned();
        assert!(ran.status.success() && told.contains("1 passed"), "{told}");
        fs::remove_dir_all(dir).unwrap();
        return;
    }
    let folder = Path::new(".toolwire/profiles/mcp/sums");
    fs::create_dir_all(folder).unwrap();
    let calls = Calls::new();
    let connect = |more: &str| {
        let meta = format!(r#"{{"command":{OFFERS:?}{more}}}"#);
        fs::write(folder.join("_meta.json"), meta).unwrap();
        let caller = Caller {
            unit: Unit::Seconds,
            signals: Vec::new(),
            interpreters: Vec::new(),
        };
        let begun = calls.connect(Server::Word("@sums"), r#"{"trust":true}"#, &caller);
        let (connection, opening) = begun.unwrap();
        assert!(opening.wait(PATIENCE));
        let opened = opening.take().unwrap();
        assert!(connection.close().wait(PATIENCE));
        opened.map_err(|error| (error.code, error.message))
    };
    for same in [
        "",
        r#","tools":{"add":{}}"#,
        r#","tools":{"sum":{}},"schema_validation":"ignore""#,
    ] {
        let facts = connect(same).unwrap();
        assert!(!facts.contains("warnings"), "{same}: {facts}");
    }
    let told = "the tools of `@sums` are not as its profile expects: the server has no tool `sum`; \
                `toolwire profile diff sums` shows";
    let facts = connect(r#","tools":{"sum":{}}"#).unwrap();
    assert!(
        facts.contains(&format!(r#""warnings":["{told}"#)),
        "{facts}"
    );
    let (code, message) =
        connect(r#","tools":{"sum":{}},"schema_validation":"error""#).unwrap_err();
    assert_eq!(code, "unexpected_tools");
    assert!(message.starts_with(told), "{message}");
}
