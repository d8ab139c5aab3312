//! What the laws are tried on: Toolwire, or, in the laws' own tests, something wrong on purpose.

use toolwire::author::{Ask, Opened, open};
use toolwire::block::Question;
use toolwire::call::{Answer, ToolDescription};
use toolwire::event::ToolEvent;
use toolwire::lines::{HostLine, ToolLine};
use toolwire::mcp::{
    self, ElicitOptions, ElicitRequest, LossReport, McpTool, ResultOptions, Revision,
};
use toolwire::provider::{self, Message, MessageOptions, ModelCall};
use toolwire::question::{SecretContext, find_secret};
use toolwire::schema::{Projection, Provider, project, tidy, tidy_input, tidy_output};
use toolwire::session::{SessionEvent, SessionMachine, SessionOutcome};
use toolwire::{
    Code, Error, Exit, ExplainOptions, FormatOptions, IdentifyOptions, Identity, Json, Limits,
    Output, Parsed,
};
use toolwire_contract::diff::{self, Diff, DiffOptions};
use toolwire_contract::fingerprint::{self, Fingerprint, FingerprintOptions};
use toolwire_contract::launch::{self, Launch};
use toolwire_schema::{Allowance, AnswerChecker, CheckError, check_value_within};

/// What a diagnostic says, without its wording.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The registered code.
    pub code: Code,
    /// Where, as a JSON Pointer.
    pub pointer: String,
    /// At which byte.
    pub offset: Option<u64>,
    /// The verbatim JSON of a skipped block.
    pub raw: Option<String>,
}

/// What a block holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Body {
    /// The block's index in `content`.
    pub index: usize,
    /// Its URI, as written.
    pub uri: Option<String>,
    /// Its raw content: the UTF-8 of a text, the decoded bytes of a blob.
    pub bytes: Vec<u8>,
}

/// A reading as plain data, so that a test can spoil any part of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    /// `valid`, `warnings` or `raw`.
    pub verdict: &'static str,
    /// What was read, byte for byte.
    pub raw: Vec<u8>,
    /// The JSON text of the envelope.
    pub document: Vec<u8>,
    /// The diagnostics in their order.
    pub findings: Vec<Finding>,
    /// Index and type of each delivered block.
    pub blocks: Vec<(usize, String)>,
    /// Index and verbatim JSON of each skipped block.
    pub skipped: Vec<(usize, String)>,
    /// The content of each delivered block.
    pub bodies: Vec<Body>,
    /// `isError` as read.
    pub is_error: bool,
    /// The status as read.
    pub status: String,
    /// Whether the error may pass.
    pub transient: bool,
    /// The error's trace.
    pub trace: Vec<String>,
    /// The verbatim `structuredContent`.
    pub structured: Option<String>,
}

impl Reading {
    /// Takes everything out of a parsed output.
    pub fn of(parsed: &Parsed<'_>) -> Self {
        Reading {
            verdict: parsed.verdict().as_str(),
            raw: parsed.raw().to_vec(),
            document: parsed.document().to_vec(),
            findings: parsed
                .diagnostics()
                .iter()
                .map(|d| Finding {
                    code: d.code,
                    pointer: d.pointer.clone(),
                    offset: d.offset,
                    raw: d.raw.clone(),
                })
                .collect(),
            blocks: parsed
                .blocks()
                .map(|b| (b.index(), b.kind().as_str().to_string()))
                .collect(),
            skipped: parsed
                .skipped()
                .map(|(i, node)| (i, node.raw().to_string()))
                .collect(),
            bodies: parsed
                .blocks()
                .map(|b| Body {
                    index: b.index(),
                    uri: b.uri().map(|uri| uri.into_owned()),
                    bytes: b.content_bytes().into_owned(),
                })
                .collect(),
            is_error: parsed.is_error(),
            status: parsed.status().as_str().to_string(),
            transient: parsed.transient(),
            trace: parsed.trace().into_iter().map(|t| t.into_owned()).collect(),
            structured: parsed.structured_content().map(|n| n.raw().to_string()),
        }
    }

    /// Whether two readings have the same blocks, with the same content, and the same structured
    /// content.
    pub fn same_content(&self, other: &Reading) -> bool {
        (&self.blocks, &self.bodies, &self.structured)
            == (&other.blocks, &other.bodies, &other.structured)
    }

    /// Whether a diagnostic has this code.
    pub fn has(&self, code: Code) -> bool {
        self.findings.iter().any(|f| f.code == code)
    }
}

