//! Laws of normalization, on generated texts that are made of what matters in URIs and paths.

use toolwire::{Code, IdentifyOptions, Known, Limits, file_uri, identify, normalize_uri, parse};

const ROOTS: [Option<&str>; 6] = [
    None,
    Some("/"),
    Some("/project/a%b#c"),
    Some(r"c:\proj"),
    Some(r"\\Server\share\proj"),
    Some("file:///project/x/"),
];

/// Pieces that mean something to some rule, so that random texts meet in interesting ways.
const PIECES: [&str; 64] = [
    "/",
    "/",
    "/",
    "/",
    "\\",
    "\\",
    "//",
    "\\\\",
    "///",
    ":",
    "file:",
    "FILE:",
    "file://",
    "http:",
    "http://",
    "https://",
    "foo:",
    "urn:",
    "c:",
    "C|",
    "c%3a",
    "c%7C",
    ".",
    "..",
    "%2e",
    "%2E%2e",
    "./",
    "../",
    "a",
    "b",
    "B",
    "localhost",
    "LocalHost",
    "%6cocalhost",
    "server",
    "@",
    "me@",
    ":80",
    ":080",
    ":443",
    ":",
    "[::1]",
    "[",
    "]",
    "%5B",
    "?",
    "#",
    "?q",
    "#L1",
    "%",
    "%4",
    "%41",
    "%2f",
    "%5c",
    "%ff",
    "%25",
    "é",
    "🦀",
    " ",
    "|",
    "+",
    "UNC",
    "?\\",
    "~",
];

fn text(random: &mut fastrand::Rng) -> String {
    let pieces = random.usize(0..12);
    (0..pieces)
        .map(|_| PIECES[random.usize(0..PIECES.len())])
        .collect()
}

/// The seed stands in the message of a failure, so that it can be repeated.
fn for_each_text(count: u64, law: fn(&str, Option<&str>)) {
    for seed in 0..count {
        let mut random = fastrand::Rng::with_seed(seed);
        let uri = text(&mut random);
        law(&uri, ROOTS[random.usize(0..ROOTS.len())]);
    }
}

#[test]
fn normalizing_again_changes_nothing_with_any_root() {
    for_each_text(60_000, |uri, root| {
        if let Ok(once) = normalize_uri(uri, root) {
            for other in ROOTS {
                let twice = normalize_uri(&once, other);
                assert_eq!(
                    twice.as_ref(),
                    Ok(&once),
                    "from {uri:?} and {root:?}, again with {other:?}"
                );
            }
        }
    });
}

#[test]
fn a_refusal_is_bad_uri() {
    for_each_text(20_000, |uri, root| {
        if let Err(error) = normalize_uri(uri, root) {
            assert_eq!(error.code(), Code::BadUri, "{uri:?}");
            assert_eq!((error.pointer(), error.offset()), ("", None), "{uri:?}");
        }
    });
}

#[test]
fn a_result_is_ascii_that_rfc_3986_allows() {
    for_each_text(20_000, |uri, root| {
        let Ok(result) = normalize_uri(uri, root) else {
            return;
        };
        let allowed = |b: u8| b.is_ascii_alphanumeric() || b"-._~:/?#[]@!$&'()*+,;=%".contains(&b);
        assert!(result.bytes().all(allowed), "{uri:?} gave {result:?}");
        assert!(result.matches('#').count() <= 1, "{uri:?} gave {result:?}");
        let triplets = result.split('%').skip(1);
        let upper = |c: char| matches!(c, '0'..='9' | 'A'..='F');
        for triplet in triplets {
            let digits = triplet.chars().take(2).filter(|c| upper(*c)).count();
            assert_eq!(digits, 2, "{uri:?} gave {result:?}");
        }
    });
}

#[test]
fn a_file_has_one_spelling_of_its_path() {
    for_each_text(40_000, |uri, root| {
        let Ok(result) = normalize_uri(uri, root) else {
            return;
        };
        let Some(rest) = result.strip_prefix("file://") else {
            return;
        };
        let hierarchy = &rest[..rest.find(['?', '#']).unwrap_or(rest.len())];
        let (host, path) = hierarchy
            .split_once('/')
            .expect("a path begins with a slash");
        assert_ne!(host, "localhost", "{uri:?} gave {result:?}");
        let is_top =
            path.is_empty() || (host.is_empty() && path.len() == 3 && path.ends_with(":/"));
        let has_dots = path
            .split('/')
            .any(|segment| matches!(segment, "" | "." | ".."));
        assert!(is_top || !has_dots, "{uri:?} gave {result:?}");
    });
}

