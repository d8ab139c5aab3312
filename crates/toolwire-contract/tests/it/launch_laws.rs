//! Laws of launch URIs, on generated values (LAUNCH-51, LAUNCH-61).

use toolwire::Code;

use toolwire_contract::launch::*;

/// SplitMix64: a sequence that is the same on every machine.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    fn one<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())].clone()
    }

    fn some<T>(&mut self, make: fn(&mut Dice) -> T) -> Option<T> {
        (self.below(2) == 0).then(|| make(self))
    }

    fn many<T>(&mut self, make: fn(&mut Dice) -> T) -> Vec<T> {
        let count = self.below(4);
        (0..count).map(|_| make(self)).collect()
    }

    /// A text of some of these characters.
    fn text(&mut self, of: &str, least: usize) -> String {
        let of: Vec<char> = of.chars().collect();
        let length = least + self.below(6);
        (0..length).map(|_| self.one(&of)).collect()
    }
}

const LETTERS: &str = "abzAZ09";
/// What needs care somewhere: delimiters, quotes, blanks, what looks like an encoding, other scripts.
const ANYTHING: &str = "aZ0 -._~!$&'()*+,;=:@/?#[]%\"<>\\^`{|}äß漢😀";

fn word(dice: &mut Dice) -> String {
    dice.text(ANYTHING, 0)
}

fn name(dice: &mut Dice) -> String {
    let inner = dice.text("abzAZ09-_.", 0);
    format!("{}{inner}{}", dice.text(LETTERS, 1), dice.text(LETTERS, 1))
}

fn python(dice: &mut Dice) -> String {
    let extras = match dice.below(2) {
        0 => String::new(),
        _ => format!("[{},{}]", name(dice), name(dice)),
    };
    let number = format!("{}.{}", dice.below(20), dice.text("012ab.+!_-", 0));
    let version = match dice.below(5) {
        0 => String::new(),
        1 => format!("@{number}"),
        2 => "@latest".to_owned(),
        3 => format!(">={number},!={number}"),
        _ => format!("==1{number}.*"),
    };
    format!("{}{extras}{version}", name(dice))
}

fn npm(dice: &mut Dice) -> String {
    let scope = dice
        .some(|dice| format!("@{}/", name(dice)))
        .unwrap_or_default();
    let version = dice.some(|dice| {
        let before = dice.one(&["@", "@^", "@~"]);
        let rest = dice.text("019x.+_-*", 0);
        format!("{before}{}{rest}", dice.text(LETTERS, 1))
    });
    format!("{scope}{}{}", name(dice), version.unwrap_or_default())
}

fn path(dice: &mut Dice) -> String {
    let root = dice.one(&["./", "../", "/r/", "C:/", "z:/", "//server/share/", "./../"]);
    let folders: String = dice
        .many(word_of_path)
        .into_iter()
        .map(|one| one + "/")
        .collect();
    // A folder of no name would make a path of one slash that of a share.
    let folders = folders.trim_start_matches('/');
    format!("{root}{folders}{}x", word_of_path(dice))
}

fn word_of_path(dice: &mut Dice) -> String {
    word(dice).replace(['/', '\\'], "")
}

fn image(dice: &mut Dice) -> String {
    let name = dice.one(&[
        "a",
        "mcp/fetch",
        "ghcr.io/a/b__c",
        "localhost:5000/a-b.c",
        "[::1]:80/x",
        "Reg/x9",
    ]);
    let tag =
        dice.some(|dice| format!(":{}{}", dice.one(&["v", "_", "1"]), dice.text("aZ0_.-", 0)));
    let digest = dice.some(|dice| format!("@sha256:{}", dice.one(&["0", "a", "c"]).repeat(64)));
    format!(
        "{name}{}{}",
        tag.unwrap_or_default(),
        digest.unwrap_or_default()
    )
}

