//! A session around a real `sh`: each line that it prints is a block, a line that begins with `? ` is a question as
//! JSON, one that begins with `?! ` is a question for the user alone, and what it is given comes as lines.

use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::sync::mpsc;
use toolwire::call::ToolDescription;
use toolwire::json::ObjectWriter;
use toolwire::question::read_question;
use toolwire::{Exit, Json};
use toolwire_host::{
    Child, Command, ProcessOptions, Running, SessionStart, SessionTool, SessionTransport,
    ToolRequest, ToolRequestReceiver, ToolUpdate,
};

#[derive(Debug, Clone)]
pub struct Shell {
    pub script: String,
    /// Whether what it is given is left in the queue, as by a program that does not read.
    pub deaf: bool,
}

impl Shell {
    pub fn new(script: &str) -> Self {
        Shell {
            script: script.to_owned(),
            deaf: false,
        }
    }
}

/// A tool with these actions around a script.
pub fn tool(name: &str, actions: &str, script: &str) -> SessionTool {
    SessionTool::new(description(name, actions), Arc::new(Shell::new(script)))
}

pub fn description(name: &str, actions: &str) -> ToolDescription {
    let actions: Vec<String> = actions
        .split_whitespace()
        .map(|action| format!("\"{action}\""))
        .collect();
    let meta = match actions.is_empty() {
        true => String::new(),
        false => format!(
            r#","_meta":{{"dev.toolwire/actions":[{}]}}"#,
            actions.join(",")
        ),
    };
    let json = format!(r#"{{"name":"{name}","inputSchema":{{"type":"object"}}{meta}}}"#);
    ToolDescription::from_json(&json).expect("a description")
}

impl SessionTransport for Shell {
    fn start(&self, start: SessionStart) -> Running {
        let shell = self.clone();
        Running::new(move |given, told| shell.drive(start, given, told))
    }
}

impl Shell {
    async fn drive(
        self,
        start: SessionStart,
        mut given: ToolRequestReceiver,
        told: mpsc::Sender<ToolUpdate>,
    ) {
        let command = Command::new("sh").args(["-c", &self.script]);
        let options = ProcessOptions {
            grace: start.grace,
            ..ProcessOptions::default()
        };
        let mut child = match Child::start(&command, &options) {
            Ok(started) => started,
            Err(error) => {
                let _ = told.send(ToolUpdate::Crash(error.to_string())).await;
                return;
            }
        };
        let (mut stdin, stdout, _) = child.take_pipes();
        let mut lines = BufReader::new(stdout.expect("a pipe")).lines();
        let deaf = self.deaf;
        loop {
            tokio::select! {
                line = lines.next_line() => match line {
                    Ok(Some(line)) => {
                        if told.send(said(&line)).await.is_err() {
                            return;
                        }
                    }
                    _ => break,
                },
                Some(given) = given.recv(), if !deaf => match given {
                    ToolRequest::Input(value) | ToolRequest::PersonInput(value) => {
                        let text = value.to_text().unwrap_or_else(|| value.as_str().to_owned());
                        write(&mut stdin, &text).await;
                    }
                    ToolRequest::Answer { id, answer } => {
                        let value = answer.value().map_or("", Json::as_str);
                        let state = answer.state();
                        write(&mut stdin, format!("{id} {state} {value}").trim_end()).await;
                    }
                    _ => {
                        drop(stdin.take());
                        // It may say something yet, and is killed if it does not end.
                        let exit = child.stop(start.grace).await;
                        while let Ok(Some(line)) = lines.next_line().await {
                            let _ = told.send(said(&line)).await;
                        }
                        let _ = told.send(ended(exit)).await;
                        return;
                    }
                },
            }
        }
        let exit = child.stop(Duration::from_secs(60)).await;
        let _ = told.send(ended(exit)).await;
    }
}

async fn write(stdin: &mut Option<tokio::process::ChildStdin>, line: &str) {
    if let Some(stdin) = stdin {
        let _ = stdin.write_all(format!("{line}\n").as_bytes()).await;
        let _ = stdin.flush().await;
    }
}

fn said(line: &str) -> ToolUpdate {
    let question = |json: &str, person| ToolUpdate::Question {
        question: read_question(json).expect("a question"),
        person,
    };
    if let Some(json) = line.strip_prefix("? ") {
        return question(json, false);
    }
    if let Some(json) = line.strip_prefix("?! ") {
        return question(json, true);
    }
    let block = ObjectWriter::new()
        .text("type", "text")
        .text("text", line)
        .end();
    ToolUpdate::Output(vec![Json::new(block).expect("JSON")])
}

fn ended(exit: Exit) -> ToolUpdate {
    match exit {
        Exit::Code(status) => ToolUpdate::Exit(status),
        Exit::Signal(signal) => ToolUpdate::Crash(format!("signal {signal}")),
    }
}
