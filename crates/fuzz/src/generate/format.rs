//! Texts that are in a format of JSON Schema, or nearly.

use crate::rng::Rng;

/// Texts in one or more formats, and the pieces of their grammars with spaces between them.
type Grammar = (&'static [&'static str], &'static str);

const GRAMMARS: &[Grammar] = &[
    // Durations.
    (
        &["P1Y2M3DT4H5M6S", "P4W", "PT0S", "P1MT1S", "P23DT23H"],
        "P T 1 20 Y M D W H S . - p",
    ),
    // E-mail addresses.
    (
        &[
            "me.too+x@example.org",
            "\"a b\\\"c\"@example.org",
            "Me Too <me@example.org>",
            "me@[127.0.0.1]",
            "me@[IPv6:2001:db8::1]",
            "\"\"@example.org",
        ],
        "a me . @ \" \\ < > x.org [ ] IPv6: ::1 127.0.0.1 (c) ' é \t - xn--bcher-kva",
    ),
    // Names of hosts.
    (
        &[
            "example.org",
            "xn--bcher-kva.example",
            "a-b.c--d.1",
            "localhost",
            "xn--ihqwcrb4cv8a8dqg056pqjye",
        ],
        "a B 1 - -- . xn-- XN-- _ é bcher-kva ab-- org",
    ),
    // Addresses of hosts.
    (
        &["192.168.0.1", "0.0.0.0", "255.255.255.255"],
        "1 0 255 256 01 . .. 1.2.3.4 /24",
    ),
    (
        &[
            "2001:db8::ff00:42:8329",
            "::ffff:1.2.3.4",
            "1:2:3:4:5:6:7:8",
            "::",
        ],
        ": :: 1 ffff 0 . 1.2.3.4 1.2.3 %eth0 g 12345 /64",
    ),
    // URIs, IRIs and references.
    (
        &[
            "https://me:x@example.org:8080/a/b;c=1?q=1&r=/?#f",
            "urn:isbn:0451450523",
            "//example.org/a",
            "../a/b:c",
            "http://[2001:db8::7]:80/",
            "http://[v1f.a:b]/",
            "https://b\u{fc}cher.example/\u{e000}?\u{e000}#\u{f900}",
            "mailto:a@b.c",
        ],
        "http: a: : / // ? # @ [ ] [::1] [v1.a] [V] [::1.2.3.4] %41 % %4 a 1 :80 :x + - . é \
         \u{a0} \u{9f} \u{d7ff} \u{e000} \u{f8ff} \u{fdd0} \u{fdef} \u{fffd} \u{fffe} \u{10000} \
         \u{1fffe} \u{e0100} \u{e1000} \u{efffd} \u{f0000} \u{ffffd} \u{10ffff} \\ | ' ( , ~ _ \" \
         < ^ ` { \u{7f}",
    ),
    // Templates of URIs.
    (
        &[
            "https://example.org/{a}{?b,c*}",
            "{+a.b:10}{/c}",
            "/{%41_1}",
            "{#x,y}",
        ],
        "{ } {a} a b , : 1 0 9999 * . + # / ; ? & = ! @ | %41 % _ - $ é ' ` ^ \\ \" <",
    ),
    // Pointers.
    (
        &["/a~0b/~1/0", "", "0#", "12/a", "/"],
        "/ ~ ~0 ~1 ~2 0 1 01 # a é -",
    ),
    // Regular expressions.
    (
        &[
            "^(?<year>\\d{4})-\\k<year>$",
            "(?=a)[a-z\\-\\]]*?|(?<!b)c+",
            "(a)\\1",
            "\\u{1F600}\\p{Script=Greek}\\cA\\x41",
            "(?i-s:a{2,3})",
        ],
        "( ) (?: (?= (?! (?<= (?<! (?<a> (?<b> (?i: (?-s: (? | * + ? { } {2} {2,} {3,2} [ ] [^ - a z \\ \
         \\d \\b \\1 \\2 \\0 \\k<a> \\k \\p{L} \\p \\u0041 \\u{41} \\ud83d \\x4 \\c \\cA \\- \\/ \\a ^ \
         $ . é \\u",
    ),
    // UUIDs.
    (
        &[
            "2eb8aa08-aa98-11ea-b4aa-73b441d16380",
            "00000000-0000-0000-0000-000000000000",
        ],
        "2eb8aa08 - aa98 11EA 73b441d16380 { } g 0",
    ),
];

/// Characters with a meaning in some format, or close to one that has.
const CHARACTERS: &str = "0123456789azAZTtZzPWxn-+.:/?#[]@%{}()<>\"'\\~^$*|_,;=& \t\n\0\u{7f}é٠۰·";

/// A text that is in a format, or nearly.
pub fn format(rng: &mut Rng) -> String {
    let mut text = match rng.u8(..12) {
        0..=2 => moment(rng),
        3 | 4 => host(rng),
        kind => {
            let (examples, pieces) = GRAMMARS[rng.usize(..GRAMMARS.len())];
            match kind {
                5..=8 => pick(rng, examples).to_owned(),
                _ => {
                    let pieces: Vec<&str> = pieces.split(' ').collect();
                    (0..rng.usize(1..9)).map(|_| pick(rng, &pieces)).collect()
                }
            }
        }
    };
    for _ in 0..[0, 0, 1, 1, 2, 4][rng.usize(..6)] {
        change(rng, &mut text);
    }
    text
}

fn pick<'t>(rng: &mut Rng, from: &[&'t str]) -> &'t str {
    from[rng.usize(..from.len())]
}

fn character(rng: &mut Rng, from: &str) -> char {
    let at = rng.usize(..from.chars().count());
    from.chars().nth(at).unwrap_or('0')
}

