//! A mismatch in plain words, without ever quoting a huge value.

use serde_json::Value;
use toolwire::json::brief;
use toolwire::json::pointer::push;

use crate::Mismatch;
use crate::budget::{Allowance, Stop};

/// Maximum number of quoted characters of a value.
const QUOTED: usize = 40;
/// Maximum number of quoted characters of a place or a pattern.
const NAMED: usize = 80;
/// Maximum number of listed values; of more, only the number is given.
const LISTED: usize = 10;
/// Maximum number of mismatches collected for one value, before they are sorted.
const GATHERED: usize = 200;

/// One step into a value.
#[derive(Debug)]
pub(crate) enum Segment {
    Name(String),
    Index(usize),
}

/// What a mismatch says of the alternative that it is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum About {
    /// The value is of another kind.
    Kind,
    /// It is not the one value that is allowed, as where a tag differs.
    Constant,
    Other,
}

#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) mismatch: Mismatch,
    about: About,
}

/// What does not fit, while a value is gone through.
#[derive(Debug, Default)]
pub(crate) struct Report {
    path: Vec<Segment>,
    found: Vec<Found>,
}

impl Report {
    pub(crate) fn enter(&mut self, segment: Segment) {
        self.path.push(segment);
    }

    pub(crate) fn leave(&mut self) {
        self.path.pop();
    }

    /// What was found, with room for what an alternative says.
    pub(crate) fn replace(&mut self, found: Vec<Found>) -> Vec<Found> {
        std::mem::replace(&mut self.found, found)
    }

    /// Tells what is wrong here, or with a member that is there or should be.
    pub(crate) fn tell(
        &mut self,
        member: Option<&str>,
        about: About,
        predicate: &str,
        allowance: &mut Allowance,
    ) -> Result<(), Stop> {
        if self.found.len() >= GATHERED {
            return Ok(());
        }
        allowance.step(20)?;
        let mut pointer = self.pointer(allowance)?;
        if let Some(name) = member {
            allowance.read(name.len())?;
            push(&mut pointer, name);
        }
        allowance.hold(pointer.len() + 200)?;
        let message = format!("{} {predicate}", self.subject(member));
        self.found.push(Found {
            mismatch: Mismatch { pointer, message },
            about,
        });
        Ok(())
    }

    /// Where this is, as a pointer.
    fn pointer(&self, allowance: &mut Allowance) -> Result<String, Stop> {
        let mut pointer = String::new();
        for segment in &self.path {
            match segment {
                Segment::Name(name) => {
                    allowance.read(name.len())?;
                    push(&mut pointer, name);
                }
                Segment::Index(index) => push(&mut pointer, &index.to_string()),
            }
        }
        Ok(pointer)
    }

    /// What the mismatch is about, such as `` `author.tags[0]` ``.
    fn subject(&self, member: Option<&str>) -> String {
        let mut path = String::new();
        let add = |path: &mut String, name: &str| {
            if !path.is_empty() {
                path.push('.');
            }
            path.extend(name.chars().take(NAMED + 1));
        };
        for segment in &self.path {
            match segment {
                Segment::Index(index) => path.push_str(&format!("[{index}]")),
                Segment::Name(name) => add(&mut path, name),
            }
            if path.len() > 8 * NAMED {
                break;
            }
        }
        if let Some(name) = member {
            add(&mut path, name);
        }
        match path.as_str() {
            "" => "the value".to_owned(),
            path => format!("`{}`", brief(path, NAMED)),
        }
    }

    /// Tells that none of some alternatives fits: what is wrong with the one that the value is most
    /// likely meant for, which is the only one that is not wrong about the value as a whole.
    pub(crate) fn tell_alternatives(
        &mut self,
        branches: Vec<Vec<Found>>,
        allowance: &mut Allowance,
    ) -> Result<(), Stop> {
        let here = self.pointer(allowance)?;
        let differs = |found: &Found| match found.about {
            About::Constant => true,
            About::Kind => found.mismatch.pointer == here,
            About::Other => false,
        };
        let mut close = branches
            .into_iter()
            .filter(|branch| !branch.iter().any(differs));
        match (close.next(), close.next()) {
            (Some(branch), None) if !branch.is_empty() => {
                let room = GATHERED.saturating_sub(self.found.len());
                self.found
                    .extend(branch.into_iter().take(room).map(|found| Found {
                        about: About::Other,
                        ..found
                    }));
                Ok(())
            }
            _ => self.tell(
                None,
                About::Other,
                "fits none of the alternatives",
                allowance,
            ),
        }
    }

