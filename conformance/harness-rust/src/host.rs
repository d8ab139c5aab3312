//! The operations of scripts: what the host does with a program that the runner gives it.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::time::sleep;
use toolwire::call::{Answer, Call, ToolDescription};
use toolwire::{Error, Json};
use toolwire_ffi::exchange::read_answer;
use toolwire_host::{
    Approval, ApprovalRequest, CallOptions, CallOutcome, Command, Environment, EventObserver,
    LineSession, LineWorkers, PendingQuestion, Process, ProcessOptions, SessionAnswerer,
    SessionApprover, SessionTool, Sessions, SessionsOptions, WorkerOptions, call_until, list_tools,
};

use crate::integers::text_of;
use crate::reading::reading;

/// Runs one of the operations; what the host itself refuses is the member `failed`.
pub fn run(op: &str, options: &Value) -> Result<Value, Error> {
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    let runtime = toolwire_host::build_runtime(builder.worker_threads(2)).expect("a runtime");
    runtime.block_on(async {
        match op {
            "host_run" => host_run(options).await,
            "host_list" => host_list(options).await,
            "host_lines" => host_lines(options).await,
            _ => host_session(options).await,
        }
    })
}

async fn host_run(options: &Value) -> Result<Value, Error> {
    let events = Arc::new(Mutex::new(Vec::new()));
    let mut process = process(options);
    if options["listen"] == json!(true) {
        let events = Arc::clone(&events);
        process.options.on_event = Some(EventObserver::new(move |event| {
            let event = serde_json::from_str::<Value>(&event.to_json()).expect("JSON");
            events.lock().expect("a lock").push(event);
        }));
    }
    let began = Instant::now();
    let mut answerer = answerer(options);
    let cancel = after(options["cancelAfterMs"].as_u64());
    let settings = CallOptions::default();
    let outcome = call_until(
        &process,
        document(options)?,
        &settings,
        &mut answerer,
        cancel,
    )
    .await;
    let elapsed = began.elapsed().as_millis();
    let mut result = match outcome {
        Ok(outcome) => told(&outcome),
        Err(error) => json!({"failed": error.kind().as_str()}),
    };
    result["elapsedMs"] = json!(elapsed);
    result["events"] = Value::Array(events.lock().expect("a lock").clone());
    Ok(result)
}

async fn host_list(options: &Value) -> Result<Value, Error> {
    Ok(match list_tools(&process(options)).await {
        Ok(list) => json!({
            "tools": list.tools.map(|tools| {
                tools.into_iter().map(|tool| tool.name).collect::<Vec<_>>()
            }),
            "reading": reading(&list.reply.parsed),
        }),
        Err(error) => json!({"failed": error.kind().as_str()}),
    })
}

/// Calls of one worker, one after the other or, with `together`, at the same time.
async fn host_lines(options: &Value) -> Result<Value, Error> {
    let workers = LineWorkers::new(WorkerOptions {
        max_workers: 1,
        max_wait: Duration::from_secs(30),
        ..WorkerOptions::default()
    });
    let (mut open, mut outcomes) = (Vec::new(), Vec::new());
    let began = Instant::now();
    for each in options["calls"].as_array().into_iter().flatten() {
        let tool = workers.process(process(options));
        let (document, cancel) = (document(each)?, each["cancelAfterMs"].as_u64());
        let mut answerer = answerer(options);
        let task = tokio::spawn(async move {
            let settings = CallOptions::default();
            call_until(&tool, document, &settings, &mut answerer, after(cancel)).await
        });
        if options["together"] == json!(true) {
            open.push(task);
        } else {
            outcomes.push(task.await);
        }
    }
    for task in open {
        outcomes.push(task.await);
    }
    let elapsed = began.elapsed().as_millis();
    workers.close().await;
    let results = outcomes
        .into_iter()
        .map(|outcome| match outcome.expect("a call") {
            Ok(outcome) => told(&outcome),
            Err(error) => json!({"failed": error.kind().as_str()}),
        });
    Ok(json!({"results": results.collect::<Vec<_>>(), "elapsedMs": elapsed}))
}

