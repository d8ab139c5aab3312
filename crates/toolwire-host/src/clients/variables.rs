//! The variables in the strings of an entry (CFG-14).

use std::path::Path;

use super::places::Surroundings;
use super::table::Variables;

/// Puts values in the place of variables, or says which one has none and what to do.
///
/// `folder` is that of the workspace.
pub fn expand(
    text: &str,
    variables: Variables,
    surroundings: &Surroundings,
    folder: &Path,
) -> Result<String, String> {
    if variables == Variables::None {
        return Ok(text.to_owned());
    }
    let mut whole = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('$') {
        whole.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let (name, end) = match rest.strip_prefix('{') {
            Some(inner) => match inner.find('}') {
                Some(end) => (&inner[..end], end + 2),
                None => {
                    whole.push('$');
                    continue;
                }
            },
            None if variables == Variables::Shell => {
                let end = rest.find(|c: char| !is_name(c)).unwrap_or(rest.len());
                (&rest[..end], end)
            }
            None => ("", 0),
        };
        match value(name, variables, surroundings, folder)? {
            Some(value) => whole.push_str(&value),
            None => whole.push_str(&format!("${}", &rest[..end])),
        }
        rest = &rest[end..];
    }
    whole.push_str(rest);
    Ok(whole)
}

fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// The value of a variable; nothing if it is none, and meant to the letter.
fn value(
    name: &str,
    variables: Variables,
    surroundings: &Surroundings,
    folder: &Path,
) -> Result<Option<String>, String> {
    let environment = |name: &str, default: Option<&str>| {
        let value = surroundings.variables.get(name).map(String::as_str);
        // As in a shell, `:-` stands in for what is empty, too.
        let value = value.filter(|value| default.is_none() || !value.is_empty());
        let value = value.or(default).map(str::to_owned);
        let missing =
            || format!("the environment variable `{name}` is not set; set it and try again");
        value.map(Some).ok_or_else(missing)
    };
    let is_variable = |name: &str| {
        name.chars().all(is_name)
            && !name.starts_with(|c: char| c.is_ascii_digit())
            && !name.is_empty()
    };
    match variables {
        Variables::None => Ok(None),
        Variables::Shell if is_variable(name) => environment(name, None),
        Variables::Default => match name.split_once(":-") {
            Some((name, default)) if is_variable(name) => environment(name, Some(default)),
            None if is_variable(name) => environment(name, None),
            _ => Ok(None),
        },
        Variables::Shell => Ok(None),
        Variables::Env | Variables::Editor => {
            if let Some(name) = name.strip_prefix("env:") {
                return environment(name, None);
            }
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
            if variables == Variables::Env || name.is_empty() {
                return Ok(None);
            }
            let text = |path: &Path| {
                let text = path.to_str().map(|text| Some(text.to_owned()));
                text.ok_or_else(|| format!("the path for `${{{name}}}` is not Unicode"))
            };
            let separator = std::path::MAIN_SEPARATOR_STR.to_owned();
            match name {
                "workspaceFolder" => text(folder),
                "workspaceFolderBasename" => {
                    text(Path::new(folder.file_name().unwrap_or_default()))
                }
                "userHome" => match &surroundings.home {
                    Some(home) => text(home),
                    None => Err("there is no home folder for `${userHome}`; set `HOME`".to_owned()),
                },
                "pathSeparator" | "/" => Ok(Some(separator)),
                _ => Err(format!(
                    "`${{{name}}}` has no value outside of the client; use an environment variable, \
                     `${{env:NAME}}`"
                )),
            }
        }
    }
}
