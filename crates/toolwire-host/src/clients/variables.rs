//! The variables in the strings of an entry.

use std::path::{MAIN_SEPARATOR_STR, Path};

use toolwire_contract::server::{Part, Text, Variables};

use super::places::Surroundings;

/// Puts values in the place of variables, or says which one has none and what to do.
///
/// `folder` is that of the workspace.
pub fn expand(
    text: &str,
    variables: Variables,
    surroundings: &Surroundings,
    folder: &Path,
) -> Result<String, String> {
    let text = Text::parse(text, variables);
    let parts = text.parts.iter().map(|part| match part {
        Part::Literal(text) => Ok(text.clone()),
        Part::Variable { name, default } => environment(name, default.as_deref(), surroundings),
        Part::Client(name) => of_client(name, surroundings, folder),
    });
    parts.collect()
}

fn environment(
    name: &str,
    default: Option<&str>,
    surroundings: &Surroundings,
) -> Result<String, String> {
    let value = surroundings.variables.get(name).map(String::as_str);
    // As in a shell, `:-` stands in for what is empty, too.
    let value = value.filter(|value| default.is_none() || !value.is_empty());
    let value = value.or(default).map(str::to_owned);
    let missing = || format!("the environment variable `{name}` is not set; set it and try again");
    value.ok_or_else(missing)
}

/// The value of a variable of the client's own.
fn of_client(name: &str, surroundings: &Surroundings, folder: &Path) -> Result<String, String> {
    if let Some(name) = name.strip_prefix("input:") {
        return Err(format!(
            "the client asks for the input `{name}`, which only it can; put the value into an \
             environment variable and write `${{env:NAME}}` in another file, named with `--config`"
        ));
    }
    if let Some(path) = name.strip_prefix("file:") {
        return Err(format!(
            "`${{file:{path}}}` is not read; use an environment variable, `${{env:NAME}}`"
        ));
    }
    let text = |path: &Path| {
        let text = path.to_str().map(str::to_owned);
        text.ok_or_else(|| format!("the path for `${{{name}}}` is not Unicode"))
    };
    match name {
        "workspaceFolder" => text(folder),
        "workspaceFolderBasename" => text(Path::new(folder.file_name().unwrap_or_default())),
        "userHome" => match &surroundings.home {
            Some(home) => text(home),
            None => Err("there is no home folder for `${userHome}`; set `HOME`".to_owned()),
        },
        "pathSeparator" | "/" => Ok(MAIN_SEPARATOR_STR.to_owned()),
        _ => Err(format!(
            "`${{{name}}}` has no value outside of the client; use an environment variable, \
             `${{env:NAME}}`"
        )),
    }
}
