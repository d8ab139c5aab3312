//! Programs as [`Child`] runs and ends them.

use std::time::{Duration, Instant};

use crate::common::sh;
use toolwire::Exit;
use toolwire_host::{Child, ProcessOptions, Said};

#[tokio::test]
async fn an_end_can_only_be_hastened() {
    let mut child = Child::start(&sh("exec sleep 1000"), &ProcessOptions::default()).unwrap();
    let began = Instant::now();
    for seconds in [900, 1, 900] {
        assert!(child.end(Duration::from_secs(seconds)));
    }
    while child.next().await.is_some() {}
    assert!(began.elapsed() < Duration::from_secs(100));
    assert!(!child.end(Duration::ZERO), "it has ended");
    assert_eq!(child.finish().await, Exit::Signal(15));
}

/// A process that has left the group can't be ended; of what it writes, no more is read than a pipe holds.
#[tokio::test]
async fn little_is_read_of_what_outlives_the_program() {
    let options = ProcessOptions {
        linger: Duration::ZERO,
        ..ProcessOptions::default()
    };
    for (flood, said) in [("yes", Said::Out), ("yes >&2", Said::Err)] {
        let script = format!("setsid sh -c '{flood}' & sleep 0.3");
        let mut child = Child::start(&sh(&script), &options).unwrap();
        let (mut has_ended, mut rest) = (false, 0);
        while let Some(next) = child.next().await {
            has_ended |= next == Said::Exited;
            if has_ended && next == said {
                rest += child.stdout().len().max(child.stderr().len());
            }
        }
        assert_eq!(child.finish().await, Exit::Code(0));
        assert!(rest < 1_200_000, "{rest} bytes of `{flood}`");
    }
}
