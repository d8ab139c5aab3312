//! The tool: it says back what it was called with, and some calls let it ask.

use std::process::ExitCode;

use toolwire_author::{Context, ContextError, Program, Tool, arguments, string};

/// Say what this call was.
#[arguments]
struct Call {
    /// Its number.
    number: u64,
    /// Something that is different in each call.
    text: String,
    /// Whether to ask.
    ask: bool,
}

fn repeat(call: Call, context: &Context) -> Result<String, ContextError> {
    let Call { number, text, ask } = call;
    let answer = match ask {
        true => context.answer("colour", string(format!("Which colour has {number}?")))?,
        false => "none".to_owned(),
    };
    Ok(format!("{number} {text} {answer}"))
}

pub fn main() -> ExitCode {
    Program::new().tool(Tool::new("repeat", repeat)).main()
}
