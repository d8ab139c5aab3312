//! Laws of schemas, questions and programs.

use super::*;
use toolwire::schema::project;

#[test]
fn tidy_sees_what_changes_twice_and_what_is_not_canonical() {
    for spoil in [
        (|json: Json| Json::new(format!(" [{json}]")).expect("JSON")) as fn(Json) -> Json,
        |json| Json::new(format!("[{json} ]")).expect("JSON"),
    ] {
        let wrong = Wrong {
            tidy: Some(spoil),
            ..Wrong::default()
        };
        red("tidy", &wrong, r#"{"type":"string"}"#);
    }
}

#[test]
fn project_sees_what_no_provider_takes() {
    for spoil in [
        (|p: &mut Projection| p.schema = Json::new(r#"{"enum":[1]}"#).expect("JSON"))
            as fn(&mut Projection),
        |p| p.wrapped = true,
        // Google takes no `additionalProperties`.
        |p| {
            p.schema = Json::new(
                r#"{"additionalProperties":false,"properties":{},"required":[],"type":"object"}"#,
            )
            .expect("JSON")
        },
        |p| p.losses = project(&Json::from(true), Provider::Common).losses,
        |p| {
            p.schema = Json::new(r#"{"additionalProperties":false,"anyOf":[],"type":"object"}"#)
                .expect("JSON")
        },
    ] {
        let wrong = Wrong {
            project: Some(spoil),
            ..Wrong::default()
        };
        red("project", &wrong, r#"{"type":"object"}"#);
    }
}

#[test]
fn event_sees_progress_that_makes_no_sense_and_a_text_that_changes() {
    for spoil in [
        (|event| {
            if let ToolEvent::Progress(progress) = event {
                progress.done = -1.0;
            }
        }) as fn(&mut ToolEvent),
        |event| {
            if let ToolEvent::Progress(progress) = event {
                progress.total = Some(0.5);
            }
        },
        |event| {
            if let ToolEvent::Message(message) = event {
                message.text.push('!');
            }
        },
    ] {
        let wrong = Wrong {
            event: Some(spoil),
            ..Wrong::default()
        };
        red("event", &wrong, "{}");
    }
}

#[test]
fn line_sees_a_second_line_and_a_text_that_changes() {
    for spoil in [(|text| text.push('\n')) as fn(&mut String), |text| {
        *text = text.replace("\"call\":1", "\"call\":11")
    }] {
        let wrong = Wrong {
            line: Some(spoil),
            ..Wrong::default()
        };
        red("line", &wrong, "{}");
    }
}

#[test]
fn ask_sees_another_prompt_and_a_default_that_is_never_offered() {
    for spoil in [
        (|text: String| text.replace("string", "boolean")) as fn(String) -> String,
        |text| text.replace(r#""schema""#, r#""default":[2],"schema""#),
        |_| "{}".to_owned(),
    ] {
        let wrong = Wrong {
            ask: Some(spoil),
            ..Wrong::default()
        };
        red("ask", &wrong, r#"{"text":"?"}"#);
    }
}

#[test]
fn find_secret_sees_a_place_that_is_none_and_a_mark_overlooked() {
    for spoil in [(|| None) as fn() -> Option<String>, || {
        Some("/schema/nowhere".to_owned())
    }] {
        let wrong = Wrong {
            secret: Some(spoil),
            ..Wrong::default()
        };
        red("find-secret", &wrong, "{}");
    }
}

#[test]
fn open_sees_an_answer_that_is_no_error() {
    for spoil in [
        (|text: String| text.replace("true", "false")) as fn(String) -> String,
        |_| "no such tool".to_owned(),
    ] {
        let wrong = Wrong {
            open: Some(spoil),
            ..Wrong::default()
        };
        red("open", &wrong, "{}");
    }
}

#[test]
fn check_sees_another_verdict_and_a_schema_that_is_refused_or_is_not() {
    for (spoil, schema) in [
        ((|_| Ok(())) as fn(Fits) -> Fits, r#"{"type":"integer"}"#),
        (|_| Err(CheckError::Mismatches(Vec::new())), "{}"),
        (|_| Ok(()), r#"{"type":"text"}"#),
        (
            |_| {
                let error = Error::new(Code::BadSchema, "", None, "no");
                Err(CheckError::BadSchema(error))
            },
            "{}",
        ),
    ] {
        let wrong = Wrong {
            check: Some(spoil),
            ..Wrong::default()
        };
        red("check", &wrong, schema);
    }
}

#[test]
fn schema_format_sees_what_only_one_accepts() {
    for (spoil, text) in [
        ((|_| Ok(())) as fn(Fits) -> Fits, "x"),
        (
            |_| Err(CheckError::Mismatches(Vec::new())),
            "2024-02-29T12:00:00Z",
        ),
    ] {
        let wrong = Wrong {
            check: Some(spoil),
            ..Wrong::default()
        };
        red("schema-format", &wrong, text);
    }
}
