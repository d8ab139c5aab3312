//! Writing a planned result by the templates of the table.

use std::borrow::Cow;

use super::form::{Content, Form};
use super::name::{provider_id, provider_name};
use super::plan::{Plan, Unit};
use super::template::fill;
use crate::Json;
use crate::base::json::{ObjectWriter, array, string, write_string};
use crate::protocol::format::push_part;

/// The message for one result, and its companion.
pub(super) fn write_alone(plan: &Plan<'_>) -> (String, Option<String>) {
    let form = &plan.form.result;
    let mut out = String::new();
    if form.wraps_one {
        around(&mut out, form.message, &mut |out| result(out, plan));
    } else {
        result(&mut out, plan);
    }
    let companion = (!plan.beside.is_empty()).then(|| {
        let mut out = String::new();
        around(&mut out, form.companion, &mut |out| {
            list(out, plan, &plan.beside);
        });
        out
    });
    (out, companion)
}

/// The messages for all results of a turn.
pub(super) fn write_turn(plans: &[Plan<'_>], line: &Form) -> Vec<String> {
    let form = &line.result;
    let mut messages = Vec::new();
    let beside = |out: &mut String| {
        for plan in plans.iter().filter(|plan| !plan.beside.is_empty()) {
            comma(out);
            list(out, plan, &plan.beside);
        }
    };
    if form.message.is_empty() {
        for plan in plans {
            let mut out = String::new();
            element(&mut out, plan);
            messages.push(out);
        }
    } else if !plans.is_empty() {
        let mut out = String::new();
        around(&mut out, form.message, &mut |out| {
            for plan in plans {
                comma(out);
                element(out, plan);
            }
            if form.joins {
                beside(out);
            }
        });
        messages.push(out);
    }
    if !form.joins && plans.iter().any(|plan| !plan.beside.is_empty()) {
        let mut out = String::new();
        around(&mut out, form.companion, &mut |out| beside(out));
        messages.push(out);
    }
    messages
}

/// Separates what follows from the element before it.
fn comma(out: &mut String) {
    if !out.ends_with('[') {
        out.push(',');
    }
}

/// A template around something that is written in its only place.
fn around(out: &mut String, template: &str, inner: &mut dyn FnMut(&mut String)) {
    fill(out, template, &mut |_, out| {
        inner(out);
        true
    });
}

fn element(out: &mut String, plan: &Plan<'_>) {
    fill(out, plan.form.result.element, &mut |word, out| {
        match word {
            "result" => result(out, plan),
            word => return of_call(out, plan, word),
        }
        true
    });
}

/// A member that comes from the call.
fn of_call(out: &mut String, plan: &Plan<'_>, word: &str) -> bool {
    let (call, line) = (plan.call, plan.form);
    match (word, &call.id) {
        ("name", _) => out.push_str(&string(&provider_name(&call.name, &line.name))),
        ("id", Some(id)) => out.push_str(&string(&provider_id(id, line.id))),
        _ => return false,
    }
    true
}

fn result(out: &mut String, plan: &Plan<'_>) {
    let form = &plan.form.result;
    fill(out, form.result, &mut |word, out| {
        match word {
            "content" => return content(out, plan),
            "media" => {
                let media: Vec<&Unit<'_>> = media(plan).collect();
                if media.is_empty() {
                    return false;
                }
                out.push('[');
                list(out, plan, media);
                out.push(']');
            }
            "error" => {
                let value = if plan.is_error {
                    form.error.flag
                } else {
                    form.error.success
                };
                out.push_str(value);
                return !value.is_empty();
            }
            "structured" => match plan.structured {
                Some(data) => out.push_str(data.raw()),
                None => return false,
            },
            "echo" => {
                for name in form.echoed {
                    if let Some(value) = plan.call.echo.get(*name) {
                        out.push_str(&format!(",{}:{value}", string(name)));
                    }
                }
            }
            "kind" => {
                let kind = plan.call.echo.get("type").and_then(Json::to_text);
                let is_custom = kind.is_some_and(|kind| plan.form.call.is_custom(&kind));
                let kind = if is_custom {
                    "custom_tool_call"
                } else {
                    "function_call"
                };
                out.push_str(&format!("\"{kind}_output\""));
            }
            "cache" if plan.cache => out.push_str(form.cache),
            word => return of_call(out, plan, word),
        }
        true
    });
    if plan.cache && !form.cache_after.is_empty() {
        out.push(',');
        out.push_str(form.cache_after);
    }
}

fn media<'p, 'a>(plan: &'p Plan<'a>) -> impl Iterator<Item = &'p Unit<'a>> {
    let is_media = |unit: &&Unit<'_>| matches!(unit, Unit::Media(..));
    plan.inside.iter().filter(is_media)
}

fn content(out: &mut String, plan: &Plan<'_>) -> bool {
    let form = &plan.form.result;
    if plan.inside.is_empty() && form.content != Content::Response {
        out.push_str(form.empty);
        return !form.empty.is_empty();
    }
    match form.content {
        Content::Response => response(out, plan),
        Content::Typed => typed(out, plan),
        _ if plan.output_schema && plan.form.takes_output_schema() && !plan.has_media() => {
            let data = plan.only_data().map(Json::to_string);
            let value = match data {
                Some(data) if !plan.is_error => data,
                Some(data) => ObjectWriter::new().json("error", data).end(),
                None if plan.is_error => ObjectWriter::new().text("error", joined(plan)).end(),
                None => string(&joined(plan)),
            };
            out.push_str(&string(&value));
        }
        Content::Joined if !plan.wants_list() => out.push_str(&string(&joined(plan))),
        _ => match (&plan.inside[..], plan.wants_list()) {
            ([Unit::Text(text)], false) => write_string(out, text),
            ([Unit::Data(data)], false) if form.data.is_empty() => write_string(out, data.as_str()),
            ([Unit::Data(data)], false) => out.push_str(data.as_str()),
            _ => {
                out.push('[');
                list(out, plan, &plan.inside);
                out.push(']');
            }
        },
    }
    true
}

/// All texts as one, with a blank line between two (FMT-2).
fn joined(plan: &Plan<'_>) -> String {
    let mut all = String::new();
    for unit in &plan.inside {
        match unit {
            Unit::Text(text) => push_part(&mut all, text),
            Unit::Data(data) => push_part(&mut all, data.as_str()),
            _ => {}
        }
    }
    all
}

/// Gemini's object: structured content itself, or what it stands for under `output` or `error`.
fn response(out: &mut String, plan: &Plan<'_>) {
    let data = plan.only_data().or_else(|| {
        let data = plan.inside.iter().find_map(|unit| match unit {
            Unit::Data(data) => Some(data),
            _ => None,
        });
        let texts = plan.inside.iter().any(|unit| matches!(unit, Unit::Text(_)));
        data.filter(|_| !texts)
    });
    let value = data.map(|data| match Plan::has_reference(data) {
        true => string(data.as_str()),
        false => data.to_string(),
    });
    let is_own = |value: &&String| {
        let has = |name: &str| data.is_some_and(|data| data.at(name).is_some());
        value.starts_with('{') && !plan.is_error && !has("/output") && !has("/error")
    };
    if let Some(own) = value.as_ref().filter(is_own) {
        return out.push_str(own);
    }
    let texts = plan
        .inside
        .iter()
        .filter(|unit| matches!(unit, Unit::Text(_) | Unit::Data(_)));
    let value = match value {
        Some(value) => value,
        None if plan.is_error || texts.count() < 2 => string(&joined(plan)),
        None => {
            let texts = plan.inside.iter().filter_map(|unit| match unit {
                Unit::Text(text) => Some(string(text)),
                Unit::Data(data) => Some(string(data.as_str())),
                _ => None,
            });
            array(texts)
        }
    };
    let key = if plan.is_error { "error" } else { "output" };
    out.push_str(&ObjectWriter::new().json(key, value).end());
}

/// The output of the AI SDK.
fn typed(out: &mut String, plan: &Plan<'_>) {
    let (kind, value) = match (plan.only_data(), &plan.inside[..]) {
        (Some(data), _) => ("json", Cow::Borrowed(data.as_str())),
        (None, [Unit::Text(text)]) => ("text", Cow::Owned(string(text))),
        (None, _) if plan.is_error => ("text", Cow::Owned(string(&joined(plan)))),
        _ => {
            out.push_str(r#"{"type":"content","value":["#);
            list(out, plan, &plan.inside);
            return out.push_str("]}");
        }
    };
    let error = if plan.is_error { "error-" } else { "" };
    out.push_str(&format!(r#"{{"type":"{error}{kind}","value":{value}}}"#));
}

/// The elements of a list.
fn list<'p, 'a: 'p>(
    out: &mut String,
    plan: &Plan<'_>,
    units: impl IntoIterator<Item = &'p Unit<'a>>,
) {
    let form = &plan.form.result;
    let mut units = units.into_iter().peekable();
    let mut is_first = true;
    while let Some(unit) = units.next() {
        if !is_first {
            out.push(',');
        }
        is_first = false;
        let cache = plan.cache && units.peek().is_none();
        match unit {
            Unit::Text(text) => part(out, form.text, text, cache.then_some(form.cache)),
            Unit::Data(data) if form.data.is_empty() => {
                part(out, form.text, data.as_str(), cache.then_some(form.cache));
            }
            Unit::Data(data) => around(out, form.data, &mut |out| out.push_str(data.as_str())),
            Unit::Media(accepted, media, extension, key) => {
                fill(out, accepted.part, &mut |word, out| {
                    media.write(word, extension, key, out)
                });
            }
            Unit::Document(template, document, key) => {
                fill(out, template, &mut |word, out| match word {
                    "text" => {
                        write_string(out, &document.data);
                        true
                    }
                    word => document.write(word, "txt", key, out),
                });
            }
        }
    }
}

fn part(out: &mut String, template: &str, text: &str, cache: Option<&str>) {
    fill(out, template, &mut |word, out| {
        match (word, cache) {
            ("text", _) => write_string(out, text),
            (_, Some(cache)) => out.push_str(cache),
            _ => return false,
        }
        true
    });
}
