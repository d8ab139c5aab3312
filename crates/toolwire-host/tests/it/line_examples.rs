//! The examples that speak the line transport without a library.

use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::time::timeout;
use toolwire::Json;
use toolwire::call::{Answer, AnswerSource, Call, SessionAction};
use toolwire::session::EndReason;
use toolwire_host::{
    Command, LineSession, Process, ProcessOptions, Running, SessionStart, SessionTransport,
    ToolList, ToolRequest, ToolUpdate, block_on, list_tools,
};

const PATIENCE: Duration = Duration::from_secs(50);

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../examples")
        .join(name)
}

/// Spawns the tool under its own name, as it describes itself.
fn play<T>(name: &str, arguments: &str, host: impl AsyncFnOnce(&mut Running) -> T) -> T {
    let command = Command::new(example(name));
    let process = Process::from(command.clone());
    let listed: ToolList = block_on(list_tools(&process)).unwrap();
    let [tool] = &listed.tools.expect("it describes itself")[..] else {
        panic!("it is one tool");
    };
    let all = [
        SessionAction::Spawn,
        SessionAction::Fetch,
        SessionAction::Apply,
        SessionAction::Abort,
    ];
    assert_eq!(tool.actions, all.into());
    let session = LineSession::new(command, ProcessOptions::default());
    let call = Call::new(&tool.name, Json::new(arguments).unwrap());
    let playing = async {
        let mut running = session.start(SessionStart::new(call));
        let driver = std::mem::replace(&mut running.driver, Box::pin(async {}));
        let driver = tokio::spawn(driver);
        let value = timeout(PATIENCE, host(&mut running))
            .await
            .expect("it hangs");
        driver.await.unwrap();
        Ok(value)
    };
    block_on(playing).unwrap()
}

/// The next text that the tool says.
async fn said(running: &mut Running) -> String {
    loop {
        match running.updates.recv().await {
            Some(ToolUpdate::Output(blocks)) => {
                return blocks[0].at("/text").unwrap().to_value().unwrap();
            }
            Some(ToolUpdate::Event(_)) => {}
            other => panic!("{other:?}"),
        }
    }
}

async fn ended(running: &mut Running) {
    assert!(matches!(
        running.updates.recv().await,
        Some(ToolUpdate::Exit(0))
    ));
}

async fn apply(running: &Running, input: &str) {
    let input = Json::new(input).unwrap();
    running
        .requests
        .send(ToolRequest::Input(input))
        .await
        .unwrap();
}

#[test]
fn the_number_is_guessed() {
    play("shell/guess.sh", "{}", async |running| {
        assert_eq!(said(running).await, "I think of a number from 1 to 100.");
        apply(running, r#""fifty""#).await;
        assert_eq!(said(running).await, "A number, please.");
        let (mut least, mut most, mut guesses) = (1, 100, 0);
        loop {
            let guess = (least + most) / 2;
            guesses += 1;
            // As a number, or as the text that a person types.
            let typed = if guesses % 2 == 0 {
                guess.to_string()
            } else {
                format!("\"{guess}\"")
            };
            apply(running, &typed).await;
            match said(running).await.as_str() {
                "It is more." => least = guess + 1,
                "It is less." => most = guess - 1,
                right => {
                    assert_eq!(right, format!("Right, after {guesses} guesses."));
                    break;
                }
            }
            assert!(least <= most, "it changes its mind");
        }
        ended(running).await;
    });
}

#[test]
fn the_game_can_be_given_up() {
    play("shell/guess.sh", "{}", async |running| {
        said(running).await;
        running
            .requests
            .send(ToolRequest::End(EndReason::Aborted))
            .await
            .unwrap();
        assert!(said(running).await.starts_with("It was "));
        ended(running).await;
    });
}

#[test]
fn it_counts_goes_on_elsewhere_and_asks() {
    for (launches, last) in [(true, "Lift-off."), (false, "Scrubbed.")] {
        play(
            "perl/countdown.pl",
            r#"{"from":900,"step":60}"#,
            async |running| {
                assert_eq!(said(running).await, "900");
                apply(running, r#""soon""#).await;
                assert_eq!(said(running).await, "a number from 1 to 1000 is needed");
                assert_eq!(said(running).await, "900");
                apply(running, "7").await;
                assert_eq!(said(running).await, "7");
                running
                    .requests
                    .send(ToolRequest::End(EndReason::Idle))
                    .await
                    .unwrap();
                assert_eq!(said(running).await, "the tanks are drained (idle)");
                ended(running).await;
            },
        );
        play(
            "perl/countdown.pl",
            r#"{"from":3,"step":0}"#,
            async |running| {
                for left in ["3", "2", "1"] {
                    assert_eq!(said(running).await, left);
                }
                let Some(ToolUpdate::Question { question, person }) = running.updates.recv().await
                else {
                    panic!("it asks");
                };
                assert!(question.text == "Launch?" && !person);
                let answer = Answer::accepted(Json::from(launches), AnswerSource::User);
                let id = question.id;
                running
                    .requests
                    .send(ToolRequest::Answer { id, answer })
                    .await
                    .unwrap();
                assert_eq!(said(running).await, last);
                ended(running).await;
            },
        );
    }
}
