//! The value in a template: a default, or what a schema suggests.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use super::reference::{MOST_STEPS, References};
use super::template::comment;
use crate::json::{Kind, Node, write_string};

/// Nothing is written out deeper than this; `{}` stands for it.
const MOST_DEPTH: usize = 8;

/// The most values in a template. With references that lead back, a schema of 400 bytes suggests
/// millions of them.
const MOST_VALUES: usize = 10_000;

/// The most bytes of the value with the comments in it.
const MOST_BYTES: usize = 256 * 1024;

/// The types that a schema names.
const TYPES: [&str; 7] = [
    "array", "boolean", "integer", "null", "number", "object", "string",
];

/// The text of a value over several lines; none if it would be too large.
pub(super) fn of_value(value: Node<'_>) -> Option<String> {
    let mut writer = Writer::new(value);
    writer.value(0, value).ok()?;
    Some(writer.out)
}

/// The text of a value that a schema suggests; none if it would be too large.
pub(super) fn of_schema(schema: Node<'_>) -> Option<String> {
    let mut writer = Writer::new(schema);
    writer.suggestion(0, schema).ok()?;
    Some(writer.out)
}

/// There would be too many values or bytes.
struct TooLarge;

type Written = Result<(), TooLarge>;

struct Writer<'a> {
    out: String,
    values: usize,
    references: References<'a>,
    /// What was read of a schema, and the lines of a comment, by the offset at which it stands: both
    /// may be long and be come to thousands of times.
    facts: HashMap<usize, Rc<Facts<'a>>>,
    comments: HashMap<usize, Rc<[String]>>,
}

/// What a template needs to know of one schema.
#[derive(Default)]
struct Facts<'a> {
    /// What its reference refers to.
    refers_to: Option<Node<'a>>,
    description: Option<Node<'a>>,
    title: Option<Node<'a>>,
    /// The value that it gives.
    value: Option<Node<'a>>,
    /// Its first type.
    kind: Option<&'static str>,
    minimum: Option<Node<'a>>,
    properties: Option<Node<'a>>,
    /// The names of the properties that are required.
    required: HashSet<String>,
}

impl<'a> Writer<'a> {
    fn new(root: Node<'a>) -> Self {
        Writer {
            out: String::new(),
            values: 0,
            references: References::new(root),
            facts: HashMap::new(),
            comments: HashMap::new(),
        }
    }

    fn push(&mut self, text: &str) -> Written {
        if self.out.len() + text.len() > MOST_BYTES {
            return Err(TooLarge);
        }
        self.out.push_str(text);
        Ok(())
    }

    fn pad(&mut self, indent: usize) -> Written {
        (0..indent).try_for_each(|_| self.push("  "))
    }

    fn count(&mut self) -> Written {
        self.values += 1;
        match self.values > MOST_VALUES {
            true => Err(TooLarge),
            false => Ok(()),
        }
    }

    /// A value over several lines.
    fn value(&mut self, indent: usize, node: Node<'a>) -> Written {
        self.count()?;
        let (open, close) = match node.kind() {
            Kind::Array => ("[", "]"),
            Kind::Object => ("{", "}"),
            _ => return self.push(node.raw()),
        };
        self.push(open)?;
        let mut before = "\n";
        for element in node.elements() {
            self.push(before)?;
            before = ",\n";
            self.pad(indent + 1)?;
            self.value(indent + 1, element)?;
        }
        for (name, value) in node.members() {
            self.push(before)?;
            before = ",\n";
            self.pad(indent + 1)?;
            self.name(&name)?;
            self.value(indent + 1, value)?;
        }
        if !node.is_empty() {
            self.push("\n")?;
            self.pad(indent)?;
        }
        self.push(close)
    }

    fn name(&mut self, name: &str) -> Written {
        let mut text = String::new();
        write_string(&mut text, name);
        text.push_str(": ");
        self.push(&text)
    }

    /// A value that a schema suggests.
    fn suggestion(&mut self, indent: usize, schema: Node<'a>) -> Written {
        let facts = self.behind(schema);
        if let Some(value) = facts.value {
            return self.value(indent, value);
        }
        self.count()?;
        match facts.kind {
            Some("string") => self.push("\"\""),
            Some("number" | "integer") => match facts.minimum {
                Some(minimum) => self.push(minimum.raw()),
                None => self.push("0"),
            },
            Some("boolean") => self.push("false"),
            Some("array") => self.push("[]"),
            Some("object") if indent < MOST_DEPTH => self.object(indent, &facts),
            Some("object") => self.push("{}"),
            _ => self.push("null"),
        }
    }

