//! Judging the questions of an answer: it ends with the call, and many questions are no trouble.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::time::Duration;

use toolwire::call::{Answer, AnswerSource, AnswerState, Call};
use toolwire::{Json, Limits, parse};
use toolwire_host::{
    Budget, CallOptions, Control, Conversation, End, Event, Exchange, ExchangeOptions, HostError,
    Reply, Step, Transport,
};

/// A tool that says one thing, and tells when it was called.
struct Asks {
    answer: String,
    called: Sender<()>,
}

impl Transport for Asks {
    fn send<'a>(
        &'a self,
        _document: &'a str,
        _control: &'a Control,
    ) -> Pin<Box<dyn Future<Output = Result<Reply, HostError>> + Send + 'a>> {
        let _ = self.called.send(());
        let parsed = parse(self.answer.clone().into_bytes(), &Limits::default());
        Box::pin(async { Ok(Reply::new(parsed)) })
    }
}

/// A question whose judging takes 2^60 steps.
fn endless() -> String {
    let step = |n: u32| {
        let next = format!(r##"{{"$ref":"#/$defs/a{}"}}"##, n + 1);
        format!(r#""a{n}":{{"allOf":[{next},{next}]}},"#)
    };
    let defs: String = (0..60).map(step).collect();
    let schema = format!(r##"{{"$ref":"#/$defs/a0","$defs":{{{defs}"a60":{{}}}}}}"##);
    format!(
        r#"{{"content":[{{"type":"question","question":{{"id":"q","text":"?","schema":{schema},"default":1}}}}]}}"#
    )
}

#[test]
fn a_call_that_is_cancelled_or_killed_is_judged_no_longer() {
    for end in [Conversation::cancel, Conversation::kill] {
        let (called, was_called) = channel();
        let tool = Asks {
            answer: endless(),
            called,
        };
        // Nothing but the cancelling ends this.
        let options = CallOptions {
            exchange: ExchangeOptions {
                budget: Budget {
                    steps: u64::MAX,
                    ..Budget::default()
                },
                ..ExchangeOptions::default()
            },
            ..CallOptions::default()
        };
        let call = Call::new("tool", Json::from("{}"));
        let (conversation, driver) = Conversation::new(Arc::new(tool), call, options);
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .expect("a runtime");
        runtime.spawn(driver);
        was_called.recv().expect("it is called");
        // By now it is most likely being judged; before that, it ends as well.
        std::thread::sleep(Duration::from_millis(20));
        end(&conversation);
        let over = loop {
            match conversation.next_timeout(Duration::from_secs(60)) {
                Some(Event::Done(outcome)) => break outcome.expect("no error of the host"),
                Some(_) => {}
                None => panic!("it is still judged"),
            }
        };
        assert_eq!(over.end, End::Cancelled);
    }
}

/// That it takes time in proportion to their number, the long run of `crates/fuzz/tests/it/judging.rs`
/// measures.
#[test]
fn many_questions_are_asked_each_with_its_context() {
    const COUNT: usize = 3_000;
    let mut text = String::from(r#"{"content":["#);
    for n in 0..COUNT {
        text.push_str(&format!(
            r#"{{"type":"text","text":"x"}},{{"type":"question","question":{{"id":"q{n}","text":"?","schema":{{"type":"boolean"}}}}}},"#
        ));
    }
    text.pop();
    text.push_str("]}");
    let limits = Limits {
        max_blocks: 10 * COUNT,
        ..Limits::default()
    };
    let parsed = parse(text.into_bytes(), &limits);
    let mut exchange = Exchange::new(
        Call::new("tool", Json::from("{}")),
        ExchangeOptions::default(),
    );
    exchange.handle_result(parsed);
    let mut asked = 0;
    while let Step::Ask(question) = exchange.step() {
        asked += 1;
        assert_eq!((question.context.len(), question.shown), (asked, asked - 1));
        let answer = Answer::accepted(Json::from(true), AnswerSource::User);
        exchange
            .handle_answer(&question.question.id, answer)
            .expect("it fits");
    }
    let exchanged = exchange.finish();
    assert_eq!((asked, exchanged.answers.len()), (COUNT, COUNT));
    let accepted = |answer: &Answer| answer.state() == AnswerState::Accepted;
    assert!(exchanged.answers.values().all(accepted));
}

/// The state of the answer to each question, where nobody answers.
fn states(text: &str, budget: Budget) -> Vec<(AnswerState, Option<String>)> {
    let options = ExchangeOptions {
        budget,
        ..ExchangeOptions::default()
    };
    let mut exchange = Exchange::new(Call::new("tool", Json::from("{}")), options);
    exchange.handle_result(parse(text.as_bytes().to_vec(), &Limits::default()));
    let mut signs = std::collections::BTreeMap::new();
    while let Step::Ask(asked) = exchange.step() {
        let id = asked.question.id.clone();
        signs.insert(id.clone(), asked.secret.map(|secret| secret.pointer));
        let declined = Answer::declined(AnswerSource::User);
        exchange.handle_answer(&id, declined).expect("it is open");
    }
    let answers = exchange.finish().answers.into_iter();
    answers
        .map(|(id, answer)| (answer.state(), signs.remove(&id).flatten()))
        .collect()
}

/// What is judged for secrets is taken from the budget.
#[test]
fn a_question_too_long_to_be_judged_is_not_asked() {
    let question = |id: &str, text: &str| {
        format!(r#"{{"type":"question","question":{{"id":"{id}","text":"{text}","schema":{{}}}}}}"#)
    };
    let long = "x".repeat(10_000);
    let text = [question("a", "?"), question("b", &long), question("c", "?")].join(",");
    let text = format!(r#"{{"content":[{text}]}}"#);
    let of = |steps| {
        let budget = Budget {
            steps,
            ..Budget::default()
        };
        let states = states(&text, budget).into_iter();
        states.map(|(state, _)| state).collect::<Vec<_>>()
    };
    let (asked, not) = (AnswerState::Declined, AnswerState::Unavailable);
    assert_eq!(of(30_000), [asked; 3]);
    assert_eq!(of(10_000), [not; 3]);
}

/// What is too much to be judged may ask for anything.
#[test]
fn more_context_than_is_judged_makes_a_question_suspected() {
    let block = |bytes: usize| format!(r#"{{"type":"text","text":"{}"}}"#, "x ".repeat(bytes / 2));
    let asks = |blocks: &[String], schema: &str| {
        let question = format!(
            r#"{{"type":"question","question":{{"id":"q","text":"Which?","schema":{schema}}}}}"#
        );
        let text = format!(r#"{{"content":[{},{question}]}}"#, blocks.join(","));
        states(&text, Budget::default()).remove(0).1
    };
    let text = r#"{"type":"string"}"#;
    let most = [block(1_048_576), block(1_048_576)];
    assert_eq!(asks(&most, text), None);
    let more = [block(1_048_576), block(1_048_576), block(2)];
    assert_eq!(asks(&more, text).as_deref(), Some("/context/2"));
    // What can't take a secret is asked as ever.
    assert_eq!(asks(&more, r#"{"type":"boolean"}"#), None);
}
