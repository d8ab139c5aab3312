//! Reading a document that is either as it should be or refused: the first wrong place is the error.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::str::FromStr;

use crate::json::{Kind, Node, brief, pointer};
use crate::{Code, Error, Json, UnknownWord};

/// A value with its place, and the code with which the document is refused.
#[derive(Clone)]
pub(crate) struct Place<'a> {
    pub node: Node<'a>,
    pointer: String,
    code: Code,
}

impl<'a> Place<'a> {
    pub(crate) fn new(node: Node<'a>, pointer: &str, code: Code) -> Self {
        Place {
            node,
            pointer: pointer.to_owned(),
            code,
        }
    }

    /// Where it stands.
    pub(crate) fn pointer(&self) -> &str {
        &self.pointer
    }

    /// The refusal of this value.
    pub(crate) fn refuse(&self, message: impl Into<String>) -> Error {
        self.refuse_as(self.code, message)
    }

    pub(crate) fn refuse_as(&self, code: Code, message: impl Into<String>) -> Error {
        Error::new(
            code,
            self.pointer.clone(),
            Some(self.node.start() as u64),
            message,
        )
    }

    /// The last name of the pointer, for messages.
    fn name(&self) -> String {
        let name = self.pointer.rsplit('/').next().unwrap_or_default();
        pointer::unescape(name).into_owned()
    }

    /// The refusal of a value that should be something else, such as `a string`.
    pub(crate) fn expected(&self, what: &str) -> Error {
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

    pub(crate) fn member(&self, name: &str) -> Option<Self> {
        self.node.get(name).map(|node| self.child(name, node))
    }

    /// A member that must be there; else the pointer is where it would be, the offset the object's.
    pub(crate) fn required(&self, name: &str) -> Result<Self, Error> {
        self.member(name).ok_or_else(|| {
            self.child(name, self.node)
                .refuse(format!("`{name}` is missing"))
        })
    }

    pub(crate) fn members(&self) -> impl Iterator<Item = (Cow<'a, str>, Self)> {
        self.node
            .members()
            .map(|(name, node)| (name.clone(), self.child(&name, node)))
    }

    pub(crate) fn elements(&self) -> impl Iterator<Item = Self> {
        let elements = self.node.elements().enumerate();
        elements.map(|(index, node)| self.child(&index.to_string(), node))
    }

    /// This value, if it is an object.
    pub(crate) fn object(self) -> Result<Self, Error> {
        match self.node.kind() {
            Kind::Object => Ok(self),
            _ => Err(self.expected("an object")),
        }
    }

    pub(crate) fn array(self) -> Result<Self, Error> {
        match self.node.kind() {
            Kind::Array => Ok(self),
            _ => Err(self.expected("an array")),
        }
    }

    pub(crate) fn string(&self) -> Result<String, Error> {
        let text = self.node.as_str().map(Cow::into_owned);
        text.ok_or_else(|| self.expected("a string"))
    }

    /// A string that is not empty.
    pub(crate) fn filled(&self) -> Result<String, Error> {
        match self.string()? {
            text if text.is_empty() => Err(self.refuse(format!("`{}` is empty", self.name()))),
            text => Ok(text),
        }
    }

    /// One of a closed set of words.
    pub(crate) fn word<T: FromStr<Err = UnknownWord>>(&self) -> Result<T, Error> {
        let word = self.string()?;
        word.parse()
            .map_err(|error: UnknownWord| self.expected(&error.choices()))
    }

    pub(crate) fn flag(&self) -> Result<bool, Error> {
        let flag = self.node.as_bool();
        flag.ok_or_else(|| self.expected("true or false"))
    }

    /// The members whose names are none of these, to the letter.
    pub(crate) fn rest(&self, known: &[&str]) -> BTreeMap<String, Json> {
        self.node
            .members()
            .filter(|(name, _)| !known.contains(&name.as_ref()))
            .map(|(name, node)| (name.into_owned(), Json::from(node)))
            .collect()
    }
}
