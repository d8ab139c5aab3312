//! Whatever a program writes, its screen is text without escapes, and nothing panics.

use std::fs;

use crate::common::{End, pty};
use toolwire_host::ScreenView;

/// Numbers that are the same in each run.
struct Random(u64);

impl Random {
    fn next(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % below as u64).expect("a small number")
    }
}

const PIECES: [&str; 38] = [
    "\x1b[",
    "\x1b]",
    "\x1bP",
    "\x1b_",
    "\x1b^",
    "\x1bX",
    "\x1bc",
    "\x1b\\",
    "\x07",
    "\x18",
    "65535",
    "\x1b[?",
    "\x1b[>",
    "1049h",
    "1049l",
    "2004h",
    "6n",
    "c",
    ";",
    "999",
    "0",
    "r",
    "S",
    "T",
    "L",
    "M",
    "@",
    "b",
    "H",
    "J",
    "\r\n",
    "\u{9b}31m",
    "\u{202e}",
    "日本",
    "👩\u{200d}💻",
    "e\u{301}\u{fe0f}",
    "\x1b]52;c;aGk=\x07",
    "text ",
];

fn noise(random: &mut Random, bytes: usize) -> Vec<u8> {
    let mut all = Vec::new();
    while all.len() < bytes {
        match random.next(4) {
            0 => all.push(u8::try_from(random.next(256)).expect("a byte")),
            _ => all.extend_from_slice(PIECES[random.next(PIECES.len())].as_bytes()),
        }
    }
    all
}

fn is_plain(text: &str) -> bool {
    text.chars()
        .all(|c| c == '\n' || !(c.is_control() || ('\u{202a}'..='\u{202e}').contains(&c)))
}

#[tokio::test]
async fn no_bytes_break_a_screen() {
    let folder = tempfile::tempdir().unwrap();
    let mut random = Random(0x5eed);
    for round in 0..12_u16 {
        let path = folder.path().join("noise");
        fs::write(&path, noise(&mut random, 20_000)).unwrap();
        let mut session = pty(
            folder.path(),
            "sh",
            &["-c", "stty -opost -echo -icanon; cat noise"],
        );
        session.input(&format!(
            r#"{{"size":[{},{}]}}"#,
            2 + round * 13,
            2 + round * 5
        ));
        for _ in 0..20 {
            session.soon(|session| session.end.is_some()).await;
            for text in [session.text(), session.show(ScreenView::Changes)] {
                assert!(is_plain(&text), "{text:?}");
            }
            if session.end.is_some() {
                break;
            }
        }
        assert_eq!(*session.ended().await, End::Exit(0));
        assert!(is_plain(&session.text()));
        assert!(is_plain(&session.printed), "{:?}", session.printed);
    }
}
