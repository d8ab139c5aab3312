//! URIs of every scheme but `file` (URI-9 to URI-15): RFC 3986, sections 6.2.2 and 6.2.3.

use std::net::Ipv6Addr;

use super::{Reason, normal_tail, percent, split_tail};

/// The canonical form of `scheme:rest`; the scheme is in lower case already.
pub(super) fn normalize(scheme: &str, rest: &str) -> Result<String, Reason> {
    let (hierarchy, tail) = split_tail(rest);
    let mut out = format!("{scheme}:");
    match hierarchy.strip_prefix("//") {
        Some(after) => {
            let (authority, path) = after.split_at(after.find('/').unwrap_or(after.len()));
            out.push_str("//");
            push_authority(&mut out, scheme, authority)?;
            out.push_str(&normal_path(path));
            if path.is_empty() && default_port(scheme).is_some() {
                out.push('/');
            }
        }
        None => {
            let path = normal_path(hierarchy);
            // URI-14: without the dot, the path would read as an authority.
            if path.starts_with("//") {
                out.push_str("/.");
            }
            out.push_str(&path);
        }
    }
    out.push_str(&normal_tail(tail));
    Ok(out)
}

/// The port that means the same as none; only for the schemes named in URI-11.
fn default_port(scheme: &str) -> Option<&'static str> {
    match scheme {
        "http" | "ws" => Some("80"),
        "https" | "wss" => Some("443"),
        "ftp" => Some("21"),
        _ => None,
    }
}

fn push_authority(out: &mut String, scheme: &str, authority: &str) -> Result<(), Reason> {
    let (user, host_and_port) = match authority.rsplit_once('@') {
        Some((user, rest)) => (Some(user), rest),
        None => (None, authority),
    };
    if let Some(user) = user {
        percent::push_normal(out, user, percent::is_userinfo, percent::is_unreserved);
        out.push('@');
    }
    let (host, port) = split_port(host_and_port);
    out.push_str(&normal_host(host)?);
    if !port.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err("its port is not a number");
    }
    let number = port.trim_start_matches('0');
    let number = if number.is_empty() && !port.is_empty() {
        "0"
    } else {
        number
    };
    if !number.is_empty() && default_port(scheme) != Some(number) {
        out.push(':');
        out.push_str(number);
    }
    Ok(())
}

/// Splits at the last colon that does not stand inside the brackets of an address.
fn split_port(host_and_port: &str) -> (&str, &str) {
    let from = host_and_port.rfind(']').map_or(0, |bracket| bracket + 1);
    let (address, rest) = host_and_port.split_at(from);
    match rest.rsplit_once(':') {
        Some((host, port)) => (&host_and_port[..address.len() + host.len()], port),
        None => (host_and_port, ""),
    }
}

/// A host in lower case, in the normal form of its encodings (URI-9, URI-10).
pub(super) fn normal_host(host: &str) -> Result<String, Reason> {
    let inside = host
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'));
    if let Some(address) = inside {
        if address.parse::<Ipv6Addr>().is_ok() || is_future_address(address) {
            return Ok(format!("[{}]", address.to_ascii_lowercase()));
        }
        return Err("its host in brackets is not an IPv6 address");
    }
    if host.contains(['[', ']']) {
        return Err("brackets in a host are only for a whole IPv6 address");
    }
    if host.contains(':') {
        return Err("its host holds a colon; an IPv6 address stands in brackets");
    }
    let normal = percent::normal(host, percent::is_host, percent::is_unreserved);
    Ok(percent::lower_outside_triplets(&normal))
}

/// `IPvFuture` of RFC 3986: `v`, hexadecimal digits, a dot, and at least one more character.
fn is_future_address(address: &str) -> bool {
    let address = address.strip_prefix(['v', 'V']);
    address
        .and_then(|it| it.split_once('.'))
        .is_some_and(|(version, rest)| {
            let is_version = version.bytes().all(|byte| byte.is_ascii_hexdigit());
            let is_rest = rest.bytes().all(percent::is_userinfo);
            is_version && is_rest && !version.is_empty() && !rest.is_empty()
        })
}

/// A path without dot segments if it begins with a slash (URI-13); any other path is opaque.
fn normal_path(path: &str) -> String {
    let mut normal = String::with_capacity(path.len());
    for (index, segment) in path.split('/').enumerate() {
        normal.push_str(if index > 0 { "/" } else { "" });
        let (allowed, decoded) = (percent::is_segment, percent::is_unreserved);
        percent::push_normal(&mut normal, segment, allowed, decoded);
    }
    match normal.strip_prefix('/') {
        Some(segments) => without_dot_segments(segments),
        None => normal,
    }
}

/// `remove_dot_segments` of RFC 3986, section 5.2.4, on what follows the first slash.
fn without_dot_segments(segments: &str) -> String {
    let mut kept: Vec<&str> = Vec::new();
    let mut ends_in_dots = false;
    for segment in segments.split('/') {
        ends_in_dots = matches!(segment, "." | "..");
        match segment {
            "." => {}
            ".." => {
                kept.pop();
            }
            _ => kept.push(segment),
        }
    }
    // A dot segment at the end names the directory, so its slash stays.
    if ends_in_dots {
        kept.push("");
    }
    format!("/{}", kept.join("/"))
}
