//! Conversions in both directions, and what must never come along.

mod laws;

use super::*;

#[test]
fn no_form_and_no_report_has_a_value() {
    let entries = [
        r#"{"command":"srv","args":["--api-key","s3cret","--token=s3cret","PASSWORD=s3cret","ghp_s3cret"],"env":{"A":"s3cret","B":"x${env:C}s3cret","D":"${D:-s3cret}"}}"#,
        r#"{"command":"docker","args":["run","-e","A=s3cret","--env=B=s3cret","image"]}"#,
        r#"{"url":"https://me:s3cret@example.org/mcp?key=1&access_token=s3cret","headers":{"Authorization":"Bearer s3cret","X":"s3cret"}}"#,
        r#"{"serverUrl":"https://s3cret@example.org/mcp","headers":{"X":"${X:-s3cret}"}}"#,
        r#"{"url":"https://example.org/mcp","http_headers":{"Y":"s3cret"}}"#,
        r#"{"command":["srv","--password","s3cret"],"env":{"A":"s3cret"}}"#,
    ];
    let mut written = 0;
    for entry in entries {
        for from in Form::all().filter(|form| *form != Form::LaunchUri) {
            let options = ConvertOptions {
                name: Some("one".to_owned()),
                folder: None,
            };
            let Ok((read, report)) = read_server(entry, from, &options) else {
                continue;
            };
            assert!(!report.to_json().contains("s3cret"), "{from} {entry}");
            assert!(
                !read.to_json().as_str().contains("s3cret"),
                "{from} {entry}"
            );
            for to in Form::all() {
                match convert_server(entry, from, to, &options) {
                    Ok(converted) => {
                        written += 1;
                        let shown = converted.to_json();
                        assert!(!shown.as_str().contains("s3cret"), "{from} {to} {shown}");
                    }
                    Err(error) => assert!(!error.message().contains("s3cret"), "{from} {to}"),
                }
            }
        }
    }
    assert!(written > 300, "{written}");
}

#[test]
fn what_stands_in_for_a_secret_is_left_out() {
    let entry = r#"{"command":"${PASSWORD:-s3cret}","args":["${API_KEY:-s3cret}","${PORT:-80}"],"cwd":"/${TOKEN:-s3cret}"}"#;
    let options = ConvertOptions::default();
    let (read, report) = read_server(entry, Form::McpServers, &options).unwrap();
    assert!(!read.to_json().as_str().contains("s3cret") && read.to_json().as_str().contains("80"));
    let places: Vec<&str> = report
        .entries
        .iter()
        .map(|one| one.pointer.as_str())
        .collect();
    assert_eq!(places, ["/args", "/args/0", "/command", "/cwd"]);
    let entry = r#"{"url":"https://${API_KEY:-s3cret}.example.org/?k=${API_KEY:-s3cret}"}"#;
    let (read, _) = read_server(entry, Form::McpServers, &options).unwrap();
    assert!(!read.to_json().as_str().contains("s3cret"));
}

#[test]
fn every_form_takes_a_program_and_is_its_own_way_back() {
    for form in Form::all() {
        let entry = Entry::program("one", "uvx", &["mcp-server-git", "--repository", "."]);
        let written = write_server(&entry, form).unwrap();
        let input = match form {
            Form::LaunchUri => written.text,
            _ => written.members.as_str().to_owned(),
        };
        let options = ConvertOptions {
            name: Some("one".to_owned()),
            folder: None,
        };
        assert_eq!(
            read_server(&input, form, &options).unwrap().0,
            entry,
            "{form}"
        );
    }
}

#[test]
fn the_words_of_forms_are_all_different() {
    for form in Form::all() {
        assert_eq!(form.as_str().parse(), Ok(form));
    }
    assert!("mcpservers".parse::<Form>().is_err());
}

#[test]
fn a_server_without_a_name_gets_a_short_one() {
    for (input, name) in [
        (r#"{"command":"/usr/bin/srv"}"#, "srv"),
        (
            r#"{"command":"uvx","args":["-q","mcp-server-git==1.0"]}"#,
            "mcp-server-git",
        ),
        (r#"{"command":"npx","args":["-y","@a/b@1"]}"#, "b"),
        (
            r#"{"command":"node","args":["C:\\x\\server.js"]}"#,
            "server.js",
        ),
        (r#"{"command":"é"}"#, "server"),
        (r#"{"url":"https://example.org:8080/mcp"}"#, "example.org"),
    ] {
        let options = ConvertOptions::default();
        let (entry, _) = read_server(input, Form::McpServers, &options).unwrap();
        assert_eq!(members::name(&entry), name);
    }
}
