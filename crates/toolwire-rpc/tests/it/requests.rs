//! What becomes of requests, between a peer and what a test writes.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use tokio::io::{
    AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream, Lines as TextLines,
    ReadHalf, WriteHalf,
};
use tokio::time::timeout;
use toolwire_rpc::{
    Arrived, Ask, Closed, Event, Failure, Incoming, LineSink, LineSource, Options, Peer, Pending,
    lines, peer, strict_lines,
};

const SOON: Duration = Duration::from_secs(20);

type Read = ReadHalf<DuplexStream>;
type Write = WriteHalf<DuplexStream>;
type Ways = (LineSource<Read>, LineSink<Write>);

/// A peer, and the other side of its connection.
struct Pair {
    peer: Peer,
    lines: TextLines<BufReader<ReadHalf<DuplexStream>>>,
    write: WriteHalf<DuplexStream>,
    arrived: Arc<Mutex<Vec<Arrived>>>,
}

impl Pair {
    fn new() -> Pair {
        Pair::of(lines)
    }

    /// One whose other side is a client.
    fn serving() -> Pair {
        Pair::of(strict_lines)
    }

    fn of(lines: fn(Read, Write, usize) -> Ways) -> Pair {
        let (here, there) = tokio::io::duplex(1024 * 1024);
        let (read, write) = tokio::io::split(here);
        let arrived = Arc::<Mutex<Vec<Arrived>>>::default();
        let all = Arc::clone(&arrived);
        let mut options = Options::new(move |_, arrived, _| all.lock().unwrap().push(arrived));
        options.drain = SOON;
        let (peer, driver) = peer(lines(read, write, 1024 * 1024), options);
        tokio::spawn(driver);
        let (read, write) = tokio::io::split(there);
        let lines = BufReader::new(read).lines();
        Pair {
            peer,
            lines,
            write,
            arrived,
        }
    }

