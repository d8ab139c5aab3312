//! Whether what a terminal got is free of what a tool may not send it.

/// Checks the bytes that a terminal got. What the command itself draws is taken away first: simple
/// control sequences of which no parameter has four digits, and carriage returns that end or begin a
/// line. The payloads use four digits, so that theirs are left, and what is left must be as
/// `terminal_safe` would have it.
pub fn check(seen: &[u8], payload: &[u8]) -> Result<(), String> {
    let Ok(text) = std::str::from_utf8(seen) else {
        return Err("bytes that are not UTF-8".to_owned());
    };
    let left = without_own(text);
    let safe = toolwire::terminal_safe(&left, false);
    if let Some(at) = left.bytes().zip(safe.bytes()).position(|(a, b)| a != b) {
        let around = left.as_bytes()[at.saturating_sub(20)..].iter().take(60);
        let around: Vec<u8> = around.copied().collect();
        return Err(format!("{:?}", String::from_utf8_lossy(&around)));
    }
    if left.len() != safe.len() {
        return Err(format!("{} bytes, not {}", left.len(), safe.len()));
    }
    // What would be allowed by itself, such as a colour or a return, must not come whole. A short one
    // may be ours, and so may a return at the end of a line.
    let lines = |text: &str| text.replace("\r\n", "\n");
    let payload = lines(&String::from_utf8_lossy(payload));
    let payload = payload.trim_end_matches('\r');
    let whole =
        payload.len() > 6 && payload.contains(['\x1b', '\r']) && lines(text).contains(payload);
    match whole {
        true => Err("the payload to the letter".to_owned()),
        false => Ok(()),
    }
}

fn without_own(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if let Some(length) = own_sequence(rest) {
            rest = &rest[length..];
            continue;
        }
        if c != '\r' {
            out.push(c);
        }
        rest = &rest[c.len_utf8()..];
    }
    out
}

/// The length of a control sequence that the command may write.
fn own_sequence(text: &str) -> Option<usize> {
    let inside = text.strip_prefix("\x1b[")?;
    let last = inside.find(|c: char| c.is_ascii_alphabetic())?;
    let parameters = inside[..last].strip_prefix('?').unwrap_or(&inside[..last]);
    let few = parameters.split([';', ':']).all(|one| {
        one.bytes().all(|byte| byte.is_ascii_digit()) && (one.len() < 4 || one == "2004")
    });
    let moves = "ABCDEFGHJKSTfhlmnrsu".contains(char::from(inside.as_bytes()[last]));
    (few && moves).then_some("\x1b[".len() + last + 1)
}

#[test]
fn it_tells_ours_from_theirs() {
    for ours in [
        "plain\r\n",
        "\x1b[1;31merror\x1b[0m",
        "\r\x1b[2K\x1b[?25l⠋ tool  0 s",
        "\x1b[?2004h",
    ] {
        assert_eq!(check(ours.as_bytes(), b""), Ok(()), "{ours:?}");
    }
    for theirs in [
        &b"\x1b[4242;4242H"[..],
        b"\x1b]0;title\x07",
        b"\x1bP4242q\x1b\\",
        b"\x07",
        b"\xff",
        "\u{9b}4242A".as_bytes(),
        "\u{202e}".as_bytes(),
    ] {
        assert!(check(theirs, b"").is_err(), "{theirs:?}");
    }
    assert!(check(b"yes\rnot", b"yes\rnot").is_err());
}
