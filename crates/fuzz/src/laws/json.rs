//! Laws of JSON: what is strict, and what its canonical form is.

use super::{limits_of, same, same_but_for_order, shown};
use crate::calls;
use crate::oracle;
use crate::rng::Rng;
use toolwire::{Code, Limits};

pub(super) fn verdict(input: &[u8], salt: u64) -> Result<(), String> {
    let mut limits = limits_of(&mut Rng::with_seed(salt));
    // Bytes are counted in one line; there is nothing to have a second opinion on.
    limits.max_bytes = Limits::default().max_bytes;
    let ours = toolwire::canonicalize(input, &limits);
    // A byte order mark is passed over by us (CANON-1), and refused by serde_json.
    let theirs = oracle::judge(input.strip_prefix(b"\xef\xbb\xbf").unwrap_or(input));
    match (ours, theirs) {
        (Ok(_), Ok(judged)) if judged.depth > limits.max_depth => Err(format!(
            "depth {} passes a limit of {}",
            judged.depth, limits.max_depth
        )),
        (Ok(_), Ok(judged)) if judged.values > limits.max_values => Err(format!(
            "{} values pass a limit of {}",
            judged.values, limits.max_values
        )),
        (Ok(_), Ok(_)) => Ok(()),
        (Ok(_), Err(error)) => Err(format!("strict for us, for serde_json {error}")),
        (Err(error), Ok(judged)) => {
            let expected = match error.code() {
                Code::LimitDepth => judged.depth > limits.max_depth,
                Code::LimitValues => judged.values > limits.max_values,
                _ => false,
            };
            if expected {
                return Ok(());
            }
            Err(format!(
                "strict for serde_json, for us {}: {error}",
                error.code()
            ))
        }
        (Err(error), Err(_)) => {
            // Both refuse it. They need not say the same, but ours must say where, and UTF-8 that is
            // broken is broken for the standard library too, at the same byte.
            let Some(offset) = error.offset() else {
                return Err(format!("{} has no offset", error.code()));
            };
            let utf8 = std::str::from_utf8(input).map_err(|e| e.valid_up_to());
            match (error.code(), utf8) {
                (Code::InvalidUtf8, Err(at)) if at as u64 == offset => Ok(()),
                (Code::InvalidUtf8, _) => {
                    Err(format!("not UTF-8 at byte {offset}, against {utf8:?}"))
                }
                (_, Err(at)) => Err(format!(
                    "{}, but the text is not UTF-8 at byte {at}",
                    error.code()
                )),
                _ if offset > input.len() as u64 => {
                    Err(format!("{} beyond the end, at {offset}", error.code()))
                }
                _ => Ok(()),
            }
        }
    }
}

pub(super) fn canonical(input: &[u8], _: u64) -> Result<(), String> {
    let limits = Limits {
        max_depth: toolwire::MAX_DEPTH,
        ..Limits::default()
    };
    let Ok(once) = toolwire::canonicalize(input, &limits) else {
        return Ok(());
    };
    let twice = toolwire::canonicalize(&once, &limits)
        .map_err(|e| format!("the canonical form is refused: {e}: {}", shown(&once)))?;
    same("canonicalize is not idempotent", &once, &twice)?;
    let digest = toolwire::digest(input, &limits).map_err(|e| format!("no digest: {e}"))?;
    same(
        "the digest is not that of the canonical form",
        digest.as_bytes(),
        toolwire::digest_bytes(&once).as_bytes(),
    )?;
    // serde_json keeps integers past 2^53 exactly, where RFC 8785 knows only doubles.
    let input = input.strip_prefix(b"\xef\xbb\xbf").unwrap_or(input);
    if oracle::judge(input).is_ok_and(|judged| !judged.big_integer) {
        let other = oracle::canonical_text(input)
            .ok_or_else(|| "serde_json_canonicalizer cannot canonicalize it".to_string())?;
        same(
            "serde_json_canonicalizer writes it otherwise",
            &once,
            &other,
        )?;
    }
    Ok(())
}

