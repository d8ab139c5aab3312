//! PROC-4: a host with few file descriptors gets an error, and no panic.

use std::process::Command;

use toolwire_host::{ProcessOptions, block_on, run};

const CHILD: &str = "TOOLWIRE_TEST_FEW_DESCRIPTORS";

/// What the child does: it calls a tool and says what came of it.
#[test]
fn child() {
    if std::env::var_os(CHILD).is_none() {
        return;
    }
    let tool = toolwire_host::Command::new("true");
    let answer = block_on(run(&tool, &ProcessOptions::default()));
    match answer {
        Ok(_) => println!("ended: it ran"),
        Err(error) => println!("ended: {} {error}", error.kind().as_str()),
    }
}

/// A tool that waits by `select` can't use more than the host was given.
#[test]
fn a_tool_has_the_limit_that_the_host_had() {
    const TEST: &str = "descriptors::a_tool_has_the_limit_that_the_host_had";
    if std::env::var_os(CHILD).is_some() {
        toolwire_host::raise_descriptor_limit();
        let tool = toolwire_host::Command::new("sh").args(["-c", "sleep 0.2; ulimit -Sn"]);
        let reply = block_on(run(&tool, &ProcessOptions::default())).unwrap();
        println!("tool: {}", String::from_utf8_lossy(&reply.report.stdout));
        return;
    }
    let child = Command::new("sh")
        .args(["-c", "ulimit -Sn 200 && exec \"$0\" --exact $1 --nocapture"])
        .arg(std::env::current_exe().unwrap())
        .arg(TEST)
        .env(CHILD, "1")
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&child.stdout);
    assert!(told.contains("tool: 200\n"), "{told}");
}

#[test]
fn few_file_descriptors_are_an_error_and_no_panic() {
    let (mut failed, mut ran) = (0, 0);
    for descriptors in 6..=40 {
        let child = "--exact descriptors::child --nocapture";
        let script = format!("ulimit -n {descriptors} && exec \"$0\" {child}");
        let child = Command::new("sh")
            .args(["-c", &script])
            .arg(std::env::current_exe().unwrap())
            .env(CHILD, "1")
            .output()
            .unwrap();
        let told = String::from_utf8_lossy(&[child.stdout, child.stderr].concat()).into_owned();
        assert!(child.status.success(), "{descriptors}: {told}");
        assert!(!told.contains("panicked"), "{descriptors}: {told}");
        match told.contains("ended: it ran") {
            true => ran += 1,
            false => {
                failed += 1;
                assert!(
                    told.contains("ended: system_error"),
                    "{descriptors}: {told}"
                );
            }
        }
    }
    assert!(failed > 0 && ran > 0, "{failed} failed, {ran} ran");
}
