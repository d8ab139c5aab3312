use toolwire::json::string;

use super::*;

fn parsed(json: &str) -> Parsed<'static> {
    parse(json.as_bytes().to_vec(), &Limits::default())
}

/// What is said in the first block.
fn text(json: &str) -> String {
    let parsed = parsed(json);
    let block = parsed.blocks().next().unwrap();
    block.text().unwrap().into_owned()
}

fn handle(text: &str) -> String {
    let rest = text.split_once("handle=").unwrap().1;
    rest.chars().take_while(char::is_ascii_hexdigit).collect()
}

fn ask(kept: &KeptResults, principal: &str, handle: &str, more: &str) -> Envelope {
    let arguments = Json::new(format!(r#"{{"handle":"{handle}"{more}}}"#)).unwrap();
    kept.answer(principal, &arguments)
}

#[test]
fn a_long_result_is_kept_and_its_beginning_given() {
    let kept = KeptResults::new(KeptOptions::default());
    let long = format!("begin {} end", "x".repeat(300_000));
    let result = format!(
        r#"{{"_meta":{{"long":{}}},"content":[{{"type":"text","text":{}}},{{"type":"image","data":"aGk=","mimeType":"image/png"}}],"structuredContent":{{"a":1}},"isError":true}}"#,
        string(&"m".repeat(5000)),
        string(&long)
    );
    let short = kept
        .shorten("", None, "log", &parsed(&result))
        .unwrap()
        .unwrap();
    assert!(short.len() < 6000, "{}", short.len());
    assert!(short.contains("image/png") && short.contains(r#""isError":true"#));
    assert!(!short.contains("structuredContent") && !short.contains("mmmm"));
    let beginning = text(&short);
    assert!(
        beginning.contains("begin xxx") && beginning.contains("[truncated"),
        "{beginning}"
    );
    let handle = handle(&beginning);
    let found = ask(&kept, "", &handle, r#","search":"be.in","regex":true"#).to_json();
    assert!(found.contains("1, byte 0: …begin xxx"), "{found}");
    let end = ask(&kept, "", &handle, r#","from_byte":300002"#).to_json();
    assert!(end.contains("xx end"), "{end}");
    let structured = ask(&kept, "", &handle, r#","search":"{\"a\":1}""#).to_json();
    assert!(structured.contains("found 1"), "{structured}");
}

#[test]
fn a_short_result_stays_as_it_is() {
    let kept = KeptResults::new(KeptOptions::default());
    let result = format!(
        r#"{{"content":[{{"type":"text","text":{}}}]}}"#,
        string(&"x".repeat(30_000))
    );
    assert!(!kept.concerns(&result));
    assert_eq!(
        kept.shorten("", None, "log", &parsed(&result)).unwrap(),
        None
    );
    // What is no text for the model does not count.
    let picture = format!(
        r#"{{"content":[{{"type":"image","data":"{}","mimeType":"image/png"}}]}}"#,
        "aGk=".repeat(20_000)
    );
    assert!(kept.concerns(&picture));
    assert_eq!(
        kept.shorten("", None, "log", &parsed(&picture)).unwrap(),
        None
    );
}

#[test]
fn structured_content_alone_is_kept_too() {
    let kept = KeptResults::new(KeptOptions::default());
    let result = format!(
        r#"{{"content":[],"structuredContent":[{}"x"]}}"#,
        r#""ü","#.repeat(20_000)
    );
    let short = kept
        .shorten("", None, "log", &parsed(&result))
        .unwrap()
        .unwrap();
    assert!(
        short.len() < 20_000 && text(&short).contains(r#"["ü","ü""#),
        "{short}"
    );
}

#[test]
fn a_handle_of_another_principal_does_not_exist() {
    let kept = KeptResults::new(KeptOptions::default());
    let long = parsed(&"x\n".repeat(50_000));
    let handle = handle(&kept.shorten("ada", None, "log", &long).unwrap().unwrap());
    assert_eq!(ask(&kept, "ada", &handle, "").is_error, None);
    let of_other = ask(&kept, "bob", &handle, "").to_json();
    let of_nobody = ask(&kept, "ada", "0123", "").to_json();
    assert!(
        of_other.contains("nothing is kept under this handle"),
        "{of_other}"
    );
    assert_eq!(of_other, of_nobody);
    let mistaken = ask(&kept, "ada", &handle, r#","lines":0"#).to_json();
    assert!(mistaken.contains("/lines"), "{mistaken}");
}

#[test]
fn the_same_resource_is_given_once_in_a_session() {
    let (kept, sent) = (KeptResults::new(KeptOptions::default()), Sent::default());
    let result = |text: &str| {
        let text = string(&text.repeat(1000));
        parsed(&format!(
            r#"{{"content":[{{"type":"text","text":"see"}},{{"type":"resource","resource":{{"uri":"file:///a.rs","text":{text}}}}}]}}"#
        ))
    };
    let give =
        |sent: &Sent, text: &str| kept.shorten("", Some(sent), "cat", &result(text)).unwrap();
    assert_eq!(give(&sent, "one\n"), None);
    let again = give(&sent, "one\n").unwrap();
    assert!(
        again.len() < 600 && again.contains("call 1 of this session, of `cat`"),
        "{again}"
    );
    assert!(again.contains(r#""text":"see""#));
    let whole = ask(&kept, "", &handle(&again), "").to_json();
    assert!(whole.contains(r"one\none\n"), "{whole}");
    assert_eq!(give(&sent, "two\n"), None, "it has changed");
    assert!(give(&sent, "two\n").unwrap().contains("call 3"));
    assert_eq!(give(&Sent::default(), "two\n"), None, "another session");
}

#[test]
fn the_tool_can_be_described() {
    let tool = KeptResults::tool();
    assert!(tool.input_schema.at("/properties/from_byte").is_some());
    assert_eq!(ToolDescription::from_json(&tool.to_json()).unwrap(), tool);
}
