//! Arguments that a person types as words: `path=a`, `limit=3`, `author.name=Ada`, `--force` (CALL-40
//! to CALL-47, CALL-60 to CALL-62).

use std::collections::BTreeMap;

use crate::base::canonical::exact_text;
use crate::base::json::{
    Document, Kind, Node, ObjectWriter, array, brief, pointer, string, type_of,
};
use crate::protocol::question::target;
use crate::{Code, Error, Json, nearest};

/// The arguments that some words stand for, as a JSON object in exact form,
/// typed by the input schema: numbers keep all their digits.
///
/// A word is `name=text`, or an option: `--name=text`, `--name` with its text in the next word, and for
/// a boolean `--name` or `--no-name` alone.
///
/// Whether they fit the schema in everything is for a validator; types, choices, unknown and
/// missing names are judged here, so that errors name arguments as the person wrote them.
///
/// # Errors
///
/// `bad_argument` with a pointer into the arguments, and a message that names the argument and what
/// it should be; or the code of the first place where the schema is not strict JSON.
///
/// # Examples
///
/// ```
/// use toolwire::{Json, parse_arguments};
///
/// let schema = Json::new(
///     r#"{"type":"object","required":["path"],"properties":{
///         "path":{"type":"string"},"limit":{"type":"integer"},
///         "tags":{"type":"array","items":{"type":"string"}}}}"#,
/// )?;
/// let given = parse_arguments(&["path=1", "limit=3", "tags=a", "tags=b"], &schema)?;
/// assert_eq!(given.as_str(), r#"{"limit":3,"path":"1","tags":["a","b"]}"#);
/// assert_eq!(parse_arguments(&["--path", "1", "--limit=3", "--tags", "a", "tags=b"], &schema)?, given);
///
/// let error = parse_arguments(&["path=1", "limit=many"], &schema).unwrap_err();
/// assert_eq!(error.pointer(), "/limit");
/// assert_eq!(error.message(), "`limit` must be a whole number, not `many`");
/// # Ok::<(), toolwire::Error>(())
/// ```
pub fn parse_arguments<S: AsRef<str>>(words: &[S], input_schema: &Json) -> Result<Json, Error> {
    let document = Document::new(input_schema.as_str())?;
    let root = document.root();
    let whole = Spot {
        schema: Some(root),
        root,
        name: String::new(),
        pointer: String::new(),
    };
    let mut members = BTreeMap::new();
    let mut words = words.iter().map(AsRef::as_ref).peekable();
    while let Some(word) = words.next() {
        let given = Word::read(word).ok_or_else(|| {
            let word = brief(word, 40);
            refuse(format!("`{word}` is not an argument: write `name=value`"))
        })?;
        if given.name.split('.').count() > MAX_STEPS {
            let name = brief(given.name, 40);
            return Err(refuse(format!("`{name}` leads too deep: give JSON")));
        }
        match (given.dashed, given.text) {
            (false, Some(text)) => whole.put(&mut members, given.name, text)?,
            _ => {
                let (name, text) = resolve(&whole, &given, words.peek().copied())?;
                let text = text.or_else(|| words.next()).unwrap_or_default();
                whole.put(&mut members, &name, text)?;
            }
        }
    }
    whole.complete(&members)?;
    Json::new(exact_text(object(&members)))
}

/// Maximum number of names in one path, which bounds the depth of every walk here.
const MAX_STEPS: usize = 32;

/// An error about a word as such.
fn refuse(message: String) -> Error {
    Error::new(Code::BadArgument, "", None, message)
}

/// A word in its parts.
struct Word<'w> {
    /// Whether it is an option.
    dashed: bool,
    /// The name without dashes.
    name: &'w str,
    /// The text after `=`; only an option can lack it.
    text: Option<&'w str>,
}

