//! Arguments that a person types as words: `path=a`, `limit=3`, `author.name=Ada`, `--force` (CALL-40
//! to CALL-47, CALL-60 to CALL-63).

use std::collections::BTreeMap;

use super::options;
use crate::canonical::exact_text;
use crate::json::{Document, Kind, Node, ObjectWriter, array, brief, is_whole, pointer, string};
use crate::question::target;
use crate::{Code, Error, Json, nearest};

/// The arguments that some words stand for, as a JSON object in exact form,
/// typed by the input schema: numbers keep all their digits.
///
/// A word is `name=text`, or an option: `--name=text`, `--name` with its text in the next word, and for
/// a boolean `--name` or `--no-name` alone.
///
/// Whether they fit the schema in everything is for whoever validates; types, choices, unknown and
/// missing names are judged here, so that a mistake is told in the words of the person who made it.
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
    let mut tree = BTreeMap::new();
    let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
    let mut at = 0;
    while let Some((given, used)) = next(&whole, &words, at)? {
        whole.put(&mut tree, &given.name, given.text)?;
        at += used;
    }
    whole.complete(&tree)?;
    Json::new(exact_text(object(&tree)))
}

/// The argument that begins at a word, and how many words it takes.
fn next<'w>(
    whole: &Spot<'_>,
    words: &[&'w str],
    at: usize,
) -> Result<Option<(Word<'w>, usize)>, Error> {
    let Some(word) = words.get(at).copied() else {
        return Ok(None);
    };
    let shallow = |name: &str| match name.split('.').count() {
        ..=MOST_STEPS => Ok(()),
        _ => {
            let name = brief(name, 40);
            Err(refuse(format!("`{name}` leads too deep: give JSON")))
        }
    };
    if let Some(option) = options::read(word) {
        shallow(option.name)?;
        return options::resolve(whole, option, words.get(at + 1).copied()).map(Some);
    }
    match word.split_once('=').filter(|(name, _)| !name.is_empty()) {
        Some((name, text)) => {
            shallow(name)?;
            let name = name.to_owned();
            Ok(Some((Word { name, text }, 1)))
        }
        None => {
            let word = brief(word, 40);
            let flag = at.checked_sub(1).and_then(|before| words.get(before));
            let flag = flag.filter(|flag| options::read(flag).is_some() && !flag.contains('='));
            let way = match flag.filter(|_| boolean(word.as_ref()).is_some()) {
                // An option that takes a text would have taken this word for it.
                Some(flag) => format!("`{}={word}`", brief(flag, 40)),
                None => "`name=value`".to_owned(),
            };
            Err(refuse(format!("`{word}` is not an argument: write {way}")))
        }
    }
}

/// A refusal of a word as such.
fn refuse(message: String) -> Error {
    Error::new(Code::BadArgument, "", None, message)
}

/// What a person gave for an argument.
pub(super) struct Word<'w> {
    /// Names with dots between them, as the schema has them.
    pub name: String,
    pub text: &'w str,
}

/// So many names may stand in one path, which bounds the depth of every walk here.
const MOST_STEPS: usize = 32;

/// What was given so far.
enum Given {
    /// JSON text.
    Value(String),
    /// JSON texts of elements.
    Elements(Vec<String>),
    Members(BTreeMap<String, Given>),
}

impl Given {
    fn text(&self) -> String {
        match self {
            Given::Value(text) => text.clone(),
            Given::Elements(elements) => array(elements.iter().cloned()),
            Given::Members(members) => object(members),
        }
    }
}

fn object(members: &BTreeMap<String, Given>) -> String {
    let mut out = ObjectWriter::new();
    for (name, given) in members {
        out.json(name, given.text());
    }
    out.end()
}

/// An argument: its schema, if there is one, and how it is called.
pub(super) struct Spot<'a> {
    schema: Option<Node<'a>>,
    root: Node<'a>,
    /// As a person writes it, `author.name`.
    name: String,
    pointer: String,
}

impl<'a> Spot<'a> {
    pub(super) fn refuse(&self, message: String) -> Error {
        Error::new(Code::BadArgument, self.pointer.clone(), None, message)
    }

