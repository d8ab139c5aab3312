//! The table of a tool as it is written into a manifest.

use toolwire::json::string;

use super::help_text::{Help, Kind, Parameter, Repeated};

/// A tool of a manifest, and its table.
pub struct Entry {
    pub name: String,
    pub text: String,
    /// Arguments with which it can be tried, as words.
    pub example: Vec<String>,
}

impl Entry {
    /// A program that describes itself, and the one of its tools that is meant, if it has several.
    pub fn of_tool(name: &str, program: &str, tool: Option<&str>) -> Entry {
        let mut text = format!("[tools.{}]\ncommand = {}\n", key(name), string(program));
        if let Some(tool) = tool {
            text.push_str(&format!("tool = {}\n", string(tool)));
        }
        Entry {
            name: name.to_owned(),
            text,
            example: Vec::new(),
        }
    }

    /// A program that is run once, with what its help says that it takes. `words` are the program and what always
    /// stands behind it.
    pub fn of_help(name: &str, words: &[String], help: &Help) -> Entry {
        let mut command: Vec<String> = words.iter().map(|word| string(&escaped(word))).collect();
        // Several values behind an option would take the positionals for theirs.
        let (last, first): (Vec<&Parameter>, Vec<&Parameter>) = help
            .options
            .iter()
            .partition(|option| option.repeated == Repeated::Values);
        for option in first.into_iter().chain(&help.positionals).chain(last) {
            command.push(word(option));
        }
        let mut text = format!("[tools.{}]\n", key(name));
        if let Some(description) = &help.description {
            text.push_str(&format!("description = {}\n", string(description)));
        }
        text.push_str(&format!("command = [{}]\n", command.join(", ")));
        let parameters: Vec<&Parameter> = help.positionals.iter().chain(&help.options).collect();
        match parameters.is_empty() {
            true => text.push_str("plain = true\n"),
            false => text.push_str(&format!("\n[tools.{}.parameters]\n", key(name))),
        }
        for parameter in &parameters {
            let schema = schema(parameter);
            text.push_str(&format!("{} = {{ {schema} }}\n", key(&parameter.name)));
        }
        let required = parameters.into_iter().filter(|one| one.required);
        Entry {
            name: name.to_owned(),
            text,
            example: required.map(example).collect(),
        }
    }
}

/// A key of TOML; only letters, digits, `_` and `-` need no quotes.
fn key(name: &str) -> String {
    let is_bare = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    match !name.is_empty() && name.chars().all(is_bare) {
        true => name.to_owned(),
        false => string(name),
    }
}

/// A word in which no brace is a placeholder.
fn escaped(word: &str) -> String {
    word.replace('{', "{{").replace('}', "}}")
}

/// The words of a parameter in the command.
fn word(parameter: &Parameter) -> String {
    let Parameter { name, option, .. } = parameter;
    if option.is_empty() {
        return string(&format!("{{{name}}}"));
    }
    let one = |text: String| string(&text);
    match (parameter.kind, parameter.repeated) {
        (Kind::Flag, _) => one(format!("{{{name}?{option}}}")),
        (_, Repeated::Options) if !option.starts_with("--") => one(format!("{option}{{{name}}}")),
        (_, Repeated::Options) => one(format!("{option}={{{name}}}")),
        _ if parameter.has_equals => one(format!("{option}={{{name}}}")),
        _ => format!("[{}, {}]", string(option), string(&format!("{{{name}}}"))),
    }
}

/// The schema of a parameter, as the members of an inline table.
fn schema(parameter: &Parameter) -> String {
    let kind = match parameter.kind {
        Kind::Text => "string",
        Kind::Integer => "integer",
        Kind::Number => "number",
        Kind::Flag => "boolean",
    };
    let mut one = vec![format!("type = \"{kind}\"")];
    if !parameter.choices.is_empty() {
        let choices: Vec<String> = parameter.choices.iter().map(|one| string(one)).collect();
        one.push(format!("enum = [{}]", choices.join(", ")));
    }
    let mut members = match parameter.repeated {
        Repeated::No => one,
        _ => vec![
            "type = \"array\"".to_owned(),
            format!("items = {{ {} }}", one.join(", ")),
        ],
    };
    match (parameter.kind, parameter.required, parameter.repeated) {
        (Kind::Flag, _, _) => members.push("default = false".to_owned()),
        (_, false, _) => members.push("optional = true".to_owned()),
        (_, true, Repeated::No) => {}
        (_, true, _) => members.push("minItems = 1".to_owned()),
    }
    if !parameter.description.is_empty() {
        members.push(format!("description = {}", string(&parameter.description)));
    }
    members.join(", ")
}

/// A value that the parameter may have, as a word of a command line.
fn example(parameter: &Parameter) -> String {
    let value = match parameter.kind {
        Kind::Integer | Kind::Number => "1",
        _ => parameter.choices.first().map_or("VALUE", String::as_str),
    };
    format!("{}={value}", parameter.name)
}
