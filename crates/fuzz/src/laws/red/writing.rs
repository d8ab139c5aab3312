//! Laws of what is written and shown.

use super::*;

#[test]
fn canonical_sees_wrong_order_spelling_and_a_second_change() {
    let verbatim = Wrong {
        canonical: Some(|text, _| Ok(text.to_vec())),
        ..Wrong::default()
    };
    for text in [
        "[1.0]",
        r#"{"b":1,"a":2}"#,
        r#"["\u0041"]"#,
        "[ 1]",
        "{\"\u{fb33}\":1,\"\u{1f600}\":2}",
        "-0",
    ] {
        red("canonical", &verbatim, text);
    }
    let growing = Wrong {
        canonical: Some(|_, r| r.map(|bytes| [b" ".to_vec(), bytes].concat())),
        ..Wrong::default()
    };
    red("canonical", &growing, "[9007199254740993]");
}

#[test]
fn number_sees_other_digits_and_other_grammar() {
    let verbatim = Wrong {
        canonical: Some(|text, _| Ok(text.to_vec())),
        ..Wrong::default()
    };
    for text in ["1.0", "1e2", "-0", "1e21", "0.0000001", "9007199254740993"] {
        red("number", &verbatim, text);
    }
    let lenient = Wrong {
        canonical: Some(|_, _| Ok(b"1".to_vec())),
        ..Wrong::default()
    };
    red("number", &lenient, "1e400");
    let strict = Wrong {
        canonical: Some(|_, _| Err(Error::new(Code::NumberRange, "", Some(0), "no"))),
        ..Wrong::default()
    };
    red("number", &strict, "1e308");
}

#[test]
fn uri_sees_what_changes_twice() {
    let uri = Some((|uri: String| format!("{uri}x")) as fn(String) -> String);
    red(
        "uri",
        &Wrong {
            uri,
            ..Wrong::default()
        },
        "file:///a/../b",
    );
    let uri = Some((|uri: String| format!("{uri} ")) as fn(String) -> String);
    red(
        "uri",
        &Wrong {
            uri,
            ..Wrong::default()
        },
        "https://example.com/%2f",
    );
}

#[test]
fn format_sees_length_and_escapes() {
    let silent = Some((|text: String| text.replace("truncated", "")) as fn(String) -> String);
    let long = r#"{"content":[{"type":"text","text":"X"}]}"#.replace('X', &"x".repeat(6000));
    red(
        "format",
        &Wrong {
            format: silent,
            ..Wrong::default()
        },
        &long,
    );
    let long = Some((|text: String| text + &"x".repeat(5000)) as fn(String) -> String);
    red(
        "format",
        &Wrong {
            format: long,
            ..Wrong::default()
        },
        RESOURCE,
    );
    let title = Some((|text: String| text + "\u{1b}]0;t\u{7}") as fn(String) -> String);
    red(
        "format",
        &Wrong {
            format: title,
            ..Wrong::default()
        },
        RESOURCE,
    );
    let colour = Some((|text: String| text + "\u{1b}[31m") as fn(String) -> String);
    red(
        "format",
        &Wrong {
            format: colour,
            ..Wrong::default()
        },
        RESOURCE,
    );
    let bare =
        Some((|text: String| text.replace("n0nce-51c1-fuzz-0000", "")) as fn(String) -> String);
    red(
        "format",
        &Wrong {
            format: bare,
            ..Wrong::default()
        },
        RESOURCE,
    );
}

#[test]
fn explain_sees_silence_and_escapes() {
    let silent = Some((|_| String::new()) as fn(String) -> String);
    red(
        "explain",
        &Wrong {
            explain: silent,
            ..Wrong::default()
        },
        TWO,
    );
    let loud = Some((|text: String| text + "\u{9b}2J") as fn(String) -> String);
    red(
        "explain",
        &Wrong {
            explain: loud,
            ..Wrong::default()
        },
        TWO,
    );
}

#[test]
fn identify_sees_another_digest_size_and_uri() {
    for spoil in [
        (|i| i.digest = toolwire::digest_bytes(b"other")) as fn(&mut Identity),
        |i| i.size += 1,
        |i| i.uri.push('x'),
        |i| i.pointer = "/content/9".to_string(),
    ] {
        red(
            "identify",
            &Wrong {
                identify: Some(spoil),
                ..Wrong::default()
            },
            RESOURCE,
        );
    }
}
