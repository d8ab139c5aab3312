//! Laws that hold for every answer and all options, tried on random ones.

use fastrand::Rng;
use toolwire::{Code, FormatOptions, Limits, MIN_BUDGET, Role, Style, Target, format, parse};

/// What random texts are made of: everything that has a meaning for some rule.
const PIECES: &[&str] = &[
    "a",
    "word ",
    "\n",
    "\n\n",
    "\t",
    "\r\n",
    "\r",
    "`",
    "```",
    "````",
    "~~~",
    "```rs\n",
    "\n```\n",
    "ä",
    "漢",
    "😀",
    "👩\u{200d}👩",
    "\u{200b}",
    "\u{202e}",
    "\u{e0041}",
    "\u{feff}",
    "\x1b[31m",
    "\x1b[0m",
    "\x1b[8m",
    "\x1b[30;40m",
    "\x1b[38;5;196m",
    "\x1b[2J",
    "\x1b]52;c;aGk=\x07",
    "\x1b",
    "\u{9b}31m",
    "\x08",
    "\x7f",
    "\0",
    "]]>",
    "<text>",
    "</resource>",
    "&amp;",
    "[error]",
    "\"",
    "\\",
];

fn text(rng: &mut Rng, most: usize) -> String {
    (0..rng.usize(0..=most))
        .map(|_| PIECES[rng.usize(0..PIECES.len())])
        .collect()
}

fn json(text: &str) -> String {
    serde_json::to_string(text).expect("a string is JSON")
}

