//! Code fences: one that nothing inside can close, and one that closes what a cut left open.

/// A fence that is longer than every run of backticks in `text`, and at least three long (FMT-10).
pub(super) fn around(text: &str) -> String {
    "`".repeat(longest_run(text, b'`').max(2) + 1)
}

/// The longest run of a byte.
fn longest_run(text: &str, byte: u8) -> usize {
    text.as_bytes()
        .split(|b| *b != byte)
        .map(<[u8]>::len)
        .max()
        .unwrap_or(0)
}

/// The most bytes that closing an open fence can take anywhere in `text`: a line feed, the fence,
/// and the line feeds that then stand behind it (FMT-27).
pub(super) fn closing_reserve(text: &str) -> usize {
    match longest_run(text, b'`').max(longest_run(text, b'~')) {
        0..=2 => 0,
        run => run + 2,
    }
}

/// The fence that would close the code block that `text` leaves open, by CommonMark's rules for
/// fences that are not inside a list or quote (FMT-27).
pub(super) fn left_open(text: &str) -> Option<String> {
    let mut open: Option<(char, usize)> = None;
    for line in text.split('\n') {
        let line = line.strip_suffix('\r').unwrap_or(line);
        let body = line.trim_start_matches(' ');
        let Some(mark) = body.chars().next().filter(|c| matches!(c, '`' | '~')) else {
            continue;
        };
        let rest = body.trim_start_matches(mark);
        let run = body.len() - rest.len();
        if line.len() - body.len() > 3 || run < 3 {
            continue;
        }
        match open {
            None if mark == '~' || !rest.contains('`') => open = Some((mark, run)),
            Some((opened, length))
                if opened == mark && run >= length && rest.trim_matches([' ', '\t']).is_empty() =>
            {
                open = None;
            }
            _ => {}
        }
    }
    open.map(|(mark, run)| mark.to_string().repeat(run))
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

    #[test]
    fn open_fences_are_found() {
        for (text, expected) in [
            ("plain", None),
            ("```rs\nfn", Some("```")),
            ("```rs\nfn\n```", None),
            ("```rs\nfn\n```\nmore", None),
            ("````\n```\n", Some("````")),
            ("~~~ a`b\nx", Some("~~~")),
            ("~~~\n```\n~~~~", None),
            ("``` a`b\nx", None),
            ("    ```\nx", None),
            ("   ```\nx", Some("```")),
            ("```\n``` no\n", Some("```")),
            ("```\r\nx\r\n```\r\n", None),
            ("```\nx\n``` \t", None),
            ("``", None),
        ] {
            assert_eq!(left_open(text).as_deref(), expected, "{text:?}");
        }
    }
}
