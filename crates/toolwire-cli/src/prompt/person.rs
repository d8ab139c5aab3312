//! A question of the host, put to the person at the terminal while the host waits.

use std::collections::BTreeMap;
use std::io;

use toolwire::Json;
use toolwire::block::Question;
use toolwire::call::Answer;
use toolwire::question::Prompt;
use toolwire_host::{CheckError, Mismatch, PendingQuestion, check_answer};

use super::{Asked, ask, page};

/// Asks the person at the terminal. The answer fits the question's schema; there is none if Ctrl-C is to end the
/// call.
///
/// Whoever drops this withdraws the question: the prompt goes away, an editor is ended, and the
/// terminal is as it was when the drop returns.
///
/// # Errors
///
/// The terminal can't be read or written.
pub async fn ask_person(asking: &PendingQuestion, color: bool) -> io::Result<Option<Answer>> {
    let errors = messages(&asking.mismatches);
    let check = |value: &Json| match check_answer(&asking.question, value) {
        Ok(()) => Ok(()),
        Err(CheckError::Mismatches(found)) => Err(messages(&found)),
        Err(CheckError::BadSchema(error) | CheckError::OverBudget(error)) => {
            Err(vec![error.to_string()])
        }
    };
    ask(&asked(asking, &errors), color, &check).await
}

/// Asks a question of the host's own. There is nothing if it was not answered, and an error for Ctrl-C.
///
/// # Errors
///
/// The terminal can't be read or written, or Ctrl-C is to end the command.
pub async fn ask_own(
    text: &str,
    prompt: Prompt,
    default: Option<Json>,
    color: bool,
) -> io::Result<Option<Json>> {
    let question = Question {
        default: default.clone(),
        id: "host".to_owned(),
        schema: Json::empty_object(),
        text: text.to_owned(),
        url: None,
        extra: BTreeMap::new(),
    };
    let asked = Asked {
        tool: None,
        own: true,
        question: &question,
        prompt: &prompt,
        default: default.as_ref(),
        context: &[],
        errors: &[],
        masked: false,
        sign: None,
        warning: None,
    };
    match ask(&asked, color, &|_| Ok(())).await? {
        Some(answer) => Ok(answer.value().cloned()),
        None => Err(io::ErrorKind::Interrupted.into()),
    }
}

/// A question of the host, as prompts have it.
pub fn asked<'a>(asking: &'a PendingQuestion, errors: &'a [String]) -> Asked<'a> {
    Asked {
        tool: asking.tool.as_deref(),
        own: false,
        question: &asking.question,
        prompt: &asking.prompt,
        default: asking.default.as_ref(),
        context: asking.context.get(asking.shown..).unwrap_or_default(),
        errors,
        masked: asking.secret.is_some(),
        sign: asking.secret.as_ref().map(|secret| &*secret.pointer),
        warning: match &asking.question.url {
            Some(url) => page::warning(url),
            None => asking.warning.clone(),
        },
    }
}

fn messages(mismatches: &[Mismatch]) -> Vec<String> {
    mismatches
        .iter()
        .map(|found| found.message.clone())
        .collect()
}
