//! What a tool asks for, by kinds: each makes a schema that has the prompt of that kind (AUTH-24).

use std::collections::BTreeSet;

use crate::canonical::exact_text;
use crate::json::{Document, Kind, ObjectWriter, Place, array, is_whole};
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
        let place = Place::new(document.root(), "", Code::BadArgument);
        let given = Given::read(place, kind, names)?;
        let mut schema = ObjectWriter::new();
        match kind {
            "boolean" => {
                schema.text("type", "boolean");
            }
            "select" => given.choices()?.write(&mut schema),
            "multi_select" => {
                let mut items = ObjectWriter::new();
                given.choices()?.write(&mut items);
                schema.json("items", items.end());
                schema.text("type", "array");
                schema.json("uniqueItems", "true");
                given.counts(&mut schema, "minItems", "maxItems")?;
            }
            "string" => {
                schema.text("type", "string");
                given.counts(&mut schema, "minLength", "maxLength")?;
                for name in ["pattern", "format"] {
                    if let Some(place) = given.get(name) {
                        schema.text(name, &place.string()?);
                    }
                }
            }
            "form" => {
                let place = given.required("schema")?.object()?;
                return given.ask(Json::new(exact_text(place.node.raw().to_owned()))?);
            }
            "page" => {
                let place = given.required("url")?;
                let url = place.string()?;
                if WebUrl::new(&url).is_none() {
                    return Err(place.expected(WebUrl::EXPECTED));
                }
                if let Some(default) = given.get("default") {
                    return Err(default.refuse("no value answers a page, so it takes no `default`"));
                }
                let ask = given.ask(Json::new("{}")?)?;
                return Ok(Ask {
                    url: Some(url),
                    ..ask
                });
            }
            number => {
                schema.text("type", number);
                given.range(&mut schema)?;
            }
        }
        given.check_default(kind)?;
        given.ask(Json::new(exact_text(schema.end()))?)
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
        let ask = Ask::of_kind("form", &["schema", "url"], text).and_then(|ask| {
            let document = Document::new(text)?;
            let place = Place::new(document.root(), "", Code::BadArgument);
            let url = place.member("url").map(|place| place.string());
            Ok(Ask {
                url: url.transpose()?,
                ..ask
            })
        });
        ask.map_err(Error::placeless)
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
        out.text("text", &self.text);
        out.json("schema", self.schema.as_str());
        if let Some(default) = &self.default {
            out.json("default", default.as_str());
        }
        out.optional("url", self.url.as_deref());
        exact_text(out.end())
    }
}

/// The arguments that were given.
struct Given<'a> {
    whole: Place<'a>,
}

impl<'a> Given<'a> {
    fn read(place: Place<'a>, kind: &str, names: &[&str]) -> Result<Self, Error> {
        let whole = place.object()?;
        for (name, place) in whole.members() {
            if !["text", "default"].contains(&name.as_ref()) && !names.contains(&name.as_ref()) {
                return Err(place.refuse(format!("`{name}` is not an argument of `{kind}`")));
            }
        }
        Ok(Given { whole })
    }