    fn expected(&self, what: &str, text: &str) -> Error {
        self.refuse(format!(
            "`{}` must be {what}, not `{}`",
            self.name,
            brief(text, 40)
        ))
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
    pub(super) fn member(&self, name: &str) -> Spot<'a> {
        let schema = self.alternatives().into_iter().find_map(|schema| {
            let property = schema.get("properties").and_then(|all| all.get(name));
            property.or(schema
                .get("additionalProperties")
                .filter(|other| other.kind() == Kind::Object))
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
    pub(super) fn names(&self) -> (Vec<String>, bool) {
        let mut names = Vec::new();
        let mut open = false;
        for schema in self.alternatives() {
            let properties = schema.get("properties");
            names.extend(
                properties
                    .into_iter()
                    .flat_map(|all| all.members())
                    .map(|(name, _)| name.into_owned()),
            );
            let closed =
                schema.get("additionalProperties").and_then(|o| o.as_bool()) == Some(false);
            open |= !closed || schema.get("patternProperties").is_some();
        }
        (names, open || self.schema.is_none())
    }

    /// Puts a text where a name leads to.
    fn put(
        &self,
        members: &mut BTreeMap<String, Given>,
        path: &str,
        text: &str,
    ) -> Result<(), Error> {
        let (names, open) = self.names();
        // A property whose own name has a dot comes before a way through objects.
        let (name, rest) = match path.split_once('.') {
            Some((first, rest)) if !names.iter().any(|name| name == path) => (first, Some(rest)),
            _ => (path, None),
        };
        let inner = self.member(name);
        if !open && !names.iter().any(|known| known == name) {
            let known = names.iter().map(|name| self.member(name).name);
            return Err(inner.refuse(unknown("", &inner.name, &known.collect::<Vec<_>>())));
        }
        let twice = || inner.refuse(format!("`{}` is given twice", inner.name));
        match (rest, members.get_mut(name)) {
            (Some(rest), None) => {
                let kinds = inner.kinds();
                if !kinds.is_empty() && !kinds.contains(&"object") {
                    let what = inner.what(&kinds);
                    let message = format!("`{}` is {what}, so it has no `{rest}`", inner.name);
                    return Err(inner.refuse(message));
                }
                let mut inside = BTreeMap::new();
                inner.put(&mut inside, rest, text)?;
                members.insert(name.to_owned(), Given::Members(inside));
            }
            (Some(rest), Some(Given::Members(inside))) => inner.put(inside, rest, text)?,
            (None, Some(Given::Elements(elements))) => {
                let element = inner.element().read(text)?;
                elements.push(element);
            }
            (_, Some(_)) => return Err(twice()),
            (None, None) => {
                members.insert(name.to_owned(), inner.value(text)?);
            }
        }
        Ok(())
    }

    /// An element of this argument, which is an array.
    fn element(&self) -> Spot<'a> {
        let items = self
            .alternatives()
            .into_iter()
            .find_map(|schema| schema.get("items"));
        Spot {
            schema: items,
            root: self.root,
            name: self.name.clone(),
            pointer: self.pointer.clone(),
        }
    }

    /// The first value of this argument.
    fn value(&self, text: &str) -> Result<Given, Error> {
        let kinds = self.kinds();
        let list = kinds.contains(&"array") && !kinds.contains(&"string");
        if list
            && !matches!(json(text, &["array", "null"]), Some(whole) if kinds.contains(&whole.1))
        {
            return Ok(Given::Elements(vec![self.element().read(text)?]));
        }
        self.read(text).map(Given::Value)
    }

    /// The JSON text that a word stands for, by the types of the schema.
    fn read(&self, text: &str) -> Result<String, Error> {
        let kinds = self.kinds();
        let value = if kinds.is_empty() {
            // Nothing is known of it: what is JSON is JSON, all else is text.
            json(text, &KINDS).map_or_else(|| string(text), |(json, _)| json)
        } else {
            let found = json(text, &kinds).map(|(json, _)| json);
            let found = found.or_else(|| kinds.contains(&"string").then(|| string(text)));
            let found = found.or_else(|| boolean(text).filter(|_| kinds.contains(&"boolean")));
            found.ok_or_else(|| self.expected(&self.what(&kinds), text))?
        };
        self.check_choice(&value, text)?;
        Ok(value)
    }

    /// The types that the schema names; none if it takes anything.
    pub(super) fn kinds(&self) -> Vec<&'static str> {
        let mut found = Vec::new();
        for schema in self.alternatives() {
            let kinds = kinds_of(schema);
            if kinds.is_empty() {
                return kinds;
            }
            found.extend(kinds);
        }
        found
    }

    pub(super) fn what(&self, kinds: &[&str]) -> String {
        let mut words: Vec<&str> = Vec::new();
        for kind in kinds {
            let word = match *kind {
                "string" => "a string",
                "integer" => "a whole number",
                "number" => "a number",
                "boolean" => "`true` or `false`",
                "array" => "a list, as JSON or given several times",
                "object" => "an object, as JSON or name by name",
                _ => "`null`",
            };
            if !words.contains(&word) {
                words.push(word);
            }
        }
        words.join(" or ")
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
        if alternatives.is_empty()
            || choices
                .iter()
                .any(|one| Json::from(*one).is_exactly(&given))
        {
            return Ok(());
        }
        let words: Vec<String> = choices
            .iter()
            .map(|one| match one.as_str() {
                Some(text) => format!("`{text}`"),
                None => format!("`{}`", one.raw()),
            })
            .collect();
        Err(self.expected(&words.join(" or "), text))
    }

    /// Refuses an object that lacks what it needs.
    fn complete(&self, members: &BTreeMap<String, Given>) -> Result<(), Error> {
        if let [schema] = self.alternatives().as_slice() {
            let required = schema.get("required");
            let names = required.into_iter().flat_map(|names| names.elements());
            for name in names.filter_map(|name| name.as_str()) {
                if !members.contains_key(name.as_ref()) {
                    let inner = self.member(&name);
                    let kinds = inner.kinds();
                    let what = match kinds.as_slice() {
                        [] => String::new(),
                        kinds => format!(": it takes {}", inner.what(kinds)),
                    };
                    return Err(inner.refuse(format!("`{}` is missing{what}", inner.name)));
                }
            }
        }
        for (name, given) in members {
            if let Given::Members(inside) = given {
                self.member(name).complete(inside)?;
            }
        }
        Ok(())
    }
}

/// That there is no such argument, and which one was probably meant (CALL-63).
/// `dashes` stand before each name, as they do in options.
pub(super) fn unknown(dashes: &str, name: &str, known: &[String]) -> String {
    let near = nearest(name, known.iter().map(String::as_str));
    let hint = match (near, known) {
        (Some(near), _) => format!("; did you mean `{dashes}{near}`?"),
        (None, []) => ": there are none".to_owned(),
        (None, [one]) => format!(": there is `{dashes}{one}`"),
        (None, known) if known.len() > LISTED => String::new(),
        (None, known) => {
            let known: Vec<String> = known
                .iter()
                .map(|name| format!("`{dashes}{name}`"))
                .collect();
            format!(": there are {}", known.join(", "))
        }
    };
    format!("`{dashes}{}` is not an argument{hint}", brief(name, 40))
}

/// More names than this are not told in a message.
const LISTED: usize = 20;

/// A word that people write for true or false, in any letter case (CALL-62).
fn boolean(text: &str) -> Option<String> {
    let (yes, no) = (["true", "yes", "on", "y"], ["false", "no", "off", "n"]);
    let is = |words: [&str; 4]| words.iter().any(|word| text.eq_ignore_ascii_case(word));
    (is(yes) || is(no)).then(|| is(yes).to_string())
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
    let listed = schema.get("enum").map(|list| list.elements().collect());
    let choices: Vec<Node<'_>> =
        listed.unwrap_or_else(|| schema.get("const").into_iter().collect());
    choices.into_iter().map(|choice| kind(choice)).collect()
}

fn kind(value: Node<'_>) -> &'static str {
    match value.kind() {
        Kind::Null => "null",
        Kind::Bool => "boolean",
        Kind::Number if is_whole(value.raw()) => "integer",
        Kind::Number => "number",
        Kind::String => "string",
        Kind::Array => "array",
        Kind::Object => "object",
    }
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
