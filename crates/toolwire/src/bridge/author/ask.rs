//! What a tool asks for, by kinds: each makes a schema that has the prompt of that kind (AUTH-24).

use std::collections::BTreeSet;

use crate::base::canonical::exact_text;
use crate::base::json::{Document, Kind, ObjectWriter, Place, array, is_whole};
use crate::{Code, Error, Json, WebUrl};

/// A question without its id.
///
/// ```
/// use toolwire::author::Ask;
///
/// let ask = Ask::from_json("select", r#"{"text":"Which?","choices":["a","b"],"default":"a"}"#)?;
/// assert_eq!(ask.schema.as_str(), r#"{"enum":["a","b"],"type":"string"}"#);
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ask {
    /// A short label.
    pub text: String,
    /// The JSON Schema of the answer, an object.
    pub schema: Json,
    /// What is suggested; JSON's `null` is a value.
    pub default: Option<Json>,
    /// The page where the person answers, if not in a form (ENV-18).
    pub url: Option<String>,
}

/// The arguments of each kind beside `text` and `default`.
const KINDS: [(&str, &[&str]); 8] = [
    ("boolean", &[]),
    ("select", &["choices"]),
    ("multi_select", &["choices", "minItems", "maxItems"]),
    ("string", &["minLength", "maxLength", "pattern", "format"]),
    ("number", &["minimum", "maximum"]),
    ("integer", &["minimum", "maximum"]),
    ("form", &["schema"]),
    ("page", &["url"]),
];

impl Ask {
    /// A question of a kind, from the arguments as the text of a JSON object (AUTH-24):
    ///
    /// | kind | arguments beside `text` and `default` |
    /// |---|---|
    /// | `boolean` | |
    /// | `select` | `choices`: simple values, or objects with `value`, `label` and `description` |
    /// | `multi_select` | `choices`, `minItems`, `maxItems` |
    /// | `string` | `minLength`, `maxLength`, `pattern`, `format` |
    /// | `number`, `integer` | `minimum`, `maximum` |
    /// | `form` | `schema`: a JSON Schema |
    /// | `page` | `url`: a page that is opened if the person agrees; it takes no `default` |
    ///
    /// An argument that is `null` is not given, but for `default`, where it is a value.
    ///
    /// # Errors
    ///
    /// `bad_argument` with a pointer to the argument that is unknown, missing or wrong, and at
    /// `/default` where the default could not be an answer; the code of the first place where the text
    /// is not strict JSON.
    ///
    /// # Examples
    ///
    /// ```
    /// use toolwire::author::Ask;
    ///
    /// let ask = Ask::from_json("integer", r#"{"text":"How many?","minimum":1,"default":3}"#)?;
    /// assert_eq!(ask.schema.as_str(), r#"{"minimum":1,"type":"integer"}"#);
    ///
    /// let error = Ask::from_json("boolean", r#"{"text":"Go on?","default":"yes"}"#).unwrap_err();
    /// assert_eq!(error.pointer(), "/default");
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    pub fn from_json(kind: &str, arguments: &str) -> Result<Self, Error> {
        let Some((kind, names)) = KINDS.iter().find(|(name, _)| *name == kind) else {
            let message = format!("`{kind}` is no kind of question");
            return Err(Error::new(Code::BadArgument, "", None, message));
        };
        Ask::of_kind(kind, names, arguments).map_err(Error::placeless)
    }

