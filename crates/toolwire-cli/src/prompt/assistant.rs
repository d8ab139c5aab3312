//! What an assistant answered, told to the person at the terminal.

use toolwire::call::{Answer, AnswerState};
use toolwire::question::{Choice, Prompt};
use toolwire::{Json, terminal_safe};
use toolwire_host::{PendingQuestion, check_answer};

use super::above::Above;
use super::frame::{Line, Style, one_line};
use super::person::asked;
use super::{UNWRAPPED, WRAPPED, roomy, screen};
use crate::terminal;

/// The words by which a person knows who answered.
const WHO: &str = "the assistant";

/// Shows a question and what an assistant answered, if standard error is a terminal.
pub fn tell(asking: &PendingQuestion, answer: &Answer, color: bool) {
    let (_, is_terminal) = terminal::are_terminals();
    if !is_terminal {
        return;
    }
    let columns = roomy(screen::size()).columns;
    let mut rows = Above::new(&asked(asking, &[]), color).kept(columns);
    rows.push(outcome(asking, answer).fit(columns));
    let rows: Vec<String> = rows
        .iter()
        .map(|row| screen::painted(row, color) + "\n")
        .collect();
    let rows = rows.concat();
    // A terminal that can't move its cursor knows no modes either.
    let text = match std::env::var_os("TERM").is_some_and(|term| term == "dumb") {
        true => rows,
        false => format!("{UNWRAPPED}{rows}{WRAPPED}"),
    };
    terminal::put(text.as_bytes());
}

/// The row that says what was answered.
fn outcome(asking: &PendingQuestion, answer: &Answer) -> Line {
    let Some(value) = answer.value() else {
        let what = match answer.state() {
            AnswerState::Declined => format!("– {WHO} declined"),
            _ => format!("– {WHO} has no answer"),
        };
        return Line::new(Style::Dim, what);
    };
    let told = match one_line(&told(&asking.prompt, value)) {
        empty if empty.is_empty() => "(nothing)".to_owned(),
        told => told,
    };
    match check_answer(&asking.question, value) {
        Ok(()) => Line::new(Style::Good, "✓ ")
            .with(Style::Dim, format!("{WHO}: "))
            .with(Style::Plain, told),
        Err(_) => Line::new(Style::Bad, "✗ ")
            .with(
                Style::Dim,
                format!("{WHO} gave an answer that does not fit: "),
            )
            .with(Style::Plain, told),
    }
}

/// A value as a prompt would tell it.
fn told(prompt: &Prompt, value: &Json) -> String {
    let label = |choices: &[Choice], value: &Json| {
        let chosen = choices.iter().find(|choice| choice.value == *value);
        chosen.map_or_else(|| plain(value), |choice| choice.label.clone())
    };
    match prompt {
        Prompt::Boolean => match value.as_str() {
            "true" => "Yes".to_owned(),
            "false" => "No".to_owned(),
            other => other.to_owned(),
        },
        Prompt::Select(choices) => label(choices, value),
        Prompt::MultiSelect { choices, .. } => {
            let values: Vec<Json> = value.to_value().unwrap_or_default();
            let labels: Vec<String> = values.iter().map(|value| label(choices, value)).collect();
            labels.join(", ")
        }
        _ => plain(value),
    }
}

/// A string as its text, anything else as JSON.
fn plain(value: &Json) -> String {
    let text = value.to_value::<String>();
    let text = text.unwrap_or_else(|_| value.as_str().to_owned());
    terminal_safe(&text, false)
}
