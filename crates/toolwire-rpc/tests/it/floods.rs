//! Each kind of message without end: what is kept is bounded, and nobody waits for ever.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncWriteExt as _, DuplexStream, WriteHalf};
use tokio::time::timeout;
use toolwire_rpc::{
    Arrived, Ask, Bound, Closed, Event, Incoming, Options, Peer, Pending, Places, lines, peer,
};

const SOON: Duration = Duration::from_secs(60);

/// A peer whose other side only writes.
async fn flooded(
    pipe: usize,
    arrived: impl Fn(&Peer, Arrived) + Send + Sync + 'static,
) -> (Pending, WriteHalf<DuplexStream>) {
    let (here, there) = tokio::io::duplex(pipe);
    let (read, write) = tokio::io::split(here);
    let mut options = Options::new(move |peer, came, _| arrived(peer, came));
    options.stall = Duration::from_millis(200);
    options.places = Places::new(Bound {
        count: 20,
        bytes: 1000,
    });
    options.events = Bound {
        count: 20,
        bytes: 1000,
    };
    let (peer, driver) = peer(lines(read, write, 4096), options);
    tokio::spawn(driver);
    let ask = Ask {
        method: "m",
        hears: true,
        ..Ask::default()
    };
    let pending = peer.request(ask, |_| "{}".to_owned()).await.unwrap();
    // What is read of it is never more than the pipe holds.
    let (read, write) = tokio::io::split(there);
    std::mem::forget(read);
    (pending, write)
}

/// Writes a line again and again, until nobody reads any more.
async fn flood(write: &mut WriteHalf<DuplexStream>, line: impl Fn(usize) -> String) {
    for n in 0..20_000 {
        let line = line(n) + "\n";
        let writing = write.write_all(line.as_bytes());
        match timeout(Duration::from_millis(500), writing).await {
            Ok(Ok(())) => {}
            _ => return,
        }
    }
}

#[tokio::test]
async fn requests_whose_answers_nobody_reads_end_the_connection() {
    for pipe in [1, 64 * 1024] {
        let respond = |_: &Peer, arrived| match arrived {
            Arrived::Request(incoming) => Incoming::respond(incoming, Ok("{}".to_owned())),
            other => panic!("{other:?}"),
        };
        let (mut pending, mut write) = flooded(pipe, respond).await;
        flood(&mut write, |n| format!(r#"{{"id":{n},"method":"ping"}}"#)).await;
        let failure = timeout(SOON, pending.answer()).await.unwrap().unwrap_err();
        assert!(
            matches!(failure, toolwire_rpc::Failure::Closed(Closed::Stalled)),
            "{failure:?}"
        );
    }
}

#[tokio::test]
async fn requests_that_nobody_answers_are_bounded_in_number_and_bytes() {
    for (size, places) in [(10, 20), (100, 9), (2000, 1)] {
        let open = Arc::<Mutex<Vec<Arrived>>>::default();
        let kept = Arc::clone(&open);
        let (_pending, mut write) = flooded(1024 * 1024, move |_, arrived| {
            kept.lock().unwrap().push(arrived)
        })
        .await;
        let filler = "x".repeat(size);
        for n in 0..100 {
            let line = format!("{{\"id\":{n},\"method\":\"{filler}\"}}\n");
            write.write_all(line.as_bytes()).await.unwrap();
        }
        let mut before = 0;
        while before == 0 || before != open.lock().unwrap().len() {
            before = open.lock().unwrap().len();
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
        assert!(before <= places && before >= 1, "{size}: {before}");
    }
}

#[tokio::test]
async fn a_question_that_is_cancelled_keeps_its_place_as_long_as_it_is_held() {
    let (pending, mut write) = flooded(1024 * 1024, |peer, arrived| {
        if matches!(arrived, Arrived::Request(_)) {
            peer.pass(1, arrived);
        }
    })
    .await;
    flood(&mut write, |_| {
        let cancel = r#"{"method":"notifications/cancelled","params":{"requestId":"q"}}"#;
        format!("{{\"id\":\"q\",\"method\":\"ask\"}}\n{cancel}")
    })
    .await;
    let mut pending = pending;
    let mut asked = 0;
    while let Ok(Event::Arrived(Arrived::Request(_))) =
        timeout(Duration::from_millis(300), pending.next()).await
    {
        asked += 1;
        // Those that were given back make room for none: the other side is silent by now.
    }
    assert!((1..=20).contains(&asked), "{asked}");
}

#[tokio::test]
async fn notifications_never_keep_a_request_from_its_answer() {
    for size in [1, 900, 3000] {
        let (mut pending, mut write) =
            flooded(64 * 1024, |peer, arrived| peer.pass(1, arrived)).await;
        let filler = "x".repeat(size);
        flood(&mut write, |_| format!(r#"{{"method":"{filler}"}}"#)).await;
        write
            .write_all(b"noise\n{\"id\":1,\"result\":1}\n")
            .await
            .unwrap();
        // Until all of it has been read.
        tokio::time::sleep(Duration::from_millis(500)).await;
        let mut kept = 0;
        loop {
            match timeout(SOON, pending.next()).await.unwrap() {
                Event::Arrived(_) => kept += 1,
                Event::Answer(answer) => break assert_eq!(&*answer.unwrap(), "1"),
            }
        }
        assert!((1..=20).contains(&kept), "{size}: {kept}");
    }
}

#[tokio::test]
async fn two_sides_that_flood_each_other_come_to_an_end() {
    let (here, there) = tokio::io::duplex(16);
    let mut pairs = Vec::new();
    for side in [here, there] {
        let (read, write) = tokio::io::split(side);
        let options = Options::new(|_, arrived, _| {
            if let Arrived::Request(incoming) = arrived {
                incoming.respond(Ok("{}".to_owned()));
            }
        });
        let (peer, driver) = peer(lines(read, write, 4096), options);
        tokio::spawn(driver);
        pairs.push(peer);
    }
    let asking = pairs.into_iter().map(|peer| {
        tokio::spawn(async move {
            let mut all = Vec::new();
            for _ in 0..500 {
                let ask = Ask {
                    method: "ping",
                    ..Ask::default()
                };
                all.push(peer.request(ask, |_| "{}".to_owned()).await.unwrap());
            }
            for pending in &mut all {
                pending.answer().await.unwrap();
            }
            peer
        })
    });
    let asking: Vec<_> = asking.collect();
    for asked in asking {
        timeout(SOON, asked).await.unwrap().unwrap();
    }
}
