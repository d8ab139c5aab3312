//! All schemas within a schema, and what its references lead to (FP-22 to FP-24).

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use foldhash::fast::RandomState;
use percent_encoding::percent_decode_str;
use toolwire::json::pointer::unescape;
use toolwire::json::{Kind, Node, string};
use toolwire::{Code, Error};

use super::keywords::{KeywordKind, keyword_kind};

type Map<K, V> = HashMap<K, V, RandomState>;

/// What has to be known of a whole schema before its normal form is written.
pub(super) struct Survey<'a> {
    pub root: Node<'a>,
    /// The texts of references, each with the schema to which it leads.
    pub references: Map<Cow<'a, str>, Option<Node<'a>>>,
    /// The offsets of the schemas to which references lead.
    pub targets: HashSet<usize, RandomState>,
    /// The names of definitions and anchors, as JSON texts.
    pub names: Vec<String>,
    /// Whether the schema is taken literally (FP-23).
    pub literal: bool,
    anchors: Map<Cow<'a, str>, Node<'a>>,
    /// The members of the containers on the way of a pointer, so that many pointers into a large one
    /// take no quadratic time.
    members: Map<usize, Map<Cow<'a, str>, Node<'a>>>,
}

impl<'a> Survey<'a> {
    /// Visits all schemas, those in definitions that nothing refers to as well.
    ///
    /// # Errors
    ///
    /// `limit_schemas` if there are more than `max_schemas`.
    pub(super) fn new(root: Node<'a>, max_schemas: usize) -> Result<Self, Error> {
        let mut survey = Survey {
            root,
            references: Map::default(),
            targets: HashSet::default(),
            names: Vec::new(),
            literal: false,
            anchors: Map::default(),
            members: Map::default(),
        };
        let (mut is_named, mut leads_elsewhere) = (false, false);
        let mut seen: HashSet<usize, RandomState> = HashSet::default();
        let mut open = vec![root];
        while let Some(schema) = open.pop() {
            if !seen.insert(schema.start()) {
                continue;
            }
            if seen.len() > max_schemas {
                let message = format!("the schema consists of more than {max_schemas} schemas");
                return Err(Error::new(Code::LimitSchemas, "", None, message));
            }
            for (name, value) in schema.members() {
                match keyword_kind(&name, value) {
                    KeywordKind::Schema => open.push(value),
                    KeywordKind::Schemas => open.extend(value.elements()),
                    KeywordKind::Named => {
                        let schemas = value.members().map(|(_, schema)| schema);
                        open.extend(schemas.filter(|schema| schema.kind() != Kind::Array));
                    }
                    KeywordKind::Definitions => {
                        for (name, definition) in value.members() {
                            survey.names.push(string(&name));
                            open.push(definition);
                        }
                    }
                    KeywordKind::Reference => {
                        let text = value.as_str().unwrap_or_default();
                        leads_elsewhere |= !text.starts_with('#');
                        if !survey.references.contains_key(&text) {
                            let target = survey.target(&text);
                            open.extend(target);
                            survey.references.insert(text, target);
                        }
                    }
                    _ => match &*name {
                        "$dynamicRef" | "$recursiveRef" => survey.literal = true,
                        "$id" if schema.start() != root.start() => survey.literal = true,
                        "$id" | "$recursiveAnchor" => is_named = true,
                        "$anchor" | "$dynamicAnchor" => {
                            is_named |= name == "$dynamicAnchor";
                            survey.add_anchor(schema, value);
                        }
                        _ => {}
                    },
                }
            }
        }
        survey.literal |= is_named && leads_elsewhere;
        survey.resolve();
        Ok(survey)
    }

    fn add_anchor(&mut self, schema: Node<'a>, anchor: Node<'a>) {
        let Some(name) = anchor.as_str() else { return };
        self.names.push(anchor.raw().to_owned());
        let other = self.anchors.insert(name, schema);
        // It is not known which of two schemas a reference would mean.
        self.literal |= other.is_some_and(|other| other.start() != schema.start());
    }

    /// Notes what references lead to, once all anchors are known.
    fn resolve(&mut self) {
        let mut references = std::mem::take(&mut self.references);
        for (text, target) in &mut references {
            *target = target.or_else(|| self.target(text));
            self.targets.extend(target.map(|target| target.start()));
        }
        self.references = references;
    }

    /// The schema to which a reference leads (FP-22).
    fn target(&mut self, reference: &str) -> Option<Node<'a>> {
        let fragment = percent_decode_str(reference.strip_prefix('#')?);
        let fragment = fragment.decode_utf8().ok()?;
        match fragment.strip_prefix('/') {
            Some(pointer) => {
                let mut steps = pointer.split('/');
                let found = steps.try_fold(self.root, |at, step| self.step(at, &unescape(step)))?;
                matches!(found.kind(), Kind::Object | Kind::Bool).then_some(found)
            }
            None if fragment.is_empty() => Some(self.root),
            None => self.anchors.get(&*fragment).copied(),
        }
    }

    fn step(&mut self, at: Node<'a>, step: &str) -> Option<Node<'a>> {
        let members = self.members.entry(at.start()).or_insert_with(|| {
            let elements = (0..).zip(at.elements());
            let elements =
                elements.map(|(index, node): (usize, _)| (index.to_string().into(), node));
            elements.chain(at.members()).collect()
        });
        members.get(step).copied()
    }
}