pub(super) fn number(input: &[u8], _: u64) -> Result<(), String> {
    let ours = toolwire::canonicalize(input, &Limits::default());
    let text = std::str::from_utf8(input).unwrap_or_default();
    let value = text
        .parse::<f64>()
        .ok()
        .filter(|v| v.is_finite() && is_number(input));
    match (ours, value) {
        (Ok(ours), Some(value)) => {
            same(
                "the number's text",
                &ours,
                oracle::number_text(value).as_bytes(),
            )?;
            let again = String::from_utf8_lossy(&ours).parse::<f64>().ok();
            if again != Some(value) {
                return Err(format!(
                    "{} is read as {again:?}, not {value:?}",
                    shown(&ours)
                ));
            }
            Ok(())
        }
        (Err(error), Some(value)) => Err(format!("{value:e} is refused: {error}")),
        (Ok(ours), None) if is_number(input) => {
            Err(format!("{} is no finite double", shown(&ours)))
        }
        // Mutation makes other JSON of a number; that is for other laws.
        _ => Ok(()),
    }
}

/// The grammar of RFC 8259, section 6, a second time.
fn is_number(text: &[u8]) -> bool {
    let digits = |text: &[u8]| text.iter().take_while(|b| b.is_ascii_digit()).count();
    let mut rest = text.strip_prefix(b"-").unwrap_or(text);
    let whole = digits(rest);
    if whole == 0 || (whole > 1 && rest[0] == b'0') {
        return false;
    }
    rest = &rest[whole..];
    if let Some(fraction) = rest.strip_prefix(b".") {
        let count = digits(fraction);
        if count == 0 {
            return false;
        }
        rest = &fraction[count..];
    }
    if let [b'e' | b'E', exponent @ ..] = rest {
        let exponent = match exponent {
            [b'+' | b'-', digits @ ..] => digits,
            digits => digits,
        };
        let count = digits(exponent);
        return count > 0 && count == exponent.len();
    }
    rest.is_empty()
}

pub(super) fn typed(input: &[u8], salt: u64) -> Result<(), String> {
    let limits = limits_of(&mut Rng::with_seed(salt));
    let document = calls::parse(input, &limits).document;
    let usual = Limits {
        max_bytes: toolwire::MAX_BYTES,
        max_depth: toolwire::MAX_DEPTH,
        ..Limits::default()
    };
    let canonical =
        toolwire::canonicalize(&document, &usual).map_err(|e| format!("no canonical form: {e}"))?;
    let typed = calls::typed(input, &limits);
    let what = "the typed envelope is not the document";
    let again = toolwire::canonicalize(typed.as_bytes(), &Limits::WIDEST);
    let again = again.map_err(|error| format!("{what}: {error}"))?;
    same(what, &again, &canonical)?;
    same_but_for_order(what, &typed, &canonical)?;
    let document = String::from_utf8_lossy(&document);
    let kept = oracle::long_integers(&typed);
    match oracle::long_integers(&document)
        .into_iter()
        .find(|integer| !kept.contains(integer))
    {
        None => Ok(()),
        Some(lost) => Err(format!("the typed envelope has other digits than {lost}")),
    }
}

#[cfg(test)]
mod tests {
    use super::is_number;

    #[test]
    fn the_grammar_of_numbers() {
        for good in [
            "0", "-0", "10", "1.5", "0.0", "1e1", "1E+1", "1e-1", "-1.25e10",
        ] {
            assert!(is_number(good.as_bytes()), "{good}");
        }
        for bad in [
            "", "-", "01", "+1", "1.", ".5", "1e", "1e+", "NaN", "0x1", "1 ", "1.e1", "1e1.5",
        ] {
            assert!(!is_number(bad.as_bytes()), "{bad}");
        }
    }
}
