//! Laws of reading.

use super::*;

#[test]
fn nothing_lost_sees_losses() {
    for spoil in [
        (|_, _, mut r| {
            r.raw.pop();
            r
        }) as Spoil,
        |_, _, mut r| {
            r.skipped.clear();
            r
        },
        |_, _, mut r| {
            r.skipped.iter_mut().for_each(|s| s.1 = "{}".to_string());
            r
        },
        |_, _, mut r| {
            r.document.truncate(r.document.len().saturating_sub(1));
            r
        },
        |_, _, mut r| {
            r.findings.clear();
            r
        },
    ] {
        red(
            "nothing-lost",
            &Wrong {
                parse: Some(spoil),
                ..Wrong::default()
            },
            TWO,
        );
    }
    let structured = r#"{"content":[],"structuredContent":{"a":1.0}}"#;
    let spoil: Spoil = |_, _, mut r| {
        r.structured = Some(r#"{"a":1}"#.to_string());
        r
    };
    red(
        "nothing-lost",
        &Wrong {
            parse: Some(spoil),
            ..Wrong::default()
        },
        structured,
    );
}

#[test]
fn round_trip_sees_what_a_second_reading_changes() {
    // Space before the document matters to this one.
    let spoil: Spoil = |input, _, mut r| {
        r.is_error = input.starts_with(b" ");
        r
    };
    red(
        "round-trip",
        &Wrong {
            parse: Some(spoil),
            ..Wrong::default()
        },
        " {\"content\":[]}",
    );
    let spoil: Spoil = |input, _, mut r| {
        r.bodies.truncate(usize::from(input.contains(&b'\n')));
        r
    };
    red(
        "round-trip",
        &Wrong {
            parse: Some(spoil),
            ..Wrong::default()
        },
        "\n{\"content\":[{\"type\":\"text\",\"text\":\"x\"}]}",
    );
}

#[test]
fn raw_is_text_sees_a_wrong_envelope() {
    let spoil: Spoil = |_, _, mut r| {
        r.document = br#"{"content":[{"type":"text","text":"x"}]}"#.to_vec();
        r
    };
    red(
        "raw-is-text",
        &Wrong {
            parse: Some(spoil),
            ..Wrong::default()
        },
        "plain text",
    );
    let spoil: Spoil = |_, _, mut r| {
        r.findings.clear();
        r
    };
    red(
        "raw-is-text",
        &Wrong {
            parse: Some(spoil),
            ..Wrong::default()
        },
        "{\"content\"",
    );
}

#[test]
fn diagnostics_see_wrong_places() {
    for spoil in [
        (|_, _, mut r| {
            r.findings
                .iter_mut()
                .for_each(|f| f.offset = f.offset.map(|o| o + 1));
            r
        }) as Spoil,
        |_, _, mut r| {
            r.findings
                .iter_mut()
                .for_each(|f| f.pointer = "/nowhere/at/all".to_string());
            r
        },
        |_, _, mut r| {
            r.verdict = "valid";
            r
        },
        |_, _, mut r| {
            r.findings.iter_mut().for_each(|f| f.offset = Some(1 << 40));
            r
        },
    ] {
        red(
            "diagnostics",
            &Wrong {
                parse: Some(spoil),
                ..Wrong::default()
            },
            TWO,
        );
    }
    let spoil: Spoil = |_, _, mut r| {
        r.findings.reverse();
        r
    };
    red(
        "diagnostics",
        &Wrong {
            parse: Some(spoil),
            ..Wrong::default()
        },
        r#"{"content":[{"type":"a"},{"type":"b"}]}"#,
    );
}

#[test]
fn limits_see_a_limit_that_is_none_and_one_that_changes_more() {
    let spoil: Spoil = |input, _, _| Toolwire.parse(input, &Limits::default());
    red(
        "limits",
        &Wrong {
            parse: Some(spoil),
            ..Wrong::default()
        },
        &TWO.replace("hi", &"hi".repeat(300)),
    );
    let spoil: Spoil = |_, limits, mut r| {
        r.is_error = limits.max_depth < 10;
        r
    };
    red(
        "limits",
        &Wrong {
            parse: Some(spoil),
            ..Wrong::default()
        },
        r#"{"content":[]}"#,
    );
}

#[test]
fn validate_sees_the_other_answer() {
    let lenient = Wrong {
        validate: Some(|_| Ok(())),
        ..Wrong::default()
    };
    red("validate", &lenient, TWO);
    let harsh: fn(Checked) -> Checked = |_| Err(Error::new(Code::BadBase64, "", None, "no"));
    red(
        "validate",
        &Wrong {
            validate: Some(harsh),
            ..Wrong::default()
        },
        RESOURCE,
    );
    red(
        "validate",
        &Wrong {
            validate: Some(harsh),
            ..Wrong::default()
        },
        TWO,
    );
}

#[test]
fn verdict_sees_what_is_too_lenient_and_too_strict() {
    let lenient = Wrong {
        canonical: Some(|text, r| Ok(r.unwrap_or(text.to_vec()))),
        ..Wrong::default()
    };
    for text in [
        r#"{"a":1,"a":2}"#,
        "NaN",
        "[1,]",
        r#""\ud800""#,
        "1e400",
        "01",
        "",
    ] {
        red("verdict", &lenient, text);
    }
    let strict = Wrong {
        canonical: Some(|_, _| Err(Error::new(Code::JsonSyntax, "", Some(0), "no"))),
        ..Wrong::default()
    };
    red("verdict", &strict, "[1,2]");
    red("verdict", &lenient, "[[[[[[[[[[[[1]]]]]]]]]]]]");
    red(
        "verdict",
        &lenient,
        "[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25]",
    );
}

#[test]
fn typed_sees_a_lost_digit() {
    let typed = Some((|text: String| text.replace("789", "800")) as fn(String) -> String);
    red(
        "typed",
        &Wrong {
            typed,
            ..Wrong::default()
        },
        r#"{"content":[],"structuredContent":{"id":-1234567890123456789}}"#,
    );
}

#[test]
fn typed_sees_a_lost_field() {
    let typed = Some((|text: String| text.replace("\"x\":1,", "")) as fn(String) -> String);
    red(
        "typed",
        &Wrong {
            typed,
            ..Wrong::default()
        },
        r#"{"x":1,"content":[],"y":2}"#,
    );
}

#[test]
fn receive_sees_a_forgotten_exit_status_and_other_content() {
    let forgets: fn(Exit, &mut Reading) = |_, r| r.is_error = false;
    red(
        "receive",
        &Wrong {
            receive: Some(forgets),
            ..Wrong::default()
        },
        TWO,
    );
    let other: fn(Exit, &mut Reading) = |_, r| r.blocks.clear();
    red(
        "receive",
        &Wrong {
            receive: Some(other),
            ..Wrong::default()
        },
        TWO,
    );
}

#[test]
fn lines_see_a_lost_line_and_a_wrong_place() {
    let log = format!("{TWO}\r\n\nplain\n{RESOURCE}");
    let lost: fn(&mut Vec<LogLine>) = |lines| {
        lines.pop();
    };
    red(
        "lines",
        &Wrong {
            lines: Some(lost),
            ..Wrong::default()
        },
        &log,
    );
    let shifted: fn(&mut Vec<LogLine>) = |lines| lines[1].offset += 1;
    red(
        "lines",
        &Wrong {
            lines: Some(shifted),
            ..Wrong::default()
        },
        &log,
    );
    let merged: fn(&mut Vec<LogLine>) = |lines| lines[0].reading.findings.clear();
    red(
        "lines",
        &Wrong {
            lines: Some(merged),
            ..Wrong::default()
        },
        &log,
    );
}
