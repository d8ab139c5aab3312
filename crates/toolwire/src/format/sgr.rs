//! Colour on a terminal: the SGR sequences (`ESC [ … m`) that are kept (FMT-42, FMT-43).

/// Longest parameter text of a sequence that is kept, so that no one has to look far for its end.
const MAX_PARAMETERS: usize = 64;

type Rgb = [u8; 3];

/// The colours that are set, where they were set to something of known appearance.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Colors {
    text: Option<Rgb>,
    background: Option<Rgb>,
}

impl Colors {
    /// Whether text in these colours can't be told from its background: each channel differs by
    /// less than 32.
    pub(super) fn hide_text(self) -> bool {
        match (self.text, self.background) {
            (Some(text), Some(background)) => {
                text.iter().zip(background).all(|(a, b)| a.abs_diff(b) < 32)
            }
            _ => false,
        }
    }
}

/// The SGR sequence that `text` begins with, if it is well-formed and of the kinds that are kept:
/// its length in bytes, and the colours after it.
pub(super) fn read(text: &str, colors: Colors) -> Option<(usize, Colors)> {
    let rest = text.strip_prefix("\x1b[")?;
    let window = &rest.as_bytes()[..rest.len().min(MAX_PARAMETERS + 1)];
    let end = window
        .iter()
        .position(|b| !matches!(b, b'0'..=b'9' | b';' | b':'))?;
    if window[end] != b'm' {
        return None;
    }
    let after = apply(&rest[..end], colors)?;
    Some((2 + end + 1, after))
}

fn apply(parameters: &str, mut colors: Colors) -> Option<Colors> {
    let mut list = parameters.split(';');
    while let Some(parameter) = list.next() {
        if let Some((head, rest)) = parameter.split_once(':') {
            match head {
                "4" => drop(number(rest).filter(|style| *style <= 5)?),
                "38" => colors.text = Some(with_colons(rest)?),
                "48" => colors.background = Some(with_colons(rest)?),
                "58" => drop(with_colons(rest)?),
                _ => return None,
            }
            continue;
        }
        match if parameter.is_empty() {
            0
        } else {
            number(parameter)?
        } {
            0 => colors = Colors::default(),
            1..=4 | 7 | 9 | 21..=25 | 27..=29 | 53 | 55 | 59 => {}
            n @ 30..=37 => colors.text = Some(indexed(n - 30)),
            n @ 90..=97 => colors.text = Some(indexed(n - 90 + 8)),
            n @ 40..=47 => colors.background = Some(indexed(n - 40)),
            n @ 100..=107 => colors.background = Some(indexed(n - 100 + 8)),
            38 => colors.text = Some(extended(&mut list)?),
            48 => colors.background = Some(extended(&mut list)?),
            58 => drop(extended(&mut list)?),
            39 => colors.text = None,
            49 => colors.background = None,
            _ => return None,
        }
    }
    Some(colors)
}

/// `5;n` or `2;r;g;b`.
fn extended<'a>(list: &mut impl Iterator<Item = &'a str>) -> Option<Rgb> {
    let mut next = || number(list.next()?);
    match next()? {
        5 => Some(indexed(next()?)),
        2 => Some([next()?, next()?, next()?]),
        _ => None,
    }
}

/// `5:n`, `2:r:g:b`, or `2::r:g:b` with the colour space left out.
fn with_colons(rest: &str) -> Option<Rgb> {
    let parts: Vec<&str> = rest.split(':').collect();
    match parts[..] {
        ["5", n] => Some(indexed(number(n)?)),
        ["2", r, g, b] | ["2", "", r, g, b] => Some([number(r)?, number(g)?, number(b)?]),
        _ => None,
    }
}

fn number(text: &str) -> Option<u8> {
    let digits = (1..=3).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
    if digits { text.parse().ok() } else { None }
}

/// xterm's colours: 16 named ones, a cube of 6 × 6 × 6, and 24 greys.
fn indexed(n: u8) -> Rgb {
    const NAMED: [Rgb; 16] = [
        [0, 0, 0],
        [205, 0, 0],
        [0, 205, 0],
        [205, 205, 0],
        [0, 0, 238],
        [205, 0, 205],
        [0, 205, 205],
        [229, 229, 229],
        [127, 127, 127],
        [255, 0, 0],
        [0, 255, 0],
        [255, 255, 0],
        [92, 92, 255],
        [255, 0, 255],
        [0, 255, 255],
        [255, 255, 255],
    ];
    const STEPS: [u8; 6] = [0, 95, 135, 175, 215, 255];
    match n {
        0..=15 => NAMED[usize::from(n)],
        16..=231 => {
            let n = usize::from(n - 16);
            [STEPS[n / 36], STEPS[n / 6 % 6], STEPS[n % 6]]
        }
        232..=255 => [8 + 10 * (n - 232); 3],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(sequence: &str) -> bool {
        read(sequence, Colors::default()).is_some_and(|(length, _)| length == sequence.len())
    }

    #[test]
    fn kept_and_refused() {
        for sequence in [
            "\x1b[m",
            "\x1b[0m",
            "\x1b[;m",
            "\x1b[1;31m",
            "\x1b[38;5;196m",
            "\x1b[48;2;1;2;3m",
            "\x1b[38:2::1:2:3m",
            "\x1b[38:2:1:2:3m",
            "\x1b[48:5:7m",
            "\x1b[4:3m",
            "\x1b[97;107m",
            "\x1b[58;5;1m",
            "\x1b[022m",
        ] {
            assert!(kept(sequence), "{sequence:?}");
        }
        for sequence in [
            "\x1b[8m",
            "\x1b[0;8m",
            "\x1b[5m",
            "\x1b[6m",
            "\x1b[?1m",
            "\x1b[>4;1m",
            "\x1b[1 m",
            "\x1b[31",
            "\x1b[31H",
            "\x1b[38m",
            "\x1b[38;5m",
            "\x1b[38;5;256m",
            "\x1b[38;9;1m",
            "\x1b[38;2;1;2m",
            "\x1b[4:6m",
            "\x1b[38:5m",
            "\x1b[10m",
            "\x1b[0001m",
            "\x1b[1:1m",
            "\x1bm",
            "\x1b(0",
            "\x1b[0\u{9b}m",
            "\x1b[38;5;8",
            "\x1b[",
        ] {
            assert!(!kept(sequence), "{sequence:?}");
        }
        assert!(kept(&format!("\x1b[{}m", "1;".repeat(32))));
        assert!(!kept(&format!("\x1b[{}1m", "1;".repeat(32))));
    }

    #[test]
    fn colours_that_hide() {
        let after = |s: &str| {
            read(s, Colors::default())
                .map(|(_, colors)| colors)
                .unwrap()
        };
        for sequence in [
            "\x1b[30;40m",
            "\x1b[38;5;16;40m",
            "\x1b[97;47m",
            "\x1b[38;2;1;2;3;48;2;9;9;9m",
            "\x1b[38:5:232;48:2::0:0:0m",
        ] {
            assert!(after(sequence).hide_text(), "{sequence:?}");
        }
        for sequence in [
            "\x1b[30m",
            "\x1b[37;40m",
            "\x1b[30;40;0m",
            "\x1b[30;40;49m",
            "\x1b[31;101m",
        ] {
            assert!(!after(sequence).hide_text(), "{sequence:?}");
        }
    }
}