    /// All that was found, in the order of the places, and not more than so many.
    pub(crate) fn into_mismatches(self, most: usize) -> Vec<Mismatch> {
        let mut found: Vec<Mismatch> = self.found.into_iter().map(|one| one.mismatch).collect();
        found.sort();
        found.dedup();
        found.truncate(most);
        found
    }
}

/// What is wrong with a value that does not fit a keyword which is not about other schemas.
pub(crate) fn predicate(name: &str, keyword: &Value, value: &Value) -> (About, String) {
    let not = || format!("not {}", quoted(value));
    let bound = |words: &str| format!("must be {words} {keyword}, {}", not());
    let about = match name {
        "type" | "enum" => About::Kind,
        "const" => About::Constant,
        _ => About::Other,
    };
    let text = match name {
        "type" => {
            let mut names: Vec<&str> = match keyword {
                Value::Array(names) => names.iter().filter_map(Value::as_str).collect(),
                name => name.as_str().into_iter().collect(),
            };
            names.sort_by_key(|name| TYPES.iter().position(|(known, _)| known == name));
            let names: Vec<&str> = names.into_iter().map(type_name).collect();
            format!("must be {}, {}", names.join(" or "), not())
        }
        "enum" => match keyword.as_array().map(Vec::as_slice) {
            Some(options) if options.len() <= LISTED => {
                let options: Vec<String> = options.iter().map(quoted).collect();
                format!("must be {}, {}", options.join(" or "), not())
            }
            options => {
                let count = options.map_or(0, <[Value]>::len);
                format!("must be one of the {count} values that are allowed")
            }
        },
        "const" => format!("must be {}, {}", quoted(keyword), not()),
        "minimum" => bound("at least"),
        "maximum" => bound("at most"),
        "exclusiveMinimum" => bound("more than"),
        "exclusiveMaximum" => bound("less than"),
        "multipleOf" => bound("a multiple of"),
        "minLength" => counted("at least", keyword, "character", value),
        "maxLength" => counted("at most", keyword, "character", value),
        "minItems" => counted("at least", keyword, "element", value),
        "maxItems" => counted("at most", keyword, "element", value),
        "minProperties" => counted("at least", keyword, "member", value),
        "maxProperties" => counted("at most", keyword, "member", value),
        "pattern" => {
            let pattern = brief(keyword.as_str().unwrap_or_default(), NAMED);
            format!(
                "does not match the pattern `{pattern}`, as {} should",
                quoted(value)
            )
        }
        "format" => {
            let format = keyword.as_str().unwrap_or_default();
            format!("must be {}, {}", format_name(format), not())
        }
        "uniqueItems" => "has an element twice".to_owned(),
        _ => "does not fit".to_owned(),
    };
    (about, text)
}

fn counted(bound: &str, limit: &Value, what: &str, value: &Value) -> String {
    let limit = crate::value::limit(limit).unwrap_or_default();
    let count = match value {
        Value::String(text) => text.chars().count(),
        Value::Array(elements) => elements.len(),
        Value::Object(members) => members.len(),
        _ => 0,
    };
    let plural = if limit == 1 { "" } else { "s" };
    format!("must have {bound} {limit} {what}{plural}, not {count}")
}

/// The types in the order in which they are listed.
const TYPES: [(&str, &str); 7] = [
    ("null", "null"),
    ("boolean", "true or false"),
    ("integer", "a whole number"),
    ("number", "a number"),
    ("string", "a string"),
    ("array", "an array"),
    ("object", "an object"),
];

fn type_name(name: &str) -> &'static str {
    let known = TYPES.iter().find(|(known, _)| *known == name);
    known.map_or("something else", |(_, text)| text)
}

fn format_name(format: &str) -> String {
    match format {
        "date" => "a date such as `2025-01-31`".to_owned(),
        "date-time" => "a date and time such as `2025-01-31T12:00:00Z`".to_owned(),
        "time" => "a time such as `12:00:00Z`".to_owned(),
        "email" => "an e-mail address".to_owned(),
        "uri" => "a URI such as `https://example.org/`".to_owned(),
        "uuid" => "a UUID".to_owned(),
        "regex" => "a regular expression".to_owned(),
        other => format!("in the format `{}`", brief(other, QUOTED)),
    }
}

/// A value in backticks, or what it is if it is no simple one.
pub(crate) fn quoted(value: &Value) -> String {
    match value {
        Value::Array(_) => "an array".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        Value::String(text) => {
            // What is behind these characters is cut off in any case.
            let text: String = text.chars().take(QUOTED + 1).collect();
            format!("`{}`", brief(&Value::String(text).to_string(), QUOTED))
        }
        simple => format!("`{}`", brief(&simple.to_string(), QUOTED)),
    }
}
