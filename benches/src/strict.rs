//! What the peers do not check: a fast answer to an easier question is no fair comparison, so each is
//! shown what strict reading refuses.

use serde::Serialize;

/// A text that is not a valid envelope, and why.
#[derive(Serialize)]
pub struct Probe {
    /// What is wrong.
    pub about: &'static str,
    /// The bytes.
    #[serde(serialize_with = "as_base64")]
    pub text: Vec<u8>,
}

/// Who takes which probe, in the order of the probes.
pub type Verdicts = Vec<(String, Vec<bool>)>;

fn as_base64<S: serde::Serializer>(bytes: &[u8], out: S) -> Result<S::Ok, S::Error> {
    use base64::Engine;
    out.serialize_str(&base64::engine::general_purpose::STANDARD.encode(bytes))
}

/// The probes, the first one of which is right and taken by everybody.
pub fn probes() -> Vec<Probe> {
    let probe = |about, text: &[u8]| Probe {
        about,
        text: text.to_vec(),
    };
    let block = |about, block: &str| Probe {
        about,
        text: format!("{{\"content\":[{block}]}}").into_bytes(),
    };
    vec![
        block("(a valid envelope)", r#"{"type":"text","text":"a"}"#),
        probe("a name twice", br#"{"content":[],"content":[]}"#),
        block(
            "half of a surrogate pair",
            r#"{"type":"text","text":"\ud800"}"#,
        ),
        probe(
            "bytes that are not UTF-8",
            b"{\"content\":[{\"type\":\"text\",\"text\":\"\xff\"}]}",
        ),
        probe("NaN", br#"{"content":[],"structuredContent":{"a":NaN}}"#),
        probe(
            "1e400",
            br#"{"content":[],"structuredContent":{"a":1e400}}"#,
        ),
        probe(
            "2^53 + 1, which a double rounds",
            br#"{"content":[],"structuredContent":{"a":9007199254740993}}"#,
        ),
        probe("something behind the document", br#"{"content":[]} x"#),
        block("a text block without text", r#"{"type":"text"}"#),
        block(
            "a resource with text and blob",
            r#"{"type":"resource","resource":{"uri":"a:b","text":"","blob":""}}"#,
        ),
        block(
            "base64 that is none",
            r#"{"type":"image","mimeType":"image/png","data":"*"}"#,
        ),
        block(
            "priority 2",
            r#"{"type":"text","text":"a","annotations":{"priority":2}}"#,
        ),
        block("an unknown type of block", r#"{"type":"video"}"#),
    ]
}
