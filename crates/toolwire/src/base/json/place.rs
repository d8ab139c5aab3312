//! Reading a document that is either as it should be or refused.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::str::FromStr;

use crate::base::json::{Kind, Node, brief, pointer};
use crate::{Code, Error, Json, UnknownWord};

/// A cursor over a document: a value, its pointer, and the code with which the document is refused. Each
/// error has the code, the pointer and the offset of the value that is wrong.
///
/// # Examples
///
/// ```
/// use toolwire::json::{Document, Place};
/// use toolwire::{Code, Error};
///
/// fn read(text: &str) -> Result<(String, Vec<String>), Error> {
///     let document = Document::new(text)?;
///     let root = Place::new(document.root(), "", Code::BadArgument).object()?;
///     root.only(&["name", "tags"])?;
///     let tags = root.optional("tags", Place::strings)?;
///     Ok((root.required("name")?.filled()?, tags.unwrap_or_default()))
/// }
///
/// assert_eq!(read(r#"{"name":"a","tags":["b"]}"#)?, ("a".into(), vec!["b".into()]));
/// let error = read(r#"{"name":"a","tags":[1]}"#).unwrap_err();
/// assert_eq!((error.pointer(), error.offset()), ("/tags/0", Some(20)));
/// assert_eq!(error.message(), "`tags/0` is a string, not `1`");
/// # Ok::<(), Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Place<'a> {
    /// The value.
    pub node: Node<'a>,
    pointer: String,
    code: Code,
}

impl<'a> Place<'a> {
    /// A value at a pointer, and the code of its refusals.
    ///
    /// ```
    /// use toolwire::{Code, json::{Document, Place}};
    ///
    /// let document = Document::new("7")?;
    /// let place = Place::new(document.root(), "/count", Code::BadArgument);
    /// assert_eq!(place.string().unwrap_err().message(), "`count` is a string, not `7`");
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn new(node: Node<'a>, pointer: &str, code: Code) -> Self {
        Place {
            node,
            pointer: pointer.to_owned(),
            code,
        }
    }

    /// The JSON Pointer of the value.
    ///
    /// ```
    /// use toolwire::Code;
    /// use toolwire::json::{Document, Place};
    ///
    /// let document = Document::new(r#"{"a":1}"#)?;
    /// let place = Place::new(document.root(), "", Code::BadArgument);
    /// let inner = place.required("a")?;
    /// assert_eq!(inner.pointer(), "/a");
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn pointer(&self) -> &str {
        &self.pointer
    }

    /// The refusal of this value.
    ///
    /// ```
    /// use toolwire::Code;
    /// use toolwire::json::{Document, Place};
    ///
    /// let document = Document::new(r#"[]"#)?;
    /// let place = Place::new(document.root(), "", Code::BadArgument);
    /// assert_eq!(place.refuse("it is empty").code(), Code::BadArgument);
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    pub fn refuse(&self, message: impl Into<String>) -> Error {
        self.refuse_as(self.code, message)
    }

    /// The refusal of this value with another code.
    ///
    /// ```
    /// use toolwire::Code;
    /// use toolwire::json::{Document, Place};
    ///
    /// let document = Document::new(r#"[]"#)?;
    /// let place = Place::new(document.root(), "", Code::BadArgument);
    /// let error = place.refuse_as(Code::BadOption, "it is empty");
    /// assert_eq!(error.code(), Code::BadOption);
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    pub fn refuse_as(&self, code: Code, message: impl Into<String>) -> Error {
        let offset = Some(self.node.start() as u64);
        Error::new(code, self.pointer.clone(), offset, message)
    }

    /// The last name of the pointer, for messages; that of an element with the name of its array.
    fn name(&self) -> String {
        let mut start = self.pointer.rfind('/').map_or(0, |at| at + 1);
        if pointer::index(&self.pointer[start..]).is_some() {
            let array = &self.pointer[..start.saturating_sub(1)];
            start = array.rfind('/').map_or(start, |at| at + 1);
        }
        pointer::unescape(&self.pointer[start..]).into_owned()
    }

