//! Count down, second by second: a tool that keeps running.
//!
//! While it counts, a number that is applied to it is where it goes on. At the end it asks, and waits for the answer
//! where it stands.

use std::process::ExitCode;
use std::time::Duration;

use serde_json::Value;
use toolwire_author::toolwire::call::SessionAction;
use toolwire_author::{Context, Error, Program, Tool, arguments, boolean, progress};

/// Count down, and ask before the launch.
#[arguments]
struct Countdown {
    /// Where to begin.
    #[serde(default = "ten")]
    #[schemars(range(min = 1, max = 1000))]
    from: u64,
    /// How long a step takes, in seconds.
    #[serde(default = "one")]
    #[schemars(range(min = 0, max = 60))]
    step: f64,
}

fn ten() -> u64 {
    10
}

fn one() -> f64 {
    1.0
}

fn countdown(args: Countdown, ctx: &Context) -> Result<&'static str, Error> {
    let said = count(&args, ctx);
    if let Some(why) = ctx.ending() {
        // A real tool would stop its motors here.
        ctx.emit(format!("the tanks are drained ({})", why.as_str()))?;
    }
    said
}

fn count(args: &Countdown, ctx: &Context) -> Result<&'static str, Error> {
    let mut left = args.from;
    while left > 0 {
        progress(
            args.from.saturating_sub(left) as f64,
            Some(args.from as f64),
            None,
        );
        ctx.emit(left.to_string())?;
        left = match ctx.recv_timeout::<Value>(Duration::from_secs_f64(args.step))? {
            None => left - 1,
            Some(input) => match input.as_u64().filter(|left| (1..=1000).contains(left)) {
                Some(new) => new,
                None => {
                    ctx.emit(format!("a number from 1 to 1000 is needed, not {input}"))?;
                    left
                }
            },
        };
    }
    match ctx.answer("launch", boolean("Launch?"))? {
        true => Ok("Lift-off."),
        false => Ok("Scrubbed."),
    }
}

fn main() -> ExitCode {
    Program::new()
        .tool(
            Tool::session("countdown", countdown)
                .actions([SessionAction::Apply, SessionAction::Abort]),
        )
        .main()
}
