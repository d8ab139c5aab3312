//! What counts as asking for a secret (Q-21 to Q-26, Q-100 to Q-102).

use std::borrow::Cow;
use std::cell::{Cell, OnceCell};
use std::collections::HashMap;

use super::freedom::is_free;
use super::refusal::RefusalAbout;
use super::wording::{name_asks, text_asks};
use super::words::FORMATS;
use crate::Limits;
use crate::block::Question;
use crate::json::{Document, Kind, Node};

/// Why a question counts as one for a secret.
///
/// ```
/// assert_eq!(toolwire::question::SecretReason::Wording.as_str(), "wording");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SecretReason {
    /// Its schema has `writeOnly`.
    WriteOnly,
    /// Its schema has a `format` for secrets.
    Format,
    /// Its id, or the name of a property, is that of a secret.
    Name,
    /// Its text, or a title or description, asks for a secret.
    Wording,
}

closed_words!(SecretReason, "a sign of a secret", {
    WriteOnly => "write_only",
    Format => "format",
    Name => "name",
    Wording => "wording",
});

/// The first sign that a question asks for a secret.
///
/// ```
/// use toolwire::question::{find_secret, read_question};
///
/// let question = read_question(r#"{"id":"pin","text":"?","schema":{"type":"string"}}"#)?;
/// assert_eq!(find_secret(&question).unwrap().pointer, "/id");
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Secret {
    /// The place in the question, as a JSON Pointer such as `/schema/format`.
    pub pointer: String,
    /// What the sign is.
    pub reason: SecretReason,
    /// What the secret is: a password if any sign in the question is that of one, be it the first or
    /// not (Q-102), or else another secret. It is never [`RefusalAbout::Input`].
    pub about: RefusalAbout,
}

/// Whether a question asks for a secret, and by which sign one can tell. Such a question is never
/// asked in a form (Q-20).
///
/// # Examples
///
/// ```
/// use toolwire::{Json, block::Question};
/// use toolwire::question::{SecretReason, find_secret};
///
/// let question = |id: &str, text: &str, schema: &str| -> Result<Question, toolwire::Error> {
///     Ok(Question {
///         id: id.into(),
///         text: text.into(),
///         schema: Json::new(schema)?,
///         default: None,
///         extra: Default::default(),
///     })
/// };
/// let asked = question("login", "Your password, please", r#"{"type":"string"}"#)?;
/// assert_eq!(find_secret(&asked).unwrap().reason, SecretReason::Wording);
/// let asked = question("reset_password", "Reset the password?", r#"{"type":"boolean"}"#)?;
/// assert_eq!(find_secret(&asked), None);
/// # Ok::<(), toolwire::Error>(())
/// ```
#[must_use]
pub fn find_secret(question: &Question) -> Option<Secret> {
    let text = Cow::Borrowed(question.schema.as_str().as_bytes());
    // Whoever read the question has held it to their limits.
    let document = Document::read(text, &Limits::WIDEST).ok()?;
    let schemas = Schemas::new(document.root());
    let own = [
        ("/id", name_asks(&question.id), SecretReason::Name),
        ("/text", text_asks(&question.text), SecretReason::Wording),
    ];
    let place = |node: Node<'_>| {
        let offset = u32::try_from(node.start()).unwrap_or(u32::MAX);
        format!("/schema{}", document.pointer_at(offset))
    };
    let mark = schemas.mark();
    let (pointer, reason) = if let Some((node, reason)) = mark {
        (place(node), reason)
    } else if !schemas.is_free(schemas.root) {
        return None;
    } else if let Some((pointer, _, reason)) = own.iter().find(|(_, about, _)| about.is_some()) {
        ((*pointer).to_owned(), *reason)
    } else {
        schemas.each_sign(|sign| {
            let typed = schemas.is_typed(&sign.typed);
            typed.then(|| (place(sign.at), sign.reason))
        })?
    };
    let password = |about| about == RefusalAbout::Password;
    let format = mark.is_some_and(|(node, _)| is_format(node, "password"));
    let own = own.iter().any(|(_, about, _)| about.is_some_and(password));
    let about = match format
        || own
        || schemas
            .each_sign(|sign| password(sign.about).then_some(()))
            .is_some()
    {
        true => RefusalAbout::Password,
        false => RefusalAbout::Secret,
    };
    Some(Secret {
        pointer,
        reason,
        about,
    })
}

