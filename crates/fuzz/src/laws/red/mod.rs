//! Each law, shown to break on an implementation that is wrong in the way the law forbids, and to
//! hold on Toolwire for the same input.

mod asking;
mod contracts;
mod mapping;
mod reading;
mod sessions;
mod writing;

use super::{LAWS, by_name};
use crate::subject::{Converted, LogLine, Reading, Subject, Toolwire};
use toolwire::block::Question;
use toolwire::call::{Answer, AnswerSource, ToolDescription};
use toolwire::event::ToolEvent;
use toolwire::mcp::{ElicitRequest, Fate, LossReport, McpTool, ResultOptions, Revision};
use toolwire::provider::{self, Message, MessageOptions, ModelCall};
use toolwire::schema::{Projection, Provider};
use toolwire::session::{SessionEvent, SessionMachine, SessionOutcome};
use toolwire::{
    Code, Error, Exit, ExplainOptions, FormatOptions, IdentifyOptions, Identity, Json, Limits,
};
use toolwire_contract::diff::{Diff, Verdict, Witness};
use toolwire_contract::fingerprint::Fingerprint;
use toolwire_contract::launch::{Launch, Launcher, Request};
use toolwire_schema::{Allowance, CheckError};

type Spoil = fn(&[u8], &Limits, Reading) -> Reading;
type Bytes = Result<Vec<u8>, Error>;
type Checked = Result<(), Error>;
type Fits = Result<(), CheckError>;

/// Toolwire, spoiled in one place.
#[derive(Default)]
struct Wrong {
    parse: Option<Spoil>,
    canonical: Option<fn(&[u8], Bytes) -> Bytes>,
    uri: Option<fn(String) -> String>,
    format: Option<fn(String) -> String>,
    explain: Option<fn(String) -> String>,
    identify: Option<fn(&mut Identity)>,
    receive: Option<fn(Exit, &mut Reading)>,
    lines: Option<fn(&mut Vec<LogLine>)>,
    typed: Option<fn(String) -> String>,
    validate: Option<fn(Checked) -> Checked>,
    tidy: Option<fn(Json) -> Json>,
    project: Option<fn(&mut Projection)>,
    ask: Option<fn(String) -> String>,
    open: Option<fn(String) -> String>,
    secret: Option<fn() -> Option<String>>,
    check: Option<fn(Fits) -> Fits>,
    to_result: Option<fn(&mut String, &mut LossReport)>,
    from_result: Option<fn(&mut Reading, &mut LossReport)>,
    to_tool: Option<fn(&mut McpTool)>,
    message: Option<fn(&mut Message)>,
    history: Option<fn(ModelCall) -> ModelCall>,
    event: Option<fn(&mut ToolEvent)>,
    line: Option<fn(&mut String)>,
    legacy: Option<fn(&mut Converted)>,
    session: Option<fn(&mut SessionOutcome)>,
    elicit: Option<fn(ElicitRequest) -> ElicitRequest>,
    answer: Option<fn(&Json) -> Json>,
    diff: Option<fn(&mut Diff)>,
    close: Option<fn(Json) -> Json>,
    launch: Option<fn(&mut Launch)>,
    show: Option<fn(String) -> String>,
    profile: Option<fn(String) -> String>,
    print: Option<fn(&Json, &mut Fingerprint)>,
    lock: Option<fn(String) -> String>,
}

impl Subject for Wrong {
    fn show_hidden(&self, text: &str) -> String {
        let shown = Toolwire.show_hidden(text);
        match self.show {
            Some(spoil) => spoil(shown),
            None => shown,
        }
    }

    fn rewrite_lock(&self, text: &str) -> Result<String, Error> {
        let text = Toolwire.rewrite_lock(text)?;
        Ok(match self.lock {
            Some(spoil) => spoil(text),
            None => text,
        })
    }

    fn rewrite_profile(&self, text: &str) -> Result<String, Error> {
        let text = Toolwire.rewrite_profile(text)?;
        Ok(match self.profile {
            Some(spoil) => spoil(text),
            None => text,
        })
    }

    fn fingerprint(&self, tool: &Json) -> Result<Fingerprint, Error> {
        let mut print = Toolwire.fingerprint(tool)?;
        if let Some(spoil) = self.print {
            spoil(tool, &mut print);
        }
        Ok(print)
    }

    fn parse_launch_uri(&self, uri: &str) -> Result<Launch, Error> {
        let mut launch = Toolwire.parse_launch_uri(uri)?;
        if let Some(spoil) = self.launch {
            spoil(&mut launch);
        }
        Ok(launch)
    }

