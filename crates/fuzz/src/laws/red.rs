//! Each law, shown to break on an implementation that is wrong in the way the law forbids, and to
//! hold on Toolwire for the same input.

use super::{LAWS, by_name};
use crate::subject::{Converted, LogLine, Reading, Subject, Toolwire};
use toolwire::block::Question;
use toolwire::call::{Answer, AnswerSource, ToolDescription};
use toolwire::event::ToolEvent;
use toolwire::mcp::{ElicitRequest, Fate, LossReport, McpTool, ResultOptions, Revision};
use toolwire::schema::Projection;
use toolwire::session::{Effect, SessionEvent, SessionMachine, SessionOutcome, SessionState};
use toolwire::{
    Code, Error, Exit, ExplainOptions, FormatOptions, IdentifyOptions, Identity, Json, Limits,
};
use toolwire_schema::{Allowance, CheckError};

type Spoil = fn(&[u8], &Limits, Reading) -> Reading;
type Bytes = Result<Vec<u8>, Error>;
type Checked = Result<(), Error>;
type Fits = Result<(), CheckError>;

/// Toolwire, spoiled in one place.
#[derive(Default)]
struct Wrong {
    parse: Option<Spoil>,
    canonical: Option<fn(&[u8], Bytes) -> Bytes>,
    uri: Option<fn(String) -> String>,
    format: Option<fn(String) -> String>,
    explain: Option<fn(String) -> String>,
    identify: Option<fn(&mut Identity)>,
    receive: Option<fn(Exit, &mut Reading)>,
    lines: Option<fn(&mut Vec<LogLine>)>,
    typed: Option<fn(String) -> String>,
    validate: Option<fn(Checked) -> Checked>,
    tidy: Option<fn(Json) -> Json>,
    project: Option<fn(&mut Projection)>,
    ask: Option<fn(String) -> String>,
    open: Option<fn(String) -> String>,
    secret: Option<fn() -> Option<String>>,
    check: Option<fn(Fits) -> Fits>,
    to_result: Option<fn(&mut String, &mut LossReport)>,
    from_result: Option<fn(&mut Reading, &mut LossReport)>,
    to_tool: Option<fn(&mut McpTool)>,
    event: Option<fn(&mut ToolEvent)>,
    legacy: Option<fn(&mut Converted)>,
    session: Option<fn(&mut SessionOutcome)>,
    elicit: Option<fn(ElicitRequest) -> ElicitRequest>,
    answer: Option<fn(&Json) -> Json>,
}

impl Subject for Wrong {
    fn to_elicitation(
        &self,
        question: &Question,
        revision: Revision,
    ) -> Result<ElicitRequest, Error> {
        let request = Toolwire.to_elicitation(question, revision);
        match self.elicit {
            Some(spoil) => request.map(spoil),
            None => request,
        }
    }

    fn answer_from(
        &self,
        question: &Question,
        revision: Revision,
        result: &Json,
    ) -> Result<Answer, Error> {
        let answer = Toolwire.answer_from(question, revision, result)?;
        match (self.answer, answer.value()) {
            (Some(spoil), Some(value)) => Ok(Answer::accepted(spoil(value), AnswerSource::User)),
            _ => Ok(answer),
        }
    }

    fn to_result(
        &self,
        input: &[u8],
        limits: &Limits,
        options: &ResultOptions,
    ) -> (String, LossReport) {
        let (mut result, mut report) = Toolwire.to_result(input, limits, options);
        if let Some(spoil) = self.to_result {
            spoil(&mut result, &mut report);
        }
        (result, report)
    }

    fn read_result(&self, result: &[u8], limits: &Limits) -> (Reading, LossReport) {
        let (mut reading, mut report) = Toolwire.read_result(result, limits);
        if let Some(spoil) = self.from_result {
            spoil(&mut reading, &mut report);
        }
        (reading, report)
    }

    fn to_tool(&self, tool: &ToolDescription, revision: Revision) -> McpTool {
        let mut mapped = Toolwire.to_tool(tool, revision);
        if let Some(spoil) = self.to_tool {
            spoil(&mut mapped);
        }
        mapped
    }

    fn check(&self, schema: &Json, value: &Json, allowance: &mut Allowance) -> Fits {
        let fits = Toolwire.check(schema, value, allowance);
        match self.check {
            Some(spoil) => spoil(fits),
            None => fits,
        }
    }