/// What a model and the host do with the handles of one program, step by step.
async fn host_session(options: &Value) -> Result<Value, Error> {
    let approve = options["approve"] != json!(false);
    let approver = SessionApprover::new(move |_: ApprovalRequest| async move {
        if approve {
            Approval::Granted
        } else {
            Approval::Declined(None)
        }
    });
    let sessions = Sessions::new(SessionsOptions {
        answerer: options["replies"]
            .is_object()
            .then(|| SessionAnswerer::new(answerer(options))),
        approver: Some(approver),
        // A program may take a while to start on a busy machine.
        first_wait: Duration::from_secs(20),
        ..SessionsOptions::default()
    });
    for tool in options["tools"].as_array().into_iter().flatten() {
        let description = ToolDescription::from_json(&text_of(tool))?;
        let Process {
            command, options, ..
        } = process(options);
        let line = Arc::new(LineSession::new(command, options));
        sessions.add(SessionTool::new(description, line));
    }
    let began = Instant::now();
    let mut envelopes = Vec::new();
    for step in options["steps"].as_array().into_iter().flatten() {
        if let Some(time) = step["sleepMs"].as_u64() {
            sleep(Duration::from_millis(time)).await;
        } else if step["endOfTurn"] == json!(true) {
            sessions.end_of_turn().await;
        } else {
            let name = step["tool"].as_str().unwrap_or("fake");
            let envelope = sessions
                .handle(name, &Json::new(text_of(&step["call"]))?)
                .await;
            envelopes.push(serde_json::from_str::<Value>(&envelope).expect("JSON"));
        }
    }
    let elapsed = began.elapsed().as_millis();
    sessions.close().await;
    Ok(json!({"envelopes": envelopes, "elapsedMs": elapsed}))
}

/// The program, as the options say that it is started.
fn process(options: &Value) -> Process {
    let strings = |name: &str| -> Vec<String> {
        let list = options[name].as_array().into_iter().flatten();
        list.filter_map(Value::as_str).map(str::to_owned).collect()
    };
    let mut words = strings("program").into_iter();
    let command = Command::new(words.next().expect("a program")).args(words);
    let mut environment = Environment::standard();
    for (name, value) in options["env"].as_object().into_iter().flatten() {
        environment = environment.with(name, value.as_str().unwrap_or_default());
    }
    let mut own = ProcessOptions {
        environment,
        timeout: options["timeoutMs"].as_u64().map(Duration::from_millis),
        cwd: options["cwd"].as_str().map(Into::into),
        ..ProcessOptions::default()
    };
    if let Some(most) = options["maxOutput"].as_u64() {
        own.max_output = most as usize;
    }
    Process::new(command, own)
}

fn document(options: &Value) -> Result<Call, Error> {
    let arguments = options
        .get("arguments")
        .map_or_else(|| "{}".to_owned(), text_of);
    Ok(Call::new("fake", Json::new(arguments)?))
}

/// Answers each question as the member `replies` says, each time with the next one.
fn answerer(options: &Value) -> impl FnMut(&PendingQuestion) -> Answer + Send + use<> {
    let mut replies = options["replies"].clone();
    move |asking| {
        let of = replies[&*asking.question.id].as_array_mut();
        let reply = match of {
            Some(of) if !of.is_empty() => of.remove(0),
            _ => json!({"state": "unavailable"}),
        };
        let value = reply.get("value").map(text_of);
        let (state, source) = (reply["state"].as_str(), reply["source"].as_str());
        read_answer(
            state.unwrap_or("accepted"),
            source.unwrap_or("user"),
            value.as_deref(),
        )
        .expect("an answer")
    }
}

/// Done after a time, or never.
async fn after(time: Option<u64>) {
    match time {
        Some(time) => sleep(Duration::from_millis(time)).await,
        None => std::future::pending().await,
    }
}

/// The outcome of a call: its reading, and how it went.
fn told(outcome: &CallOutcome) -> Value {
    let mut told = reading(&outcome.parsed);
    told["stopped"] = json!(outcome.report.stopped.map(|reason| reason.as_str()));
    told["rounds"] = json!(outcome.rounds);
    told["end"] = json!(outcome.end.as_str());
    told["stderrTail"] = json!(outcome.report.stderr.len());
    told
}