impl<'w> Word<'w> {
    fn read(word: &'w str) -> Option<Self> {
        let parts = |dashed, body: &'w str| {
            let (name, text) = match body.split_once('=') {
                Some((name, text)) => (name, Some(text)),
                None => (body, None),
            };
            let complete = !name.is_empty() && (dashed || text.is_some());
            complete.then_some(Word { dashed, name, text })
        };
        let option = word.strip_prefix("--").and_then(|body| parts(true, body));
        option.or_else(|| parts(false, word))
    }
}

/// The argument for which an option stands, and its text; `None` if that is the next word.
fn resolve<'w>(
    whole: &Spot<'_>,
    option: &Word<'w>,
    next: Option<&'w str>,
) -> Result<(String, Option<&'w str>), Error> {
    let name = option.name;
    let Some(spot) = find(whole, name) else {
        // `--no-force` is only the other half of `--force`.
        let positive = name.strip_prefix("no-").and_then(|rest| find(whole, rest));
        return match (positive.filter(Spot::is_flag), option.text) {
            (Some(flag), None) => Ok((flag.name, Some("false"))),
            (Some(flag), Some(_)) => Err(whole.member(name).refuse(format!(
                "`--{name}` takes no value: write `--{name}`, or `{}=false`",
                flag.name
            ))),
            (None, text) => {
                let next = next.filter(|next| !next.starts_with('-') && !next.contains('='));
                let value = text.or(next).unwrap_or("VALUE");
                Err(whole
                    .member(name)
                    .refuse(unknown_option(whole, name, value)))
            }
        };
    };
    match (option.text, next) {
        (Some(text), _) => Ok((spot.name, Some(text))),
        (None, _) if spot.is_flag() => Ok((spot.name, Some("true"))),
        (None, Some(next)) if !is_dashed(next) => Ok((spot.name, None)),
        (None, Some(next)) if !next.starts_with("--") => {
            let next = brief(next, 40);
            Err(spot.refuse(format!(
                "`--{name}` needs a value, and `{next}` looks like an option: write `--{name}={next}`"
            )))
        }
        (None, _) => {
            let what = describe(&spot.kinds());
            Err(spot.refuse(format!("`--{name}` needs {what} after it")))
        }
    }
}

/// Finds the property of an option's name: each part verbatim, or in the spelling of options.
fn find<'a>(whole: &Spot<'a>, name: &str) -> Option<Spot<'a>> {
    let (names, _) = whole.names();
    if let Some(name) = property(&names, name) {
        return Some(whole.member(name));
    }
    let (first, rest) = name.split_once('.')?;
    find(&whole.member(property(&names, first)?), rest)
}

/// The property that an option names: `dry_run` or `dryRun` for `--dry-run`, if only one of them exists.
fn property<'n>(names: &'n [String], option: &str) -> Option<&'n String> {
    names.iter().find(|name| *name == option).or_else(|| {
        let mut alike = names.iter().filter(|name| spelling(name) == option);
        alike.next().filter(|_| alike.next().is_none())
    })
}

/// A property's name as options are written.
fn spelling(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for c in name.chars() {
        if c.is_ascii_uppercase() && !out.is_empty() && !out.ends_with('-') {
            out.push('-');
        }
        out.push(if c == '_' {
            '-'
        } else {
            c.to_ascii_lowercase()
        });
    }
    out
}

/// Whether a word looks like an option, and not like a value: a number may be below zero.
fn is_dashed(word: &str) -> bool {
    let rest = word.strip_prefix('-');
    rest.is_some_and(|rest| !rest.is_empty() && !rest.starts_with(|c: char| c.is_ascii_digit()))
}

/// That the schema has no such property, and how to write the argument if it takes others.
fn unknown_option(whole: &Spot<'_>, name: &str, value: &str) -> String {
    let (names, open) = whole.names();
    let options = names.iter().flat_map(|name| {
        let (inner, _) = whole.member(name).names();
        let nested = inner.iter().map(|inner| format!("{name}.{inner}"));
        let own = inner.is_empty().then(|| name.clone());
        nested.chain(own).collect::<Vec<_>>()
    });
    let options: Vec<String> = options.map(|name| spelling(&name)).collect();
    let message = unknown("--", name, &options);
    let (name, value) = (brief(name, 40), brief(value, 40));
    match open {
        true => format!("{message}; to pass another argument, write `{name}={value}`"),
        false => message,
    }
}

