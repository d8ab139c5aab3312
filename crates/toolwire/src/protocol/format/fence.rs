//! Code fences that nothing inside can close.

/// A fence that is longer than every run of backticks in `text`, and at least three long (FMT-10).
pub(super) fn around(text: &str) -> String {
    "`".repeat(longest_run(text).max(2) + 1)
}

/// The longest run of backticks.
fn longest_run(text: &str) -> usize {
    text.as_bytes()
        .split(|b| *b != b'`')
        .map(<[u8]>::len)
        .max()
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fence_is_longer_than_every_run() {
        for (text, fence) in [
            ("", "```"),
            ("a`b``c", "```"),
            ("```", "````"),
            ("x\n`````\ny```", "``````"),
        ] {
            assert_eq!(around(text), fence, "{text:?}");
        }
    }
}