    fn parse(&self, input: &[u8], limits: &Limits) -> Reading {
        let reading = Toolwire.parse(input, limits);
        match self.parse {
            Some(spoil) => spoil(input, limits, reading),
            None => reading,
        }
    }

    fn typed(&self, input: &[u8], limits: &Limits) -> String {
        let text = Toolwire.typed(input, limits);
        match self.typed {
            Some(spoil) => spoil(text),
            None => text,
        }
    }

    fn validate(&self, input: &[u8], limits: &Limits) -> Result<(), Error> {
        let result = Toolwire.validate(input, limits);
        match self.validate {
            Some(spoil) => spoil(result),
            None => result,
        }
    }

    fn canonicalize(&self, text: &[u8], limits: &Limits) -> Result<Vec<u8>, Error> {
        let result = Toolwire.canonicalize(text, limits);
        match self.canonical {
            Some(spoil) => spoil(text, result),
            None => result,
        }
    }

    fn normalize_uri(&self, uri: &str, root: Option<&str>) -> Result<String, Error> {
        let uri = Toolwire.normalize_uri(uri, root)?;
        Ok(self.uri.map_or(uri.clone(), |spoil| spoil(uri)))
    }

    fn format(&self, input: &[u8], options: &FormatOptions) -> Result<String, Error> {
        let text = Toolwire.format(input, options)?;
        Ok(self.format.map_or(text.clone(), |spoil| spoil(text)))
    }

    fn explain(&self, input: &[u8], options: &ExplainOptions) -> String {
        let text = Toolwire.explain(input, options);
        self.explain.map_or(text.clone(), |spoil| spoil(text))
    }

    fn identify(&self, input: &[u8], options: &IdentifyOptions) -> Result<Vec<Identity>, Error> {
        let mut identities = Toolwire.identify(input, options)?;
        if let Some(spoil) = self.identify {
            identities.iter_mut().for_each(spoil);
        }
        Ok(identities)
    }

    fn receive(&self, stdout: &[u8], result: Option<&[u8]>, exit: Exit, stderr: &[u8]) -> Reading {
        let mut reading = Toolwire.receive(stdout, result, exit, stderr);
        if let Some(spoil) = self.receive {
            spoil(exit, &mut reading);
        }
        reading
    }

    fn tidy(&self, role: &str, schema: &Json) -> Json {
        let tidy = Toolwire.tidy(role, schema);
        self.tidy.map_or(tidy.clone(), |spoil| spoil(tidy))
    }

    fn project(&self, schema: &Json) -> Projection {
        let mut projection = Toolwire.project(schema);
        if let Some(spoil) = self.project {
            spoil(&mut projection);
        }
        projection
    }

    fn session(&self, machine: &mut SessionMachine, event: SessionEvent) -> SessionOutcome {
        let mut outcome = Toolwire.session(machine, event);
        if let Some(spoil) = self.session {
            spoil(&mut outcome);
        }
        outcome
    }

    fn read_legacy(&self, document: &[u8], limits: &Limits) -> Result<Option<Converted>, Error> {
        let mut read = Toolwire.read_legacy(document, limits)?;
        if let (Some(spoil), Some(converted)) = (self.legacy, &mut read) {
            spoil(converted);
        }
        Ok(read)
    }

    fn read_event(&self, line: &[u8]) -> Result<Option<ToolEvent>, Error> {
        let mut event = Toolwire.read_event(line)?;
        if let (Some(spoil), Some(event)) = (self.event, &mut event) {
            spoil(event);
        }
        Ok(event)
    }

    fn ask(&self, kind: &str, arguments: &str) -> Result<String, Error> {
        let asked = Toolwire.ask(kind, arguments)?;
        Ok(self.ask.map_or(asked.clone(), |spoil| spoil(asked)))
    }

    fn find_secret(&self, question: &Question) -> Option<String> {
        self.secret
            .map_or_else(|| Toolwire.find_secret(question), |spoil| spoil())
    }

    fn open(&self, document: &[u8]) -> Result<(), String> {
        let answer = Toolwire.open(document);
        answer.map_err(|text| self.open.map_or(text.clone(), |spoil| spoil(text)))
    }

    fn parse_lines(&self, log: &[u8]) -> Vec<LogLine> {
        let mut lines = Toolwire.parse_lines(log);
        if let Some(spoil) = self.lines {
            spoil(&mut lines);
        }
        lines
    }
}

