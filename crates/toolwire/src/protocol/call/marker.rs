//! How a program says that it reads calls, without being run (CALL-53).

use std::hint::black_box;
use std::io::{self, Read};

use memchr::memmem::Finder;

/// The string that a compiled program holds to say that it reads calls and describes itself (CALL-53).
///
/// `toolwire-author` puts it into each program that calls `Program::main`.
///
/// ```
/// assert_eq!(toolwire::call::BINARY_MARKER.len(), 36);
/// ```
pub const BINARY_MARKER: &str = "toolwire-tool 1 5fd2f0c9a7e44be18d63";

/// How many bytes of a text are searched for a marker (CALL-51).
const TEXT_BOUND: usize = 64 * 1024;

/// How many bytes of a binary are searched for a marker (CALL-53).
const BINARY_BOUND: u64 = 64 * 1024 * 1024;

/// What a comment says that marks its file.
const COMMENT: &[u8] = b"toolwire-tool: 1";

/// The marker backwards: a program that looks for it must not hold it.
const BACKWARDS: [u8; BINARY_MARKER.len()] = backwards(BINARY_MARKER.as_bytes());

/// The first bytes of ELF, PE and Mach-O files: for one processor or several, in either byte order.
const BINARY: [&[u8]; 8] = [
    b"\x7fELF",
    b"MZ",
    b"\xfe\xed\xfa\xce",
    b"\xfe\xed\xfa\xcf",
    b"\xce\xfa\xed\xfe",
    b"\xcf\xfa\xed\xfe",
    b"\xca\xfe\xba\xbe",
    b"\xca\xfe\xba\xbf",
];

/// By what a program says that it reads calls.
///
/// ```
/// assert_eq!(toolwire::call::Marker::Comment.as_str(), "comment");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Marker {
    /// A line of a text that is a comment with the words `toolwire-tool: 1`.
    Comment,
    /// A line of a text that imports Toolwire's library.
    Import,
    /// The bytes of [`BINARY_MARKER`] in an executable file.
    Binary,
}

closed_words!(Marker, "a marker", {
    Comment => "comment",
    Import => "import",
    Binary => "binary",
});

/// The marker of a program, from the bytes of its file; `None` if it has none (CALL-53).
///
/// At most 65,537 bytes of a text are read, and at most 64 MiB of an ELF, Mach-O or PE file.
///
/// # Errors
///
/// Those of `file`.
///
/// ```
/// use toolwire::call::{Marker, find_marker};
///
/// let script = b"#!/bin/sh\n# toolwire-tool: 1\ncall=$(cat)\n";
/// assert_eq!(find_marker(&script[..])?, Some(Marker::Comment));
/// assert_eq!(find_marker(&b"echo import toolwire\n"[..])?, None);
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn find_marker(mut file: impl Read) -> io::Result<Option<Marker>> {
    let mut start = Vec::new();
    file.by_ref()
        .take(TEXT_BOUND as u64 + 1)
        .read_to_end(&mut start)?;
    if BINARY.iter().any(|magic| start.starts_with(magic)) {
        let found = is_in_binary(start, file)?;
        return Ok(found.then_some(Marker::Binary));
    }
    Ok(in_text(&start))
}

/// Whether the bytes are in what was read, or in what follows it within the bound.
fn is_in_binary(mut window: Vec<u8>, file: impl Read) -> io::Result<bool> {
    const CHUNK: u64 = 256 * 1024;
    let needle: Vec<u8> = black_box(&BACKWARDS).iter().rev().copied().collect();
    let finder = Finder::new(&needle);
    let mut rest = file.take(BINARY_BOUND - window.len() as u64);
    loop {
        if finder.find(&window).is_some() {
            return Ok(true);
        }
        // What may be the beginning of it stays.
        let stale = window.len().saturating_sub(needle.len() - 1);
        window.drain(..stale);
        if rest.by_ref().take(CHUNK).read_to_end(&mut window)? == 0 {
            return Ok(false);
        }
    }
}

/// The marker of the first line that has one, of those that end within the bound.
fn in_text(start: &[u8]) -> Option<Marker> {
    let cut = start.len() > TEXT_BOUND;
    let text = &start[..start.len().min(TEXT_BOUND)];
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let mut lines: Vec<&[u8]> = text.split(|byte| *byte == b'\n').collect();
    if cut {
        lines.pop();
    }
    lines.into_iter().find_map(of_line)
}

fn of_line(line: &[u8]) -> Option<Marker> {
    if is_comment(line.trim_ascii()) {
        return Some(Marker::Comment);
    }
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    is_import(line).then_some(Marker::Import)
}

/// Whether a line is a comment sign and the words (CALL-51).
fn is_comment(line: &[u8]) -> bool {
    let Some(rest) = line.strip_suffix(COMMENT) else {
        let inner = line
            .strip_prefix(b"/*")
            .and_then(|line| line.strip_suffix(b"*/"));
        return inner.is_some_and(|inner| inner.trim_ascii() == COMMENT);
    };
    let sign = rest.trim_ascii_end();
    let all = |sort: u8| sign.iter().all(|byte| *byte == sort);
    match sign {
        b"--" | b"::" => true,
        [b'/', b'/', ..] => all(b'/'),
        [first @ (b'#' | b';' | b'%'), ..] => all(*first),
        _ => false,
    }
}

