use super::holds;
use crate::Allowance;

/// A format, texts that are in it, and texts that are not.
type Examples = (
    &'static str,
    &'static [&'static str],
    &'static [&'static str],
);

const EXAMPLES: [Examples; 17] = [
    (
        "date",
        &["2000-02-29", "2024-12-31", "0000-02-29"],
        &[
            "1900-02-29",
            "2024-13-01",
            "2024-04-31",
            "2024-1-01",
            "2024-00-10",
        ],
    ),
    (
        "date-time",
        &["2024-05-01t12:00:00z", "2016-12-31T23:59:60Z"],
        &[
            "2024-05-01 12:00:00Z",
            "2024-05-01T12:00:00",
            "2024-02-30T12:00:00Z",
        ],
    ),
    (
        "duration",
        &["P1Y2M3DT4H5M6S", "P2W", "PT36H", "P1MT1S"],
        &[
            "P", "PT", "P1Y1D", "PT1H1S", "P1W1D", "P1D1Y", "P1", "PD", "P1.5D", "P1DT",
        ],
    ),
    (
        "email",
        &[
            "a.b+c@x.org",
            "\"a b\\\"\"@x",
            "\"\"@x",
            "Me <me@x.org>",
            "a@[IPv6:::1]",
            "a@[127.0.0.1]",
        ],
        &[
            "a", "@x", "a@", ".a@x", "a..b@x", "é@x", "a@é", "<a@x>", "a@x.", "a@[::1]", "\"@x",
        ],
    ),
    (
        "hostname",
        &[
            "a",
            "a-b.example",
            "xn--bcher-kva.example",
            "xn--ihqwcrb4cv8a8dqg056pqjye",
            "1.2",
        ],
        &[
            "",
            ".",
            "a.",
            "-a",
            "a-",
            "a_b",
            "ab--c",
            "bücher",
            "xn--",
            "XN--bcher-kva",
        ],
    ),
    (
        "ipv4",
        &["0.0.0.0", "255.1.2.3"],
        &["256.1.2.3", "01.2.3.4", "1.2.3", "1.2.3.4 "],
    ),
    (
        "ipv6",
        &["::", "1::2", "::ffff:1.2.3.4"],
        &[":", "1:2", "::1%eth0", "12345::", "1::2::3"],
    ),
    (
        "iri",
        &["https://é.org/ü?\u{e000}#ö", "urn:é"],
        &[
            "é",
            "http://x/\u{e000}",
            "http://x#\u{e000}",
            "http://[é]",
            "a:\u{1fffe}",
        ],
    ),
    (
        "iri-reference",
        &["", "é", "//é", "?\u{f0000}"],
        &["é:a", "\u{80}", "a b"],
    ),
    (
        "json-pointer",
        &["", "/", "/a~0~1", "//é"],
        &["a", "/~", "/~2", "#/a"],
    ),
    (
        "regex",
        &["^a(?=b)\\1$|(.)", "(?<a>.)\\k<a>", "[a-z\\-]", "\\/"],
        &[
            "(",
            "a**",
            "[b-a]",
            "\\k<a>",
            "\\a",
            "(?<a>.)(?<a>.)",
            "\\p{",
        ],
    ),
    (
        "relative-json-pointer",
        &["0", "10#", "1/a~1"],
        &["", "01", "-1", "0##", "0a", "/a"],
    ),
    (
        "time",
        &[
            "00:00:00Z",
            "12:00:00.123+05:30",
            "01:29:60+01:30",
            "23:29:60-00:30",
        ],
        &[
            "24:00:00Z",
            "12:60:00Z",
            "12:00:60Z",
            "12:00:00.Z",
            "12:00:00+24:00",
            "12:00:00+0100",
        ],
    ),
    (
        "uri",
        &[
            "a:",
            "http://u:p@h:80/p?q#f",
            "http://[::1]:/",
            "http://[v1.a:b]",
            "mailto:a@b",
            "a:%41",
        ],
        &[
            "",
            "a",
            "//h",
            "1a:b",
            "http://h:p",
            "http://[::1",
            "a:b c",
            "a:%4",
            "a:é",
            "a://b@c@d",
            "a:#b#c",
        ],
    ),
    (
        "uri-reference",
        &["", "a/b:c", "//h", "?q#f", "./a:b"],
        &["1:b", ":a", "a\\b", "//[1]"],
    ),
    (
        "uri-template",
        &["", "/{a}{?b,c*}", "{+a.b:10}", "é{%41}", "{,a}"],
        &[
            "{",
            "}",
            "{}",
            "{a",
            "{a:0}",
            "{a:12345}",
            "{a..b}",
            "{a,}",
            "{-a}",
            "a b",
            "%4",
        ],
    ),
    (
        "uuid",
        &["2EB8AA08-AA98-11EA-B4AA-73B441D16380"],
        &[
            "2eb8aa08aa9811eab4aa73b441d16380",
            "2eb8aa08-aa98-11ea-b4aa-73b441d1638g",
        ],
    ),
];

#[test]
fn examples_are_judged() {
    let mut allowance = Allowance::default();
    for (format, right, wrong) in EXAMPLES {
        for (text, expected) in [(right, true), (wrong, false)]
            .into_iter()
            .flat_map(|(texts, expected)| texts.iter().map(move |text| (text, expected)))
        {
            let found = holds(format, text, &mut allowance);
            assert_eq!(found, Ok(expected), "{format} {text:?}");
        }
    }
}

#[test]
fn other_formats_always_hold() {
    assert_eq!(holds("idn-email", "", &mut Allowance::default()), Ok(true));
}

#[test]
fn many_names_of_groups_are_paid_for() {
    let pattern: String = (0..50_000).map(|n| format!("(?<a{n}>)")).collect();
    let mut allowance = Allowance::default();
    assert!(holds("regex", &pattern, &mut allowance).is_err());
    assert_eq!(
        holds("regex", &"()".repeat(250_000), &mut Allowance::default()),
        Ok(true)
    );
}
