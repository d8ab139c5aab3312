//! The way back: what was said to be kept is there again.

use std::collections::BTreeMap;

use toolwire::mcp::Fate;

use super::*;

/// Numbers that are the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % most as u64).unwrap_or_default()
    }

    fn one<'t>(&mut self, of: &[&'t str]) -> &'t str {
        of[self.below(of.len())]
    }

    fn maybe(&mut self) -> bool {
        self.below(3) == 0
    }
}

const COMMANDS: [&str; 9] = [
    "uvx",
    "npx",
    "python",
    "node",
    "docker",
    "uv",
    "./run",
    "C:\\bin\\x.exe",
    "/usr/bin/srv",
];
const WORDS: [&str; 23] = [
    "-y",
    "--from",
    "run",
    "-i",
    "--rm",
    "mcp-server-git",
    "@a/b@1.0.0",
    "biomcp",
    "--with",
    "x==1",
    "./server.py",
    "C:/x/server.js",
    "",
    "a b",
    "é",
    "&=?#%",
    "--opt=1",
    "${X}",
    "$HOME",
    "${env:Y}",
    "\"",
    "img:1",
    "line\nfeed",
];
const NAMES: [&str; 5] = ["API_KEY", "TOKEN", "A", "LOG_LEVEL", "X_1"];

fn text(dice: &mut Dice, words: &[&str]) -> Text {
    let word = dice.one(words);
    let ways = [
        Variables::None,
        Variables::Default,
        Variables::Editor,
        Variables::Shell,
    ];
    Text::parse(word, ways[dice.below(ways.len())])
}

fn entry(dice: &mut Dice) -> Entry {
    let server = match dice.below(4) {
        0 => Server::Url {
            url: text(
                dice,
                &[
                    "https://example.org/mcp",
                    "http://127.0.0.1:8080/a%20b?v=1&tool=2",
                    "https://example.org/?header=x",
                    "https://${HOST}/",
                ],
            ),
            headers: (0..dice.below(3))
                .map(|_| {
                    let header = Header {
                        before: dice.one(&["", "Bearer ", "Basic "]).to_owned(),
                        variable: dice.one(&NAMES).to_owned(),
                    };
                    (
                        dice.one(&["Authorization", "X-Key", "Accept"]).to_owned(),
                        header,
                    )
                })
                .collect(),
            sse: dice.maybe(),
        },
        _ => {
            let mut env = BTreeMap::new();
            for _ in 0..dice.below(3) {
                let name = dice.one(&NAMES);
                let variable = if dice.maybe() { dice.one(&NAMES) } else { name };
                env.insert(name.to_owned(), variable.to_owned());
            }
            Server::Program {
                command: text(dice, &COMMANDS),
                args: (0..dice.below(6)).map(|_| text(dice, &WORDS)).collect(),
                env,
                cwd: dice
                    .maybe()
                    .then(|| text(dice, &["/srv", "C:/srv", "./sub", "${X}/a"])),
            }
        }
    };
    Entry {
        name: Some("one".to_owned()),
        server,
    }
}

#[test]
fn what_is_kept_comes_back() {
    let mut dice = Dice(0x5eed);
    let mut kept = BTreeMap::new();
    for _ in 0..1_000 {
        let entry = entry(&mut dice);
        for form in Form::all() {
            let Ok(written) = write_server(&entry, form) else {
                continue;
            };
            let report = &written.report.entries;
            if report
                .iter()
                .any(|one| one.fate != Fate::Kept && one.pointer != "/name")
            {
                continue;
            }
            *kept.entry(form.as_str()).or_insert(0) += 1;
            let input = match form {
                Form::LaunchUri => &written.text,
                _ => written.members.as_str(),
            };
            let options = ConvertOptions {
                name: entry.name.clone(),
                folder: None,
            };
            let (back, _) = read_server(input, form, &options).unwrap();
            assert_eq!(back, entry, "{form}: {input}");
        }
    }
    // Each form was put to the test.
    for form in Form::all() {
        let count = kept.get(form.as_str()).copied().unwrap_or(0);
        assert!(count > 30, "{form}: {count}");
    }
}
