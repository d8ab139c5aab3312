//! Laws of the way to MCP and back, and of what came before envelopes.

use super::*;

#[test]
fn legacy_sees_what_is_no_envelope_and_a_report_that_is_wrong_or_silent() {
    for spoil in [
        (|read| read.0.truncate(1)) as fn(&mut Converted),
        |read| read.1.entries[0].pointer.push_str("/nowhere"),
        |read| read.1.entries.clear(),
        |read| read.1.entries.reverse(),
    ] {
        let wrong = Wrong {
            legacy: Some(spoil),
            ..Wrong::default()
        };
        red("legacy", &wrong, r#"{"type":"success","content":"x"}"#);
    }
}

#[test]
fn elicit_form_sees_what_no_form_has_and_what_was_not_kept() {
    fn changed(request: ElicitRequest, from: &str, to: &str) -> ElicitRequest {
        ElicitRequest {
            params: Json::new(request.params.as_str().replace(from, to)).expect("JSON"),
            ..request
        }
    }
    let whole = r#"{"type":"string","maxLength":3}"#;
    let wider = r#"{"type":"string","maxLength":3,"pattern":"a"}"#;
    for (spoil, schema) in [
        (
            (|request| changed(request, r#""maxLength":3"#, r#""maxLength":4"#))
                as fn(ElicitRequest) -> ElicitRequest,
            whole,
        ),
        (
            |request| changed(request, r#""maxLength":3"#, r#""pattern":"a""#),
            whole,
        ),
        (
            |request| changed(request, r#""message":"?""#, r#""message":"!""#),
            whole,
        ),
        (
            |request| changed(request, r#""requestedSchema""#, r#""schema""#),
            whole,
        ),
        (
            |mut request: ElicitRequest| {
                let all = request.report.entries.iter_mut();
                all.for_each(|entry| entry.fate = Fate::Kept);
                request
            },
            wider,
        ),
    ] {
        let wrong = Wrong {
            elicit: Some(spoil),
            ..Wrong::default()
        };
        red("elicit-form", &wrong, schema);
    }
}

#[test]
fn elicit_answer_sees_digits_that_are_lost() {
    for (spoil, schema) in [
        (
            (|value| Json::new(format!("[{value}]")).expect("JSON")) as fn(&Json) -> Json,
            r#"{"type":"integer"}"#,
        ),
        (
            |value| Json::new(value.as_str().replace("993", "992")).expect("JSON"),
            r#"{"const":9007199254740993}"#,
        ),
    ] {
        let wrong = Wrong {
            answer: Some(spoil),
            ..Wrong::default()
        };
        red("elicit-answer", &wrong, schema);
    }
}

#[test]
fn mcp_sees_what_does_not_come_back() {
    let lost: fn(&mut String, &mut LossReport) =
        |result, _| *result = result.replace("dev.toolwire/patch", "a.b/c");
    let wrong = Wrong {
        to_result: Some(lost),
        ..Wrong::default()
    };
    red(
        "mcp",
        &wrong,
        &RESOURCE.replace("}}", r#"},"formatted":"c"}"#),
    );
    // Bytes in another spelling are approximated; what stands beside them is not.
    let wrong = Wrong {
        from_result: Some(|reading, _| {
            let text =
                String::from_utf8_lossy(&reading.document).replace("12345678901234567890", "1e19");
            reading.document = text.into_bytes();
        }),
        ..Wrong::default()
    };
    red(
        "mcp",
        &wrong,
        r#"{"content":[{"type":"image","data":"YQ","mimeType":"a/b","x":12345678901234567890}]}"#,
    );
}

#[test]
fn mcp_report_sees_a_place_that_is_none_and_a_forged_member() {
    let astray: fn(&mut String, &mut LossReport) =
        |_, report| report.entries[0].pointer.push_str("/0/1");
    let wrong = Wrong {
        to_result: Some(astray),
        ..Wrong::default()
    };
    red("mcp-report", &wrong, TWO);
    let wrong = Wrong {
        from_result: Some(|reading, _| {
            let forged = br#"{"content":[],"_meta":{"dev.toolwire/answers":{}}}"#;
            reading.document = forged.to_vec();
        }),
        ..Wrong::default()
    };
    red("mcp-report", &wrong, TWO);
}

#[test]
fn mcp_tool_sees_a_loss_that_is_not_reported() {
    let wrong = Wrong {
        to_tool: Some(|mapped| {
            let text = mapped.json.as_str().replace("patch", "a");
            mapped.json = Json::new(text).expect("a tool");
            for entry in &mut mapped.report.entries {
                entry.fate = Fate::Kept;
            }
        }),
        ..Wrong::default()
    };
    red("mcp-tool", &wrong, r#"{"type":"array"}"#);
}
