//! The table of the reference and that of the code are the same.

use super::super::*;

const REFERENCE: &str = include_str!("../../../../../docs/reference/client-files.md");

#[test]
fn the_table_of_the_reference_is_that_of_the_code() {
    let rows = REFERENCE
        .lines()
        .skip_while(|line| !line.starts_with("| word | client |"));
    let rows: Vec<&str> = rows
        .take_while(|line| line.starts_with('|'))
        .skip(2)
        .collect();
    let expected = Client::ALL.iter().map(|client| {
        let code = |text: &str| format!("`{text}`");
        let mut user: Vec<String> = Vec::new();
        for (path, system) in client
            .user_files()
            .iter()
            .zip(["Linux", "macOS", "Windows"])
        {
            match client.user_files().iter().all(|other| other == path) {
                true if user.is_empty() => user.push(code(path)),
                true => {}
                false => user.push(format!("{system} {}", code(path))),
            }
        }
        if let Some(variable) = client.folder_variable() {
            user.push(format!("the folder in `{variable}`"));
        }
        let user = user.join("; ");
        let workspace = client.workspace_file().map_or("none".to_owned(), code);
        let urls: Vec<String> = client.url_members().iter().map(|name| code(name)).collect();
        let urls = if urls.is_empty() {
            "none".to_owned()
        } else {
            urls.join(", ")
        };
        let types = client
            .further_members()
            .map(|kind| kind.map(|(name, value)| format!("`{name}: {value}`")));
        let types = match types {
            [None, None] => "none".to_owned(),
            [one, other] if one == other => one.unwrap_or_default(),
            kinds => kinds.into_iter().flatten().collect::<Vec<_>>().join(", "),
        };
        let cells = [
            code(client.as_str()),
            client.title().to_owned(),
            user,
            workspace,
            code(client.key()),
            syntax(client.syntax()).to_owned(),
            variables(client.variables()).to_owned(),
            urls,
            types,
        ];
        format!("| {} |", cells.join(" | "))
    });
    let expected: Vec<String> = expected.collect();
    assert_eq!(rows.join("\n"), expected.join("\n"));
}

fn syntax(syntax: Syntax) -> &'static str {
    match syntax {
        Syntax::Json => "JSON",
        Syntax::JsonWithComments => "JSON with comments",
        Syntax::Jsonc => "JSONC",
        _ => "TOML",
    }
}

fn variables(variables: Variables) -> &'static str {
    match variables {
        Variables::Default => "`${VAR}`, `${VAR:-default}`",
        Variables::Shell => "`$VAR`, `${VAR}`",
        Variables::Env => "`${env:VAR}`",
        Variables::Editor => "`${env:VAR}`, `${workspaceFolder}`",
        _ => "none",
    }
}