    fn get(&self, name: &str) -> Option<Place<'a>> {
        let place = self.whole.member(name)?;
        (name == "default" || place.node.kind() != Kind::Null).then_some(place)
    }

    fn required(&self, name: &str) -> Result<Place<'a>, Error> {
        match self.get(name) {
            Some(place) => Ok(place),
            None => self.whole.required(name),
        }
    }

    fn ask(&self, schema: Json) -> Result<Ask, Error> {
        Ok(Ask {
            text: self.required("text")?.filled()?,
            schema,
            default: self.get("default").map(|default| Json::from(default.node)),
            url: None,
        })
    }

    /// A least and a greatest number of something.
    fn counts(&self, schema: &mut ObjectWriter, least: &str, most: &str) -> Result<(), Error> {
        let count = |name: &str| {
            let Some(place) = self.get(name) else {
                return Ok(None);
            };
            // `8.0` is a whole number too: some languages can't tell it from `8`.
            let number = place.node.as_f64().filter(|n| is_count(*n));
            number
                .map(|n| Some((n as u64, place.clone())))
                .ok_or_else(|| place.expected("a whole number that is not negative"))
        };
        let (low, high) = (count(least)?, count(most)?);
        if let (Some((low, _)), Some((high, place))) = (&low, &high)
            && low > high
        {
            return Err(place.refuse(format!("`{most}` is less than `{least}`")));
        }
        for (name, bound) in [(least, low), (most, high)] {
            if let Some((number, _)) = bound {
                schema.json(name, number.to_string());
            }
        }
        Ok(())
    }

    fn bound(&self, name: &str) -> Result<Option<(f64, Place<'a>)>, Error> {
        let Some(place) = self.get(name) else {
            return Ok(None);
        };
        let number = place.node.as_f64();
        number
            .map(|n| Some((n, place.clone())))
            .ok_or_else(|| place.expected("a number"))
    }

    fn range(&self, schema: &mut ObjectWriter) -> Result<(), Error> {
        let (low, high) = (self.bound("minimum")?, self.bound("maximum")?);
        if let (Some((low, _)), Some((high, place))) = (&low, &high)
            && low > high
        {
            return Err(place.refuse("`maximum` is less than `minimum`"));
        }
        for (name, bound) in [("minimum", low), ("maximum", high)] {
            if let Some((_, place)) = bound {
                schema.json(name, place.node.raw());
            }
        }
        Ok(())
    }

    fn choices(&self) -> Result<Choices, Error> {
        let place = self.required("choices")?.array()?;
        let mut choices = Choices::default();
        let mut seen = BTreeSet::new();
        for element in place.elements() {
            let (value, told) = match element.node.kind() {
                Kind::Object => {
                    for (name, place) in element.members() {
                        if !["value", "label", "description"].contains(&name.as_ref()) {
                            return Err(place.refuse(format!("a choice has no `{name}`")));
                        }
                    }
                    let text = |name: &str| {
                        let place = element.member(name);
                        let place = place.filter(|place| place.node.kind() != Kind::Null);
                        place.map(|place| place.string()).transpose()
                    };
                    (
                        element.required("value")?,
                        (text("label")?, text("description")?),
                    )
                }
                _ => (element, (None, None)),
            };
            if matches!(value.node.kind(), Kind::Array | Kind::Object) {
                return Err(value.expected("a string, a number, true, false or null"));
            }
            let text = exact_text(value.node.raw().to_owned());
            if !seen.insert(text.clone()) {
                return Err(value.refuse(format!("the choice `{text}` is there twice")));
            }
            choices.told |= told.0.is_some() || told.1.is_some();
            choices.all.push((text, told.0, told.1));
        }
        if choices.all.is_empty() {
            return Err(place.refuse("`choices` is empty"));
        }
        Ok(choices)
    }

    /// A default that could not be an answer would never be offered (Q-10).
    fn check_default(&self, kind: &str) -> Result<(), Error> {
        let Some(place) = self.get("default") else {
            return Ok(());
        };
        match kind {
            "boolean" => place.flag().map(drop),
            "string" => place.string().map(drop),
            "select" => self.check_choice(&place, &self.choices()?),
            "multi_select" => {
                let choices = self.choices()?;
                let place = place.array()?;
                let mut elements = place.elements();
                elements.try_for_each(|element| self.check_choice(&element, &choices))
            }
            _ => self.check_number(&place, kind == "integer"),
        }
    }

    fn check_choice(&self, place: &Place<'_>, choices: &Choices) -> Result<(), Error> {
        let text = exact_text(place.node.raw().to_owned());
        if choices.all.iter().any(|choice| choice.0 == text) {
            return Ok(());
        }
        Err(place.expected("one of the choices"))
    }

    fn check_number(&self, place: &Place<'_>, integer: bool) -> Result<(), Error> {
        let number = place.node.as_f64();
        let number = number.filter(|_| !integer || is_whole(place.node.raw()));
        let what = if integer {
            "a whole number"
        } else {
            "a number"
        };
        let number = number.ok_or_else(|| place.expected(what))?;
        let low = self.bound("minimum")?.is_none_or(|(low, _)| low <= number);
        let high = self
            .bound("maximum")?
            .is_none_or(|(high, _)| number <= high);
        match (low, high) {
            (true, true) => Ok(()),
            (false, _) => Err(place.refuse("`default` is less than `minimum`")),
            _ => Err(place.refuse("`default` is greater than `maximum`")),
        }
    }
}

fn is_count(number: f64) -> bool {
    number.fract() == 0.0 && (0.0..=9_007_199_254_740_991.0).contains(&number)
}

/// Values to choose from, with what a person sees.
#[derive(Default)]
struct Choices {
    /// JSON in exact form, label, description.
    all: Vec<(String, Option<String>, Option<String>)>,
    /// Whether any has a label or a description.
    told: bool,
}

impl Choices {
    /// The members of a schema that lists the choices.
    fn write(&self, schema: &mut ObjectWriter) {
        if let Some(kind) = self.kind() {
            schema.text("type", kind);
        }
        let values = self.all.iter().map(|choice| choice.0.clone());
        if !self.told {
            schema.json("enum", array(values));
            return;
        }
        let branches = self.all.iter().map(|(value, label, description)| {
            let mut branch = ObjectWriter::new();
            branch.json("const", value);
            branch.optional("title", label.as_deref());
            branch.optional("description", description.as_deref());
            branch.end()
        });
        schema.json("oneOf", array(branches));
    }

    /// The type of all values, if they have one.
    fn kind(&self) -> Option<&'static str> {
        let kinds: BTreeSet<&str> = self.all.iter().map(|choice| kind_of(&choice.0)).collect();
        match kinds.into_iter().collect::<Vec<_>>().as_slice() {
            ["integer", "number"] => Some("number"),
            ["null"] => None,
            [kind] => Some(kind),
            _ => None,
        }
    }
}

/// The type of a JSON value in exact form.
fn kind_of(value: &str) -> &'static str {
    match value.as_bytes().first() {
        Some(b'"') => "string",
        Some(b't' | b'f') => "boolean",
        Some(b'n') => "null",
        _ if is_whole(value) => "integer",
        _ => "number",
    }
}
