//! Repeating calls whose error may pass.

use std::time::Duration;

use toolwire::call::ToolDescription;

use crate::args::EachArgs;
use crate::exit::{Failure, Result};

/// The first pause, which doubles, and the longest one.
const FIRST: Duration = Duration::from_millis(500);
const LONGEST: Duration = Duration::from_secs(30);

/// How often a call may be repeated. It is refused for a tool that does not say that it may.
pub fn allowed(args: &EachArgs, tool: Option<&ToolDescription>, label: &str) -> Result<u32> {
    let hints = tool.and_then(|tool| tool.annotations.as_ref());
    let safe =
        hints.is_some_and(|hints| hints.read_only == Some(true) || hints.idempotent == Some(true));
    match args.retry {
        Some(1..) if !safe && !args.retry_unsafe => Err(Failure::Wrong(vec![format!(
            "`{label}` declares neither `readOnlyHint` nor `idempotentHint`, so `--retry` might do \
             twice what it does; add `--retry-unsafe` if that does no harm"
        )])),
        times => Ok(times.unwrap_or(0)),
    }
}

/// The pause before a repetition, the first of which is 0.
pub fn pause(repetition: u32) -> Duration {
    FIRST
        .saturating_mul(2_u32.saturating_pow(repetition))
        .min(LONGEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_the_longest() {
        let millis = |n| pause(n).as_millis();
        assert_eq!([0, 1, 2, 5].map(millis), [500, 1000, 2000, 16_000]);
        assert_eq!([6, 7, 40, u32::MAX].map(millis), [30_000; 4]);
    }
}
