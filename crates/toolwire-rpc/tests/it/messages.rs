//! What is a message, and what was meant to be one.

use toolwire_rpc::{Came, Connection, Kind, Message, Source, lines};

fn read(text: &str) -> Message {
    Message::read(text.as_bytes().to_vec()).unwrap_or_else(|damage| panic!("{text}: {damage}"))
}

#[test]
fn members_are_verbatim() {
    let digits = "123456789012345678901234567890.10";
    let text = format!(
        r#" {{"jsonrpc":"2.0","id":7,"method":"a\/b","params":{{"n": {digits},"_meta":{{"x\/y":[1.0 ]}}}}}} "#
    );
    let message = read(&text);
    assert_eq!(message.kind(), Kind::Request);
    assert_eq!(message.id().unwrap().as_json(), "7");
    assert_eq!(message.method(), "a/b");
    assert_eq!(message.member("n"), Some(digits));
    assert_eq!(message.member("_meta"), Some(r#"{"x\/y":[1.0 ]}"#));
    assert_eq!(message.member("x/y"), None);
    assert!(message.body().unwrap().ends_with("[1.0 ]}}"));
}

#[test]
fn a_message_is_what_its_members_say() {
    for (text, kind) in [
        (r#"{"method":"m"}"#, Kind::Notification),
        (r#"{"id":"x","method":"m"}"#, Kind::Request),
        (r#"{"id":1,"result":null}"#, Kind::Result),
        (r#"{"id":1,"error":{},"result":{}}"#, Kind::Error),
        (r#"{"id":null,"error":{}}"#, Kind::Error),
        ("\u{feff}{\"id\":1,\"result\":[\"\\ud800\"]}", Kind::Result),
        (r#"{"id":1,"result":{"a":1,"a":-1.5e+3}}"#, Kind::Result),
        (r#"{"id":1,"result":1e999}"#, Kind::Result),
    ] {
        assert_eq!(read(text).kind(), kind, "{text}");
    }
    let deep = format!(
        r#"{{"id":1,"result":{}{}}}"#,
        "[".repeat(9000),
        "]".repeat(9000)
    );
    assert_eq!(read(&deep).kind(), Kind::Result);
}

#[test]
fn numbers_as_they_come_back_are_the_same_id() {
    for (id, own) in [
        ("3", Some(3)),
        (r#""3""#, Some(3)),
        ("3.0", Some(3)),
        (r#""x""#, None),
        ("-3", None),
    ] {
        let message = read(&format!(r#"{{"id":{id},"result":0}}"#));
        assert_eq!(message.id().unwrap().own(), own, "{id}");
    }
}

#[test]
fn what_can_t_be_read_says_what_it_was() {
    for (text, why, id, answers) in [
        (r#"{"id":3,"result":{"mean":NaN}}"#, "NaN", Some("3"), true),
        (r#"{"id":3,"result":-Infinity}"#, "NaN", Some("3"), true),
        (
            r#"{"result":{"id":9,"x":nan},"id":"3"}"#,
            "is not JSON",
            Some(r#""3""#),
            true,
        ),
        (
            r#"{"jsonrpc":"2.0","id":3,"resu"#,
            "is cut off",
            Some("3"),
            false,
        ),
        ("{\"result\":{\"a\":\"b\r\n", "is cut off", None, true),
        (
            r#"{"id":3,"method":"m","params":{"#,
            "is cut off",
            None,
            false,
        ),
        (r#"{"id":3,"result":1}x"#, "is not JSON", Some("3"), true),
        (
            r#"{"id":3,"result":1,"result":2}"#,
            "twice",
            Some("3"),
            true,
        ),
        (r#"{"id":3}"#, "neither", Some("3"), true),
        (
            r#"{"id":3,"result":{"a":01}}"#,
            "is not JSON",
            Some("3"),
            true,
        ),
        (r#"[{"id":3,"result":1}]"#, "batch", None, true),
        (r#"[{"method":"m"}]"#, "batch", None, false),
        (r#"{"id":null,"result":1}"#, "no message", None, false),
        (r#"{"id":null,"method":"m"}"#, "id", None, false),
        (r#"{"id":}"#, "is not JSON", None, false),
        (
            r#"{"id":3,"method":"m","result":{"#,
            "is cut off",
            None,
            false,
        ),
        ("Loading", "no message", None, false),
        ("[1]", "no message", None, false),
        ("{", "is cut off", None, false),
        ("{}", "no message", None, false),
    ] {
        let damage = Message::read(text.as_bytes().to_vec()).expect_err(text);
        assert!(damage.why.contains(why), "{text}: {damage}");
        assert_eq!(damage.id.as_ref().map(|id| id.as_json()), id, "{text}");
        assert_eq!(damage.answers, answers, "{text}");
    }
}

#[test]
fn the_quote_is_where_the_fault_is() {
    let padding = "é".repeat(5000);
    let text = format!(r#"{{"id":3,"result":["{padding}",NaN,"{padding}"]}}"#);
    let damage = Message::read(text.into_bytes()).unwrap_err();
    let said = damage.to_string();
    assert!(
        said.matches("NaN").count() == 2 && said.chars().count() < 300,
        "{said}"
    );
}

async fn all(text: &'static [u8], limit: usize) -> Vec<String> {
    let (mut source, _) = lines(text, tokio::io::sink(), limit).split();
    let mut all = Vec::new();
    loop {
        all.push(match source.next().await {
            Came::Message(message, None) => message.body().unwrap().to_string(),
            Came::Damage(damage, None) => format!("damage {}", damage.quote),
            Came::Closed(why) => {
                all.push(why.to_string());
                return all;
            }
            other => panic!("{other:?}"),
        });
    }
}

#[tokio::test]
async fn noise_before_a_message_does_not_hide_it() {
    let text = b"starting\n\n\r\nLoading... {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":1}\n[INFO] {\"id\":2,\"result\":2}\nxyz";
    let expected = [
        "damage starting",
        "damage Loading...",
        "1",
        "damage [INFO]",
        "2",
        "damage xyz",
        "it ended",
    ];
    assert_eq!(all(text, 1000).await, expected);
    let cut = b"Loading {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":NaN}\n";
    assert!(all(cut, 1000).await[1].contains("NaN"));
}

#[tokio::test]
async fn a_message_may_be_as_long_as_the_limit_and_no_longer() {
    let line = b"{\"id\":1,\"result\":1}\n";
    assert_eq!(all(line, line.len()).await, ["1", "it ended"]);
    let over = all(line, line.len() - 1).await;
    assert_eq!(
        over,
        [format!(
            "it sent a message of more than {} bytes",
            line.len() - 1
        )]
    );
}
