//! Laws of URIs.

use super::same;
use crate::generate;
use crate::rng::Rng;

pub(super) fn normal(input: &[u8], salt: u64) -> Result<(), String> {
    let Ok(uri) = std::str::from_utf8(input) else {
        return Ok(());
    };
    let mut rng = Rng::with_seed(salt);
    let given = generate::root(&mut rng);
    let root = rng.bool().then_some(given.as_str());
    let Ok(once) = toolwire::normalize_uri(uri, root) else {
        return Ok(());
    };
    let again = |root: Option<&str>| {
        toolwire::normalize_uri(&once, root)
            .map_err(|e| format!("the normal form `{once}` is refused with the root {root:?}: {e}"))
    };
    same(
        "normalize_uri is not idempotent",
        once.as_bytes(),
        again(root)?.as_bytes(),
    )?;
    same(
        "it is not without the root",
        once.as_bytes(),
        again(None)?.as_bytes(),
    )?;
    same(
        "it is not with another root",
        once.as_bytes(),
        again(Some(&given))?.as_bytes(),
    )?;
    if let Some(c) = once.chars().find(|c| c.is_control() || *c == ' ') {
        return Err(format!("{c:?} stands in the normal form `{once}`"));
    }
    // RFC 3986, 6.2.2.1: the case of an escape's digits means nothing.
    let lower = lower_escapes(uri);
    let other = toolwire::normalize_uri(&lower, root)
        .map_err(|e| format!("`{lower}` is refused, `{uri}` is not: {e}"))?;
    same(
        "the case of an escape matters",
        once.as_bytes(),
        other.as_bytes(),
    )
}

/// The same text with the digits of each escape in small letters.
fn lower_escapes(uri: &str) -> String {
    let bytes = uri.as_bytes();
    let escape = |at: usize| {
        bytes[at] == b'%'
            && bytes
                .get(at + 1..at + 3)
                .is_some_and(|d| d.iter().all(u8::is_ascii_hexdigit))
    };
    let mut out = bytes.to_vec();
    let mut at = 0;
    while at < bytes.len() {
        if escape(at) {
            out[at + 1..at + 3].make_ascii_lowercase();
            at += 3;
        } else {
            at += 1;
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    #[test]
    fn only_escapes_change_case() {
        assert_eq!(super::lower_escapes("A%2F%AZ%C3é%"), "A%2f%AZ%c3é%");
    }
}