fn block(rng: &mut Rng) -> String {
    let most = [0, 3, 30, 200][rng.usize(0..4)];
    let audience = ["", r#","annotations":{"audience":["user"]}"#][rng.usize(0..2)];
    let (first, second) = (json(&text(rng, most)), json(&text(rng, 5)));
    match rng.usize(0..7) {
        0 | 1 => format!(r#"{{"type":"text","text":{first}{audience}}}"#),
        2 => format!(
            r#"{{"type":"resource","resource":{{"uri":"file:///a.rs#L1-2","name":{second},"mimeType":"text/rust","text":{first}}}{audience}}}"#
        ),
        3 => format!(
            r#"{{"type":"resource","resource":{{"uri":"x:y","blob":"aGk="}},"formatted":{first}}}"#
        ),
        4 => format!(
            r#"{{"type":"question","question":{{"id":{second},"text":{first},"schema":{{"enum":[{second}]}},"default":{second}}}}}"#
        ),
        5 => format!(r#"{{"type":"image","data":"aGk=","mimeType":{second}}}"#),
        _ => format!(
            r#"{{"type":"resource_link","uri":"file:///b","name":{second},"description":{first}}}"#
        ),
    }
}

fn answer(rng: &mut Rng) -> Vec<u8> {
    if rng.usize(0..8) == 0 {
        let mut raw = text(rng, 60).into_bytes();
        if rng.bool() {
            raw.push(0xFF);
        }
        return raw;
    }
    let blocks: Vec<String> = (0..rng.usize(0..6)).map(|_| block(rng)).collect();
    let trace = json(&text(rng, 20));
    let end = [
        String::new(),
        format!(r#","isError":true,"_meta":{{"computer.jp/error":{{"trace":[{trace},"b"]}}}}"#),
        format!(r#","structuredContent":[{trace}]"#),
    ];
    format!(
        r#"{{"content":[{}]{}}}"#,
        blocks.join(","),
        end[rng.usize(0..3)]
    )
    .into_bytes()
}

fn options(rng: &mut Rng) -> FormatOptions {
    FormatOptions {
        target: if rng.bool() {
            Target::Model
        } else {
            Target::Terminal
        },
        style: if rng.bool() { Style::Fence } else { Style::Xml },
        header: rng.bool(),
        max_bytes: rng.bool().then(|| rng.usize(MIN_BUDGET..1500)),
        audience: rng.bool().then_some(Role::Assistant),
        nonce: (rng.usize(0..4) == 0).then(|| "N".repeat(rng.usize(16..=64))),
        color: rng.bool(),
    }
}

fn each(count: usize, mut law: impl FnMut(&[u8], &FormatOptions, &str)) {
    let mut rng = Rng::with_seed(7);
    for _ in 0..count {
        let (answer, options) = (answer(&mut rng), options(&mut rng));
        let result = format(&parse(&answer[..], &Limits::default()), &options);
        law(
            &answer,
            &options,
            &result.expect("no random text holds a nonce"),
        );
    }
}

fn again(answer: &[u8], options: &FormatOptions) -> String {
    format(&parse(answer, &Limits::default()), options).expect("it was formatted before")
}

#[test]
fn the_same_answer_and_options_give_the_same_text() {
    each(1_000, |answer, options, text| {
        let owned = parse(answer.to_vec(), &Limits::default()).into_owned();
        assert_eq!(format(&owned, options).as_deref(), Ok(text));
    });
}

#[test]
fn a_budget_is_kept_and_every_cut_is_said() {
    let mut cuts = 0;
    each(6_000, |answer, options, text| {
        let Some(budget) = options.max_bytes else {
            return;
        };
        assert!(text.len() <= budget, "{} > {budget}: {text:?}", text.len());
        let whole = again(
            answer,
            &FormatOptions {
                max_bytes: None,
                ..options.clone()
            },
        );
        if whole.len() <= budget {
            assert_eq!(text, whole);
            return;
        }
        cuts += 1;
        let notice = text.rsplit_once("\n\n").map_or(text, |(_, last)| last);
        assert!(
            notice.starts_with(['[', '<']) && notice[1..].starts_with("truncated "),
            "{text:?}"
        );
    });
    assert!(cuts > 300, "only {cuts} answers were cut");
}

#[test]
fn a_larger_budget_never_shows_less() {
    each(40, |answer, options, _| {
        let mut last = 0;
        for budget in MIN_BUDGET..MIN_BUDGET + 150 {
            let options = FormatOptions {
                max_bytes: Some(budget),
                ..options.clone()
            };
            let text = again(answer, &options);
            let notice = text
                .rsplit_once("truncated ")
                .map_or("", |(_, notice)| notice);
            let shown = text.len() - notice.len();
            // A closing fence may fall away when the code block is whole, and a notice may grow.
            assert!(shown + 250 >= last, "{budget}: {text:?}");
            last = last.max(shown);
        }
    });
}

#[test]
fn fences_are_closed_whatever_is_cut() {
    each(5_000, |answer, options, _| {
        let options = FormatOptions {
            style: Style::Fence,
            nonce: None,
            ..options.clone()
        };
        let parsed = parse(answer, &Limits::default());
        // One resource alone, so that no text around it opens fences of its own.
        let Some(block) = parsed
            .blocks()
            .find(|b| b.text().is_some() && b.uri().is_some())
        else {
            return;
        };
        let alone = format!(r#"{{"content":[{}]}}"#, block.node().raw());
        let text = again(
            alone.as_bytes(),
            &FormatOptions {
                audience: None,
                ..options
            },
        );
        let mut lines = text.lines().skip_while(|line| !line.starts_with("```"));
        let opening = lines.next().expect("a fence");
        let fence = opening.trim_end_matches(char::is_alphabetic);
        let rest: Vec<&str> = lines.collect();
        let closing: Vec<_> = (0..rest.len())
            .filter(|n| rest[*n].starts_with(fence))
            .collect();
        assert_eq!(closing.len(), 1, "{text:?}");
        let tail = rest[closing[0] + 1..].join("\n");
        assert!(
            tail.is_empty() || tail.starts_with("\n[truncated "),
            "{text:?}"
        );
    });
}

#[test]
fn nothing_speaks_to_the_terminal() {
    let mut escapes = 0;
    each(5_000, |_, options, text| {
        if options.target == Target::Model {
            return;
        }
        let mut rest = text;
        while let Some(at) = rest.find('\x1b') {
            escapes += 1;
            assert!(options.color && options.style == Style::Fence, "{text:?}");
            let end = rest[at..].find('m').expect("a sequence ends") + at;
            let inside = &rest[at + 1..end];
            assert!(matches!(inside, "[31" | "[0"), "{text:?}");
            rest = &rest[end + 1..];
        }
        for c in text.chars().filter(|c| !matches!(c, '\n' | '\t' | '\x1b')) {
            assert!(!c.is_control(), "{c:?} in {text:?}");
            assert!(
                !matches!(c, '\u{200b}' | '\u{202e}' | '\u{e0041}' | '\u{feff}'),
                "{text:?}"
            );
        }
        if let Some(last) = text.rfind("\x1b[") {
            assert!(text[last..].starts_with("\x1b[0m"), "{text:?}");
        }
    });
    assert!(escapes > 300, "only {escapes} colours were kept");
}

#[test]
fn xml_is_balanced_and_holds_no_markup_of_the_tool() {
    each(3_000, |answer, options, _| {
        let options = FormatOptions {
            style: Style::Xml,
            ..options.clone()
        };
        let text = again(answer, &options);
        // What is left without CDATA sections is only what the formatter wrote.
        let mut rest = text.as_str();
        let mut outside = String::new();
        while let Some((before, after)) = rest.split_once("<![CDATA[") {
            outside.push_str(before);
            rest = after.split_once("]]>").expect("a section ends").1;
        }
        outside.push_str(rest);
        let mut open: Vec<&str> = Vec::new();
        for tag in outside.split('<').skip(1) {
            let (tag, _) = tag.split_once('>').expect("a tag ends");
            let name = tag
                .trim_start_matches('/')
                .split(' ')
                .next()
                .unwrap_or_default();
            if tag.starts_with('/') {
                assert_eq!(open.pop(), Some(name), "{text:?}");
            } else if !tag.ends_with('/') {
                open.push(name);
            }
        }
        assert!(open.is_empty(), "{text:?}");
        assert!(!outside.contains("]]>"), "{text:?}");
    });
}

#[test]
fn a_nonce_is_found_wherever_it_stands() {
    let mut rng = Rng::with_seed(11);
    let nonce = "Zq0-Zq1_Zq2-Zq3_";
    for _ in 0..1_000 {
        let before = block(&mut rng);
        let options = FormatOptions {
            nonce: Some(nonce.into()),
            ..options(&mut rng)
        };
        let options = FormatOptions {
            audience: None,
            ..options
        };
        let hidden = match rng.usize(0..4) {
            0 => format!(r#"{{"type":"text","text":"x{nonce}"}}"#),
            1 => format!(r#"{{"type":"resource","resource":{{"uri":"x:{nonce}","blob":""}}}}"#),
            2 => format!(
                r#"{{"type":"resource_link","uri":"x:y","name":"\u{:04x}{}"}}"#,
                0x5A,
                &nonce[1..]
            ),
            _ => format!(
                r#"{{"type":"question","question":{{"id":"{nonce}","text":"","schema":{{}}}}}}"#
            ),
        };
        let answer = format!(r#"{{"content":[{before},{hidden}]}}"#).into_bytes();
        let error = format(&parse(answer, &Limits::default()), &options).expect_err("a collision");
        assert_eq!(
            (error.code(), error.pointer()),
            (Code::NonceCollision, "/content/1")
        );
    }
}
