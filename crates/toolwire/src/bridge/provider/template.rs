//! Templates of JSON text, in which tables say what a provider takes.

/// Writes a template: `$word` is replaced by what `value` writes for the word, and `<…>` is left out if one of its
/// words has no value. A word without a value elsewhere is null.
///
/// Values are written where they stand, so that the base64 of a picture is copied once.
pub(super) fn fill(
    out: &mut String,
    template: &str,
    value: &mut dyn FnMut(&str, &mut String) -> bool,
) {
    let mut rest = template;
    let mut optional = None;
    while let Some(at) = rest.find(['$', '<', '>']) {
        out.push_str(&rest[..at]);
        let mark = rest.as_bytes()[at];
        rest = &rest[at + 1..];
        match mark {
            b'<' => optional = Some(out.len()),
            b'>' => optional = None,
            _ => {
                let word = |c: char| c.is_ascii_lowercase() || c == '_';
                let end = rest.find(|c| !word(c)).unwrap_or(rest.len());
                let name = &rest[..end];
                rest = &rest[end..];
                match (value(name, out), optional.take()) {
                    (true, start) => optional = start,
                    (false, Some(start)) => {
                        out.truncate(start);
                        rest = rest.split_once('>').map_or("", |(_, rest)| rest);
                    }
                    (false, None) => out.push_str("null"),
                }
            }
        }
    }
    out.push_str(rest);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_value_is_left_out() {
        let mut out = String::new();
        let template = r#"{"a":$a<,"b":$b><,"c":[$c,$b]>,"d":$d}"#;
        fill(&mut out, template, &mut |word, out| {
            out.push_str(word);
            word == "a" || word == "c"
        });
        assert_eq!(out, r#"{"a":a,"d":dnull}"#);
    }
}