/// The arguments so far.
enum ArgValue {
    /// JSON text.
    Value(String),
    /// JSON texts of elements.
    Elements(Vec<String>),
    Members(BTreeMap<String, ArgValue>),
}

fn object(members: &BTreeMap<String, ArgValue>) -> String {
    let mut out = ObjectWriter::new();
    for (name, given) in members {
        match given {
            ArgValue::Value(text) => out.json(name, text),
            ArgValue::Elements(elements) => out.json(name, array(elements)),
            ArgValue::Members(members) => out.json(name, object(members)),
        };
    }
    out.end()
}

/// An argument: its schema, if there is one, and its name.
struct Spot<'a> {
    schema: Option<Node<'a>>,
    root: Node<'a>,
    /// As a person writes it, `author.name`.
    name: String,
    pointer: String,
}

impl<'a> Spot<'a> {
    fn refuse(&self, message: String) -> Error {
        Error::new(Code::BadArgument, self.pointer.clone(), None, message)
    }

    fn expected(&self, what: &str, text: &str) -> Error {
        let (name, text) = (&self.name, brief(text, 40));
        self.refuse(format!("`{name}` must be {what}, not `{text}`"))
    }

    /// The schemas that may hold: this one, or the alternatives in it.
    fn alternatives(&self) -> Vec<Node<'a>> {
        let Some(schema) = self.schema else {
            return Vec::new();
        };
        let schema = target(schema, self.root);
        let branches = ["anyOf", "oneOf"].iter().find_map(|name| schema.get(name));
        match branches {
            Some(branches) if schema.get("type").is_none() => branches
                .elements()
                .map(|branch| target(branch, self.root))
                .collect(),
            _ => vec![schema],
        }
    }

    /// The argument `name` inside of this one.
    fn member(&self, name: &str) -> Spot<'a> {
        let schema = self.alternatives().into_iter().find_map(|schema| {
            let property = schema.get("properties").and_then(|all| all.get(name));
            let other = || schema.get("additionalProperties");
            property.or_else(|| other().filter(|other| other.kind() == Kind::Object))
        });
        Spot {
            schema,
            root: self.root,
            name: match self.name.as_str() {
                "" => name.to_owned(),
                outer => format!("{outer}.{name}"),
            },
            pointer: pointer::join(&self.pointer, name),
        }
    }

    /// The names that are known here, and whether there may be others.
    fn names(&self) -> (Vec<String>, bool) {
        let mut names = Vec::new();
        let mut open = self.schema.is_none();
        for schema in self.alternatives() {
            let properties = schema.get("properties").into_iter();
            let properties = properties.flat_map(|all| all.members());
            names.extend(properties.map(|(name, _)| name.into_owned()));
            let other = schema.get("additionalProperties");
            let closed = other.and_then(|other| other.as_bool()) == Some(false);
            open |= !closed || schema.get("patternProperties").is_some();
        }
        (names, open)
    }

    /// Puts a text where a name leads to.
    fn put(
        &self,
        members: &mut BTreeMap<String, ArgValue>,
        path: &str,
        text: &str,
    ) -> Result<(), Error> {
        let (names, open) = self.names();
        // A property whose own name has a dot precedes a path through objects.
        let (name, rest) = match path.split_once('.') {
            Some((first, rest)) if !names.iter().any(|name| name == path) => (first, Some(rest)),
            _ => (path, None),
        };
        let inner = self.member(name);
        if !open && !names.iter().any(|known| known == name) {
            let known = names.iter().map(|name| self.member(name).name);
            return Err(inner.refuse(unknown("", &inner.name, &known.collect::<Vec<_>>())));
        }
        let given = match (rest, members.get_mut(name)) {
            (Some(rest), None) => {
                let kinds = inner.kinds();
                if !kinds.is_empty() && !kinds.contains(&"object") {
                    let (name, what) = (&inner.name, describe(&kinds));
                    let message = format!("`{name}` is {what}, so it has no `{rest}`");
                    return Err(inner.refuse(message));
                }
                let mut inside = BTreeMap::new();
                inner.put(&mut inside, rest, text)?;
                ArgValue::Members(inside)
            }
            (Some(rest), Some(ArgValue::Members(inside))) => return inner.put(inside, rest, text),
            (None, Some(ArgValue::Elements(elements))) => {
                elements.push(inner.element().read(text)?);
                return Ok(());
            }
            (_, Some(_)) => return Err(inner.refuse(format!("`{}` is given twice", inner.name))),
            (None, None) => inner.value(text)?,
        };
        members.insert(name.to_owned(), given);
        Ok(())
    }

    /// An element of this argument, which is an array.
    fn element(&self) -> Spot<'a> {
        let mut schemas = self.alternatives().into_iter();
        Spot {
            schema: schemas.find_map(|schema| schema.get("items")),
            root: self.root,
            name: self.name.clone(),
            pointer: self.pointer.clone(),
        }
    }

    /// The first value of this argument.
    fn value(&self, text: &str) -> Result<ArgValue, Error> {
        let kinds = self.kinds();
        let list = kinds.contains(&"array") && !kinds.contains(&"string");
        let whole = || json(text, &["array", "null"]).filter(|(_, kind)| kinds.contains(kind));
        match list && whole().is_none() {
            true => Ok(ArgValue::Elements(vec![self.element().read(text)?])),
            false => self.read(text).map(ArgValue::Value),
        }
    }

    /// The JSON text for which a word stands, by the types of the schema.
    fn read(&self, text: &str) -> Result<String, Error> {
        let kinds = self.kinds();
        let is = |kind| kinds.contains(&kind);
        let value = match json(text, if kinds.is_empty() { &KINDS } else { &kinds }) {
            Some((json, _)) => json,
            None if kinds.is_empty() || is("string") => string(text),
            None => match boolean(text).filter(|_| is("boolean")) {
                Some(value) => value.to_string(),
                None => return Err(self.expected(&describe(&kinds), text)),
            },
        };
        self.check_choice(&value, text)?;
        Ok(value)
    }

    /// The types that the schema names; none if it takes anything.
    fn kinds(&self) -> Vec<&'static str> {
        let kinds: Vec<_> = self.alternatives().into_iter().map(kinds_of).collect();
        if kinds.iter().any(Vec::is_empty) {
            return Vec::new();
        }
        kinds.concat()
    }

    /// Whether it is true or false, and nothing that would take a text.
    fn is_flag(&self) -> bool {
        let kinds = self.kinds();
        kinds.contains(&"boolean") && kinds.iter().all(|kind| ["boolean", "null"].contains(kind))
    }

    /// Refuses a value that is none of those that the schema lists.
    fn check_choice(&self, value: &str, text: &str) -> Result<(), Error> {
        let alternatives = self.alternatives();
        let mut choices = Vec::new();
        for schema in &alternatives {
            match (schema.get("enum"), schema.get("const")) {
                (Some(list), _) if list.kind() == Kind::Array => choices.extend(list.elements()),
                (None, Some(one)) => choices.push(one),
                // An alternative that lists nothing takes anything.
                _ => return Ok(()),
            }
        }
        let given = Json::new(value)?;
        let is_given = |choice: &Node<'_>| Json::from(*choice).is_exactly(&given);
        if alternatives.is_empty() || choices.iter().any(is_given) {
            return Ok(());
        }
        let text_of = |choice: &Node<'a>| choice.as_str().unwrap_or(choice.raw().into());
        let known: Vec<String> = choices
            .iter()
            .map(|choice| format!("`{}`", text_of(choice)))
            .collect();
        Err(self.expected(&known.join(" or "), text))
    }

    /// Refuses an object that lacks a required member.
    fn complete(&self, members: &BTreeMap<String, ArgValue>) -> Result<(), Error> {
        if let [schema] = self.alternatives().as_slice() {
            let required = schema.get("required").into_iter();
            let names = required.flat_map(|names| names.elements());
            let mut names = names.filter_map(|name| name.as_str());
            if let Some(name) = names.find(|name| !members.contains_key(name.as_ref())) {
                let inner = self.member(&name);
                let what = match inner.kinds().as_slice() {
                    [] => String::new(),
                    kinds => format!(": it takes {}", describe(kinds)),
                };
                return Err(inner.refuse(format!("`{}` is missing{what}", inner.name)));
            }
        }
        for (name, given) in members {
            if let ArgValue::Members(inside) = given {
                self.member(name).complete(inside)?;
            }
        }
        Ok(())
    }
}

