//! Names of hosts (RFC 1123, RFC 5890) and e-mail addresses (RFC 5321).

use std::net::{Ipv4Addr, Ipv6Addr};
use std::sync::LazyLock;

use regex_syntax::hir::{Class, ClassUnicode, HirKind};

/// Whether a text is an address, which may follow a name as in `Name <address>`.
pub(super) fn is_email(text: &str) -> bool {
    let address = match text.rsplit_once(" <") {
        Some((_, address)) => address.trim().strip_suffix('>'),
        None => Some(text),
    };
    let Some((local, domain)) = address.and_then(|address| address.rsplit_once('@')) else {
        return false;
    };
    let literal = domain
        .strip_prefix('[')
        .and_then(|domain| domain.strip_suffix(']'));
    let is_domain = match literal {
        Some(literal) => match literal.split_at_checked("IPv6:".len()) {
            Some((tag, address)) if tag.eq_ignore_ascii_case("IPv6:") => {
                address.parse::<Ipv6Addr>().is_ok()
            }
            _ => literal.parse::<Ipv4Addr>().is_ok(),
        },
        None => is_hostname(domain),
    };
    is_domain && local.len() <= 64 && is_local_part(local)
}

/// What stands before the `@`: atoms with dots between them, or a quoted string.
fn is_local_part(text: &str) -> bool {
    let quoted = text
        .strip_prefix('"')
        .and_then(|text| text.strip_suffix('"'));
    let Some(quoted) = quoted else {
        let is_atext = |b: u8| b.is_ascii_alphanumeric() || b"!#$%&'*+-/=?^_`{|}~".contains(&b);
        return text
            .split('.')
            .all(|atom| !atom.is_empty() && atom.bytes().all(is_atext));
    };
    let mut bytes = quoted.bytes();
    while let Some(byte) = bytes.next() {
        let fits = match byte {
            b'\\' => bytes.next().is_some_and(|b| b.is_ascii_graphic()),
            b'"' => false,
            b' ' | b'\t' => true,
            _ => byte.is_ascii_graphic(),
        };
        if !fits {
            return false;
        }
    }
    true
}

/// Whether a text is the name of a host, in ASCII.
pub(super) fn is_hostname(text: &str) -> bool {
    text.len() <= 253 && text.split('.').all(is_label)
}

fn is_label(label: &str) -> bool {
    let has_form = (1..=63).contains(&label.len())
        && label
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b == b'-')
        && !label.starts_with('-')
        && !label.ends_with('-');
    has_form
        && match label.strip_prefix("xn--") {
            Some(encoded) => decode(encoded).is_some_and(|label| is_u_label(&label)),
            // Such labels are reserved (RFC 5891, section 4.2.3.1).
            None => !label.get(2..).is_some_and(|rest| rest.starts_with("--")),
        }
}

/// The characters that Punycode stands for (RFC 3492, section 6.2).
fn decode(encoded: &str) -> Option<Vec<char>> {
    let (basic, deltas) = encoded
        .rsplit_once('-')
        .filter(|(basic, _)| !basic.is_empty())
        .unwrap_or(("", encoded));
    let mut label: Vec<char> = basic.chars().collect();
    let (mut code, mut at, mut bias) = (128_u32, 0_u32, 72_u32);
    let mut digits = deltas.chars().peekable();
    while digits.peek().is_some() {
        let (before, mut weight) = (at, 1_u32);
        for k in (36..).step_by(36) {
            // The letters come before the digits.
            let digit = (digits.next()?.to_digit(36)? + 26) % 36;
            at = at.checked_add(digit.checked_mul(weight)?)?;
            let threshold = u32::clamp(k, bias + 1, bias + 26) - bias;
            if digit < threshold {
                break;
            }
            weight = weight.checked_mul(36 - threshold)?;
        }
        let count = label.len() as u32 + 1;
        let mut delta = (at - before) / if before == 0 { 700 } else { 2 };
        delta += delta / count;
        bias = 0;
        while delta > 455 {
            delta /= 35;
            bias += 36;
        }
        bias += 36 * delta / (delta + 38);
        code = code.checked_add(at / count)?;
        at %= count;
        label.insert(at as usize, char::from_u32(code)?);
        at += 1;
    }
    Some(label)
}

