//! From a call to the program that is started.

use toolwire::call::Call;
use toolwire_host::manifest::ManifestTool;
use toolwire_host::{CheckError, Command, check_value};

/// Where the program and its arguments come from.
#[derive(Debug, Clone)]
pub(crate) enum Plan {
    /// They are always the same.
    Fixed(Command),
    /// The arguments of the call stand where the manifest has them.
    Tool(Box<ManifestTool>),
}

impl Plan {
    /// The program for a call, or why there is none.
    pub(crate) fn command(&self, call: &Call) -> Result<Command, String> {
        let tool = match self {
            Plan::Fixed(command) => return Ok(command.clone()),
            Plan::Tool(tool) => tool,
        };
        let call = tool
            .complete(call.clone())
            .map_err(|error| error.to_string())?;
        if let Some(contract) = tool.contract() {
            check_value(&contract.input_schema, &call.arguments).map_err(|error| match error {
                CheckError::Mismatches(found) => {
                    let found: Vec<String> = found.into_iter().map(|one| one.message).collect();
                    format!("the arguments do not fit: {}", found.join("; "))
                }
                CheckError::BadSchema(error) | CheckError::OverBudget(error) => {
                    format!("the arguments can't be checked: {error}")
                }
            })?;
        }
        tool.command_with(&call.arguments)
    }
}
