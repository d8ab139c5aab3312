//! What a profile expects of its server, on the connection that is used (PROF-20, PROF-21).

use toolwire::Json;
use toolwire::call::ToolDescription;
use toolwire_contract::profile::{ProfileTool, SchemaValidation};
use toolwire_source::Source;

use super::seen::list;
use crate::args::ExpectArgs;
use crate::exit::{Failure, Result};
use crate::show::changes::visible;

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

    /// Refuses to use tools that are not as expected, if the profile says so; `then` is what follows for the user.
    pub fn refuse(&self, tools: &[ToolDescription], then: &str) -> Result<()> {
        if self.0.validation != SchemaValidation::Error {
            return Ok(());
        }
        let changes = self.changes(tools)?;
        if changes.is_empty() {
            return Ok(());
        }
        let (says, advice) = (self.0.says(), self.advice());
        let changes = changes.join("; ");
        Err(Failure::Refused(format!(
            "{says}: {changes}{then}; {advice}"
        )))
    }

    /// How the tools differ from what is expected, and what to do, in lines; none if they do not.
    pub fn differences(&self, tools: &[ToolDescription]) -> Result<Vec<String>> {
        let changes = self.changes(tools)?;
        if changes.is_empty() {
            return Ok(Vec::new());
        }
        let lines = std::iter::once(self.0.says()).chain(changes);
        let lines = lines.map(|line| format!("warning: {line}"));
        Ok(lines.chain([self.advice()]).collect())
    }

    /// That a result has another type than the profile expects of the tool that the server calls so.
    pub fn other_type(&self, tool: &str, result: &[u8]) -> Option<String> {
        let mut tools = self.0.profile.tools().iter();
        let tool = tools.find(|known| known.tool() == tool)?;
        let types = other_output(tool, result);
        let types: Vec<String> = types.iter().map(|kind| visible(kind)).collect();
        (!types.is_empty()).then(|| {
            format!(
                "warning: `{}` answered with `{}`, and `@{}` expects `{}`: look at the result, and put its type into \
                 the profile",
                visible(tool.name()),
                types.join("`, `"),
                self.0.name,
                visible(&tool.output_format().unwrap_or_default()),
            )
        })
    }

    fn changes(&self, tools: &[ToolDescription]) -> Result<Vec<String>> {
        // Nobody lays out a list that nothing is compared with.
        if !self.compares() {
            return Ok(Vec::new());
        }
        let changes = self.0.differences(&list(tools)?);
        changes.map_err(|error| Failure::refused(&error))
    }

    /// What to do about it.
    fn advice(&self) -> String {
        let advice = self.0.advice();
        format!("{advice}; `--ignore-schema` leaves it out for once")
    }
}

/// The media types of a result, if none of them is what the profile expects. What is no JSON has none.
pub fn other_output(tool: &ProfileTool, document: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(document);
    let envelope = Json::new(&*text);
    let types = envelope.and_then(|envelope| tool.other_output(&envelope));
    types.unwrap_or_default()
}