/// A document as an envelope, and what became of it.
pub type Converted = (Vec<u8>, LossReport);

/// A line of a log.
#[derive(Debug)]
pub struct LogLine {
    /// The line's number, from 1.
    pub number: u64,
    /// Byte offset of its first byte.
    pub offset: u64,
    /// What it was read as.
    pub reading: Reading,
}

/// The functions that the laws speak of. Each one is Toolwire's unless a test replaces it.
pub trait Subject {
    /// Reads an output.
    fn parse(&self, input: &[u8], limits: &Limits) -> Reading {
        Reading::of(&toolwire::parse(input, limits))
    }

    /// The typed envelope of an output, written again.
    fn typed(&self, input: &[u8], limits: &Limits) -> String {
        toolwire::parse(input, limits).to_envelope().to_json()
    }

    /// Strict validation.
    fn validate(&self, input: &[u8], limits: &Limits) -> Result<(), Error> {
        toolwire::validate(input, limits)
    }

    /// RFC 8785 bytes.
    fn canonicalize(&self, text: &[u8], limits: &Limits) -> Result<Vec<u8>, Error> {
        toolwire::canonicalize(text, limits)
    }

    /// The digest of the canonical form.
    fn digest(&self, text: &[u8], limits: &Limits) -> Result<String, Error> {
        toolwire::digest(text, limits)
    }

    /// The normal form of a URI.
    fn normalize_uri(&self, uri: &str, root: Option<&str>) -> Result<String, Error> {
        toolwire::normalize_uri(uri, root)
    }

    /// What a model or a person gets.
    fn format(&self, input: &[u8], options: &FormatOptions) -> Result<String, Error> {
        toolwire::format(&toolwire::parse(input, &Limits::default()), options)
    }

    /// Why the output was read as it was.
    fn explain(&self, input: &[u8], options: &ExplainOptions) -> String {
        toolwire::explain(&toolwire::parse(input, &Limits::default()), options)
    }

    /// The identities of an output's resources.
    fn identify(&self, input: &[u8], options: &IdentifyOptions) -> Result<Vec<Identity>, Error> {
        toolwire::identify(&toolwire::parse(input, &Limits::default()), options)
    }

    /// A process's whole output, read.
    fn receive(&self, stdout: &[u8], result: Option<&[u8]>, exit: Exit, stderr: &[u8]) -> Reading {
        let output = Output {
            stdout,
            result,
            exit,
            stderr,
        };
        Reading::of(&toolwire::receive(&output, &Limits::default()))
    }

    /// A schema in its tidy form, in a role: `schema`, `input` or `output`.
    fn tidy(&self, role: &str, schema: &Json) -> Json {
        match role {
            "input" => tidy_input(schema),
            "output" => tidy_output(schema).0,
            _ => tidy(schema),
        }
    }

    /// The part of a schema that providers of models take.
    fn project(&self, schema: &Json, provider: Provider) -> Projection {
        project(schema, provider)
    }

    /// A document in a legacy format as an envelope, and the report.
    fn read_legacy(&self, document: &[u8], limits: &Limits) -> Result<Option<Converted>, Error> {
        let legacy = toolwire::legacy::read_legacy(document, limits)?;
        Ok(legacy.map(|legacy| (legacy.parsed.document().to_vec(), legacy.report)))
    }

    /// What comes of an event of a session.
    fn session(&self, machine: &mut SessionMachine, event: SessionEvent) -> SessionOutcome {
        machine.handle(event, &AnswerChecker)
    }

    /// What a line of an events file says.
    fn read_event(&self, line: &[u8]) -> Result<Option<ToolEvent>, Error> {
        toolwire::event::read_event(line, &Limits::default())
    }

    /// A line of a host, or of a program, as it is written again.
    fn read_line(&self, of_host: bool, line: &[u8]) -> Result<Option<String>, Error> {
        let limits = Limits::default();
        Ok(match of_host {
            true => HostLine::from_json(line, &limits)?.map(|line| line.to_json()),
            false => ToolLine::from_json(line, &limits)?.map(|line| line.to_json()),
        })
    }

    /// A question of a kind, as JSON.
    fn ask(&self, kind: &str, arguments: &str) -> Result<String, Error> {
        Ask::from_json(kind, arguments).map(|ask| ask.to_json())
    }