    /// The refusal of a value that should be something else, such as `a string`.
    ///
    /// ```
    /// use toolwire::Code;
    /// use toolwire::json::{Document, Place};
    ///
    /// let document = Document::new(r#"[]"#)?;
    /// let place = Place::new(document.root(), "", Code::BadArgument);
    /// assert_eq!(place.expected("a date").message(), "the document is a date, not an array");
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn expected(&self, what: &str) -> Error {
        let found = match self.node.kind() {
            Kind::String | Kind::Number => format!("`{}`", brief(self.node.raw(), 40)),
            kind => kind.name().to_owned(),
        };
        match self.name().as_str() {
            "" => self.refuse(format!("the document is {what}, not {found}")),
            name => self.refuse(format!("`{name}` is {what}, not {found}")),
        }
    }

    fn child(&self, name: &str, node: Node<'a>) -> Self {
        Place {
            node,
            pointer: pointer::join(&self.pointer, name),
            code: self.code,
        }
    }

    /// A member of this object, if it has it.
    ///
    /// ```
    /// use toolwire::Code;
    /// use toolwire::json::{Document, Place};
    ///
    /// let document = Document::new(r#"{"a":1}"#)?;
    /// let place = Place::new(document.root(), "", Code::BadArgument);
    /// assert!(place.member("a").is_some() && place.member("b").is_none());
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn member(&self, name: &str) -> Option<Self> {
        self.node.get(name).map(|node| self.child(name, node))
    }

    /// A member that has to be there.
    ///
    /// # Errors
    ///
    /// If it is missing. The pointer is then the member's, and the offset the object's.
    ///
    /// ```
    /// use toolwire::Code;
    /// use toolwire::json::{Document, Place};
    ///
    /// let document = Document::new(r#"{"a":1}"#)?;
    /// let place = Place::new(document.root(), "", Code::BadArgument);
    /// assert_eq!(place.required("b").unwrap_err().pointer(), "/b");
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    pub fn required(&self, name: &str) -> Result<Self, Error> {
        self.member(name)
            .ok_or_else(|| self.lacks(name, format!("`{name}` is missing")))
    }

    /// The refusal of this object because a member is missing.
    ///
    /// ```
    /// use toolwire::Code;
    /// use toolwire::json::{Document, Place};
    ///
    /// let document = Document::new("{}")?;
    /// let place = Place::new(document.root(), "", Code::BadArgument);
    /// assert_eq!(place.lacks("id", "`id` is missing: choose one").pointer(), "/id");
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    pub fn lacks(&self, name: &str, message: impl Into<String>) -> Error {
        self.child(name, self.node).refuse(message)
    }

    /// A member of this object, if it has it and its value is not `null`.
    ///
    /// ```
    /// use toolwire::Code;
    /// use toolwire::json::{Document, Place};
    ///
    /// let document = Document::new(r#"{"a":1,"b":null}"#)?;
    /// let place = Place::new(document.root(), "", Code::BadArgument);
    /// assert!(place.given("a").is_some() && place.given("b").is_none());
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn given(&self, name: &str) -> Option<Self> {
        let member = self.member(name);
        member.filter(|place| place.node.kind() != Kind::Null)
    }

    /// What `read` makes of a member, if it is there.
    ///
    /// # Errors
    ///
    /// Those of `read`.
    ///
    /// ```
    /// use toolwire::Code;
    /// use toolwire::json::{Document, Place};
    ///
    /// let document = Document::new(r#"{"a":"b"}"#)?;
    /// let place = Place::new(document.root(), "", Code::BadArgument);
    /// assert_eq!(place.optional("a", |a| a.string())?, Some("b".into()));
    /// assert_eq!(place.optional("b", |b| b.string())?, None);
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    pub fn optional<T>(
        &self,
        name: &str,
        read: impl FnOnce(Self) -> Result<T, Error>,
    ) -> Result<Option<T>, Error> {
        self.member(name).map(read).transpose()
    }

