//! Where a projection is at the limit of what can be written (FP-11).

use toolwire::{Code, Json};
use toolwire_contract::fingerprint::{FingerprintOptions, fingerprint, project};

/// A tool that is nested `depth` deep, at the place that `%` stands for in `schema`.
fn nested(schema: &str, depth: usize) -> Json {
    let outside = 2 + schema.matches(['{', '[']).count();
    let inside = depth - outside;
    let value = format!("{}{}", "[".repeat(inside), "]".repeat(inside));
    let schema = schema.replace('%', &value);
    Json::new(format!(
        r#"{{"name":"deep","title":"T","inputSchema":{{"type":"object","x":{schema}}}}}"#
    ))
    .unwrap()
}

#[test]
fn a_digest_is_of_what_could_be_written_and_of_nothing_else() {
    let options = FingerprintOptions::default();
    let (mut written, mut refused) = (0, 0);
    for schema in ["%", "{\"a\":%}", "[%]"] {
        for depth in 100..=128 {
            let tool = nested(schema, depth);
            let quick = fingerprint(&tool, &options);
            match (&quick, project(&tool, &options)) {
                (Ok(quick), Ok(slow)) => {
                    assert_eq!(*quick, slow.fingerprint());
                    written += 1;
                }
                (Err(quick), Err(slow)) => {
                    assert_eq!(
                        (quick.code(), slow.code()),
                        (Code::LimitDepth, Code::LimitDepth)
                    );
                    refused += 1;
                }
                (quick, slow) => panic!("{depth}: {quick:?} and {slow:?}"),
            }
        }
    }
    assert!(written > 60 && refused > 0, "{written} {refused}");
}

#[test]
fn deep_words_and_references_are_held_to_the_same_limit() {
    let options = FingerprintOptions::default();
    for keyword in ["examples", "$ref", "default", "description"] {
        for depth in 110..126 {
            let value = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
            let tool = Json::new(format!(
                r#"{{"name":"deep","inputSchema":{{"{keyword}":{value}}}}}"#
            ))
            .unwrap();
            let quick = fingerprint(&tool, &options).map_err(|error| error.code());
            let slow = project(&tool, &options)
                .map(|slow| slow.fingerprint())
                .map_err(|error| error.code());
            assert_eq!(quick, slow, "`{keyword}` {depth} deep");
        }
    }
}

#[test]
fn launch_facts_are_held_to_it_too() {
    let tool = Json::new(r#"{"name":"t","inputSchema":{}}"#).unwrap();
    for depth in [10, 120, 126, 127, 128] {
        let inside = depth - 1;
        let launch = format!("{{\"a\":{}{}}}", "[".repeat(inside), "]".repeat(inside));
        let options = FingerprintOptions {
            launch: Some(Json::new(launch).unwrap()),
            ..FingerprintOptions::default()
        };
        let quick = fingerprint(&tool, &options).map_err(|error| error.code());
        let slow = project(&tool, &options)
            .map(|slow| slow.fingerprint())
            .map_err(|error| error.code());
        assert_eq!(quick, slow, "{depth} deep");
    }
}