    fn of_kind(kind: &str, names: &[&str], arguments: &str) -> Result<Self, Error> {
        let document = Document::new(arguments)?;
        let given = Given(Place::new(document.root(), "", Code::BadArgument).object()?);
        given.only(names, &["text", "default"], kind)?;
        let default = given.0.member("default");
        let mut schema = ObjectWriter::new();
        let mut url = None;
        match kind {
            "boolean" => {
                schema.text("type", "boolean");
                default.as_ref().map(Place::flag).transpose()?;
            }
            "select" => {
                let choices = given.choices()?;
                write_choices(&choices, &mut schema);
                choose(&choices, default.iter().cloned())?;
            }
            "multi_select" => {
                let choices = given.choices()?;
                let mut items = ObjectWriter::new();
                write_choices(&choices, &mut items);
                schema
                    .json("items", items.end())
                    .text("type", "array")
                    .flag("uniqueItems", true);
                given.bounds(&mut schema, ["minItems", "maxItems"], true)?;
                if let Some(default) = given.0.optional("default", Place::array)? {
                    choose(&choices, default.elements())?;
                }
            }
            "string" => {
                schema.text("type", "string");
                given.bounds(&mut schema, ["minLength", "maxLength"], true)?;
                for name in ["pattern", "format"] {
                    schema.optional(name, given.text(name)?);
                }
                default.as_ref().map(Place::string).transpose()?;
            }
            "form" => {
                let place = given.required("schema")?.object()?;
                return given.ask(exact_text(place.node.raw().to_owned()), url);
            }
            "page" => {
                let place = given.required("url")?;
                url = Some(place.string()?).filter(|url| WebUrl::new(url).is_some());
                if url.is_none() {
                    return Err(place.expected(WebUrl::EXPECTED));
                }
                if let Some(default) = default {
                    return Err(default.refuse("no value answers a page, so it takes no `default`"));
                }
            }
            number => {
                schema.text("type", number);
                let [least, most] = given.bounds(&mut schema, ["minimum", "maximum"], false)?;
                if let Some(place) = default {
                    let whole = number == "integer";
                    let what = if whole { "a whole number" } else { "a number" };
                    let value = place
                        .node
                        .as_f64()
                        .filter(|_| !whole || is_whole(place.node.raw()));
                    let value = value.ok_or_else(|| place.expected(what))?;
                    if least.is_some_and(|least| value < least) {
                        return Err(place.refuse("`default` is less than `minimum`"));
                    }
                    if most.is_some_and(|most| value > most) {
                        return Err(place.refuse("`default` is greater than `maximum`"));
                    }
                }
            }
        }
        given.ask(exact_text(schema.end()), url)
    }

    /// Reads `{"text","schema","default","url"}`, as [`Ask::to_json`] writes it.
    ///
    /// # Errors
    ///
    /// `bad_argument` at the first place that is not so; the code of the first place where the text is
    /// not strict JSON.
    ///
    /// # Examples
    ///
    /// ```
    /// use toolwire::author::Ask;
    ///
    /// let ask = Ask::read(r#"{"text":"Go on?","schema":{"type":"boolean"}}"#)?;
    /// assert_eq!(ask, Ask::from_json("boolean", r#"{"text":"Go on?"}"#)?);
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    pub fn read(text: &str) -> Result<Self, Error> {
        let read = || {
            let ask = Ask::of_kind("form", &["schema", "url"], text)?;
            let document = Document::new(text)?;
            let place = Place::new(document.root(), "", Code::BadArgument);
            let url = place.optional("url", |url| url.string())?;
            Ok(Ask { url, ..ask })
        };
        read().map_err(Error::placeless)
    }

    /// The question without its id as JSON in exact form.
    ///
    /// ```
    /// use toolwire::author::Ask;
    ///
    /// let ask = Ask::from_json("boolean", r#"{"text":"Go on?","default":true}"#)?;
    /// assert_eq!(
    ///     ask.to_json(),
    ///     r#"{"default":true,"schema":{"type":"boolean"},"text":"Go on?"}"#,
    /// );
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut out = ObjectWriter::new();
        out.text("text", &self.text)
            .json("schema", self.schema.as_str())
            .optional_json("default", self.default.as_ref().map(Json::as_str))
            .optional("url", self.url.as_deref());
        exact_text(out.end())
    }
}

/// The arguments. One that is `null` is absent, except `default`.
struct Given<'a>(Place<'a>);

impl<'a> Given<'a> {
    fn only(&self, names: &[&str], more: &[&str], owner: &str) -> Result<(), Error> {
        let known = |name: &str| names.contains(&name) || more.contains(&name);
        match self.0.members().find(|(name, _)| !known(name)) {
            Some((name, place)) => {
                Err(place.refuse(format!("`{name}` is not an argument of `{owner}`")))
            }
            None => Ok(()),
        }
    }

