//! Laws of what leaves: the answer for a model, the explanation for a person, identities, processes.

use super::{same, shown};
use crate::calls::{self, LogLine};
use crate::oracle::{colour_ends, terminal_danger};
use crate::rng::Rng;
use toolwire::{
    Code, Exit, ExplainOptions, FormatOptions, IdentifyOptions, Known, Limits, MIN_BUDGET, Role,
    Style, Target,
};

/// Of the form that the options ask for.
const NONCE: &str = "n0nce-51c1-fuzz-0000";

fn format_options(rng: &mut Rng) -> FormatOptions {
    FormatOptions {
        target: [Target::Model, Target::Terminal][rng.usize(..2)],
        style: [Style::Fence, Style::Xml][rng.usize(..2)],
        header: rng.bool(),
        max_bytes: [
            None,
            Some(rng.usize(..40)),
            Some(rng.usize(..600)),
            Some(rng.usize(..5000)),
        ][rng.usize(..4)],
        audience: [None, None, Some(Role::User), Some(Role::Assistant)][rng.usize(..4)],
        nonce: (rng.u8(..4) == 0).then(|| NONCE.to_string()),
        color: rng.bool(),
    }
}

pub(super) fn format(input: &[u8], salt: u64) -> Result<(), String> {
    let options = format_options(&mut Rng::with_seed(salt));
    let text = match calls::format(input, &options) {
        Ok(text) => text,
        Err(error) if error.code() == Code::NonceCollision && options.nonce.is_some() => {
            return Ok(());
        }
        Err(error)
            if error.code() == Code::BadOption
                && options.max_bytes.is_some_and(|most| most < MIN_BUDGET) =>
        {
            return Ok(());
        }
        Err(error) => return Err(format!("{options:?} gives {}: {error}", error.code())),
    };
    if let Some(most) = options.max_bytes.filter(|&most| text.len() > most) {
        return Err(format!(
            "{} bytes with {options:?}, {most} are the most: {}",
            text.len(),
            shown(text.as_bytes())
        ));
    }
    if options.target == Target::Terminal {
        if let Some(danger) = terminal_danger(&text) {
            return Err(format!(
                "with {options:?} a terminal gets {danger}: {}",
                shown(text.as_bytes())
            ));
        }
        if !colour_ends(&text) {
            return Err(format!(
                "the colour goes on behind the text, with {options:?}: {}",
                shown(text.as_bytes())
            ));
        }
        if !options.color && text.contains('\u{1b}') {
            return Err(format!(
                "colour without being asked for, with {options:?}: {}",
                shown(text.as_bytes())
            ));
        }
    }
    if let Some(nonce) = options.nonce.as_deref().filter(|n| !text.contains(n)) {
        return Err(format!(
            "the wrapper of the nonce {nonce} is not there: {}",
            shown(text.as_bytes())
        ));
    }
    if let Some(most) = options.max_bytes {
        // A budget that is not needed changes nothing; one that is, is spoken of.
        let whole = calls::format(
            input,
            &FormatOptions {
                max_bytes: None,
                ..options.clone()
            },
        )
        .map_err(|e| format!("without a budget: {e}"))?;
        if whole.len() <= most {
            same(
                "a budget that is not needed changes the text",
                text.as_bytes(),
                whole.as_bytes(),
            )?;
        } else if !text.contains("truncated") {
            return Err(format!(
                "cut, and it is not said, with {options:?}: {}",
                shown(text.as_bytes())
            ));
        }
    }
    let again = calls::format(input, &options).map_err(|e| format!("the second time: {e}"))?;
    same(
        "format is not deterministic",
        text.as_bytes(),
        again.as_bytes(),
    )
}

pub(super) fn explain(input: &[u8], salt: u64) -> Result<(), String> {
    let color = salt.is_multiple_of(2);
    let text = calls::explain(input, &ExplainOptions { color });
    if text.trim().is_empty() {
        return Err("no explanation".to_string());
    }
    if let Some(danger) = terminal_danger(&text) {
        return Err(format!(
            "the explanation holds {danger}: {}",
            shown(text.as_bytes())
        ));
    }
    if !color && text.contains('\u{1b}') {
        return Err("colour without being asked for".to_string());
    }
    Ok(())
}