    fn close(&self, schema: &Json) -> Result<Json, Error> {
        let closed = Toolwire.close(schema)?;
        Ok(match self.close {
            Some(spoil) => spoil(closed),
            None => closed,
        })
    }

    fn diff_tools(&self, old: &Json, new: &Json, open: bool) -> Result<Diff, Error> {
        let mut diff = Toolwire.diff_tools(old, new, open)?;
        if let Some(spoil) = self.diff {
            spoil(&mut diff);
        }
        Ok(diff)
    }

    fn to_elicitation(
        &self,
        question: &Question,
        revision: Revision,
    ) -> Result<ElicitRequest, Error> {
        let request = Toolwire.to_elicitation(question, revision);
        match self.elicit {
            Some(spoil) => request.map(spoil),
            None => request,
        }
    }

    fn answer_from(
        &self,
        question: &Question,
        revision: Revision,
        result: &Json,
    ) -> Result<Answer, Error> {
        let answer = Toolwire.answer_from(question, revision, result)?;
        match (self.answer, answer.value()) {
            (Some(spoil), Some(value)) => Ok(Answer::accepted(spoil(value), AnswerSource::User)),
            _ => Ok(answer),
        }
    }

    fn to_result(
        &self,
        input: &[u8],
        limits: &Limits,
        options: &ResultOptions,
    ) -> (String, LossReport) {
        let (mut result, mut report) = Toolwire.to_result(input, limits, options);
        if let Some(spoil) = self.to_result {
            spoil(&mut result, &mut report);
        }
        (result, report)
    }

    fn read_result(&self, result: &[u8], limits: &Limits) -> (Reading, LossReport) {
        let (mut reading, mut report) = Toolwire.read_result(result, limits);
        if let Some(spoil) = self.from_result {
            spoil(&mut reading, &mut report);
        }
        (reading, report)
    }

    fn to_message(
        &self,
        input: &[u8],
        call: &ModelCall,
        provider: provider::Provider,
        options: &MessageOptions,
    ) -> Result<Message, Error> {
        let mut message = Toolwire.to_message(input, call, provider, options)?;
        if let Some(spoil) = self.message {
            spoil(&mut message);
        }
        Ok(message)
    }

    fn to_history(&self, call: &ModelCall, provider: provider::Provider) -> Json {
        let call = self
            .history
            .map_or_else(|| call.clone(), |spoil| spoil(call.clone()));
        Toolwire.to_history(&call, provider)
    }

    fn to_tool(&self, tool: &ToolDescription, revision: Revision) -> McpTool {
        let mut mapped = Toolwire.to_tool(tool, revision);
        if let Some(spoil) = self.to_tool {
            spoil(&mut mapped);
        }
        mapped
    }

    fn check(&self, schema: &Json, value: &Json, allowance: &mut Allowance) -> Fits {
        let fits = Toolwire.check(schema, value, allowance);
        match self.check {
            Some(spoil) => spoil(fits),
            None => fits,
        }
    }

    fn parse(&self, input: &[u8], limits: &Limits) -> Reading {
        let reading = Toolwire.parse(input, limits);
        match self.parse {
            Some(spoil) => spoil(input, limits, reading),
            None => reading,
        }
    }

    fn typed(&self, input: &[u8], limits: &Limits) -> String {
        let text = Toolwire.typed(input, limits);
        match self.typed {
            Some(spoil) => spoil(text),
            None => text,
        }
    }

    fn validate(&self, input: &[u8], limits: &Limits) -> Result<(), Error> {
        let result = Toolwire.validate(input, limits);
        match self.validate {
            Some(spoil) => spoil(result),
            None => result,
        }
    }

    fn canonicalize(&self, text: &[u8], limits: &Limits) -> Result<Vec<u8>, Error> {
        let result = Toolwire.canonicalize(text, limits);
        match self.canonical {
            Some(spoil) => spoil(text, result),
            None => result,
        }
    }

    fn normalize_uri(&self, uri: &str, root: Option<&str>) -> Result<String, Error> {
        let uri = Toolwire.normalize_uri(uri, root)?;
        Ok(self.uri.map_or(uri.clone(), |spoil| spoil(uri)))
    }

    fn format(&self, input: &[u8], options: &FormatOptions) -> Result<String, Error> {
        let text = Toolwire.format(input, options)?;
        Ok(self.format.map_or(text.clone(), |spoil| spoil(text)))
    }

