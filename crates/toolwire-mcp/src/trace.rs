//! Trace context, passed on to the tool and from there to the servers that it calls.

use toolwire::Json;
use toolwire::lines::Trace;
use toolwire_host::Environment;

/// The most bytes of the two free ones, as their specifications suggest.
const MAX_STATE: usize = 512;
const MAX_BAGGAGE: usize = 8192;

/// Trace context as MCP's `_meta` names it, and as the environment does.
const NAMES: [(&str, &str); 3] = [
    ("traceparent", "TRACEPARENT"),
    ("tracestate", "TRACESTATE"),
    ("baggage", "BAGGAGE"),
];

/// The environment with the trace context of a request.
pub(crate) fn with_trace(mut environment: Environment, trace: &Trace) -> Environment {
    let values = [&trace.traceparent, &trace.tracestate, &trace.baggage];
    for ((_, variable), value) in NAMES.into_iter().zip(values) {
        match value {
            Some(value) => environment = environment.with(variable, value),
            // One without the other would be of another trace.
            None if variable == "TRACESTATE" && trace.traceparent.is_some() => {
                environment = environment.with(variable, "");
            }
            None => {}
        }
    }
    environment
}

/// The trace context in the `_meta` of a request.
pub(crate) fn of_request(meta: &Json) -> Trace {
    trace(NAMES.map(|(name, _)| meta.at(&format!("/{name}"))?.to_text()))
}

/// The trace context of this process.
pub(crate) fn of_this_process() -> Trace {
    trace(NAMES.map(|(_, variable)| std::env::var(variable).ok()))
}

fn trace(values: [Option<String>; 3]) -> Trace {
    let [traceparent, tracestate, baggage] = taken(values);
    Trace {
        traceparent,
        tracestate,
        baggage,
    }
}

/// A trace context as members of `_meta`.
pub(crate) fn members(trace: Trace) -> impl Iterator<Item = (&'static str, String)> {
    let values = [trace.traceparent, trace.tracestate, trace.baggage];
    let members = NAMES.into_iter().zip(values);
    members.filter_map(|((name, _), value)| Some((name, value?)))
}

/// What is as the recommendations say; without a `traceparent` there is no `tracestate`.
fn taken([parent, state, baggage]: [Option<String>; 3]) -> [Option<String>; 3] {
    let printable = |text: &String, most| {
        !text.is_empty()
            && text.len() <= most
            && text.bytes().all(|byte| (0x20..0x7f).contains(&byte))
    };
    let parent = parent.filter(|parent| is_parent(parent));
    let state = state.filter(|state| parent.is_some() && printable(state, MAX_STATE));
    let baggage = baggage.filter(|baggage| printable(baggage, MAX_BAGGAGE));
    [parent, state, baggage]
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
    fn what_is_too_long_or_of_no_trace_is_dropped() {
        let parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
        let some = |text: &str| Some(text.to_owned());
        let (state, baggage) = ("s".repeat(MAX_STATE), "b".repeat(MAX_BAGGAGE));
        let all = [some(parent), Some(state.clone()), Some(baggage.clone())];
        assert_eq!(taken(all.clone()), all, "at the limits");
        let more = [some(parent), Some(state + "s"), Some(baggage.clone() + "b")];
        assert_eq!(taken(more), [some(parent), None, None]);
        let alone = [None, some("a=1"), Some(baggage.clone())];
        assert_eq!(taken(alone), [None, None, Some(baggage)]);
    }

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