fn program(dice: &mut Dice) -> Launch {
    let mut launch = match dice.below(6) {
        0 => Launch {
            command: dice.some(name),
            with: dice.many(python),
            ..Launch::new(Launcher::Uvx, python(dice))
        },
        1 => {
            let mut launch = Launch::new(Launcher::Npx, npm(dice));
            launch.command = dice.some(name);
            if launch.command.is_some() {
                launch.with = dice.many(npm);
            }
            launch
        }
        2 => Launch::new(Launcher::Python, path(dice)),
        3 => Launch::new(Launcher::Node, path(dice)),
        4 => Launch::new(Launcher::Docker, image(dice)),
        _ => {
            let bare = format!("x{}", word_of_path(dice).replace(':', ""));
            let program = if dice.below(2) == 0 { bare } else { path(dice) };
            Launch::new(Launcher::Exec, program)
        }
    };
    if launch.launcher != Launcher::Docker {
        launch.cwd = dice.some(path);
    }
    launch.env = dice.many(|dice| {
        dice.one(&["A", "B_1", "ProgramFiles(x86)", "_c"])
            .to_owned()
    });
    launch.env.sort();
    launch.env.dedup();
    launch.words = dice.many(word);
    launch
}

fn remote(dice: &mut Dice) -> Launch {
    let host = dice.one(&["example.org", "EXAMPLE.org:8443", "[::1]:80", "127.0.0.1"]);
    let scheme = dice.one(&["http", "https"]);
    let path = dice.one(&["", "/", "/mcp", "/a/../b;x=1/@c/%2e%C3%A9"]);
    let query = dice.one(&["", "?", "?a=b&c=%20d", "?tool=x&?=/+&"]);
    let mut headers = dice.many(|dice| dice.one(&["Authorization", "X-Key", "x&y'z"]).to_owned());
    headers.sort();
    headers.dedup();
    Launch {
        headers,
        ..Launch::new(Launcher::Http, format!("{scheme}://{host}{path}{query}"))
    }
}

fn argument(dice: &mut Dice) -> Argument {
    let hidden = dice.one(&[
        "tool", "command", "env", "arg.tool", "arg.", "launcher", "list", "a.b",
    ]);
    let name = match dice.below(2) {
        0 => hidden.to_owned(),
        _ => format!("n{}", word(dice).replace('=', "")),
    };
    let text = word(dice) + dice.one(&["", "\n", "\u{200d}", "\t\u{1b}"]);
    Argument { name, text }
}

fn request(dice: &mut Dice) -> Option<Request> {
    match dice.below(4) {
        0 => None,
        1 => Some(Request::List {
            list: dice.one(Listing::ALL),
        }),
        2 => Some(Request::Resource {
            uri: format!("x:{}", word(dice)),
        }),
        _ => Some(Request::Tool {
            name: format!("t{}", word(dice)),
            arguments: dice.many(argument),
        }),
    }
}

fn launch(dice: &mut Dice) -> Launch {
    let server = if dice.below(5) == 0 {
        remote(dice)
    } else {
        program(dice)
    };
    Launch {
        request: request(dice),
        ..server
    }
}

const ROUNDS: u64 = 1_500;

#[test]
fn what_is_written_is_read_again() {
    for seed in 0..ROUNDS {
        let launch = launch(&mut Dice(seed));
        let uri = format_launch_uri(&launch)
            .unwrap_or_else(|error| panic!("{seed}: {launch:?}: {error}"));
        let read = parse_launch_uri(&uri).unwrap_or_else(|error| panic!("{seed}: {uri}: {error}"));
        assert_eq!(read, launch, "{seed}: {uri}");
        assert!(
            uri.is_ascii() && !uri.contains(['\'', ' ', '#', '"', '\\']),
            "{uri}"
        );
    }
}

#[test]
fn the_json_form_is_read_again() {
    for seed in 0..ROUNDS {
        let mut dice = Dice(seed);
        let launch = launch(&mut dice);
        let json = launch.to_json();
        assert_eq!(
            Launch::from_json(&json).as_ref(),
            Ok(&launch),
            "{}",
            json.as_str()
        );
        let word = ProfileWord {
            profile: name(&mut dice),
            request: request(&mut dice),
        };
        let json = word.to_json();
        assert_eq!(
            ProfileWord::from_json(&json).as_ref(),
            Ok(&word),
            "{}",
            json.as_str()
        );
    }
}

