//! A host that was suspended does not count that time. It has a process of its own, because what is
//! suspended is all of a process.

use std::time::Duration;

use crate::common::ran_alone;
use crate::common::shell::tool;
use toolwire::Json;
use toolwire::session::SessionState;
use toolwire_host::{SessionRules, Sessions, SessionsOptions, WaitFor, suspended};

const TIME: Duration = Duration::from_secs(5);

// One thread runs it all, as if the process was stopped.
#[tokio::test(flavor = "current_thread")]
async fn neither_the_time_of_a_session_nor_idle_time_runs_while_the_host_is_suspended() {
    if ran_alone(concat!(
        module_path!(),
        "::neither_the_time_of_a_session_nor_idle_time_runs_while_the_host_is_suspended"
    )) {
        return;
    }
    let sessions = Sessions::new(SessionsOptions {
        first_wait: Duration::ZERO,
        ..SessionsOptions::default()
    });
    let rules = SessionRules::default;
    for (name, rules) in [
        (
            "session",
            SessionRules {
                session_time: Some(TIME),
                ..rules()
            },
        ),
        (
            "idle",
            SessionRules {
                idle_time: Some(TIME),
                ..rules()
            },
        ),
    ] {
        let mut tool = tool(name, "spawn fetch", "sleep 1000");
        tool.rules = Some(rules);
        sessions.add(tool);
        let call = Json::new(format!(r#"{{"action":"spawn","id":"{name}"}}"#)).expect("JSON");
        sessions.handle(name, &call).await;
    }
    suspended(|| std::thread::sleep(TIME + Duration::from_secs(1)));
    // The timers that are over by now have their turn.
    let both = ["session", "idle"];
    let after = sessions
        .wait(&both, WaitFor::All, Duration::from_millis(200))
        .await;
    for (id, state) in after {
        assert_eq!(state, SessionState::Running, "{id}");
    }
    let ended = sessions.wait(&both, WaitFor::All, TIME * 10).await;
    for (id, state) in ended {
        assert_eq!(state, SessionState::Stopped, "{id}");
    }
    sessions.close().await;
}