#[test]
fn separators_and_case_of_the_drive_do_not_matter() {
    for seed in 0..5_000 {
        let mut random = fastrand::Rng::with_seed(seed);
        let names = ["a", "B b", "..", ".", "c.txt", "x%41", "é"];
        let count = random.usize(0..6);
        let mut spellings = [
            String::from("c:"),
            String::from("file:///C|"),
            String::from("C%3A"),
        ];
        for _ in 0..count {
            let name = names[random.usize(0..names.len())];
            for spelling in &mut spellings {
                let separator = ["/", "\\", "//", "\\/", "/./"][random.usize(0..5)];
                *spelling += separator;
                *spelling += name;
            }
        }
        let canonical = normalize_uri(&spellings[0], None);
        assert!(canonical.is_ok(), "{spellings:?}");
        for spelling in &spellings {
            assert_eq!(
                normalize_uri(spelling, Some("/project")),
                canonical,
                "{spelling:?}"
            );
        }
    }
}

#[test]
fn a_path_keeps_every_character_of_its_names() {
    for seed in 0..10_000 {
        let mut random = fastrand::Rng::with_seed(seed);
        let characters = [
            'a', 'Z', '%', '?', '#', ' ', '\n', '[', '|', ':', '@', '+', 'é', '🦀', '4', '1',
        ];
        let mut name = || -> String {
            let length = random.usize(1..6);
            (0..length)
                .map(|_| characters[random.usize(0..characters.len())])
                .collect()
        };
        let (first, second) = (format!("nn{}", name()), format!("{}~", name()));
        let path = format!("/{first}/{second}");
        let uri = file_uri(&path).expect("an absolute path has a URI");
        assert_eq!(
            normalize_uri(&uri, Some(r"D:\other")).as_ref(),
            Ok(&uri),
            "{path:?}"
        );
        let decoded = percent_decoded(uri.strip_prefix("file://").expect("a local file"));
        assert_eq!(decoded, path);

        // A relative path makes a reference that finds the same file below the root directory.
        let reference = file_uri(&path[1..]).expect("a relative path has a reference");
        assert_eq!(normalize_uri(&reference, Some("/")), Ok(uri), "{path:?}");
    }
}

#[test]
fn some_paths_have_no_uri() {
    for path in ["C:x", "c:..\\x", "", "a\0b"] {
        assert_eq!(
            file_uri(path).map_err(|error| error.code()),
            Err(Code::BadUri),
            "{path:?}"
        );
    }
}

fn percent_decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        rest = after;
        if *first == b'%' {
            let digits = std::str::from_utf8(&after[..2]).expect("two digits");
            bytes.push(u8::from_str_radix(digits, 16).expect("two digits"));
            rest = &after[2..];
        } else {
            bytes.push(*first);
        }
    }
    String::from_utf8(bytes).expect("the path was text")
}

#[test]
fn what_was_identified_is_a_repeat_the_next_time() {
    for_each_text(3_000, |uri, root| {
        if uri.is_empty() {
            return;
        }
        let uri = serde_json::Value::from(uri);
        let output = format!(
            r#"{{"content":[{{"type":"resource","resource":{{"uri":{uri},"text":"x"}}}}]}}"#
        );
        let parsed = parse(output.as_bytes(), &Limits::default());
        let mut options = IdentifyOptions {
            root: root.map(str::to_owned),
            known: Vec::new(),
        };
        let first = identify(&parsed, &options).expect("the root is good");
        options.known = first
            .iter()
            .map(|identity| Known {
                uri: identity.uri.clone(),
                digest: identity.digest.clone(),
            })
            .collect();
        let again = identify(&parsed, &options).expect("the digests are good");
        assert_eq!(first.len(), 1);
        assert_eq!(again[0].status.as_str(), "repeat", "{uri}");
    });
}
