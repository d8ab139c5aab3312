//! URIs (RFC 3986), IRIs (RFC 3987) and templates of URIs (RFC 6570).

use std::net::Ipv6Addr;

pub(super) fn is_uri(text: &str) -> bool {
    has_scheme(text) && is_reference(text, false)
}

pub(super) fn is_uri_reference(text: &str) -> bool {
    is_reference(text, false)
}

pub(super) fn is_iri(text: &str) -> bool {
    has_scheme(text) && is_reference(text, true)
}

pub(super) fn is_iri_reference(text: &str) -> bool {
    is_reference(text, true)
}

/// Whether a text is a template of URIs.
pub(super) fn is_template(text: &str) -> bool {
    let is_literal = |text| {
        all_fit(
            text,
            |c| !matches!(c, '\0'..=' ' | '"' | '<' | '>' | '\\' | '^' | '`' | '{'..='}' | '\x7f'),
        )
    };
    let mut rest = text;
    while let Some((literal, after)) = rest.split_once('{') {
        let Some((expression, after)) = after.split_once('}') else {
            return false;
        };
        let operators = ['+', '#', '.', '/', ';', '?', '&', '=', ',', '!', '@', '|'];
        let variables = expression.strip_prefix(operators).unwrap_or(expression);
        if !is_literal(literal) || !variables.split(',').all(is_variable) {
            return false;
        }
        rest = after;
    }
    is_literal(rest)
}

/// A name, which may be followed by `*` or by a length of at most 9999.
fn is_variable(text: &str) -> bool {
    let name = match text.split_once(':') {
        Some((name, length)) => {
            let is_number = length.bytes().all(|b| b.is_ascii_digit());
            if !is_number || length.starts_with('0') || !(1..=4).contains(&length.len()) {
                return false;
            }
            name
        }
        None => text.strip_suffix('*').unwrap_or(text),
    };
    name.split('.')
        .all(|part| !part.is_empty() && all_fit(part, |c| c.is_ascii_alphanumeric() || c == '_'))
}

/// Whether a colon comes before the first slash, query and fragment.
fn has_scheme(text: &str) -> bool {
    text.find([':', '/', '?', '#'])
        .is_some_and(|at| text[at..].starts_with(':'))
}

/// Whether a text is a reference by the generic syntax, split as in RFC 3986, appendix B.
fn is_reference(text: &str, is_iri: bool) -> bool {
    let plain = |c| is_plain(c, is_iri);
    let (rest, fragment) = text.split_once('#').unwrap_or((text, ""));
    let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
    let rest = match rest.split_once(':') {
        Some((scheme, rest)) if has_scheme(text) => {
            let mut bytes = scheme.bytes();
            let begins = bytes.next().is_some_and(|b| b.is_ascii_alphabetic());
            if !begins || !bytes.all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b)) {
                return false;
            }
            rest
        }
        _ => rest,
    };
    let (authority, path) = match rest.strip_prefix("//") {
        Some(rest) => rest.split_at(rest.find('/').unwrap_or(rest.len())),
        None => ("", rest),
    };
    let is_private = |c| matches!(c, '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..) && !ends_plane(c);
    is_authority(authority, plain)
        && all_fit(path, |c| plain(c) || matches!(c, ':' | '@' | '/'))
        && all_fit(query, |c| {
            plain(c) || matches!(c, ':' | '@' | '/' | '?') || is_iri && is_private(c)
        })
        && all_fit(fragment, |c| plain(c) || matches!(c, ':' | '@' | '/' | '?'))
}

/// `[ userinfo "@" ] host [ ":" port ]`.
fn is_authority(text: &str, plain: impl Fn(char) -> bool) -> bool {
    let (user, host) = text.split_once('@').unwrap_or(("", text));
    let literal = host.strip_prefix('[').and_then(|rest| rest.split_once(']'));
    let (is_host, port) = match literal {
        Some((address, port)) => (
            address.parse::<Ipv6Addr>().is_ok() || is_future_address(address),
            port,
        ),
        None => {
            let (name, port) = host.split_at(host.find(':').unwrap_or(host.len()));
            (all_fit(name, &plain), port)
        }
    };
    let is_port = |port: &str| port.bytes().all(|b| b.is_ascii_digit());
    is_host
        && all_fit(user, |c| plain(c) || c == ':')
        && (port.is_empty() || port.strip_prefix(':').is_some_and(is_port))
}

/// `IPvFuture`.
fn is_future_address(text: &str) -> bool {
    let parts = text
        .strip_prefix(['v', 'V'])
        .and_then(|rest| rest.split_once('.'));
    parts.is_some_and(|(version, address)| {
        !version.is_empty()
            && version.bytes().all(|b| b.is_ascii_hexdigit())
            && !address.is_empty()
            && address.chars().all(|c| is_plain(c, false) || c == ':')
    })
}

/// `unreserved` and `sub-delims`, which every part may have; in an IRI also `ucschar`.
fn is_plain(c: char, is_iri: bool) -> bool {
    match c {
        '-' | '.' | '_' | '~' | '!' | '$' | '&' | '\'' | '('..=',' | ';' | '=' => true,
        '\u{a0}'..='\u{d7ff}' | '\u{f900}'..='\u{fdcf}' | '\u{fdf0}'..='\u{ffef}' => is_iri,
        '\u{10000}'..='\u{dffff}' | '\u{e1000}'..='\u{effff}' => is_iri && !ends_plane(c),
        _ => c.is_ascii_alphanumeric(),
    }
}

/// Whether a character is one of the last two of its plane, which never stand for anything.
fn ends_plane(c: char) -> bool {
    u32::from(c) & 0xfffe == 0xfffe
}

/// Whether a text consists of characters that are allowed and of percent-encoded bytes.
fn all_fit(text: &str, allowed: impl Fn(char) -> bool) -> bool {
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        let fits = match c {
            '%' => (0..2).all(|_| rest.next().is_some_and(|c| c.is_ascii_hexdigit())),
            c => allowed(c),
        };
        if !fits {
            return false;
        }
    }
    true
}
