//! Questions as a client is asked them.

use std::collections::BTreeMap;

use toolwire::block::Question;
use toolwire::json::{Document, ObjectWriter};
use toolwire::mcp::{
    ElicitOptions, Revision, can_elicit, required_capabilities, to_elicitation, without_elicitation,
};
use toolwire::question::{RefusalOptions, SecretContext};
use toolwire::{Block, Envelope, Error, FormatOptions, Json, Limits, Parsed, Role, format, parse};
use toolwire_host::{Alternatives, PendingQuestion};

use super::context::Context;
use super::state::Open;

/// The most bytes of what is shown before a question.
const MAX_BEFORE: usize = 8 * 1024;

/// Who is asked, and what is known of the tool that asks.
#[derive(Debug)]
pub(super) struct Asked {
    pub revision: Revision,
    /// What the client calls itself.
    client: Option<String>,
    /// What it says of elicitation.
    capability: Option<Json>,
    tool: String,
    /// What people can do where a question has no answer.
    ways: BTreeMap<String, RefusalOptions>,
}

impl Asked {
    pub(super) fn new(
        context: &Context,
        tool: &str,
        refusals: &BTreeMap<String, Alternatives>,
    ) -> Self {
        let ways = refusals
            .iter()
            .map(|(id, ways)| (id.clone(), options(ways)));
        Asked {
            revision: context.revision,
            client: context.client.name.clone(),
            capability: context.client.capabilities.at("/elicitation"),
            tool: tool.to_owned(),
            ways: ways.collect(),
        }
    }

    /// The client as sentences begin with it.
    pub(super) fn host(&self) -> String {
        self.client
            .clone()
            .unwrap_or_else(|| "This client".to_owned())
    }

    pub(super) fn can(&self, question: &Question) -> bool {
        can_elicit(question, self.revision, self.capability.as_ref())
    }

    /// The parameters of `elicitation/create`: what stands before the question and what was wrong with the last
    /// answer are part of the message. The id is that of a page in 2025-11-25.
    pub(super) fn params(
        &self,
        open: &Open,
        wrong: &[String],
        elicitation_id: Option<&str>,
    ) -> Result<String, Error> {
        let ways = self
            .ways
            .get(&open.question.id)
            .or_else(|| self.ways.get("*"));
        let mut context = SecretContext::default();
        context.add(open.before.as_str());
        let options = ElicitOptions {
            context: Some(&context),
            suspected: open.suspected,
            elicitation_id: elicitation_id.map(str::to_owned),
            about: RefusalOptions {
                host: self.client.clone().unwrap_or_default(),
                tool: Some(self.tool.clone()),
                ..ways.cloned().unwrap_or_default()
            },
        };
        let params = to_elicitation(&open.question, self.revision, &options)?.params;
        let before = wrong.iter().chain(Some(&open.before));
        let before: String = before
            .filter(|part| !part.is_empty())
            .map(|part| format!("{part}\n\n"))
            .collect();
        let document = Document::new(params.as_str())?;
        let mut out = ObjectWriter::new();
        for (name, value) in document.root().members() {
            match value.as_str().filter(|_| name == "message") {
                Some(message) => out.text(&name, format!("{before}{message}")),
                None => out.json(&name, value.raw()),
            };
        }
        Ok(out.end())
    }

    /// What a client is told that can't be asked these questions: the text of the result, or else the
    /// capabilities that it would need.
    pub(super) fn instead(&self, questions: &[Question]) -> Result<Parsed<'static>, Json> {
        let client = self.client.as_deref();
        let told = without_elicitation(questions, client, Some(&self.tool), &self.ways);
        let required = || required_capabilities(questions);
        let told = told.map_err(|_| required())?;
        if self.revision >= Revision::V2026_07_28 && !told.has_way {
            return Err(required());
        }
        Ok(parse(told.envelope.to_json().into_bytes(), &Limits::WIDEST))
    }
}

fn options(ways: &Alternatives) -> RefusalOptions {
    let Alternatives {
        service,
        oauth,
        url,
        up_front,
        app_passwords,
    } = ways.clone();
    RefusalOptions {
        service,
        oauth,
        url,
        up_front,
        app_passwords,
        ..RefusalOptions::default()
    }
}

impl Open {
    /// A question alone.
    pub(super) fn of(question: &Question) -> Self {
        Open {
            question: question.clone(),
            before: String::new(),
            tries: 0,
            suspected: None,
        }
    }

    /// A question that is asked for the first time.
    pub(super) fn new(asking: &PendingQuestion) -> Self {
        let new = asking.context.get(asking.shown..).unwrap_or_default();
        Open {
            before: before(new),
            suspected: asking.secret.as_ref().map(|secret| secret.about),
            ..Open::of(&asking.question)
        }
    }
}

/// The blocks before a question as text for a person.
fn before(blocks: &[Block]) -> String {
    if blocks.is_empty() {
        return String::new();
    }
    let envelope = Envelope {
        content: blocks.to_vec(),
        ..Envelope::default()
    };
    let parsed = parse(envelope.to_json().into_bytes(), &Limits::WIDEST);
    let options = FormatOptions {
        max_bytes: Some(MAX_BEFORE),
        audience: Some(Role::User),
        ..FormatOptions::default()
    };
    format(&parsed, &options)
        .unwrap_or_default()
        .trim()
        .to_owned()
}

/// What stands before a question that is asked again.
pub(super) fn last_answer(why: &str) -> String {
    format!("The last answer does not fit: {why}.")
}