    /// The place in a question by which one can tell that it asks for a secret.
    fn find_secret(&self, question: &Question) -> Option<String> {
        find_secret(question, &SecretContext::default()).map(|found| found.pointer)
    }

    /// What a program answers at once, if a call is none.
    fn open(&self, document: &[u8]) -> Result<(), String> {
        match open(document, &["rename"]) {
            Opened::Turn(_) => Ok(()),
            Opened::Answered(answer) => Err(answer.to_json()),
        }
    }

    /// Whether a value fits a schema, within what is left of a budget.
    fn check(
        &self,
        schema: &Json,
        value: &Json,
        allowance: &mut Allowance,
    ) -> Result<(), CheckError> {
        check_value_within(schema, value, allowance)
    }

    /// An output as a result of MCP, and the report.
    fn to_result(
        &self,
        input: &[u8],
        limits: &Limits,
        options: &ResultOptions,
    ) -> (String, LossReport) {
        let result = mcp::to_result(&toolwire::parse(input, limits), options);
        (result.json.to_string(), result.report)
    }

    /// A result of MCP, read, and the report.
    fn read_result(&self, result: &[u8], limits: &Limits) -> (Reading, LossReport) {
        let read = mcp::from_result(result, limits);
        (Reading::of(&read.parsed), read.report)
    }

    /// A tool of MCP.
    fn to_tool(&self, tool: &ToolDescription, revision: Revision) -> McpTool {
        mcp::to_tool(tool, revision)
    }

    /// An output as a provider's message.
    fn to_message(
        &self,
        input: &[u8],
        call: &ModelCall,
        provider: provider::Provider,
        options: &MessageOptions,
    ) -> Result<Message, Error> {
        let parsed = toolwire::parse(input, &Limits::default());
        provider::to_message(&parsed, call, provider, options)
    }

    /// A call as it stands in a provider's history.
    fn to_history(&self, call: &ModelCall, provider: provider::Provider) -> Json {
        provider::to_history(call, provider)
    }

    /// A question as an MCP client is asked it.
    fn to_elicitation(
        &self,
        question: &Question,
        revision: Revision,
    ) -> Result<ElicitRequest, Error> {
        mcp::to_elicitation(question, revision, &ElicitOptions::default())
    }

    /// What an MCP client answered.
    fn answer_from(
        &self,
        question: &Question,
        revision: Revision,
        result: &Json,
    ) -> Result<Answer, Error> {
        mcp::answer_from_elicit_result(question, revision, result)
    }

    /// The schema that a verdict is about.
    fn close(&self, schema: &Json) -> Result<Json, Error> {
        diff::closed(schema)
    }

    /// What has changed between two versions of a tool.
    fn diff_tools(&self, old: &Json, new: &Json, open: bool) -> Result<Diff, Error> {
        let options = DiffOptions {
            open,
            ..DiffOptions::default()
        };
        diff::diff_tools(old, new, &options)
    }

    /// What a launch URI says.
    fn parse_launch_uri(&self, uri: &str) -> Result<Launch, Error> {
        launch::parse_launch_uri(uri)
    }

    /// The URI of a launch.
    fn format_launch_uri(&self, launch: &Launch) -> Result<String, Error> {
        launch::format_launch_uri(launch)
    }

    /// A text in which everything hidden can be seen.
    fn show_hidden(&self, text: &str) -> String {
        toolwire_contract::hidden::show(text)
    }

    /// A profile as it is written again.
    fn rewrite_profile(&self, text: &str) -> Result<String, Error> {
        let profile = toolwire_contract::profile::read_profile(text)?;
        Ok(profile.to_json().as_str().to_owned())
    }

    /// The three fingerprints of a tool.
    fn fingerprint(&self, tool: &Json) -> Result<Fingerprint, Error> {
        fingerprint::fingerprint(tool, &FingerprintOptions::default())
    }

    /// A lock file as it is written again.
    fn rewrite_lock(&self, text: &str) -> Result<String, Error> {
        let read = toolwire_contract::lock::read_lock(text)?;
        toolwire_contract::lock::write_lock(&read.lock)
    }

    /// The lines of a log that are not blank.
    fn parse_lines(&self, log: &[u8]) -> Vec<LogLine> {
        toolwire::parse_lines(log, &Limits::default())
            .map(|line| LogLine {
                number: line.number,
                offset: line.offset,
                reading: Reading::of(&line.parsed),
            })
            .collect()
    }
}

/// Toolwire as it is.
pub struct Toolwire;

impl Subject for Toolwire {}