    /// The members of this object in document order; none for other kinds.
    ///
    /// ```
    /// use toolwire::Code;
    /// use toolwire::json::{Document, Place};
    ///
    /// let document = Document::new(r#"{"a/b":1}"#)?;
    /// let place = Place::new(document.root(), "", Code::BadArgument);
    /// let (name, value) = place.members().next().unwrap();
    /// assert_eq!((name.as_ref(), value.pointer()), ("a/b", "/a~1b"));
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    pub fn members(&self) -> impl Iterator<Item = (Cow<'a, str>, Self)> + use<'a> {
        let object = self.clone();
        let members = self.node.members();
        members.map(move |(name, node)| (name.clone(), object.child(&name, node)))
    }

    /// The elements of this array in order; none for other kinds.
    ///
    /// ```
    /// use toolwire::Code;
    /// use toolwire::json::{Document, Place};
    ///
    /// let document = Document::new(r#"[7]"#)?;
    /// let place = Place::new(document.root(), "", Code::BadArgument);
    /// assert_eq!(place.elements().next().unwrap().pointer(), "/0");
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    pub fn elements(&self) -> impl Iterator<Item = Self> + use<'a> {
        let array = self.clone();
        let elements = self.node.elements().enumerate();
        elements.map(move |(index, node)| array.child(&index.to_string(), node))
    }

    /// This value, if it is an object.
    ///
    /// # Errors
    ///
    /// If it is of another kind.
    ///
    /// ```
    /// use toolwire::Code;
    /// use toolwire::json::{Document, Place};
    ///
    /// let document = Document::new(r#"[7]"#)?;
    /// let place = Place::new(document.root(), "", Code::BadArgument);
    /// assert!(place.object().is_err());
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    pub fn object(self) -> Result<Self, Error> {
        match self.node.kind() {
            Kind::Object => Ok(self),
            _ => Err(self.expected("an object")),
        }
    }

    /// This value, if it is an array.
    ///
    /// # Errors
    ///
    /// If it is of another kind.
    ///
    /// ```
    /// use toolwire::Code;
    /// use toolwire::json::{Document, Place};
    ///
    /// let document = Document::new(r#"[7]"#)?;
    /// let place = Place::new(document.root(), "", Code::BadArgument);
    /// assert_eq!(place.array()?.elements().count(), 1);
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    pub fn array(self) -> Result<Self, Error> {
        match self.node.kind() {
            Kind::Array => Ok(self),
            _ => Err(self.expected("an array")),
        }
    }

    /// The value of this string.
    ///
    /// # Errors
    ///
    /// If it is of another kind.
    ///
    /// ```
    /// use toolwire::Code;
    /// use toolwire::json::{Document, Place};
    ///
    /// let document = Document::new(r#"["a"]"#)?;
    /// let place = Place::new(document.root(), "", Code::BadArgument);
    /// assert!(place.string().is_err());
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    pub fn string(&self) -> Result<String, Error> {
        let text = self.node.as_str().map(Cow::into_owned);
        text.ok_or_else(|| self.expected("a string"))
    }

    /// The value of this string.
    ///
    /// # Errors
    ///
    /// If it is empty, or of another kind.
    ///
    /// ```
    /// use toolwire::Code;
    /// use toolwire::json::{Document, Place};
    ///
    /// let document = Document::new(r#"{"a":""}"#)?;
    /// let place = Place::new(document.root(), "", Code::BadArgument);
    /// assert_eq!(place.required("a")?.filled().unwrap_err().message(), "`a` is empty");
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    pub fn filled(&self) -> Result<String, Error> {
        match self.string()? {
            text if text.is_empty() => Err(self.refuse(format!("`{}` is empty", self.name()))),
            text => Ok(text),
        }
    }

    /// The elements of this array of strings.
    ///
    /// # Errors
    ///
    /// If it is of another kind, or an element is.
    ///
    /// ```
    /// use toolwire::Code;
    /// use toolwire::json::{Document, Place};
    ///
    /// let document = Document::new(r#"["a"]"#)?;
    /// let place = Place::new(document.root(), "", Code::BadArgument);
    /// assert_eq!(place.strings()?, ["a"]);
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    pub fn strings(self) -> Result<Vec<String>, Error> {
        let elements = self.array()?;
        elements
            .elements()
            .map(|element| element.string())
            .collect()
    }

