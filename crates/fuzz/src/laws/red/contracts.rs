//! Laws of verdicts, of fingerprints, of launch URIs, profiles and texts that hide something.

use super::*;

const SCHEMA: &str = r#"{"type":"object","properties":{"a":{"type":"integer","minimum":1,"maximum":3},"b":{"type":"string"}},"required":["a"]}"#;

#[test]
fn diff_sees_a_verdict_that_is_too_kind_or_too_harsh_and_a_witness_that_is_none() {
    for spoil in [
        (|diff| {
            diff.verdict = Verdict::Compatible;
            diff.changes.clear();
        }) as fn(&mut Diff),
        |diff| diff.verdict = Verdict::Breaking,
        |diff| {
            for change in &mut diff.changes {
                if change.witness.is_some() {
                    change.witness = Some(Witness::Arguments(Json::empty_object()));
                }
            }
        },
        |diff| {
            for change in &mut diff.changes {
                change.witness = None;
            }
        },
    ] {
        let wrong = Wrong {
            diff: Some(spoil),
            ..Wrong::default()
        };
        red("diff", &wrong, SCHEMA);
    }
}

#[test]
fn close_sees_what_stays_open_only_where_it_matters() {
    for spoil in [
        // It forgets the schema, or refuses what has no member too many.
        (|_| Json::new("{}").expect("JSON")) as fn(Json) -> Json,
        |_| Json::new("false").expect("JSON"),
        |_| Json::new(r#"{"type":3}"#).expect("JSON"),
    ] {
        let wrong = Wrong {
            close: Some(spoil),
            ..Wrong::default()
        };
        red("close", &wrong, r#"{"type":["object","null"]}"#);
    }
}

#[test]
fn launch_sees_what_is_lost_and_what_looks_like_an_option() {
    for spoil in [
        (|launch| {
            if let Some(Request::Tool { name, .. }) = &mut launch.request {
                name.push('x');
            }
        }) as fn(&mut Launch),
        |launch| {
            launch.launcher = Launcher::Exec;
            launch.target = "--help".to_owned();
        },
    ] {
        let wrong = Wrong {
            launch: Some(spoil),
            ..Wrong::default()
        };
        red(
            "launch",
            &wrong,
            "mcp+uvx://a/b?command=run&tool=search&gene=BRAF",
        );
    }
}

#[test]
fn launch_fields_sees_a_field_that_does_not_come_back() {
    let wrong = Wrong {
        launch: Some(|launch| {
            launch.words.clear();
        }),
        ..Wrong::default()
    };
    red("launch-fields", &wrong, "server/run");
}

#[test]
fn hidden_sees_what_is_left_and_what_is_made_up() {
    for spoil in [
        (|text| text.replace("<U+200B ZERO WIDTH SPACE>", "\u{200b}")) as fn(String) -> String,
        |text| text.replace("<U+001B", "\u{1b}<U+001B"),
    ] {
        let wrong = Wrong {
            show: Some(spoil),
            ..Wrong::default()
        };
        red("hidden", &wrong, "a\u{200b}b\u{1b}[2J");
    }
    let wrong = Wrong {
        show: Some(|text| format!("{text}!")),
        ..Wrong::default()
    };
    red("hidden", &wrong, "plain");
}

#[test]
fn profile_sees_what_is_not_read_again() {
    for spoil in [
        (|text| text.replace("10", "100")) as fn(String) -> String,
        |text| format!("{text}]"),
    ] {
        let wrong = Wrong {
            profile: Some(spoil),
            ..Wrong::default()
        };
        red(
            "profile",
            &wrong,
            include_str!("../../../corpus/profile.json"),
        );
    }
}

#[test]
fn fingerprint_sees_a_spelling_that_matters_and_words_that_do_or_do_not() {
    for spoil in [
        (|tool, print| print.contract = tool.as_str().to_owned()) as fn(&Json, &mut Fingerprint),
        |_, print| print.text.clear(),
        |_, print| print.safety.clear(),
        |_, print| print.contract = print.safety.clone(),
        |_, print| print.text = format!("{}{}", print.text, print.safety),
    ] {
        let wrong = Wrong {
            print: Some(spoil),
            ..Wrong::default()
        };
        red("fingerprint", &wrong, SCHEMA);
    }
}

#[test]
fn fingerprint_change_and_meaning_see_contracts_that_are_one() {
    let wrong = Wrong {
        print: Some(|_, print| print.contract.clear()),
        ..Wrong::default()
    };
    red("fingerprint-change", &wrong, SCHEMA);
    red("fingerprint-meaning", &wrong, SCHEMA);
}

#[test]
fn lock_sees_what_is_not_read_again() {
    for spoil in [
        (|text| text.replace("1.0.0", "1.0.00")) as fn(String) -> String,
        |text| format!("{text}]"),
    ] {
        let wrong = Wrong {
            lock: Some(spoil),
            ..Wrong::default()
        };
        red("lock", &wrong, include_str!("../../../corpus/lock.json"));
    }
}