    /// An object with the properties that it needs; the others are told in comments.
    fn object(&mut self, indent: usize, facts: &Facts<'a>) -> Written {
        let properties = facts.properties.filter(|properties| !properties.is_empty());
        let Some(properties) = properties else {
            return self.push("{}");
        };
        self.push("{\n")?;
        let names = properties.members().map(|(name, _)| name);
        let mut left = match facts.required.len() {
            0 => 0,
            _ => names
                .filter(|name| facts.required.contains(&**name))
                .count(),
        };
        for (name, property) in properties.members() {
            let (own, part) = (self.facts(property), self.behind(property));
            let about = own.description.or(part.description);
            let about = about.or(own.title.or(part.title));
            let about = about.map(|about| self.comment(about));
            let about = about.as_deref().unwrap_or_default();
            if facts.required.contains(&*name) {
                self.lines(indent + 1, about)?;
                self.pad(indent + 1)?;
                self.name(&name)?;
                self.suggestion(indent + 1, property)?;
                left -= 1;
                self.push(if left > 0 { ",\n" } else { "\n" })?;
            } else {
                let kind = part.kind.unwrap_or("any value");
                let name = crate::json::string(&name).replace(char::is_control, " ");
                let (first, rest) = match about.split_first() {
                    Some((first, rest)) => (format!(": {first}"), rest),
                    None => (String::new(), about),
                };
                let told = format!("Optional: {name} ({kind}){first}");
                self.lines(indent + 1, &[told])?;
                self.lines(indent + 1, rest)?;
            }
        }
        self.pad(indent)?;
        self.push("}")
    }

    fn lines(&mut self, indent: usize, lines: &[String]) -> Written {
        lines.iter().try_for_each(|line| {
            self.pad(indent)?;
            self.push("// ")?;
            self.push(line)?;
            self.push("\n")
        })
    }

    fn comment(&mut self, text: Node<'a>) -> Rc<[String]> {
        let lines = || {
            text.as_str()
                .map_or_else(Rc::default, |text| comment(&text).collect())
        };
        Rc::clone(self.comments.entry(text.start()).or_insert_with(lines))
    }

    /// The facts of the schema that stands behind the references at the top of this one.
    fn behind(&mut self, schema: Node<'a>) -> Rc<Facts<'a>> {
        let mut facts = self.facts(schema);
        for _ in 0..MOST_STEPS {
            match facts.refers_to {
                Some(next) => facts = self.facts(next),
                None => break,
            }
        }
        facts
    }

    fn facts(&mut self, schema: Node<'a>) -> Rc<Facts<'a>> {
        if let Some(facts) = self.facts.get(&schema.start()) {
            return Rc::clone(facts);
        }
        let facts = Rc::new(self.read(schema));
        self.facts.insert(schema.start(), Rc::clone(&facts));
        facts
    }

    /// Reads a schema in one pass.
    fn read(&mut self, schema: Node<'a>) -> Facts<'a> {
        let mut facts = Facts::default();
        let (mut default, mut constant, mut listed) = (None, None, None);
        for (name, value) in schema.members() {
            match &*name {
                "$ref" => {
                    let reference = value.as_str();
                    facts.refers_to = reference.and_then(|name| self.references.resolve(&name));
                }
                "description" => facts.description = Some(value),
                "title" => facts.title = Some(value),
                "default" => default = Some(value),
                "const" => constant = Some(value),
                "enum" => listed = value.elements().next(),
                "type" => {
                    let first = value.elements().next().unwrap_or(value);
                    facts.kind = TYPES.into_iter().find(|kind| first.is_str(kind));
                }
                "minimum" if value.kind() == Kind::Number => facts.minimum = Some(value),
                "properties" => facts.properties = Some(value),
                "required" => {
                    let names = value.elements().filter_map(|name| name.as_str());
                    facts.required = names.map(|name| name.into_owned()).collect();
                }
                _ => {}
            }
        }
        facts.value = default.or(constant).or(listed);
        facts
    }
}