    fn required(&self, name: &str) -> Result<Place<'a>, Error> {
        self.0.given(name).map_or_else(|| self.0.required(name), Ok)
    }

    fn text(&self, name: &str) -> Result<Option<String>, Error> {
        self.0.given(name).map(|place| place.string()).transpose()
    }

    fn ask(&self, schema: String, url: Option<String>) -> Result<Ask, Error> {
        Ok(Ask {
            text: self.required("text")?.filled()?,
            schema: Json::new(schema)?,
            default: self
                .0
                .member("default")
                .map(|default| Json::from(default.node)),
            url,
        })
    }

    /// Writes a minimum and a maximum, and returns them. `8.0` is a count too, as some languages can't
    /// tell it from `8`.
    fn bounds(
        &self,
        schema: &mut ObjectWriter,
        names: [&str; 2],
        counts: bool,
    ) -> Result<[Option<f64>; 2], Error> {
        let mut bounds = [None; 2];
        for (at, name) in names.into_iter().enumerate() {
            let Some(place) = self.0.given(name) else {
                continue;
            };
            let fits = |n: &f64| {
                !counts || n.fract() == 0.0 && (0.0..=9_007_199_254_740_991.0).contains(n)
            };
            bounds[at] = place.node.as_f64().filter(fits);
            match bounds {
                [Some(least), Some(most)] if least > most => {
                    let [least, most] = names;
                    return Err(place.refuse(format!("`{most}` is less than `{least}`")));
                }
                _ => {}
            }
            match bounds[at] {
                Some(count) if counts => schema.number(name, count as u64),
                Some(_) => schema.json(name, place.node.raw()),
                None if counts => {
                    return Err(place.expected("a whole number that is not negative"));
                }
                None => return Err(place.expected("a number")),
            };
        }
        Ok(bounds)
    }

    fn choices(&self) -> Result<Vec<Choice>, Error> {
        let place = self.required("choices")?.array()?;
        let (mut choices, mut seen) = (Vec::new(), BTreeSet::new());
        for element in place.elements() {
            let (value, label, description) = match element.node.kind() {
                Kind::Object => {
                    let choice = Given(element);
                    choice.only(&["value", "label", "description"], &[], "choices")?;
                    let value = choice.0.required("value")?;
                    (value, choice.text("label")?, choice.text("description")?)
                }
                _ => (element, None, None),
            };
            if matches!(value.node.kind(), Kind::Array | Kind::Object) {
                return Err(value.expected("a string, a number, true, false or null"));
            }
            let text = exact_text(value.node.raw().to_owned());
            if !seen.insert(text.clone()) {
                return Err(value.refuse(format!("the choice `{text}` is there twice")));
            }
            choices.push(Choice {
                value: text,
                label,
                description,
            });
        }
        match choices.is_empty() {
            true => Err(place.refuse("`choices` is empty")),
            false => Ok(choices),
        }
    }
}

/// A value to choose, and what a person sees.
struct Choice {
    /// JSON in exact form.
    value: String,
    label: Option<String>,
    description: Option<String>,
}

/// Refuses a default that could not be an answer, as it would never be offered (Q-10).
fn choose<'a>(
    choices: &[Choice],
    mut defaults: impl Iterator<Item = Place<'a>>,
) -> Result<(), Error> {
    let unknown = |default: &Place<'_>| {
        let text = exact_text(default.node.raw().to_owned());
        choices.iter().all(|choice| choice.value != text)
    };
    let unknown = defaults.find(unknown);
    unknown.map_or(
        Ok(()),
        |default| Err(default.expected("one of the choices")),
    )
}

/// Writes the members of a schema that lists the choices.
fn write_choices(choices: &[Choice], schema: &mut ObjectWriter) {
    schema.optional("type", common_type(choices));
    let plain = |choice: &Choice| choice.label.is_none() && choice.description.is_none();
    if choices.iter().all(plain) {
        schema.json("enum", array(choices.iter().map(|choice| &choice.value)));
        return;
    }
    let branches = choices.iter().map(|choice| {
        ObjectWriter::new()
            .json("const", &choice.value)
            .optional("title", choice.label.as_deref())
            .optional("description", choice.description.as_deref())
            .end()
    });
    schema.json("oneOf", array(branches));
}

/// The type of all values, if they have one that can be named.
fn common_type(choices: &[Choice]) -> Option<&'static str> {
    let kind = |choice: &Choice| match choice.value.as_bytes().first() {
        Some(b'"') => "string",
        Some(b't' | b'f') => "boolean",
        Some(b'n') => "null",
        _ if is_whole(&choice.value) => "integer",
        _ => "number",
    };
    let kinds: BTreeSet<&str> = choices.iter().map(kind).collect();
    match kinds.into_iter().collect::<Vec<_>>().as_slice() {
        ["integer", "number"] => Some("number"),
        ["null"] => None,
        [kind] => Some(kind),
        _ => None,
    }
}
