//! Texts with variables, and what is taken for a secret.

use super::secret::{is_secret_name, variable_name};
use super::*;

const ALL: [Variables; 5] = [
    Variables::None,
    Variables::Default,
    Variables::Shell,
    Variables::Env,
    Variables::Editor,
];

#[test]
fn what_is_written_is_read_as_the_same() {
    let texts = [
        "",
        "plain",
        "$",
        "$$",
        "${",
        "${}",
        "${A}",
        "$A",
        "$A$B",
        "${A}b${C:-d}",
        "${A:-}",
        "${env:A}",
        "${env:}",
        "${input:key}",
        "${file:/x}",
        "${workspaceFolder}/a",
        "${1}",
        "é${A}é",
    ];
    for from in ALL {
        for text in texts {
            let parsed = Text::parse(text, from);
            for to in ALL {
                if let Some(written) = parsed.write(to) {
                    assert_eq!(Text::parse(&written, to), parsed, "{text} {from:?} {to:?}");
                }
            }
            // A short form may become a long one, and says the same.
            let own = parsed.write(from);
            assert!(own.is_some() || text.contains("$A"), "{text} {from:?}");
        }
    }
}

#[test]
fn each_client_has_its_own_variables() {
    for (text, from, parts) in [
        ("$A-${B}", Variables::Shell, 3),
        ("$A-${B}", Variables::Default, 2),
        ("$A-${B}", Variables::Env, 1),
        ("${env:A}${B}", Variables::Env, 2),
        ("${env:A}${B}", Variables::Editor, 2),
        ("${env:A}${B}", Variables::Default, 2),
        ("${env:A}${B}", Variables::None, 1),
    ] {
        assert_eq!(
            Text::parse(text, from).parts.len(),
            parts,
            "{text} {from:?}"
        );
    }
}

#[test]
fn options_of_secrets_are_known_by_their_names() {
    for name in [
        "--api-key",
        "--token",
        "-password",
        "API_KEY",
        "--client-secret",
    ] {
        assert!(is_secret_name(name), "{name}");
    }
    for name in [
        "--level",
        "",
        "--",
        "-v",
        "--max-tokens",
        "--port",
        "--key-file",
    ] {
        assert!(!is_secret_name(name), "{name}");
    }
}

#[test]
fn names_of_variables_are_those_of_a_shell() {
    for (words, name) in [
        (&["git-hub", "Authorization"][..], "GIT_HUB_AUTHORIZATION"),
        (&["", "--api-key"], "API_KEY"),
        (&["é", "--é"], "SERVER_"),
        (&["1", "x"], "SERVER_1_X"),
    ] {
        assert_eq!(variable_name(words), name);
    }
}

#[test]
fn secrets_are_not_shown_for_debugging() {
    let entry = toolwire::Json::new(
        r#"{"command":"a","args":["s3cret"],"env":{"K":"s3cret"},"env_vars":["L"]}"#,
    );
    let spelled = Spelled::read(&entry.unwrap(), None).unwrap();
    let shown = format!("{spelled:?}");
    assert!(!shown.contains("s3cret"));
    let entry = toolwire::Json::new(
        r#"{"url":"https://s3cret@x/","headers":{"A":"s3cret"},"env_http_headers":{"B":"V"}}"#,
    );
    let spelled = Spelled::read(&entry.unwrap(), None).unwrap();
    let shown = format!("{spelled:?}");
    assert!(!shown.contains("s3cret"));
}