fn is_format(node: Node<'_>, format: &str) -> bool {
    let text = node.as_str();
    text.is_some_and(|text| text.to_lowercase() == format)
}

/// The keywords whose members are named by the schema's author, not by JSON Schema.
const MAPS: [&str; 6] = [
    "properties",
    "patternProperties",
    "dependentSchemas",
    "dependencies",
    "$defs",
    "definitions",
];
/// The keywords whose values are values, not schemas.
const VALUES: [&str; 4] = ["enum", "const", "default", "examples"];

/// So many decisions on what is free are made for one question, since each may look for places all
/// over the document; what is left then counts as free.
const DECISIONS: usize = 1000;

/// A name or sentence of a secret in a schema.
struct Sign<'a> {
    at: Node<'a>,
    reason: SecretReason,
    about: RefusalAbout,
    typed: Typed<'a>,
}

/// What a sign is a sign of.
enum Typed<'a> {
    /// Of what this schema is for.
    By(Node<'a>),
    /// Of the property of this name.
    Property(Cow<'a, str>),
}

/// All schemas of a question.
struct Schemas<'a> {
    root: Node<'a>,
    /// Whether references lead into values, which then are schemas too.
    values: bool,
    /// Whether references lead where they seem to.
    bound: bool,
    /// How often it was asked whether a schema is free.
    decisions: Cell<usize>,
    /// The properties with the name of a secret, and whether any of that name is free.
    properties: OnceCell<HashMap<Cow<'a, str>, bool>>,
}

impl<'a> Schemas<'a> {
    fn new(root: Node<'a>) -> Self {
        let mut schemas = Schemas {
            root,
            values: true,
            bound: true,
            decisions: Cell::new(0),
            properties: OnceCell::new(),
        };
        let (mut values, mut bound) = (false, true);
        schemas.each(root, &mut |schema| {
            let reference = schema.get("$ref").and_then(|reference| reference.as_str());
            values |= reference.is_some_and(|reference| {
                reference.contains('%') || VALUES.iter().any(|word| reference.contains(word))
            });
            bound &= schema.start() == root.start() || schema.get("$id").is_none();
            None::<()>
        });
        (schemas.values, schemas.bound) = (values, bound);
        schemas
    }

    /// Visits a schema and all objects below it, whatever keyword holds them, until there is a result.
    fn each<T>(&self, node: Node<'a>, visit: &mut impl FnMut(Node<'a>) -> Option<T>) -> Option<T> {
        if node.kind() == Kind::Object
            && let Some(result) = visit(node)
        {
            return Some(result);
        }
        let mut elements = node.elements();
        if let Some(result) = elements.find_map(|element| self.each(element, visit)) {
            return Some(result);
        }
        for (keyword, value) in node.members() {
            let keyword = keyword.as_ref();
            let result = if MAPS.contains(&keyword) && value.kind() == Kind::Object {
                value.members().find_map(|(_, part)| self.each(part, visit))
            } else if self.values || !VALUES.contains(&keyword) {
                self.each(value, visit)
            } else {
                None
            };
            if result.is_some() {
                return result;
            }
        }
        None
    }

    /// The first place where a schema says itself that it is for a secret.
    fn mark(&self) -> Option<(Node<'a>, SecretReason)> {
        self.each(self.root, &mut |schema| {
            let hidden = schema.get("writeOnly");
            let hidden = hidden.filter(|hidden| hidden.as_bool() == Some(true));
            let format = schema.get("format");
            let format = format.filter(|node| FORMATS.iter().any(|name| is_format(*node, name)));
            hidden
                .map(|node| (node, SecretReason::WriteOnly))
                .or(format.map(|node| (node, SecretReason::Format)))
        })
    }

    /// Visits the names and sentences of secrets until there is a result.
    fn each_sign<T>(&self, mut visit: impl FnMut(Sign<'a>) -> Option<T>) -> Option<T> {
        self.each(self.root, &mut |schema| {
            for keyword in ["title", "description"] {
                let Some(at) = schema.get(keyword) else {
                    continue;
                };
                let sign = at.as_str().and_then(|text| text_asks(&text));
                let result = sign.and_then(|about| {
                    visit(Sign {
                        at,
                        reason: SecretReason::Wording,
                        about,
                        typed: Typed::By(schema),
                    })
                });
                if result.is_some() {
                    return result;
                }
            }
            let mut named = names(schema).into_iter();
            named.find_map(|(name, at, by)| {
                let about = name_asks(&name)?;
                visit(Sign {
                    at,
                    reason: SecretReason::Name,
                    about,
                    typed: by.map_or(Typed::Property(name), Typed::By),
                })
            })
        })
    }

    fn is_free(&self, schema: Node<'a>) -> bool {
        self.decisions.set(self.decisions.get() + 1);
        self.decisions.get() > DECISIONS || is_free(schema, self.root, self.bound)
    }

    fn is_typed(&self, typed: &Typed<'a>) -> bool {
        match typed {
            Typed::By(schema) => self.is_free(*schema),
            Typed::Property(name) => {
                let properties = self.properties.get_or_init(|| self.secret_properties());
                properties.get(name).copied().unwrap_or(true)
            }
        }
    }

    fn secret_properties(&self) -> HashMap<Cow<'a, str>, bool> {
        let mut properties = HashMap::new();
        self.each(self.root, &mut |schema| {
            for (name, part) in schema
                .get("properties")
                .into_iter()
                .flat_map(|p| p.members())
            {
                if name_asks(&name).is_some() {
                    let free = self.is_free(part);
                    *properties.entry(name).or_insert(false) |= free;
                }
            }
            None::<()>
        });
        properties
    }
}