    async fn ask(&mut self) -> Pending {
        let ask = Ask {
            method: "m",
            hears: true,
            ..Ask::default()
        };
        let pending = self
            .peer
            .request(ask, |id| format!("[{id}]"))
            .await
            .unwrap();
        let id = pending.id();
        assert_eq!(
            self.read().await,
            format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"m","params":[{id}]}}"#)
        );
        pending
    }

    async fn read(&mut self) -> String {
        let line = timeout(SOON, self.lines.next_line()).await;
        line.expect("a line").unwrap().unwrap_or_default()
    }

    async fn say(&mut self, text: &str) {
        self.write
            .write_all(format!("{text}\n").as_bytes())
            .await
            .unwrap();
    }

    async fn incoming(&self) -> Incoming {
        let start = Instant::now();
        while start.elapsed() < SOON {
            if let Some(Arrived::Request(incoming)) = self.arrived.lock().unwrap().pop() {
                return incoming;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        panic!("no request has come");
    }
}

async fn answer(pending: &mut Pending) -> Result<String, Failure> {
    let answer = timeout(SOON, pending.answer()).await.expect("an answer");
    answer.map(|part| part.to_string())
}

#[tokio::test]
async fn an_answer_finds_its_request() {
    let mut pair = Pair::new();
    let (mut a, mut b, mut c) = (pair.ask().await, pair.ask().await, pair.ask().await);
    pair.say(r#"{"id":9,"result":"nobody's"}"#).await;
    pair.say(r#"{"id":2,"error":{"code":1}}"#).await;
    pair.say(r#"{"id":"1","result":[1.10 ]}"#).await;
    pair.say(r#"{"id":1,"result":"again"}"#).await;
    pair.say(r#"{"id":3,"result":{"n":NaN}}"#).await;
    assert_eq!(answer(&mut a).await.unwrap(), "[1.10 ]");
    assert!(
        matches!(answer(&mut b).await, Err(Failure::Refused(error)) if &*error == r#"{"code":1}"#)
    );
    assert!(
        matches!(answer(&mut c).await, Err(Failure::Unusable(damage)) if damage.quote.contains("NaN"))
    );
}

#[tokio::test]
async fn what_names_no_request_is_for_the_only_one() {
    let mut pair = Pair::new();
    for text in [
        r#"{"id":null,"error":{"code":1}}"#,
        r#"{"error":{}}"#,
        r#"{"result":{"a":"b"#,
    ] {
        let mut only = pair.ask().await;
        pair.say(text).await;
        assert!(answer(&mut only).await.is_err());
    }
    // Of two, it is neither's; a batch may be both's.
    let (mut a, mut b) = (pair.ask().await, pair.ask().await);
    pair.say(r#"{"id":null,"error":{"code":1}}"#).await;
    pair.say(r#"[{"id":4,"result":1}]"#).await;
    for pending in [&mut a, &mut b] {
        let failure = answer(pending).await.unwrap_err();
        assert!(matches!(failure, Failure::Unusable(damage) if damage.is_batch));
    }
}

#[tokio::test]
async fn a_request_that_is_dropped_is_cancelled_unless_it_was_answered() {
    let mut pair = Pair::new();
    let (a, b, c) = (pair.ask().await, pair.ask().await, pair.ask().await);
    let mut d = pair.ask().await;
    pair.say(r#"{"id":4,"result":1}"#).await;
    answer(&mut d).await.unwrap();
    drop(d);
    c.forget();
    a.cancel("it takes too long");
    drop(b);
    for (id, reason) in [(1, "it takes too long"), (2, "the request was given up")] {
        let params = format!(r#"{{"reason":"{reason}","requestId":{id}}}"#);
        let expected =
            format!(r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{params}}}"#);
        assert_eq!(pair.read().await, expected);
    }
}

#[tokio::test]
async fn requests_of_the_other_side_are_answered_once() {
    let mut pair = Pair::new();
    pair.say(r#"{"id":"q","method":"ask"}"#).await;
    let first = pair.incoming().await;
    pair.say(r#"{"id":"q","method":"ask"}"#).await;
    assert!(
        pair.read()
            .await
            .contains(r#""id":null,"error":{"code":-32600"#)
    );
    first.respond(Ok("1.0".to_owned()));
    assert_eq!(
        pair.read().await,
        r#"{"jsonrpc":"2.0","id":"q","result":1.0}"#
    );

    // Now the id is free again.
    pair.say(r#"{"id":"q","method":"ask"}"#).await;
    drop(pair.incoming().await);
    assert!(
        pair.read()
            .await
            .contains(r#""id":"q","error":{"code":-32603"#)
    );

    pair.say(r#"{"id":"q","method":"ask"}"#).await;
    let cancelled = pair.incoming().await;
    pair.say(r#"{"method":"notifications/cancelled","params":{"requestId":"q"}}"#)
        .await;
    timeout(SOON, cancelled.caller().cancelled()).await.unwrap();
    cancelled.respond(Ok("1".to_owned()));
    pair.say(r#"{"id":7,"method":"ask"}"#).await;
    pair.incoming().await.respond(Ok("2".to_owned()));
    assert_eq!(pair.read().await, r#"{"jsonrpc":"2.0","id":7,"result":2}"#);
}

#[tokio::test]
async fn a_place_is_free_once_its_answer_is_written() {
    let mut pair = Pair::new();
    for n in 0..600 {
        pair.say(&format!(r#"{{"id":{n},"method":"ask"}}"#)).await;
        pair.incoming().await.respond(Ok("1".to_owned()));
        let answer = format!(r#"{{"jsonrpc":"2.0","id":{n},"result":1}}"#);
        assert_eq!(pair.read().await, answer);
    }
}

#[tokio::test]
async fn an_end_has_a_reason() {
    let mut pair = Pair::new();
    let mut pending = pair.ask().await;
    drop((pair.write, pair.lines));
    assert!(matches!(
        answer(&mut pending).await,
        Err(Failure::Closed(Closed::Ended))
    ));
    assert!(
        pair.peer
            .request(Ask::default(), |_| String::new())
            .await
            .is_err()
    );

    let mut pair = Pair::new();
    let mut pending = pair.ask().await;
    pair.say(&"x".repeat(2 * 1024 * 1024)).await;
    assert!(matches!(
        answer(&mut pending).await,
        Err(Failure::Closed(Closed::TooLong(_)))
    ));

    let mut pair = Pair::new();
    let mut pending = pair.ask().await;
    pair.peer.close();
    assert!(matches!(
        answer(&mut pending).await,
        Err(Failure::Closed(Closed::Local))
    ));
    assert_eq!(pair.read().await, "");
}

#[tokio::test]
async fn what_is_passed_on_comes_before_the_answer() {
    let mut pair = Pair::new();
    let mut pending = pair.ask().await;
    pair.say(r#"{"method":"progress","params":1}"#).await;
    while pair.arrived.lock().unwrap().is_empty() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let said = pair.arrived.lock().unwrap().remove(0);
    pair.peer.pass(pending.id(), said);
    pair.say(r#"{"id":1,"result":2}"#).await;
    assert!(matches!(
        pending.next().await,
        Event::Arrived(Arrived::Notification(_))
    ));
    assert!(matches!(pending.next().await, Event::Answer(Ok(_))));
}

#[tokio::test]
async fn what_belongs_to_a_request_is_written_before_its_answer() {
    let mut pair = Pair::serving();
    pair.say(r#"{"id":"q","method":"call"}"#).await;
    let request = pair.incoming().await;
    let caller = request.caller().clone();
    caller.notify("progress", "1").await.unwrap();
    let mut asked = caller.ask("ask", "2").await.unwrap();
    caller.notify("progress", "3").await.unwrap();
    for expected in ["progress", "ask", "progress"] {
        assert!(pair.read().await.contains(expected));
    }
    pair.say(r#"{"id":1,"result":"yes"}"#).await;
    assert_eq!(answer(&mut asked).await.unwrap(), r#""yes""#);
    caller.notify("progress", "4").await.unwrap();
    request.respond(Ok("5".to_owned()));
    assert!(pair.read().await.contains("progress"));
    assert!(pair.read().await.contains(r#""result":5"#));
    // Whoever has an answer can't be cancelled any more.
    pair.say(r#"{"method":"notifications/cancelled","params":{"requestId":"q"}}"#)
        .await;
    let waits = timeout(Duration::from_millis(50), caller.cancelled()).await;
    assert!(waits.is_err() && !caller.is_cancelled());
}

#[tokio::test]
async fn who_has_left_still_gets_answers_and_gives_none() {
    let mut pair = Pair::serving();
    pair.say(r#"{"id":"q","method":"call"}"#).await;
    let request = pair.incoming().await;
    let mut asked = request.caller().ask("ask", "1").await.unwrap();
    pair.read().await;
    pair.write.shutdown().await.unwrap();
    assert!(matches!(
        answer(&mut asked).await,
        Err(Failure::Closed(Closed::Ended))
    ));
    timeout(SOON, request.caller().left()).await.unwrap();
    assert!(!request.caller().is_cancelled());
    assert!(request.caller().ask("ask", "1").await.is_err());
    request.respond(Ok("2".to_owned()));
    assert!(pair.read().await.contains(r#""result":2"#));
    assert_eq!(pair.read().await, "", "then it is closed");
}

#[tokio::test]
async fn a_connection_stays_open_while_a_cancelled_request_is_worked_on() {
    let mut pair = Pair::serving();
    pair.say(r#"{"id":"q","method":"call"}"#).await;
    let request = pair.incoming().await;
    pair.say(r#"{"method":"notifications/cancelled","params":{"requestId":"q"}}"#)
        .await;
    pair.write.shutdown().await.unwrap();
    timeout(SOON, request.caller().left()).await.unwrap();
    assert!(request.caller().is_cancelled());
    let closed = timeout(Duration::from_millis(50), pair.read()).await;
    assert!(closed.is_err());
    drop(request);
    assert_eq!(pair.read().await, "");
}

#[tokio::test]
async fn a_strict_reader_skips_a_line_and_finds_nothing_behind_noise() {
    let mut pair = Pair::serving();
    pair.say(&"x".repeat(2 * 1024 * 1024)).await;
    pair.say(r#"noise {"id":1,"method":"ask"}"#).await;
    pair.say(r#"{"id":2,"method":"ask"}"#).await;
    while pair.arrived.lock().unwrap().len() < 3 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let arrived = pair.arrived.lock().unwrap();
    let [
        Arrived::Damage(long),
        Arrived::Damage(noise),
        Arrived::Request(_),
    ] = &arrived[..]
    else {
        panic!("{arrived:?}");
    };
    assert_eq!(long.to_string(), "is longer than 1048576 bytes");
    assert_eq!((long.code, noise.code), (-32600, -32700));
}
