//! A reading as the protocol shows it.

use base64::{Engine, prelude::BASE64_STANDARD};
use serde_json::{Value, json};
use toolwire::{BlockView, Parsed, digest_bytes};

/// The members of a reading; what is absent is null.
pub fn reading(parsed: &Parsed<'_>) -> Value {
    json!({
        "verdict": parsed.verdict().as_str(),
        "isError": parsed.is_error(),
        "status": parsed.status().as_str(),
        "transient": parsed.transient(),
        "trace": parsed.trace(),
        "structuredContent": parsed.structured_content().map(|node| node.raw()),
        "document": String::from_utf8_lossy(parsed.document()),
        "rawSha256": parsed.is_raw().then(|| digest_bytes(parsed.raw())[7..].to_owned()),
        "blocks": parsed.blocks().map(block).collect::<Vec<_>>(),
        "diagnostics": parsed.diagnostics().iter().map(|d| json!({
            "code": d.code.as_str(), "severity": d.severity.as_str(),
            "pointer": d.pointer, "offset": d.offset, "raw": d.raw,
        })).collect::<Vec<_>>(),
    })
}

fn block(block: BlockView<'_>) -> Value {
    json!({
        "index": block.index(),
        "type": block.kind().as_str(),
        "text": block.text(),
        "uri": block.uri(),
        "name": block.name(),
        "title": block.title(),
        "description": block.description(),
        "mimeType": block.mime_type(),
        "formatted": block.formatted(),
        "size": block.size(),
        "audience": block.audience().map(|roles| roles.iter().map(|r| r.as_str()).collect::<Vec<_>>()),
        "priority": block.priority(),
        "lastModified": block.last_modified(),
        "bytes": block.bytes().map(|bytes| BASE64_STANDARD.encode(bytes)),
        "question": block.question().map(|question| json!({
            "id": question.id, "text": question.text, "schema": question.schema.raw(),
            "default": question.default.map(|node| node.raw()), "url": question.url,
        })),
    })
}
