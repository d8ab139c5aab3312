//! Names of hosts (RFC 1123) and e-mail addresses (RFC 5321).

use std::net::{Ipv4Addr, Ipv6Addr};

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

/// Letters, digits and hyphens. What the Punycode of an `xn--` label stands for is not judged; other labels of this
/// form are reserved (RFC 5891, section 4.2.3.1).
fn is_label(label: &str) -> bool {
    (1..=63).contains(&label.len())
        && label
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b == b'-')
        && !label.starts_with('-')
        && !label.ends_with('-')
        && (label.starts_with("xn--") || label.get(2..4) != Some("--"))
}