    /// One of a [closed set of words](crate::closed_words).
    ///
    /// # Errors
    ///
    /// If it is another word, or of another kind.
    ///
    /// ```
    /// use toolwire::Code;
    /// use toolwire::json::{Document, Place};
    ///
    /// let document = Document::new(r#""warnings""#)?;
    /// let place = Place::new(document.root(), "", Code::BadArgument);
    /// assert_eq!(place.word(), Ok(toolwire::Verdict::Warnings));
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    pub fn word<T: FromStr<Err = UnknownWord>>(&self) -> Result<T, Error> {
        let word = self.string()?;
        word.parse()
            .map_err(|error: UnknownWord| self.expected(&error.choices()))
    }

    /// The value of this boolean.
    ///
    /// # Errors
    ///
    /// If it is of another kind.
    ///
    /// ```
    /// use toolwire::Code;
    /// use toolwire::json::{Document, Place};
    ///
    /// let document = Document::new(r#"true"#)?;
    /// let place = Place::new(document.root(), "", Code::BadArgument);
    /// assert_eq!(place.flag(), Ok(true));
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    pub fn flag(&self) -> Result<bool, Error> {
        let flag = self.node.as_bool();
        flag.ok_or_else(|| self.expected("true or false"))
    }

    /// The value of this whole number in any spelling, such as `7`, `7.0` or `7e0`. It is at most 2^53 − 1.
    ///
    /// # Errors
    ///
    /// If it is less than `least` or too large, or of another kind.
    ///
    /// ```
    /// use toolwire::Code;
    /// use toolwire::json::{Document, Place};
    ///
    /// let document = Document::new("7.0")?;
    /// let place = Place::new(document.root(), "", Code::BadArgument);
    /// assert_eq!(place.whole(1), Ok(7));
    /// let error = place.whole(8).unwrap_err();
    /// assert_eq!(error.message(), "the document is a whole number, at least 8, not `7.0`");
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    pub fn whole(&self, least: u64) -> Result<u64, Error> {
        let number = self.node.as_whole();
        let number = number.and_then(|number| u64::try_from(number).ok());
        number
            .filter(|number| *number >= least)
            .ok_or_else(|| self.expected(&format!("a whole number, at least {least}")))
    }

    /// Refuses members of this object with other names than these.
    ///
    /// # Errors
    ///
    /// For the first other member.
    ///
    /// ```
    /// use toolwire::Code;
    /// use toolwire::json::{Document, Place};
    ///
    /// let document = Document::new(r#"{"a":1}"#)?;
    /// let place = Place::new(document.root(), "", Code::BadArgument);
    /// assert_eq!(place.only(&["b", "c"]).unwrap_err().message(), "`a` is unknown here: use `b`, `c`");
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    pub fn only(&self, known: &[&str]) -> Result<(), Error> {
        let mut members = self.members();
        match members.find(|(name, _)| !known.contains(&name.as_ref())) {
            None => Ok(()),
            Some((name, place)) => {
                let (name, known) = (brief(&name, 40), known.join("`, `"));
                Err(place.refuse(format!("`{name}` is unknown here: use `{known}`")))
            }
        }
    }

    /// The members of this object whose names are none of these, verbatim.
    ///
    /// ```
    /// use toolwire::Code;
    /// use toolwire::json::{Document, Place};
    ///
    /// let document = Document::new(r#"{"a":1,"b":1.0}"#)?;
    /// let place = Place::new(document.root(), "", Code::BadArgument);
    /// assert_eq!(place.rest(&["a"])["b"].as_str(), "1.0");
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn rest(&self, known: &[&str]) -> BTreeMap<String, Json> {
        self.node
            .members()
            .filter(|(name, _)| !known.contains(&name.as_ref()))
            .map(|(name, node)| (name.into_owned(), Json::from(node)))
            .collect()
    }
}