/// Types, as messages name them.
fn describe(kinds: &[&str]) -> String {
    let mut names: Vec<&str> = Vec::new();
    for kind in kinds {
        let name = match *kind {
            "string" => "a string",
            "integer" => "a whole number",
            "number" => "a number",
            "boolean" => "`true` or `false`",
            "array" => "a list, as JSON or given several times",
            "object" => "an object, as JSON or name by name",
            _ => "`null`",
        };
        if !names.contains(&name) {
            names.push(name);
        }
    }
    match names.as_slice() {
        [] => "a value".to_owned(),
        names => names.join(" or "),
    }
}

/// That there is no such argument, and which one was probably meant.
/// `dashes` precede each name, as in options.
fn unknown(dashes: &str, name: &str, known: &[String]) -> String {
    let near = nearest(name, known.iter().map(String::as_str));
    let listed: Vec<String> = known.iter().map(|n| format!("`{dashes}{n}`")).collect();
    let hint = match (near, listed.as_slice()) {
        (Some(near), _) => format!("; did you mean `{dashes}{near}`?"),
        (None, []) => ": there are none".to_owned(),
        (None, [one]) => format!(": there is {one}"),
        (None, listed) if listed.len() > MAX_LISTED => String::new(),
        (None, listed) => format!(": there are {}", listed.join(", ")),
    };
    format!("`{dashes}{}` is not an argument{hint}", brief(name, 40))
}

