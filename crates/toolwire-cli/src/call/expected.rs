//! What a profile expects of its server, on the connection that is used (PROF-20, PROF-21).

use toolwire::call::ToolDescription;
use toolwire::{Json, Parsed};
use toolwire_contract::profile::{ProfileTool, SchemaValidation};
use toolwire_mcp::client::{Client, ClientError};
use toolwire_source::Source;

use crate::args::ExpectArgs;
use crate::commands::changes::visible;
use crate::commands::observe::list;
use crate::exit::{Failure, Result};
use crate::output::Out;

/// What a profile expects of its server.
#[derive(Clone)]
pub struct Expected(toolwire_source::Expected);

impl Expected {
    /// What is expected of a source; nothing if no profile names it.
    pub fn of(source: &Source, args: &ExpectArgs) -> Result<Option<Expected>> {
        let Some(mut expected) = toolwire_source::Expected::of(source) else {
            if args.ignore_schema {
                return Err(Failure::usage(format!(
                    "`--ignore-schema` is for profiles, such as `@docs`, and `{}` is none",
                    source.label
                )));
            }
            return Ok(None);
        };
        if args.ignore_schema {
            expected.validation = SchemaValidation::Ignore;
        }
        Ok(Some(Expected(expected)))
    }

    /// Whether there is anything to compare.
    pub fn compares(&self) -> bool {
        self.0.compares()
    }

    /// Before a tool is called or a resource is read: says how the tools differ from what is expected, or refuses it.
    pub fn before_a_call(&self, tools: &[ToolDescription], out: &mut Out) -> Result<()> {
        self.refuse(tools)?;
        self.tell(tools, out)
    }

    /// Refuses a call for tools that are not as expected, if the profile says so.
    pub fn refuse(&self, tools: &[ToolDescription]) -> Result<()> {
        match self.refusal(tools)? {
            None => Ok(()),
            Some(why) => Err(Failure::Refused(format!(
                "{why}; nothing was called or read; {}",
                self.advice()
            ))),
        }
    }

    /// Why the tools are not to be used, if the profile says that they are not.
    pub fn refusal(&self, tools: &[ToolDescription]) -> Result<Option<String>> {
        if self.0.validation != SchemaValidation::Error {
            return Ok(None);
        }
        let told = self.changes(tools)?;
        let says = self.0.says();
        Ok((!told.is_empty()).then(|| format!("{says}: {}", told.join("; "))))
    }

    /// Says how the tools differ from what is expected.
    pub fn tell(&self, tools: &[ToolDescription], out: &mut Out) -> Result<()> {
        for line in self.differences(tools)? {
            out.complain(&line);
        }
        Ok(())
    }

    /// How the tools differ from what is expected, and what to do, in lines; none if they do not.
    pub fn differences(&self, tools: &[ToolDescription]) -> Result<Vec<String>> {
        let told = self.changes(tools)?;
        if told.is_empty() {
            return Ok(Vec::new());
        }
        let lines = std::iter::once(self.0.says()).chain(told);
        let lines = lines.map(|line| format!("warning: {line}"));
        Ok(lines.chain([self.advice()]).collect())
    }

    /// Says of a result that it has another type than the profile expects.
    pub fn tell_other_output(&self, tool: &str, parsed: &Parsed<'_>, out: &mut Out) -> Result<()> {
        let Some(known) = self.tool(tool) else {
            return Ok(());
        };
        let types = other_output(known, parsed.document());
        if !types.is_empty() {
            out.complain(&self.other_type(known, &types));
        }
        Ok(())
    }

    /// What the profile says of the tool that the server calls so.
    pub fn tool(&self, name: &str) -> Option<&ProfileTool> {
        let mut tools = self.0.profile.tools().iter();
        tools.find(|tool| tool.tool() == name)
    }

    /// That results have another type.
    pub fn other_type(&self, tool: &ProfileTool, types: &[String]) -> String {
        let types: Vec<String> = types.iter().map(|kind| visible(kind)).collect();
        format!(
            "warning: `{}` answered with `{}`, and `@{}` expects `{}`: look at the result, and put its type into \
             the profile",
            visible(tool.name()),
            types.join("`, `"),
            self.0.name,
            visible(&tool.output_format().unwrap_or_default()),
        )
    }

    fn changes(&self, tools: &[ToolDescription]) -> Result<Vec<String>> {
        // Nobody lays out a list that nothing is compared with.
        if !self.compares() {
            return Ok(Vec::new());
        }
        let told = self.0.differences(&list(tools)?);
        told.map_err(|error| Failure::refused(&error))
    }

    /// What to do about it.
    pub fn advice(&self) -> String {
        format!(
            "{}; `--ignore-schema` leaves it out for once",
            self.0.advice()
        )
    }
}

/// The tools of a server of which a profile expects something; none where nothing is compared.
pub async fn tools(
    expected: Option<&Expected>,
    client: &Client,
) -> std::result::Result<Vec<ToolDescription>, ClientError> {
    match expected {
        Some(expected) if expected.compares() => client.tools().await,
        _ => Ok(Vec::new()),
    }
}

/// The media types of a result, if none of them is what the profile expects. What is no JSON has none.
pub fn other_output(tool: &ProfileTool, document: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(document);
    let envelope = Json::new(&*text);
    let types = envelope.and_then(|envelope| tool.other_output(&envelope));
    types.unwrap_or_default()
}
