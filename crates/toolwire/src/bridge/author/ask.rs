//! What a tool asks for, by kinds: each makes a schema that has the prompt of that kind (AUTH-24).

use std::collections::BTreeSet;

use crate::base::canonical::exact_text;
use crate::base::json::{Document, Kind, ObjectWriter, Place, array, type_of};
use crate::protocol::question::simple_prompt;
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
        let given = Place::new(document.root(), "", Code::BadArgument).object()?;
        given.only(&[&["text", "default"], names].concat())?;
        let mut schema = ObjectWriter::new();
        match kind {
            "select" => choices(&given, &mut schema)?,
            "multi_select" => {
                let mut items = ObjectWriter::new();
                choices(&given, &mut items)?;
                schema.text("type", "array").json("items", items.end());
                schema.flag("uniqueItems", true);
            }
            "form" => {
                let place = required(&given, "schema")?.object()?;
                return ask(&given, exact_text(place.node.raw().to_owned()), None);
            }
            "page" => {
                let place = required(&given, "url")?;
                let url = place.string()?;
                if WebUrl::new(&url).is_none() {
                    return Err(place.expected(WebUrl::EXPECTED));
                }
                if let Some(default) = given.member("default") {
                    return Err(default.refuse("no value answers a page, so it takes no `default`"));
                }
                return ask(&given, "{}".to_owned(), Some(url));
            }
            kind => drop(schema.text("type", kind)),
        }
        let bounds = bounds(&given, names, &mut schema)?;
        let ask = ask(&given, exact_text(schema.end()), None)?;
        if let (Some(default), Some(place)) = (&ask.default, given.member("default")) {
            let document = Document::new(ask.schema.as_str())?;
            let prompt = simple_prompt(document.root(), document.root());
            if !prompt.is_some_and(|prompt| prompt.offers(default)) {
                return Err(place.expected("a value that answers the question"));
            }
            let number = place.node.as_f64();
            let is_within = |value: f64| {
                bounds[0].is_none_or(|minimum| value >= minimum)
                    && bounds[1].is_none_or(|maximum| value <= maximum)
            };
            if !number.is_none_or(is_within) {
                return Err(place.expected("a number from `minimum` to `maximum`"));
            }
        }
        Ok(ask)
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
            let document = Document::new(text)?;
            let place = Place::new(document.root(), "", Code::BadArgument).object()?;
            place.only(&["text", "schema", "default", "url"])?;
            let schema = required(&place, "schema")?.object()?;
            let url = place.optional("url", |url| url.string())?;
            ask(&place, exact_text(schema.node.raw().to_owned()), url)
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

/// A member that is not null.
fn required<'a>(given: &Place<'a>, name: &str) -> Result<Place<'a>, Error> {
    given.given(name).map_or_else(|| given.required(name), Ok)
}

fn ask(given: &Place<'_>, schema: String, url: Option<String>) -> Result<Ask, Error> {
    let default = given.member("default");
    Ok(Ask {
        text: required(given, "text")?.filled()?,
        schema: Json::new(schema)?,
        default: default.map(|default| Json::from(default.node)),
        url,
    })
}

/// Writes the arguments that are keywords of the schema, and returns the minimum and the maximum.
fn bounds(
    given: &Place<'_>,
    names: &[&str],
    schema: &mut ObjectWriter,
) -> Result<[Option<f64>; 2], Error> {
    let mut bounds = [None; 2];
    for name in names.iter().filter(|name| **name != "choices") {
        let Some(place) = given.given(name) else {
            continue;
        };
        let number = place.node.as_f64();
        match *name {
            "pattern" | "format" => drop(place.string()?),
            "minimum" | "maximum" if number.is_some() => {}
            "minimum" | "maximum" => return Err(place.expected("a number")),
            _ => drop(place.whole(0)?),
        }
        match *name {
            name if name.starts_with("min") => bounds[0] = number,
            name if name.starts_with("max") => bounds[1] = number,
            _ => {}
        }
        if bounds[0]
            .zip(bounds[1])
            .is_some_and(|(minimum, maximum)| minimum > maximum)
        {
            return Err(place.refuse(format!("`{name}` is less than the minimum")));
        }
        schema.json(name, place.node.raw());
    }
    Ok(bounds)
}

/// Writes the choices as `enum` or, with labels or descriptions, as `oneOf`.
fn choices(given: &Place<'_>, schema: &mut ObjectWriter) -> Result<(), Error> {
    let place = required(given, "choices")?.array()?;
    let (mut values, mut branches, mut is_plain) = (Vec::new(), Vec::new(), true);
    for element in place.elements() {
        let mut branch = ObjectWriter::new();
        let value = match element.node.kind() {
            Kind::Object => {
                element.only(&["value", "label", "description"])?;
                element.required("value")?
            }
            _ => element.clone(),
        };
        if matches!(value.node.kind(), Kind::Array | Kind::Object) {
            return Err(value.expected("a string, a number, true, false or null"));
        }
        let text = exact_text(value.node.raw().to_owned());
        if values.contains(&text) {
            return Err(value.refuse(format!("the choice `{text}` is there twice")));
        }
        branch.json("const", &text);
        for (name, keyword) in [("label", "title"), ("description", "description")] {
            if let Some(about) = element.given(name) {
                branch.text(keyword, about.string()?);
                is_plain = false;
            }
        }
        values.push(text);
        branches.push(branch.end());
    }
    if values.is_empty() {
        return Err(place.refuse("`choices` is empty"));
    }
    let types: BTreeSet<&str> = values.iter().map(|value| type_of(value)).collect();
    match types.into_iter().collect::<Vec<_>>().as_slice() {
        ["integer", "number"] => drop(schema.text("type", "number")),
        ["null"] => {}
        [one] => drop(schema.text("type", one)),
        _ => {}
    }
    match is_plain {
        true => schema.json("enum", array(values)),
        false => schema.json("oneOf", array(branches)),
    };
    Ok(())
}