pub(super) fn identify(input: &[u8], salt: u64) -> Result<(), String> {
    let reading = calls::parse(input, &Limits::default());
    let root = Some("file:///home".to_string());
    let options = IdentifyOptions {
        root: root.clone(),
        known: Vec::new(),
    };
    let identities = match calls::identify(input, &options) {
        Ok(identities) => identities,
        Err(error) => return Err(format!("no identities: {}: {error}", error.code())),
    };
    for identity in &identities {
        let index = identity
            .pointer
            .strip_prefix("/content/")
            .and_then(|p| p.split('/').next());
        let index = index.and_then(|i| i.parse::<usize>().ok());
        let Some(body) = reading.bodies.iter().find(|b| Some(b.index) == index) else {
            return Err(format!("`{}` points to no block", identity.pointer));
        };
        same(
            "a digest is not of the content",
            identity.digest.as_bytes(),
            toolwire::digest_bytes(&body.bytes).as_bytes(),
        )?;
        if identity.size != body.bytes.len() as u64 {
            return Err(format!(
                "the size is {}, the content has {} bytes",
                identity.size,
                body.bytes.len()
            ));
        }
        // What has no normal form keeps the URI that the tool wrote, and says so.
        let given = body.uri.as_deref().unwrap_or_default();
        let normal = toolwire::normalize_uri(given, root.as_deref()).ok();
        if identity.normalized != normal.is_some() {
            return Err(format!(
                "`{given}` is normalized: {}, but its normal form is {normal:?}",
                identity.normalized
            ));
        }
        let uri = normal.unwrap_or_else(|| given.to_string());
        same(
            "the URI is not the normal form",
            identity.uri.as_bytes(),
            uri.as_bytes(),
        )?;
    }
    // What was identified once is known the second time; other content under the same URI is a change.
    let Some(first) = identities.first() else {
        return Ok(());
    };
    let same_uri = identities.iter().filter(|i| i.uri == first.uri).count();
    let other = salt.is_multiple_of(2);
    let digest = if other {
        toolwire::digest_bytes(b"something else")
    } else {
        first.digest.clone()
    };
    let known = vec![Known {
        uri: first.uri.clone(),
        digest,
    }];
    let second = calls::identify(input, &IdentifyOptions { root, known })
        .map_err(|e| format!("not with a receipt: {e}"))?;
    if second.len() != identities.len() {
        return Err("a receipt changes how many resources there are".to_string());
    }
    let status = second[0].status.as_str();
    let expected = if other { "changed" } else { "repeat" };
    if same_uri == 1 && status != expected {
        return Err(format!("`{}` is {status}, not {expected}", first.uri));
    }
    Ok(())
}

pub(super) fn receive(input: &[u8], _: u64) -> Result<(), String> {
    let alone = calls::parse(input, &Limits::default());
    let received = calls::receive(input, None, Exit::Code(0), b"some log");
    if received.document != alone.document
        || !received.same_content(&alone)
        || received.verdict != alone.verdict
    {
        return Err(format!("received as {received:?}, parsed as {alone:?}"));
    }
    same("raw() is not what was received", &received.raw, input)?;
    // On a channel of its own, the envelope is read the same whatever stdout says.
    let channel = calls::receive(b"a log line\n", Some(input), Exit::Code(0), b"");
    if alone.verdict != "raw" && !channel.same_content(&alone) {
        return Err(format!(
            "on its own channel {channel:?}, parsed as {alone:?}"
        ));
    }
    for exit in [
        Exit::Code(1),
        Exit::Code(-1),
        Exit::Code(127),
        Exit::Signal(9),
    ] {
        let failed = calls::receive(input, None, exit, b"no such file\n");
        if !failed.is_error {
            return Err(format!("{exit:?} is not an error"));
        }
        let again = calls::parse(
            &failed.document,
            &Limits {
                max_bytes: toolwire::MAX_BYTES,
                ..Limits::default()
            },
        );
        if again.verdict == "raw" || !again.is_error {
            return Err(format!(
                "{exit:?}: the document does not say it: {}",
                shown(&failed.document)
            ));
        }
        if alone.verdict != "raw" && failed.blocks != alone.blocks {
            return Err(format!("{exit:?} changes the blocks"));
        }
    }
    Ok(())
}

pub(super) fn lines(log: &[u8], _: u64) -> Result<(), String> {
    let read = calls::parse_lines(log);
    let mut expected = Vec::new();
    let mut offset = 0;
    for (index, line) in log.split_inclusive(|&b| b == b'\n').enumerate() {
        let text = line.strip_suffix(b"\n").unwrap_or(line);
        let text = text.strip_suffix(b"\r").unwrap_or(text);
        if !text.iter().all(|b| b" \t\r".contains(b)) {
            expected.push((index as u64 + 1, offset as u64, text));
        }
        offset += line.len();
    }
    let places: Vec<(u64, u64)> = read.iter().map(|l| (l.number, l.offset)).collect();
    let wanted: Vec<(u64, u64)> = expected.iter().map(|l| (l.0, l.1)).collect();
    if places != wanted {
        return Err(format!("lines and offsets are {places:?}, not {wanted:?}"));
    }
    for (line, (_, _, text)) in read.iter().zip(&expected) {
        let LogLine {
            number, reading, ..
        } = line;
        let alone = calls::parse(text, &Limits::default());
        if reading.document != alone.document
            || !reading.same_content(&alone)
            || reading.verdict != alone.verdict
        {
            return Err(format!(
                "line {number} is {reading:?}, alone it is {alone:?}"
            ));
        }
        if reading.findings != alone.findings || reading.is_error != alone.is_error {
            return Err(format!(
                "line {number} has {:?}, alone {:?}",
                reading.findings, alone.findings
            ));
        }
    }
    Ok(())
}
