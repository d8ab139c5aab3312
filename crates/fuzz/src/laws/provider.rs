//! Laws of the messages of providers (companion *messages of providers*).

use super::{same, shown};
use fastrand::Rng;
use toolwire::mcp::Fate;
use toolwire::provider::{Family, FromCallOptions, MessageOptions, ModelCall, Provider, from_call};
use toolwire::provider::{Resources, Structured};
use toolwire::{Json, Limits};

fn one_of<T: Copy>(rng: &mut Rng, all: &[T]) -> T {
    all[rng.usize(..all.len())]
}

fn options_of(rng: &mut Rng) -> MessageOptions {
    let mut options = MessageOptions::default();
    options.family = rng.bool().then(|| one_of(rng, Family::ALL));
    options.structured = one_of(rng, Structured::ALL);
    options.resources = one_of(rng, Resources::ALL);
    options.max_bytes = rng.bool().then(|| rng.usize(256..2000));
    options.companion = rng.bool();
    options.cache = rng.bool();
    options.output_schema = rng.bool();
    options
}

/// A message is JSON, an error is seen, a companion has what was moved, and text keeps to the budget.
pub(super) fn message(input: &[u8], salt: u64) -> Result<(), String> {
    let mut rng = Rng::with_seed(salt);
    let provider = one_of(&mut rng, Provider::ALL);
    let options = options_of(&mut rng);
    let call = ModelCall::new("abc123XYZ", "now");
    let before = toolwire::parse(input, &Limits::default());
    let made = toolwire::provider::to_message(&before, &call, provider, &options);
    let made = made.map_err(|error| format!("{provider}: {error}"))?;
    // A message is nested deeper than the structured content in it, which may be at the limit already.
    let limits = Limits::WIDEST;
    for json in [Some(&made.message), made.companion.as_ref()]
        .into_iter()
        .flatten()
    {
        let held = format!("{{\"content\":[],\"structuredContent\":{json}}}");
        let read = toolwire::parse(held.as_bytes(), &limits);
        if read.structured_content().map(|json| json.raw()) != Some(json.as_str()) {
            return Err(format!(
                "{provider}: no JSON: {}",
                shown(json.as_str().as_bytes())
            ));
        }
    }
    let text = made.message.as_str();
    if before.is_error() && !text.contains("error") && !text.contains("failed") {
        return Err(format!(
            "{provider}: the error is not seen: {}",
            shown(text.as_bytes())
        ));
    }
    let entries = &made.report.entries;
    let is_moved = |fate: Fate, at: &str| fate == Fate::Moved && at.starts_with("/content/");
    let moved = entries
        .iter()
        .any(|entry| is_moved(entry.fate, &entry.pointer));
    if moved != made.companion.is_some() {
        return Err(format!(
            "{provider}: moved is {moved}, and the companion is {:?}",
            made.companion
        ));
    }
    let budget = options
        .max_bytes
        .filter(|_| provider == Provider::OpenAiChat);
    let content = made
        .message
        .at("/content")
        .and_then(|content| content.to_text());
    let has_blobs = before
        .blocks()
        .any(|block| block.kind() != toolwire::BlockKind::Text);
    match (budget, content) {
        (Some(budget), Some(content)) if content.len() > budget && !has_blobs => {
            Err(format!("{} bytes with a budget of {budget}", content.len()))
        }
        _ => Ok(()),
    }
}

/// A call comes back from the history, and no two names or ids become one.
pub(super) fn call(input: &[u8], salt: u64) -> Result<(), String> {
    let mut rng = Rng::with_seed(salt);
    let provider = one_of(&mut rng, Provider::ALL);
    let text = String::from_utf8_lossy(input).into_owned();
    let mut call = ModelCall::new("abc123XYZ", "now");
    call.echo.insert("extra".into(), Json::from(true));
    match Json::new(&text) {
        Ok(json) if json.as_str().starts_with('{') => call.arguments = Some(json),
        _ => call.invalid = Some(text.clone()),
    }
    let read = |call: &ModelCall| {
        let history = toolwire::provider::to_history(call, provider);
        let read = from_call(&history, provider, &FromCallOptions::default());
        read.map_err(|error| {
            format!(
                "{provider}: {error}: {}",
                shown(history.as_str().as_bytes())
            )
        })
    };
    let first = read(&call)?;
    // What only looked unreadable was repaired the first time; an object with the member for what could not be read
    // stands for that.
    let is_marked = ["INVALID_JSON", "rawInvalidInput"]
        .iter()
        .any(|name| text.contains(name));
    if call.arguments.is_some() && !is_marked && first.call != call {
        let (got, given) = (first.call.to_json(), call.to_json());
        return same("the call is another", got.as_bytes(), given.as_bytes());
    }
    if first.call.arguments.is_none() != first.refusal.is_some() {
        return Err(format!(
            "{provider}: a call without arguments is not refused"
        ));
    }
    let second = read(&first.call)?;
    if second.call != first.call {
        let (got, given) = (second.call.to_json(), first.call.to_json());
        return same("the call changes", got.as_bytes(), given.as_bytes());
    }
    let half = text.chars().take(rng.usize(..200)).collect::<String>();
    let named =
        |name: &str| toolwire::provider::to_history(&ModelCall::new("abc123XYZ", name), provider);
    let known = |id: &str| toolwire::provider::to_history(&ModelCall::new(id, "now"), provider);
    if half != text && (named(&half) == named(&text) || known(&half) == known(&text)) {
        return Err(format!(
            "{provider}: {} and {} become one",
            shown(half.as_bytes()),
            shown(input)
        ));
    }
    Ok(())
}
