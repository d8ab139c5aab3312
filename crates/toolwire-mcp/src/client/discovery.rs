//! What a server answers to `server/discover`.

use rmcp::model::DiscoverResult;
use serde_json::Value;

use super::wire::Passed;

/// What rmcp reads for a result of `server/discover`. One that names no versions is that of an older server,
/// which answers every request with an empty result; rmcp would give up, and reads an error in its place. Hints
/// about caching, which rmcp insists on, are added where a server leaves them out.
pub(super) fn read(id: &str, result: &str) -> Passed {
    let older = || {
        let error = r#"{"code":-32601,"message":"the server does not know `server/discover`"}"#;
        Passed::Instead(format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{error}}}"#))
    };
    let Ok(mut read) = serde_json::from_str::<Value>(result) else {
        return older();
    };
    let Some(object) = read
        .as_object_mut()
        .filter(|object| object.get("supportedVersions").is_some_and(Value::is_array))
    else {
        return older();
    };
    for (name, value) in [
        ("resultType", "complete".into()),
        ("capabilities", Value::Object(serde_json::Map::new())),
        ("ttlMs", 0.into()),
        ("cacheScope", "private".into()),
    ] {
        object.entry(name).or_insert(value);
    }
    match serde_json::from_value::<DiscoverResult>(read.clone()) {
        Ok(_) => Passed::Instead(format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{read}}}"#)),
        Err(_) => older(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_result_with_versions_is_that_of_a_newer_server() {
        for (result, newer) in [
            (r#"{"supportedVersions":["2026-07-28"]}"#, true),
            (
                r#"{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":5}"#,
                true,
            ),
            (
                r#"{"supportedVersions":["2026-07-28"],"capabilities":3}"#,
                false,
            ),
            (r#"{"supportedVersions":3}"#, false),
            ("{}", false),
            ("null", false),
            ("[]", false),
        ] {
            let Passed::Instead(text) = read("7", result) else {
                panic!("{result}");
            };
            assert_eq!(text.contains(r#""result":"#), newer, "{text}");
            assert!(text.starts_with(r#"{"jsonrpc":"2.0","id":7,"#), "{text}");
        }
    }
}