/// A name of properties, where it stands, and its schema if that stands there too.
type Name<'a> = (Cow<'a, str>, Node<'a>, Option<Node<'a>>);

/// The names of properties that a schema tells, in the order of the document.
fn names<'a>(schema: Node<'a>) -> Vec<Name<'a>> {
    let strings = |list: Node<'a>| {
        list.elements()
            .filter_map(|at| at.as_str().map(|name| (name, at, None)))
    };
    let mut names: Vec<Name<'a>> = Vec::new();
    for (keyword, value) in schema.members() {
        match keyword.as_ref() {
            "properties" | "patternProperties" => {
                names.extend(value.members().map(|(name, part)| (name, part, Some(part))));
            }
            "required" => names.extend(strings(value)),
            "dependentRequired" | "dependentSchemas" | "dependencies" => {
                for (name, part) in value.members() {
                    names.push((name, part, None));
                    names.extend(strings(part));
                }
            }
            "propertyNames" => {
                let one = value.get("const");
                names.extend(one.and_then(|at| at.as_str().map(|name| (name, at, None))));
                names.extend(value.get("enum").into_iter().flat_map(strings));
            }
            _ => {}
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Json;

    fn find(schema: &str) -> Option<Secret> {
        find_in(Json::new(schema).unwrap())
    }

    fn find_in(schema: Json) -> Option<Secret> {
        find_secret(&Question {
            id: "q".into(),
            text: "Which?".into(),
            schema,
            default: None,
            extra: Default::default(),
        })
    }

    fn booleans(count: usize) -> String {
        let properties: Vec<String> = (0..count)
            .map(|index| format!(r#""password_{index}":{{"type":"boolean"}}"#))
            .collect();
        format!(r#"{{"properties":{{{}}}}}"#, properties.join(","))
    }

    #[test]
    fn after_many_decisions_a_name_is_enough() {
        // One decision is on the question's schema.
        assert_eq!(find(&booleans(DECISIONS - 1)), None);
        let pointer = format!("/schema/properties/password_{}", DECISIONS - 1);
        assert_eq!(find(&booleans(DECISIONS)).unwrap().pointer, pointer);
    }

    #[test]
    fn the_deepest_schema_is_looked_through() {
        let depth = Limits::WIDEST.max_depth - 1;
        let text = format!(
            r#"{}{{"writeOnly":true}}{}"#,
            r#"{"a":"#.repeat(depth),
            "}".repeat(depth)
        );
        let found = find_in(Json::written(text)).unwrap();
        assert_eq!(found.reason, SecretReason::WriteOnly);
    }

    #[test]
    fn a_password_is_one_whatever_the_first_sign_is() {
        let about = |schema| find(schema).unwrap().about;
        let marked = r#"{"writeOnly":true,"title":"Hasło"}"#;
        assert_eq!(about(marked), RefusalAbout::Password);
        assert_eq!(about(r#"{"writeOnly":true}"#), RefusalAbout::Secret);
        let both = r#"{"description":"Your password and your API key"}"#;
        assert_eq!(about(both), RefusalAbout::Password);
    }
}