/// Maximum number of names that a message lists.
const MAX_LISTED: usize = 20;

/// What a person means by a word for true or false, in any letter case (CALL-62).
fn boolean(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "true" | "yes" | "on" | "y" => Some(true),
        "false" | "no" | "off" | "n" => Some(false),
        _ => None,
    }
}

const KINDS: [&str; 7] = [
    "null", "boolean", "integer", "number", "array", "object", "string",
];

/// The types that a schema names, or that its choices have.
fn kinds_of(schema: Node<'_>) -> Vec<&'static str> {
    let known = |name: Node<'_>| KINDS.iter().find(|kind| name.is_str(kind)).copied();
    if let Some(types) = schema.get("type") {
        return match types.kind() {
            Kind::Array => types.elements().filter_map(known).collect(),
            _ => known(types).into_iter().collect(),
        };
    }
    match schema.get("enum") {
        Some(list) => list.elements().map(kind).collect(),
        None => schema.get("const").into_iter().map(kind).collect(),
    }
}

fn kind(value: Node<'_>) -> &'static str {
    type_of(value.raw())
}

/// A word read as JSON, if it is of one of these types, and the type. A JSON string is taken only
/// where nothing is known of the type, since quotes would else have to be typed twice.
fn json(text: &str, kinds: &[&str]) -> Option<(String, &'static str)> {
    let document = Document::new(text).ok()?;
    let found = kind(document.root());
    let fits = kinds.contains(&found) || found == "integer" && kinds.contains(&"number");
    let whole = found != "string" || kinds.len() == KINDS.len();
    (fits && whole).then(|| (document.root().raw().to_owned(), found))
}

#[cfg(test)]
mod tests;