/// Replaces, removes, doubles or adds one character.
fn change(rng: &mut Rng, text: &mut String) {
    let mut characters: Vec<char> = text.chars().collect();
    let at = rng.usize(..=characters.len());
    let other = match rng.u8(..8) {
        0 => rng.char(),
        1 => rng.ascii(),
        _ => character(rng, CHARACTERS),
    };
    match rng.u8(..4) {
        0 if at < characters.len() => characters[at] = other,
        1 if at < characters.len() => drop(characters.remove(at)),
        2 if at < characters.len() => characters.insert(at, characters[at]),
        _ => characters.insert(at, other),
    }
    *text = characters.into_iter().collect();
}

/// A date, a time or both, with numbers in their ranges or next to them.
fn moment(rng: &mut Rng) -> String {
    let mut number = |low: u32, high: u32| match rng.u8(..24) {
        0 => low.saturating_sub(1),
        1 => high + 1,
        2 | 3 => low,
        4..=8 => high,
        _ => rng.u32(low..=high),
    };
    let (century, year, month, day) = (number(0, 99), number(0, 99), number(1, 12), number(1, 30));
    let (hour, minute, second) = (number(0, 23), number(0, 59), number(0, 60));
    let (ahead, by) = (number(0, 23), number(0, 59));
    let date = format!("{century:02}{year:02}-{month:02}-{day:02}");
    let fraction = pick(rng, &["", "", "", ".0", ".123456789", ".", ",5"]);
    let zone = match rng.u8(..4) {
        0 => pick(rng, &["Z", "z", "", "+00:00", "-00:00", "+0100", "+01"]).to_owned(),
        // The zone in which a leap second may be there at this time.
        1 => {
            let minutes = (hour * 60 + minute + 1) % (24 * 60);
            let (sign, minutes) = match rng.bool() {
                true => ('+', minutes),
                false => ('-', (24 * 60 - minutes) % (24 * 60)),
            };
            format!("{sign}{:02}:{:02}", minutes / 60, minutes % 60)
        }
        _ => format!("{}{ahead:02}:{by:02}", pick(rng, &["+", "-"])),
    };
    let time = format!("{hour:02}:{minute:02}:{second:02}{fraction}{zone}");
    match rng.u8(..3) {
        0 => date,
        1 => time,
        _ => format!("{date}{}{time}", pick(rng, &["T", "T", "T", "t", " "])),
    }
}

/// The name of a host with an A-label, or an address there.
fn host(rng: &mut Rng) -> String {
    // Those that RFC 5892 treats in a way of their own, and neighbours.
    const SPECIAL: &str = "al-0üß·α\u{375}\u{5d0}\u{5f3}\u{5f4}\u{640}\u{660}\u{669}\u{6f0}\
        \u{6f9}\u{6fd}\u{7fa}\u{915}\u{94d}\u{9cd}\u{f0b}\u{200c}\u{200d}\u{300}\u{488}\
        \u{903}\u{302e}\u{3007}\u{3031}\u{303b}\u{3042}\u{3099}\u{30a0}\u{30a2}\u{30fb}\
        \u{4e00}\u{2014}\u{1f600}\u{11d97}\u{d7ff}\u{e000}\u{10ffff}";
    let characters: Vec<char> = (0..rng.usize(1..6))
        .map(|_| match rng.u8(..8) {
            0 => rng.char(),
            1 => char::from_u32(rng.u32(0x80..0x3000)).unwrap_or('é'),
            _ => character(rng, SPECIAL),
        })
        .collect();
    let label = punycode(&characters);
    match rng.u8(..6) {
        0 => format!("me@xn--{label}"),
        1 => format!("xn--{label}.{}.org", "a".repeat(rng.usize(60..66))),
        2 => format!("{}{}", "abcdefg.".repeat(30), "a".repeat(rng.usize(10..16))),
        _ => format!("xn--{label}"),
    }
}

/// Characters in Punycode (RFC 3492, section 6.3).
fn punycode(label: &[char]) -> String {
    let mut out: String = label.iter().filter(|c| c.is_ascii()).collect();
    let mut done = out.len() as u32;
    if done > 0 {
        out.push('-');
    }
    let (mut code, mut delta, mut bias, mut first) = (128, 0, 72, true);
    while (done as usize) < label.len() {
        let codes = label.iter().map(|&c| u32::from(c));
        let next = codes.clone().filter(|&c| c >= code).min().unwrap_or(code);
        delta += (next - code) * (done + 1);
        code = next;
        for c in codes {
            delta += u32::from(c < code);
            if c != code {
                continue;
            }
            let mut rest = delta;
            for k in (36..).step_by(36) {
                let threshold = u32::clamp(k, bias + 1, bias + 26) - bias;
                let last = rest < threshold;
                let digit = match last {
                    true => rest,
                    false => threshold + (rest - threshold) % (36 - threshold),
                };
                out.push(char::from(
                    b"abcdefghijklmnopqrstuvwxyz0123456789"[digit as usize],
                ));
                if last {
                    break;
                }
                rest = (rest - threshold) / (36 - threshold);
            }
            delta /= if first { 700 } else { 2 };
            delta += delta / (done + 1);
            bias = 0;
            while delta > 455 {
                delta /= 35;
                bias += 36;
            }
            bias += 36 * delta / (delta + 38);
            (delta, first) = (0, false);
            done += 1;
        }
        delta += 1;
        code += 1;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_encoded_as_in_the_rfc() {
        let encode = |text: &str| punycode(&text.chars().collect::<Vec<_>>());
        assert_eq!(encode("bücher"), "bcher-kva");
        assert_eq!(encode("ليهمابتكلموشعربي؟"), "egbpdaj6bu4bxfgehfvwxn");
        assert_eq!(encode("3年B組金八先生"), "3B-ww4c5e180e575a65lsy2b");
    }
}
