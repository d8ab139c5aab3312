use super::*;
use crate::{Code, Limits, Verdict, parse};

fn none<T: Default>() -> T {
    T::default()
}

fn refused<T: std::fmt::Debug>(result: Result<T, Error>, pointer: &str) {
    let error = result.expect_err(pointer);
    assert_eq!(
        (error.code(), error.pointer()),
        (Code::BadArgument, pointer),
        "{error}"
    );
    assert_eq!(error.offset(), None);
}

fn json(text: &str) -> Json {
    Json::new(text).unwrap()
}

#[test]
fn what_is_built_reads_as_valid_and_canonical() {
    let annotations = Annotations {
        audience: Some(vec![crate::Role::User]),
        priority: Some(0.25),
        last_modified: Some("2025-01-12T15:00:58Z".into()),
        ..none()
    };
    let common = BlockOptions {
        annotations: Some(annotations),
        meta: Some(json(r#"{"b":1,"a":2}"#)),
    };
    let blocks = vec![
        text("a\u{1}\"", common.clone()).unwrap(),
        resource("file:///a", "x", none()).unwrap(),
        resource("file:///a", &b"\0"[..], none()).unwrap(),
        image(b"", "image/png", common.clone()).unwrap(),
        audio(b"abc", "audio/wav", common).unwrap(),
        resource_link(
            "https://example.org",
            "n",
            ResourceLinkOptions {
                size: Some(0),
                ..none()
            },
        )
        .unwrap(),
        question(
            "q",
            "?",
            json(r#"{"type":["null"]}"#),
            QuestionOptions {
                default: Some(json("null")),
                ..none()
            },
        )
        .unwrap(),
    ];
    let options = EnvelopeOptions {
        structured_content: Some(json("null")),
        status: Some(Status::Waiting),
        meta: Some(json(r#"{"x/y":[1.0]}"#)),
        ..none()
    };
    let built = envelope(blocks, options).unwrap();
    let text = built.to_json();
    assert!(text.contains(r#""default":null"#) && text.contains(r#""structuredContent":null"#));
    assert_eq!(
        crate::canonicalize(text.as_bytes(), &Limits::default()).unwrap(),
        text.as_bytes()
    );
    let parsed = parse(text.as_bytes(), &Limits::default());
    assert_eq!(
        parsed.verdict(),
        Verdict::Valid,
        "{:?}",
        parsed.diagnostics()
    );
    assert_eq!(parsed.blocks().count(), 7);
    assert_eq!(parsed.to_envelope(), built);
}

#[test]
fn a_wrong_argument_is_named() {
    refused(resource("", "x", none()), "/uri");
    refused(resource("a\nb", "x", none()), "/uri");
    refused(
        resource_link(
            "a:b",
            "n",
            ResourceLinkOptions {
                size: Some(1 << 53),
                ..none()
            },
        ),
        "/size",
    );
    refused(question("", "?", json("{}"), none()), "/id");
    refused(question("q", "?", json("true"), none()), "/schema");
    let annotated = |annotations| BlockOptions {
        annotations: Some(annotations),
        meta: None,
    };
    for priority in [-0.5, 1.5, f64::NAN, f64::INFINITY] {
        let annotations = Annotations {
            priority: Some(priority),
            ..none()
        };
        refused(text("", annotated(annotations)), "/annotations/priority");
    }
    let annotations = Annotations {
        last_modified: Some("yesterday".into()),
        ..none()
    };
    refused(
        text("", annotated(annotations)),
        "/annotations/lastModified",
    );
    refused(
        text(
            "",
            BlockOptions {
                meta: Some(json("[]")),
                ..none()
            },
        ),
        "/meta",
    );
}

#[test]
fn an_integer_past_all_doubles_keeps_its_digits() {
    let options = EnvelopeOptions {
        structured_content: Some(json(r#"{"n": 9007199254740993}"#)),
        meta: Some(json(r#"{"n":-123456789012345678901234567890}"#)),
        ..none()
    };
    assert_eq!(
        envelope(vec![], options).unwrap().to_json(),
        r#"{"_meta":{"n":-123456789012345678901234567890},"content":[],"structuredContent":{"n":9007199254740993}}"#
    );
    let meta = Some(json(r#"{"n":9007199254740993}"#));
    let block = text("", BlockOptions { meta, ..none() }).unwrap();
    assert!(block.to_json().contains(r#"{"n":9007199254740993}"#));
}

#[test]
fn annotations_and_media_types_of_arguments_are_strict() {
    let extended = |name: &str| Annotations {
        extra: BTreeMap::from([(name.to_owned(), json("1"))]),
        ..none()
    };
    let annotated = |name: &str| BlockOptions {
        annotations: Some(extended(name)),
        ..none()
    };
    for (name, pointer) in [
        ("last_modified", "/annotations/last_modified"),
        ("Priority", "/annotations/Priority"),
        ("a~", "/annotations/a~0"),
        ("", "/annotations/"),
    ] {
        refused(text("", annotated(name)), pointer);
    }
    for name in ["example.org/weight", "org.example"] {
        let block = text("", annotated(name)).unwrap();
        // What was read before may hold anything, also in an envelope that is built.
        assert!(envelope(vec![block], none()).is_ok(), "{name}");
    }
    let read = Block::from_json(r#"{"type":"text","text":"","annotations":{"weight":1}}"#);
    assert!(envelope(vec![read.unwrap()], none()).is_ok());

    refused(image(b"", "png", none()), "/mimeType");
    let options = ResourceOptions {
        mime_type: Some("rust".into()),
        ..none()
    };
    refused(resource_from_bytes("/a", b"", options), "/mimeType");
}

#[test]
fn members_of_an_envelope_must_agree() {
    let ask = || question("q", "?", json("{}"), none()).unwrap();
    let status = |status| EnvelopeOptions {
        status: Some(status),
        ..none()
    };
    refused(envelope(vec![], status(Status::Waiting)), "/status");
    refused(envelope(vec![ask()], status(Status::Stopped)), "/status");
    refused(
        envelope(vec![ask(), ask()], none()),
        "/content/1/question/id",
    );
    refused(envelope(vec![Block::Other(json("{}"))], none()), "/content");
    let one = text("", none()).unwrap();
    refused(
        envelope(vec![one, Block::Other(json("5"))], none()),
        "/content/1",
    );

    let error = || Some(ErrorMeta::default());
    refused(
        envelope(
            vec![],
            EnvelopeOptions {
                error: error(),
                is_error: Some(false),
                ..none()
            },
        ),
        "/error",
    );
    let implied = envelope(
        vec![],
        EnvelopeOptions {
            error: error(),
            ..none()
        },
    )
    .unwrap();
    assert_eq!(implied.is_error, Some(true));

    for (meta, pointer) in [
        ("5", "/meta"),
        (
            r#"{"computer.jp/status":"odd"}"#,
            "/meta/computer.jp~1status",
        ),
        (r#"{"computer.jp/error":{}}"#, "/meta/computer.jp~1error"),
    ] {
        refused(
            envelope(
                vec![],
                EnvelopeOptions {
                    meta: Some(json(meta)),
                    ..none()
                },
            ),
            pointer,
        );
    }
    for meta in [
        r#"{"computer.jp/status":"running"}"#,
        r#"{"computer.jp/status":7}"#,
    ] {
        let options = EnvelopeOptions {
            meta: Some(json(meta)),
            ..status(Status::Running)
        };
        refused(envelope(vec![], options), "/meta/computer.jp~1status");
    }
}

#[test]
fn bytes_of_a_file_become_text_or_a_blob() {
    for (path, bytes, member, expected) in [
        (
            "/a.rs",
            &b"x"[..],
            r#""text":"x""#,
            r#""mimeType":"text/rust""#,
        ),
        (
            "/a.rs",
            b"x\0",
            r#""blob":"eAA=""#,
            r#""mimeType":"text/rust""#,
        ),
        (
            "/a.png",
            b"\x89",
            r#""blob":"iQ==""#,
            r#""mimeType":"image/png""#,
        ),
        ("/A b", b"", r#""text":"""#, r#""uri":"file:///A%20b""#),
        (
            r"C:\x\y.json",
            b"{}",
            r#""text":"{}""#,
            r#""uri":"file:///C:/x/y.json""#,
        ),
        (
            "https://example.org/A%20b",
            b"",
            r#""text":"""#,
            r#""uri":"https://example.org/A%20b""#,
        ),
    ] {
        let block = resource_from_bytes(path, bytes, none()).unwrap().to_json();
        assert!(
            block.contains(member) && block.contains(expected),
            "{path}: {block}"
        );
    }
    let options = ResourceOptions {
        mime_type: Some("a/b".into()),
        ..none()
    };
    let block = resource_from_bytes("/a.rs", b"", options)
        .unwrap()
        .to_json();
    assert!(block.contains(r#""mimeType":"a/b""#), "{block}");
    refused(resource_from_bytes("", b"", none()), "/path");
    refused(resource_from_bytes("a:\n", b"", none()), "/path");
}

#[derive(Debug)]
struct Failure(&'static str, Option<Box<Failure>>);

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for Failure {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.1.as_deref().map(|source| source as _)
    }
}

#[test]
fn an_error_carries_its_sources() {
    let failure = Failure(
        "top",
        Some(Box::new(Failure(
            "middle",
            Some(Box::new(Failure("root", None))),
        ))),
    );
    let built = error_from(
        &failure,
        ErrorOptions {
            transient: true,
            ..none()
        },
    )
    .unwrap();
    assert_eq!(
        built.to_json(),
        r#"{"_meta":{"computer.jp/error":{"trace":["middle","root"],"transient":true}},"content":[{"text":"top","type":"text"}],"isError":true}"#
    );
    let options = ErrorOptions {
        trace: vec!["told".into()],
        ..none()
    };
    assert_eq!(
        error_from(&failure, options).unwrap().to_json(),
        r#"{"_meta":{"computer.jp/error":{"trace":["told"]}},"content":[{"text":"top","type":"text"}],"isError":true}"#
    );
    let plain = error_from(&Failure("alone", None), none()).unwrap();
    assert_eq!(
        plain.to_json(),
        r#"{"content":[{"text":"alone","type":"text"}],"isError":true}"#
    );
}