/// Whether each character may stand in a label where it does (RFC 5892).
fn is_u_label(label: &[char]) -> bool {
    let is_kana_or_han = |c: &char| matches!(c, '\u{3040}'..='\u{30fa}' | '\u{30fc}'..='\u{30ff}' | '\u{4e00}'..='\u{9fff}');
    let fits = |(at, &c): (usize, &char)| {
        let before = at.checked_sub(1).map(|at| label[at]);
        let after = label.get(at + 1).copied();
        match c {
            '\u{b7}' => before == Some('l') && after == Some('l'),
            '\u{375}' => matches!(after, Some('\u{370}'..='\u{3ff}')),
            '\u{5f3}' | '\u{5f4}' => matches!(before, Some('\u{590}'..='\u{5ff}')),
            '\u{660}'..='\u{669}' => !label.iter().any(|c| matches!(c, '\u{6f0}'..='\u{6f9}')),
            '\u{200d}' => before.is_some_and(|c| VIRAMAS.contains(&u32::from(c))),
            '\u{30fb}' => label.iter().any(is_kana_or_han),
            _ => has(&VALID, c),
        }
    };
    !label.first().is_some_and(|&c| has(&MARKS, c)) && label.iter().enumerate().all(fits)
}

/// What may stand anywhere in a label, and the joiner U+200C, whose context is not looked at.
static VALID: LazyLock<ClassUnicode> = LazyLock::new(|| {
    class(concat!(
        r"[[A-Za-z0-9\-\p{L}\p{Mn}\p{Mc}\p{Nd}",
        r"\x{6fd}\x{6fe}\x{f0b}\x{200c}\x{3007}\x{3040}-\x{30ff}\x{4e00}-\x{9fff}]",
        r"--[\x{640}\x{7fa}\x{302e}\x{302f}\x{3031}-\x{3035}\x{303b}]]",
    ))
});

/// What may not begin a label.
static MARKS: LazyLock<ClassUnicode> = LazyLock::new(|| class(r"\p{M}"));

/// What a joiner U+200D may follow: characters of the combining class Virama. Some scripts that are
/// seldom written are missing, as in the validator of the law.
const VIRAMAS: [u32; 50] = [
    0x094d, 0x09cd, 0x0a4d, 0x0acd, 0x0b4d, 0x0bcd, 0x0c4d, 0x0ccd, 0x0d4d, 0x0dca, 0x0e3a, 0x0f84,
    0x1039, 0x1714, 0x1734, 0x17d2, 0x1a60, 0x1b44, 0x1baa, 0x1bf2, 0x1bf3, 0x2d7f, 0xa806, 0xa8c4,
    0xa953, 0xabed, 0x10a3f, 0x11046, 0x1107f, 0x110b9, 0x11133, 0x111c0, 0x11235, 0x112ea,
    0x1134d, 0x11442, 0x114c2, 0x115bf, 0x1163f, 0x116b6, 0x1172b, 0x11839, 0x119e0, 0x11a34,
    0x11a47, 0x11a99, 0x11c3f, 0x11d44, 0x11d45, 0x11d97,
];

/// A class of characters from the tables that patterns use too.
fn class(pattern: &str) -> ClassUnicode {
    match regex_syntax::parse(pattern).map(|class| class.into_kind()) {
        Ok(HirKind::Class(Class::Unicode(class))) => class,
        _ => ClassUnicode::empty(),
    }
}

fn has(class: &ClassUnicode, c: char) -> bool {
    let ranges = class.ranges();
    let at = ranges.partition_point(|range| range.end() < c);
    ranges.get(at).is_some_and(|range| range.start() <= c)
}
