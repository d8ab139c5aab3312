//! The formats that are checked (Q-43), each by the grammar of its RFC.
//!
//! The law `schema-format` of `crates/fuzz` compares each verdict with that of another validator.

mod host;
mod time;
mod uri;

#[cfg(test)]
mod tests;

use std::net::{Ipv4Addr, Ipv6Addr};

use crate::budget::{Allowance, Stop};

/// Whether a string is in a format. Any format that is not checked holds.
pub(crate) fn holds(format: &str, text: &str, allowance: &mut Allowance) -> Result<bool, Stop> {
    let check: fn(&str) -> bool = match format {
        "date" => time::is_date,
        "date-time" => time::is_date_time,
        "duration" => time::is_duration,
        "email" => host::is_email,
        "hostname" => host::is_hostname,
        "ipv4" => |text| text.parse::<Ipv4Addr>().is_ok(),
        "ipv6" => |text| text.parse::<Ipv6Addr>().is_ok(),
        "iri" => uri::is_iri,
        "iri-reference" => uri::is_iri_reference,
        "json-pointer" => is_pointer,
        "regex" => jsonschema_regex::is_valid_ecma_regex,
        "relative-json-pointer" => is_relative_pointer,
        "time" => time::is_time,
        "uri" => uri::is_uri,
        "uri-reference" => uri::is_uri_reference,
        "uri-template" => uri::is_template,
        "uuid" => is_uuid,
        _ => return Ok(true),
    };
    let length = text.len() as u64;
    allowance.step(20 + length)?;
    // Each name of a group is compared with all others. Every other check is linear.
    if format == "regex" {
        let names = text.matches("(?<").count() + text.matches(r"\k<").count();
        allowance.step(length.saturating_mul(names as u64) / 16)?;
    }
    Ok(check(text))
}

/// A JSON Pointer (RFC 6901).
fn is_pointer(text: &str) -> bool {
    let mut escapes = text.split('~').skip(1);
    (text.is_empty() || text.starts_with('/')) && escapes.all(|rest| rest.starts_with(['0', '1']))
}

/// A relative JSON Pointer (draft-bhutton-relative-json-pointer-00, without index manipulation).
fn is_relative_pointer(text: &str) -> bool {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (up, rest) = text.split_at(digits);
    let is_number = up == "0" || !up.is_empty() && !up.starts_with('0');
    is_number && (rest == "#" || is_pointer(rest))
}

/// A UUID with hyphens (RFC 4122).
fn is_uuid(text: &str) -> bool {
    let fits = |(at, byte): (usize, u8)| match at {
        8 | 13 | 18 | 23 => byte == b'-',
        _ => byte.is_ascii_hexdigit(),
    };
    text.len() == 36 && text.bytes().enumerate().all(fits)
}
