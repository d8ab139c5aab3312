//! What a server offers beside its tools.

use crate::common::{REVISIONS, connect, script};
use toolwire::Json;
use toolwire_host::{Command, ProcessOptions};
use toolwire_mcp::client::{ClientErrorKind, ClientOptions, Offer, Server};

fn offers(revision: &str, way: &str) -> Server {
    let command = Command::new(script("offers.py")).args([revision, way]);
    Server::program(command, ProcessOptions::default())
}

fn texts(list: &[Json], name: &str) -> Vec<String> {
    let text = |one: &Json| one.at(&format!("/{name}"))?.to_text();
    list.iter().filter_map(text).collect()
}

#[tokio::test]
async fn all_pages_are_read_to_the_letter() {
    for revision in REVISIONS {
        let client = connect(&offers(revision, "odd"), &ClientOptions::default()).await;
        let resources = client.list(Offer::Resources).await.unwrap();
        assert_eq!(texts(&resources, "uri"), ["notes://today", "notes://exact"]);
        // What it is not asked for is there too.
        assert!(resources[1].as_str().contains(r#""size": 12"#));
        let templates = client.list(Offer::ResourceTemplates).await.unwrap();
        assert_eq!(texts(&templates, "uriTemplate"), ["notes://{day}"]);
        let prompts = client.list(Offer::Prompts).await.unwrap();
        assert_eq!(texts(&prompts, "name"), ["review"]);
        client.close().await;
    }
}

#[tokio::test]
async fn a_server_is_not_asked_for_what_it_does_not_declare() {
    for (way, resources, templates) in [("undeclared", 0, 0), ("no-templates", 2, 0)] {
        let client = connect(&offers("2025-11-25", way), &ClientOptions::default()).await;
        let listed = client.list(Offer::Resources).await.unwrap();
        assert_eq!(listed.len(), resources, "{way}");
        let listed = client.list(Offer::ResourceTemplates).await.unwrap();
        assert_eq!(listed.len(), templates, "{way}");
        client.close().await;
    }
}

#[tokio::test]
async fn a_list_without_an_end_is_refused() {
    for (max_pages, max_tools, part) in [
        (7, 10_000, "it has more than 7 pages"),
        (1000, 7, "it has more than 7 elements"),
    ] {
        let options = ClientOptions {
            max_pages,
            max_tools,
            ..ClientOptions::default()
        };
        let client = connect(&offers("2025-11-25", "endless"), &options).await;
        let error = client.list(Offer::Resources).await.unwrap_err();
        assert_eq!(error.kind(), ClientErrorKind::BadList);
        assert!(error.to_string().ends_with(part), "{error}");
        client.close().await;
    }
}

#[tokio::test]
async fn a_resource_is_an_envelope() {
    for revision in REVISIONS {
        let client = connect(&offers(revision, ""), &ClientOptions::default()).await;
        let read = client.read_resource("notes://today").await.unwrap();
        assert!(!read.is_raw() && !read.is_error() && read.diagnostics().is_empty());
        let blocks: Vec<_> = read.blocks().collect();
        assert_eq!(blocks.len(), 2);
        let exact = client.read_resource("notes://exact").await.unwrap();
        let document = String::from_utf8_lossy(exact.document()).into_owned();
        assert!(document.contains("123456789012345678901.10"), "{document}");

        let none = client.read_resource("other://x").await.unwrap();
        let document = String::from_utf8_lossy(none.document()).into_owned();
        assert!(none.is_error());
        assert!(
            document.contains("there is no `other://x` (-32002)"),
            "{document}"
        );
        client.close().await;

        let client = connect(&offers(revision, "empty"), &ClientOptions::default()).await;
        let nothing = client.read_resource("notes://today").await.unwrap();
        assert!(nothing.is_error());
        client.close().await;
    }
}
