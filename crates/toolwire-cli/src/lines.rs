//! Logs with one output a line (NDJSON), read in bounded memory.

use std::io::Read;

use memchr::memchr;

use crate::exit::{Failure, Result};
use crate::input::Source;

/// How much is read at once.
const CHUNK: usize = 256 * 1024;

/// One line that is not blank.
pub struct Line<'a> {
    /// The line's number, from 1; blank lines count.
    pub number: u64,
    /// The byte at which it begins.
    pub offset: u64,
    /// The line without its end. Of a line over the limit, one byte more than the limit.
    pub bytes: &'a [u8],
}

/// Calls `each` for every line that is not blank, and `progress` with the bytes read since.
///
/// Memory stays within the longest line or `max_bytes`, whichever is less.
pub fn for_each(
    source: &mut Source,
    max_bytes: usize,
    mut each: impl FnMut(Line<'_>) -> Result<()>,
    mut progress: impl FnMut(u64),
) -> Result<()> {
    let label = source.label();
    let mut splitter = Splitter {
        most: max_bytes.saturating_add(1),
        number: 0,
        offset: 0,
    };
    let mut buffer = vec![0; CHUNK];
    let mut filled = 0;
    // Whether what comes next belongs to a line that was too long and was handed out already.
    let mut skipping = false;
    loop {
        let read = match source.reader.read(&mut buffer[filled..]) {
            Ok(read) => read,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(error) => {
                let reason = crate::exit::reason(&error);
                return Err(Failure::Io(format!("cannot read {label}: {reason}")));
            }
        };
        progress(read as u64);
        let end_of_input = read == 0;
        let searched = filled;
        filled += read;

        let mut start = 0;
        let mut from = searched;
        while let Some(length) = memchr(b'\n', &buffer[from..filled]) {
            let end = from + length;
            splitter.line(&buffer[start..end], end - start + 1, skipping, &mut each)?;
            skipping = false;
            start = end + 1;
            from = start;
        }
        if end_of_input {
            if start < filled || skipping {
                splitter.line(&buffer[start..filled], filled - start, skipping, &mut each)?;
            }
            return Ok(());
        }
        buffer.copy_within(start..filled, 0);
        filled -= start;
        if filled > splitter.most {
            if !skipping {
                splitter.hand_out(&buffer[..filled], &mut each)?;
                skipping = true;
            }
            splitter.offset += filled as u64;
            filled = 0;
        } else if filled == buffer.len() {
            buffer.resize(buffer.len() * 2, 0);
        }
    }
}

struct Splitter {
    most: usize,
    number: u64,
    offset: u64,
}

impl Splitter {
    /// A line that ended, or the rest of one that was handed out before.
    fn line(
        &mut self,
        bytes: &[u8],
        with_end: usize,
        skipping: bool,
        each: &mut impl FnMut(Line<'_>) -> Result<()>,
    ) -> Result<()> {
        if !skipping {
            self.hand_out(bytes, each)?;
        }
        self.offset += with_end as u64;
        Ok(())
    }

    fn hand_out(
        &mut self,
        bytes: &[u8],
        each: &mut impl FnMut(Line<'_>) -> Result<()>,
    ) -> Result<()> {
        self.number += 1;
        let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
        if is_blank(bytes) {
            return Ok(());
        }
        let bytes = &bytes[..bytes.len().min(self.most)];
        each(Line {
            number: self.number,
            offset: self.offset,
            bytes,
        })
    }
}

/// READ-40: a form feed is not white space of JSON, so a line that holds one is not blank.
fn is_blank(line: &[u8]) -> bool {
    line.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\r'))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Hands out a few bytes at a time, as a pipe may.
    struct Drops(Vec<u8>, usize);

    impl Read for Drops {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let n = self.1.min(self.0.len()).min(buffer.len());
            buffer[..n].copy_from_slice(&self.0[..n]);
            self.0.drain(..n);
            Ok(n)
        }
    }

    fn lines(text: &[u8], drop: usize, max_bytes: usize) -> Vec<(u64, u64, String)> {
        let reader = Box::new(Drops(text.to_vec(), drop));
        let mut source = Source {
            path: None,
            reader,
            size: None,
        };
        let mut seen = Vec::new();
        let mut read = 0;
        for_each(
            &mut source,
            max_bytes,
            |line| {
                let text = String::from_utf8_lossy(line.bytes).into_owned();
                seen.push((line.number, line.offset, text));
                Ok(())
            },
            |bytes| read += bytes,
        )
        .unwrap();
        assert_eq!(read, text.len() as u64);
        seen
    }

    #[test]
    fn lines_are_the_same_however_they_arrive() {
        let text = b"one\r\n\n  \ntwo\nthree";
        let expected = [
            (1, 0, "one".to_owned()),
            (4, 9, "two".to_owned()),
            (5, 13, "three".to_owned()),
        ];
        for drop in [1, 2, 3, 5, 100] {
            assert_eq!(lines(text, drop, 1000), expected, "{drop} bytes at a time");
        }
        assert_eq!(lines(b"", 1, 1000), []);
        assert_eq!(lines(b"\n", 1, 1000), []);
    }

    #[test]
    fn a_line_over_the_limit_is_cut_one_byte_behind_it() {
        let text = [&b"ab\n"[..], &vec![b'x'; 600_000], b"\nlast\n"].concat();
        for drop in [7, 100_000, 1_000_000] {
            let seen = lines(&text, drop, 10);
            assert_eq!(seen.len(), 3, "{drop} bytes at a time");
            assert_eq!(seen[0], (1, 0, "ab".to_owned()));
            assert_eq!(seen[1], (2, 3, "x".repeat(11)));
            assert_eq!(seen[2], (3, 600_004, "last".to_owned()));
        }
    }

    #[test]
    fn a_line_longer_than_the_buffer_is_whole() {
        let text = [&vec![b'y'; 3 * CHUNK + 5][..], b"\nz"].concat();
        let seen = lines(&text, 65_536, usize::MAX);
        assert_eq!(seen.len(), 2);
        assert_eq!(seen[0].2.len(), 3 * CHUNK + 5);
        assert_eq!(seen[1].1, (3 * CHUNK + 6) as u64);
    }
}