#[test]
fn a_profile_word_is_read_again() {
    for seed in 0..ROUNDS {
        let mut dice = Dice(seed);
        let word = ProfileWord {
            profile: name(&mut dice),
            request: request(&mut dice),
        };
        let text =
            format_profile_word(&word).unwrap_or_else(|error| panic!("{seed}: {word:?}: {error}"));
        assert_eq!(parse_profile_word(&text).as_ref(), Ok(&word), "{text}");
    }
}

#[test]
fn the_command_of_a_launch_leads_to_that_command() {
    for seed in 0..ROUNDS {
        let Some(command) = launch(&mut Dice(seed)).command() else {
            continue;
        };
        let again = Launch::from_command(&command).expect("words");
        assert_eq!(again.command(), Some(command), "{seed}");
        // What a launcher has a scheme for is not taken for any program.
        let facts = again.facts();
        assert!(
            facts.launcher.as_deref() != Some("exec")
                || !matches!(facts.program.as_deref(), Some("uvx" | "npx" | "docker")),
            "{facts:?}"
        );
    }
}

/// Whatever a text is, reading it gives an error at a byte of it, or a launch that has a canonical form.
#[test]
fn a_broken_uri_is_refused_or_has_a_meaning() {
    let (mut good, mut bad) = (0, 0);
    for seed in 0..ROUNDS {
        let mut dice = Dice(seed);
        let uri = format_launch_uri(&launch(&mut dice)).expect("a generated launch");
        for _ in 0..8 {
            let mut bytes = uri.clone().into_bytes();
            for _ in 0..=dice.below(2) {
                let at = dice.below(bytes.len());
                let other = dice.one(b"%/?&=#:@+-.~ \\0aZ[]\x7f");
                match dice.below(3) {
                    0 => bytes[at] = other,
                    1 => bytes.insert(at, other),
                    _ => drop(bytes.remove(at)),
                }
            }
            let text = String::from_utf8(bytes).expect("ASCII");
            match parse_launch_uri(&text) {
                Ok(launch) => {
                    good += 1;
                    let canonical = format_launch_uri(&launch)
                        .unwrap_or_else(|error| panic!("{text}: {error}"));
                    assert_eq!(parse_launch_uri(&canonical).as_ref(), Ok(&launch), "{text}");
                    assert!(
                        !launch
                            .command()
                            .is_some_and(|words| words.concat().contains('\x7f')),
                        "{text}"
                    );
                }
                Err(error) => {
                    bad += 1;
                    assert!(matches!(
                        error.code(),
                        Code::BadLaunchUri | Code::ValueInLaunchUri
                    ));
                    assert!(
                        error.offset().is_some_and(|at| at <= text.len() as u64),
                        "{text}: {error:?}"
                    );
                }
            }
        }
    }
    // Both sides are seen often.
    assert!(good > 1_500 && bad > 1_500, "{good} {bad}");
}

/// Percent-encoding more than is needed changes nothing, except in the address of a server elsewhere.
#[test]
fn encoding_everything_changes_nothing() {
    for seed in 0..ROUNDS {
        let launch = launch(&mut Dice(seed));
        if launch.launcher == Launcher::Http {
            continue;
        }
        let uri = format_launch_uri(&launch).expect("a generated launch");
        let (scheme, rest) = uri.split_once("://").expect("a scheme");
        let (target, query) = rest.split_once('?').unwrap_or((rest, ""));
        let whole = |part: &str| -> String {
            let mut out = String::new();
            let mut bytes = part.bytes();
            while let Some(byte) = bytes.next() {
                if byte == b'%' {
                    out.push('%');
                    out.extend(
                        bytes
                            .by_ref()
                            .take(2)
                            .map(|digit| char::from(digit.to_ascii_lowercase())),
                    );
                } else {
                    out.push_str(&format!("%{byte:02x}"));
                }
            }
            out
        };
        let pairs: Vec<String> = query
            .split('&')
            .filter_map(|pair| pair.split_once('='))
            .map(|(key, value)| format!("{}={}", whole(key), whole(value)))
            .collect();
        let mark = if pairs.is_empty() { "" } else { "?" };
        let all = format!(
            "{}://{}{mark}{}",
            scheme.to_uppercase(),
            whole(target),
            pairs.join("&")
        );
        assert_eq!(parse_launch_uri(&all).as_ref(), Ok(&launch), "{all}");
    }
}