const TWO: &str = r#"{"content":[{"type":"text","text":"hi"},{"type":"video"}]}"#;
const RESOURCE: &str =
    r#"{"content":[{"type":"resource","resource":{"uri":"file:///a","text":"b"}}]}"#;

/// The law holds for Toolwire and breaks for `wrong`, whatever the salt is; that is: for some of 64.
fn red(law: &str, wrong: &Wrong, input: &str) {
    let law = by_name(law).expect("a law");
    for salt in 0..64 {
        let result = (law.check)(&Toolwire, input.as_bytes(), salt);
        assert_eq!(result, Ok(()), "{} should hold, salt {salt}", law.name);
    }
    let broken = (0..64).any(|salt| (law.check)(wrong, input.as_bytes(), salt).is_err());
    assert!(broken, "{} does not see it", law.name);
}

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

#[test]
fn every_law_has_been_shown_to_break() {
    let source = include_str!("red.rs");
    for law in LAWS {
        assert!(
            source.contains(&format!("\"{}\"", law.name)),
            "{} has no test here",
            law.name
        );
    }
}

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
        |p| p.losses = toolwire::schema::project(&Json::from(true)).losses,
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
fn session_sees_wrong_ways_lost_blocks_and_open_questions() {
    for spoil in [
        (|outcome: &mut SessionOutcome| outcome.state = SessionState::Stopped)
            as fn(&mut SessionOutcome),
        |outcome| outcome.refusal = None,
        |outcome| {
            outcome
                .effects
                .retain(|effect| !matches!(effect, Effect::Open { .. }))
        },
        |outcome| spoil_envelope(outcome, r#""last":"#, r#""last":1"#),
        |outcome| spoil_envelope(outcome, r#""first":"#, r#""first":1"#),
        |outcome| {
            spoil_envelope(
                outcome,
                r#""type":"text","text":"2""#,
                r#""type":"text","text":"1""#,
            )
        },
        |outcome| spoil_envelope(outcome, r#""dropped":"#, r#""forgotten":"#),
    ] {
        let wrong = Wrong {
            session: Some(spoil),
            ..Wrong::default()
        };
        // Bytes that spawn, write, ask, apply and fetch, again and again.
        red(
            "session",
            &wrong,
            r"AA\\[\[L[C\\\[\\\\[\[\[R[[A\[LN[J[\R[[A\\[",
        );
    }
}

fn spoil_envelope(outcome: &mut SessionOutcome, from: &str, to: &str) {
    for effect in &mut outcome.effects {
        if let Effect::Reply { envelope } = effect {
            *envelope = Json::new(envelope.as_str().replace(from, to)).unwrap();
        }
    }
}

#[test]
fn legacy_sees_what_is_no_envelope_and_a_report_that_is_wrong_or_silent() {
    for spoil in [
        (|read| read.0.truncate(1)) as fn(&mut Converted),
        |read| read.1.push("/nowhere".to_owned()),
        |read| read.1.clear(),
    ] {
        let wrong = Wrong {
            legacy: Some(spoil),
            ..Wrong::default()
        };
        red("legacy", &wrong, r#"{"type":"success","content":"x"}"#);
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
fn elicit_form_sees_what_no_form_has_and_what_was_not_kept() {
    fn changed(request: ElicitRequest, from: &str, to: &str) -> ElicitRequest {
        ElicitRequest {
            params: Json::new(request.params.as_str().replace(from, to)).expect("JSON"),
            ..request
        }
    }
    let schema = r#"{"type":"string","maxLength":3,"pattern":"a"}"#;
    for spoil in [
        |request| changed(request, r#""maxLength":3"#, r#""maxLength":4"#),
        |request| changed(request, r#""maxLength":3"#, r#""pattern":"a""#),
        |request| changed(request, r#""message":"?""#, r#""message":"!""#),
        |request| changed(request, r#""requestedSchema""#, r#""schema""#),
        |mut request: ElicitRequest| {
            let all = request.report.entries.iter_mut();
            all.for_each(|entry| entry.fate = Fate::Kept);
            request
        },
    ] as [fn(ElicitRequest) -> ElicitRequest; 5]
    {
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
        |result, _| *result = result.replace("dev.toolwire/members", "a.b/c");
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
            let text = mapped.json.as_str().replace("members", "a");
            mapped.json = Json::new(text).expect("a tool");
            for entry in &mut mapped.report.entries {
                entry.fate = Fate::Kept;
            }
        }),
        ..Wrong::default()
    };
    red("mcp-tool", &wrong, r#"{"type":"array"}"#);
}