    fn explain(&self, input: &[u8], options: &ExplainOptions) -> String {
        let text = Toolwire.explain(input, options);
        self.explain.map_or(text.clone(), |spoil| spoil(text))
    }

    fn identify(&self, input: &[u8], options: &IdentifyOptions) -> Result<Vec<Identity>, Error> {
        let mut identities = Toolwire.identify(input, options)?;
        if let Some(spoil) = self.identify {
            identities.iter_mut().for_each(spoil);
        }
        Ok(identities)
    }

    fn receive(&self, stdout: &[u8], result: Option<&[u8]>, exit: Exit, stderr: &[u8]) -> Reading {
        let mut reading = Toolwire.receive(stdout, result, exit, stderr);
        if let Some(spoil) = self.receive {
            spoil(exit, &mut reading);
        }
        reading
    }

    fn tidy(&self, role: &str, schema: &Json) -> Json {
        let tidy = Toolwire.tidy(role, schema);
        self.tidy.map_or(tidy.clone(), |spoil| spoil(tidy))
    }

    fn project(&self, schema: &Json, provider: Provider) -> Projection {
        let mut projection = Toolwire.project(schema, provider);
        if let Some(spoil) = self.project {
            spoil(&mut projection);
        }
        projection
    }

    fn session(&self, machine: &mut SessionMachine, event: SessionEvent) -> SessionOutcome {
        let mut outcome = Toolwire.session(machine, event);
        if let Some(spoil) = self.session {
            spoil(&mut outcome);
        }
        outcome
    }

    fn read_legacy(&self, document: &[u8], limits: &Limits) -> Result<Option<Converted>, Error> {
        let mut read = Toolwire.read_legacy(document, limits)?;
        if let (Some(spoil), Some(converted)) = (self.legacy, &mut read) {
            spoil(converted);
        }
        Ok(read)
    }

    fn read_event(&self, line: &[u8]) -> Result<Option<ToolEvent>, Error> {
        let mut event = Toolwire.read_event(line)?;
        if let (Some(spoil), Some(event)) = (self.event, &mut event) {
            spoil(event);
        }
        Ok(event)
    }

    fn read_line(&self, of_host: bool, line: &[u8]) -> Result<Option<String>, Error> {
        let mut text = Toolwire.read_line(of_host, line)?;
        if let (Some(spoil), Some(text)) = (self.line, &mut text) {
            spoil(text);
        }
        Ok(text)
    }

    fn ask(&self, kind: &str, arguments: &str) -> Result<String, Error> {
        let asked = Toolwire.ask(kind, arguments)?;
        Ok(self.ask.map_or(asked.clone(), |spoil| spoil(asked)))
    }

    fn find_secret(&self, question: &Question) -> Option<String> {
        self.secret
            .map_or_else(|| Toolwire.find_secret(question), |spoil| spoil())
    }

    fn open(&self, document: &[u8]) -> Result<(), String> {
        let answer = Toolwire.open(document);
        answer.map_err(|text| self.open.map_or(text.clone(), |spoil| spoil(text)))
    }

    fn parse_lines(&self, log: &[u8]) -> Vec<LogLine> {
        let mut lines = Toolwire.parse_lines(log);
        if let Some(spoil) = self.lines {
            spoil(&mut lines);
        }
        lines
    }
}

const TWO: &str = r#"{"content":[{"type":"text","text":"hi"},{"type":"video"}]}"#;
const RESOURCE: &str =
    r#"{"content":[{"type":"resource","resource":{"uri":"file:///a","text":"b"}}]}"#;

/// The law holds for Toolwire and breaks for `wrong`, whatever the salt is; that is: for some of 64.
fn red(law: &str, wrong: &Wrong, input: &str) {
    let law = by_name(law).expect("a law");
    for salt in 0..64 {
        let result = (law.check)(&Toolwire, input.as_bytes(), salt);
        assert_eq!(result, Ok(()), "{} should hold, salt {salt}", law.name);
    }
    let broken = (0..64).any(|salt| (law.check)(wrong, input.as_bytes(), salt).is_err());
    assert!(broken, "{} does not see it", law.name);
}

#[test]
fn every_law_has_been_shown_to_break() {
    let source = concat!(
        include_str!("asking.rs"),
        include_str!("contracts.rs"),
        include_str!("mapping.rs"),
        include_str!("reading.rs"),
        include_str!("sessions.rs"),
        include_str!("writing.rs"),
    );
    for law in LAWS {
        assert!(
            source.contains(&format!("\"{}\"", law.name)),
            "{} has no test here",
            law.name
        );
    }
}