/// Whether a line imports the library, in Python, JavaScript or Rust (CALL-52).
fn is_import(line: &[u8]) -> bool {
    is_python(line) || is_javascript(line) || is_rust(line)
}

fn is_python(line: &[u8]) -> bool {
    if let Some(module) = after_word(line, b"from") {
        let Some(rest) = module.strip_prefix(b"toolwire") else {
            return false;
        };
        let name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.');
        let path = rest.iter().take_while(|byte| name(byte)).count();
        return (path == 0 || rest[0] == b'.')
            && after_word(rest[path..].trim_ascii_start(), b"import").is_some();
    }
    let Some(modules) = after_word(line, b"import") else {
        return false;
    };
    modules.split(|byte| *byte == b',').any(|module| {
        let rest = module.trim_ascii_start().strip_prefix(b"toolwire");
        rest.is_some_and(|rest| match rest.first() {
            None => true,
            Some(next) => next.is_ascii_whitespace() || b".;#".contains(next),
        })
    })
}

fn is_javascript(line: &[u8]) -> bool {
    let begins = |word: &[u8]| {
        let rest = line.strip_prefix(word);
        rest.is_some_and(|rest| rest.first().is_none_or(|next| !is_name(*next)))
    };
    if ![&b"import"[..], b"const", b"let", b"var"]
        .into_iter()
        .any(begins)
        && !line.starts_with(b"}")
    {
        return false;
    }
    // Where the first string of the line begins; a comment before it has the last word.
    let Some(quote) = line.iter().position(|byte| b"'\"`".contains(byte)) else {
        return false;
    };
    let (before, string) = line.split_at(quote);
    let named = [&b"'toolwire'"[..], b"\"toolwire\""];
    let commented = before.windows(2).any(|two| two == b"//" || two == b"/*");
    if commented || !named.iter().any(|name| string.starts_with(name)) {
        return false;
    }
    let before = before.trim_ascii_end();
    before == b"import"
        || ends_with_word(before, b"from")
        || [&b"require"[..], b"import"].iter().any(|word| {
            let called = before.strip_suffix(b"(").map(<[u8]>::trim_ascii_end);
            called.is_some_and(|called| ends_with_word(called, word))
        })
}

fn is_rust(line: &[u8]) -> bool {
    let module = after_word(line, b"use").and_then(|rest| rest.strip_prefix(b"toolwire_author"));
    module.is_some_and(|rest| matches!(rest.first(), Some(b':' | b';' | b' ')))
}

/// What stands behind a word and the spaces after it; `None` if the line does not begin with them.
fn after_word<'a>(line: &'a [u8], word: &[u8]) -> Option<&'a [u8]> {
    let rest = line.strip_prefix(word)?;
    let space = rest.first().is_some_and(u8::is_ascii_whitespace);
    space.then(|| rest.trim_ascii_start())
}

fn ends_with_word(text: &[u8], word: &[u8]) -> bool {
    let before = text.strip_suffix(word).map(<[u8]>::last);
    before.is_some_and(|last| last.is_none_or(|byte| !is_name(*byte) && *byte != b'.'))
}

/// Whether a byte can be part of a name in JavaScript.
fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || !byte.is_ascii()
}

const fn backwards<const N: usize>(text: &[u8]) -> [u8; N] {
    let mut result = [0; N];
    let mut at = 0;
    while at < N {
        result[at] = text[N - 1 - at];
        at += 1;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file of which little is read at a time.
    struct Drip<'a>(&'a [u8]);

    impl Read for Drip<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let most = buffer.len().min(self.0.len()).min(7_001);
            buffer[..most].copy_from_slice(&self.0[..most]);
            self.0 = &self.0[most..];
            Ok(most)
        }
    }

    #[test]
    fn a_binary_is_searched_up_to_its_bound() {
        let bound = BINARY_BOUND as usize;
        let mut file = vec![0; bound + 100];
        file[..4].copy_from_slice(b"\x7fELF");
        assert_eq!(find_marker(&file[..]).unwrap(), None);
        // Across chunks, at the last place where it fits, and a byte beyond.
        let last = bound - BINARY_MARKER.len();
        for (at, found) in [
            (4, true),
            (TEXT_BOUND - 10, true),
            (TEXT_BOUND + 256 * 1024 - 10, true),
            (last, true),
            (last + 1, false),
        ] {
            let place = at..at + BINARY_MARKER.len();
            file[place.clone()].copy_from_slice(BINARY_MARKER.as_bytes());
            let expected = found.then_some(Marker::Binary);
            assert_eq!(find_marker(&file[..]).unwrap(), expected, "{at}");
            file[place].fill(0);
        }
    }

    #[test]
    fn a_file_may_come_in_pieces() {
        let mut file = b"MZ".to_vec();
        file.resize(100_000, 1);
        file.extend_from_slice(BINARY_MARKER.as_bytes());
        assert_eq!(find_marker(Drip(&file)).unwrap(), Some(Marker::Binary));
        let mut text = vec![b'\n'; 60_000];
        text.extend_from_slice(b"# toolwire-tool: 1");
        assert_eq!(find_marker(Drip(&text)).unwrap(), Some(Marker::Comment));
    }
}
