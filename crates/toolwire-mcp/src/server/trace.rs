//! Trace context, passed on to the tool (SRV-27).

use rmcp::model::RequestMetaObject;
use toolwire_host::Environment;

/// The most bytes of the two free ones, as their specifications suggest.
const MAX_STATE: usize = 512;
const MAX_BAGGAGE: usize = 8192;

/// The environment with the trace context of a request. What is not as the W3C's recommendation says is left
/// out, and without a `traceparent` so is `tracestate`.
pub(super) fn with_trace(environment: Environment, meta: &RequestMetaObject) -> Environment {
    let mut environment = environment;
    let printable = |text: &&str, most| {
        text.len() <= most && text.bytes().all(|byte| (0x20..0x7f).contains(&byte))
    };
    let get = |name: &str| meta.get(name).and_then(|value| value.as_str());
    if let Some(parent) = get("traceparent").filter(|parent| is_parent(parent)) {
        environment = environment.with("TRACEPARENT", parent);
        // One without the other would be of another trace.
        let state = get("tracestate").filter(|state| printable(state, MAX_STATE));
        environment = environment.with("TRACESTATE", state.unwrap_or(""));
    }
    if let Some(baggage) = get("baggage").filter(|baggage| printable(baggage, MAX_BAGGAGE)) {
        environment = environment.with("BAGGAGE", baggage);
    }
    environment
}

/// Whether it is two, 32, 16 and two hexadecimal digits, neither of the long ones zero.
fn is_parent(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let lengths: Vec<usize> = parts.iter().map(|part| part.len()).collect();
    let hex = |part: &&str| {
        part.bytes()
            .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
    };
    lengths == [2, 32, 16, 2]
        && parts.iter().all(hex)
        && parts[0] != "ff"
        && parts[1..3]
            .iter()
            .all(|part| part.bytes().any(|byte| byte != b'0'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parent_is_as_the_recommendation_says() {
        let good = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
        assert!(is_parent(good));
        let zero = "00-00000000000000000000000000000000-b7ad6b7169203331-01";
        let ill = [
            zero,
            "",
            "00",
            "$(id)",
            &good.to_uppercase(),
            &good.replacen("00", "ff", 1),
        ];
        for bad in ill {
            assert!(!is_parent(bad), "{bad}");
        }
    }
}
