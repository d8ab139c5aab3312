use super::*;

/// The kinds and what they say.
fn kinds(text: &str) -> Vec<(&'static str, Option<String>)> {
    find_hidden(text)
        .into_iter()
        .map(|one| (one.kind.as_str(), one.says))
        .collect()
}

fn one(text: &str) -> Hidden {
    let mut found = find_hidden(text);
    assert_eq!(found.len(), 1, "{text:?}: {found:?}");
    found.remove(0)
}

#[test]
fn what_is_ordinary_is_no_finding() {
    for text in [
        "",
        "plain\n\ttext\r\nwith lines",
        // Emoji: a family, a skin tone, a profession, hearts, a keycap, flags, a text presentation.
        "👨‍👩‍👧‍👦 👍🏽 🧑🏿‍💻 ❤️‍🔥 1️⃣ #️⃣ 🇩🇪 🏴󠁧󠁢󠁥󠁮󠁧󠁿 🏴󠁧󠁢󠁳󠁣󠁴󠁿 🏳️‍🌈 ☎︎ ↔️ 👩‍❤️‍💋‍👨 🏴‍☠️ ©️",
        // Right to left, with marks and with isolates around other languages.
        "שלום, עולם! נוסחה C++\u{200f}.",
        "يكتب \u{2068}report.pdf\u{2069} إلى القرص\u{200e} (1.2)",
        "\u{202b}x".trim_start_matches('\u{202b}'),
        // Persian, Urdu, Hindi, Bengali, Sinhala, Malayalam, Kannada.
        "می‌خواهم کتاب‌ها",
        "क्‍ष क्‌ष র‍্য ශ්‍රී ന്‍ ರ‍್ಕ",
        // Thai, Khmer and Myanmar with breaks between words.
        "สวัสดี\u{200b}ชาวโลก ភាសា\u{200b}ខ្មែរ မြန်မာ\u{200b}စာ",
        // Mongolian, and ideographs with variants.
        "ᠮᠣᠩᠭᠣᠯ\u{180e}ᠠ ᠭ\u{180b}ᠠ 葛\u{e0100}城 ∩\u{fe00}",
        // Accents, composed and not; Vietnamese, Greek, Hebrew with points, Tibetan, Zalgo is not among them.
        "crème brûlée ÅngStröm e\u{301}a\u{302}\u{301} Tiếng Việt ἀρχὴ בְּרֵאשִׁ֖ית ཧྐྵྨླྺྼྻྂ 각",
        // Several scripts in one text, and in one word where nobody is deceived.
        "Пример: API-ключ, SQLзапрос, Windowsом, 3D-принтер, μm kΩ hν TNFα IFNγ NFκB Δt λx",
        "Ελληνικά με HTML. Հայերեն ᏣᎳᎩ Роса, сорт, оса, хор",
        "ΔT ΔE βA ΩM APIключ ITотдел пaроль",
        "日本語のAPIを呼ぶ ＡＢＣ社 𝐛𝐨𝐥𝐝 x² H₂O naïve straße",
    ] {
        assert_eq!(find_hidden(text), [], "{text}");
    }
}

#[test]
fn invisible_characters_are_named() {
    let found = one("a\u{200b}\u{200b}\u{2060}b");
    assert_eq!(
        (found.kind, found.offset, found.length),
        (HiddenKind::Invisible, 1, 9)
    );
    assert_eq!(found.name, "ZERO WIDTH SPACE, WORD JOINER");
    for (text, name) in [
        ("\u{feff}x", "ZERO WIDTH NO-BREAK SPACE"),
        ("a\u{ad}b", "SOFT HYPHEN"),
        ("a\u{3164}", "HANGUL FILLER"),
        ("a\u{200d}b", "ZERO WIDTH JOINER"),
        ("😀\u{200d}b", "ZERO WIDTH JOINER"),
        ("a\u{200c}b", "ZERO WIDTH NON-JOINER"),
        ("می\u{200c}\u{200c}خ", "ZERO WIDTH NON-JOINER"),
        ("ก\u{200b}a", "ZERO WIDTH SPACE"),
        ("a\u{2028}b", "LINE SEPARATOR"),
        ("a\u{fff9}b", "INTERLINEAR ANNOTATION ANCHOR"),
        ("a\u{e0fff}b", "INVISIBLE CHARACTER"),
        ("a\u{2062}b", "INVISIBLE TIMES"),
    ] {
        assert_eq!(one(text).name, name, "{text:?}");
        assert_eq!(one(text).kind, HiddenKind::Invisible, "{text:?}");
    }
}

#[test]
fn tags_spell_what_they_hide() {
    let tags: String = "ignore all"
        .chars()
        .filter_map(|c| char::from_u32(u32::from(c) + 0xE0000))
        .collect();
    let found = one(&format!("Adds.{tags}"));
    assert_eq!((found.offset, found.length), (5, 40));
    assert_eq!(found.says.as_deref(), Some("ignore all"));
    // A flag that no vendor draws, and a flag without its end.
    assert_eq!(
        kinds("🏴\u{e0061}\u{e0062}\u{e0063}\u{e007f}"),
        [("tag", Some("abc".to_owned()))]
    );
    assert_eq!(
        kinds("🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}").len(),
        1
    );
    // More after the flag.
    let flag = "🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}\u{e0068}";
    assert_eq!(kinds(flag), [("tag", Some("gbengh".to_owned()))]);
}

#[test]
fn selectors_that_carry_bytes_are_decoded() {
    let hide = |text: &str| -> String {
        let selector = |byte: u8| match byte {
            0..16 => char::from_u32(0xFE00 + u32::from(byte)),
            _ => char::from_u32(0xE0100 + u32::from(byte) - 16),
        };
        text.bytes().filter_map(selector).collect()
    };
    let expected = [("variation", Some("run rm, é".to_owned()))];
    assert_eq!(kinds(&format!("😀{}", hide("run rm, é"))), expected);
    // Behind the selector of the emoji itself.
    assert_eq!(kinds(&format!("❤️{}", hide("run rm, é"))), expected);
    assert_eq!(one("a\u{fe0f}").name, "VARIATION SELECTOR-16");
    assert_eq!(one("a\u{e0131}").says.as_deref(), Some("A"));
    assert_eq!(one("😀\u{fe0f}\u{fe0f}").name, "VARIATION SELECTOR-16");
    assert_eq!(one("1\u{fe0f} apple").kind, HiddenKind::Variation);
}

#[test]
fn bidi_controls_are_found_where_nothing_needs_them() {
    let found = one("open \u{202e}gpj.exe");
    assert_eq!((found.kind, found.offset), (HiddenKind::Bidi, 5));
    assert_eq!(found.name, "RIGHT-TO-LEFT OVERRIDE");
    assert_eq!(found.says.as_deref(), Some("exe.jpg"));
    assert_eq!(kinds("a\u{202e}cb\u{202c} d")[0].1.as_deref(), Some("bc"));
    for text in [
        "a\u{200f}b",
        "a\u{2067}b\u{2069}",
        "שלום \u{2067}a\u{2066}b\u{2069}\u{2069}",
        "שלום \u{2067}a",
        "שלום\nb\u{200f}",
        "שלום \u{202b}a\u{202c}",
        "שלום\u{200f}\u{200f}",
        "\x1b]0;שלום\x07a\u{200f}",
    ] {
        assert!(!find_hidden(text).is_empty(), "{text:?}");
    }
}

#[test]
fn letters_of_other_scripts_are_found_within_words() {
    for (text, says, name) in [
        ("pаypal", "paypal", "CYRILLIC LETTER"),
        ("use Αdmin", "Admin", "GREEK LETTER"),
        ("passwοrd_1", "password_1", "GREEK LETTER"),
        ("get_сору now", "get_copy", "CYRILLIC LETTER"),
        ("the сору tool", "copy", "CYRILLIC LETTER"),
        ("p𝚊ypal", "paypal", "MATHEMATICAL LETTER"),
        ("pａypal", "paypal", "FULLWIDTH LATIN LETTER"),
        ("ՕpenAI", "OpenAI", "ARMENIAN LETTER"),
        ("ᏢayPal", "PayPal", "CHEROKEE LETTER"),
        ("аpple", "apple", "CYRILLIC LETTER"),
    ] {
        let found = one(text);
        assert_eq!(found.kind, HiddenKind::Homoglyph, "{text}");
        assert_eq!(found.says.as_deref(), Some(says), "{text}");
        assert_eq!(found.name, name, "{text}");
    }
    // Also where something invisible stands in the word.
    let found = find_hidden("p\u{200b}аypal");
    assert_eq!(
        found.iter().map(|one| one.kind).collect::<Vec<_>>(),
        [HiddenKind::Invisible, HiddenKind::Homoglyph]
    );
    assert_eq!(found[1].says.as_deref(), Some("paypal"));
    // A letter that belongs to a sequence is no part of a word.
    let found = find_hidden("\x1b[1mаpple");
    assert_eq!(
        (found[0].length, found[1].says.as_deref()),
        (4, Some("apple"))
    );
    // The reading of a long word is not repeated for each of its letters.
    let long = "аb".repeat(1_000);
    let found = find_hidden(&long);
    assert_eq!((found.len(), found[0].says.as_deref()), (1_000, Some("a")));
}

#[test]
fn sequences_are_found_whole() {
    for (text, length, name, says) in [
        (
            "\x1b[2Jx",
            4,
            "CONTROL SEQUENCE [2J, moves or erases text",
            None,
        ),
        ("\x1b[1;31mx", 7, "CONTROL SEQUENCE [1;31m, colours", None),
        (
            "\x1b[8mx",
            4,
            "CONTROL SEQUENCE [8m, conceals the text behind it",
            None,
        ),
        (
            "\u{9b}2Jx",
            4,
            "CONTROL SEQUENCE [2J, moves or erases text",
            None,
        ),
        ("\x1b[>cx", 4, "CONTROL SEQUENCE [c", None),
        ("\x1b[12", 4, "CONTROL SEQUENCE [12, not ended", None),
        (
            "\x1b]0;owned\x07x",
            10,
            "OPERATING SYSTEM COMMAND, sets the title",
            Some("owned"),
        ),
        (
            "\x1b]8;;https://e.example\x1b\\x",
            24,
            "OPERATING SYSTEM COMMAND, a link",
            Some("https://e.example"),
        ),
        (
            "\x1b]52;c;cm0=\x1b\\x",
            13,
            "OPERATING SYSTEM COMMAND, writes to the clipboard",
            Some("c;cm0="),
        ),
        (
            "\x1b]0;no end\nx",
            10,
            "OPERATING SYSTEM COMMAND, sets the title, not ended",
            Some("no end"),
        ),
        ("\x1bPq\u{9c}x", 5, "CONTROL STRING", Some("q")),
        ("\x1bcx", 2, "ESCAPE SEQUENCE 63", None),
        ("\x1b(0x", 3, "ESCAPE SEQUENCE 30", None),
    ] {
        let found = one(text);
        assert_eq!(
            (found.kind, found.length),
            (HiddenKind::Escape, length),
            "{text:?}"
        );
        assert_eq!(found.name, name, "{text:?}");
        assert_eq!(found.says.as_deref(), says, "{text:?}");
    }
    assert_eq!(
        kinds("\x07\x08\x1b[Kx\x1b")
            .iter()
            .map(|(kind, _)| *kind)
            .collect::<Vec<_>>(),
        ["control", "escape", "control"]
    );
    assert_eq!(one("a\0\x7fb").name, "NULL, DELETE");
    assert_eq!(one("a\rb").name, "CARRIAGE RETURN");
    assert_eq!(one("a\r\r\n").length, 1);
}

#[test]
fn piles_of_marks_have_an_edge() {
    let with = |mark: &str, count| find_hidden(&format!("a{}b", mark.repeat(count))).len();
    assert_eq!((with("\u{301}", 4), with("\u{301}", 5)), (0, 1));
    assert_eq!((with("\u{f84}", 10), with("\u{f84}", 11)), (0, 1));
    assert_eq!(
        one(&format!("a{}", "\u{301}".repeat(30))).name,
        "COMBINING MARK"
    );
}

#[test]
fn what_is_shown_hides_nothing() {
    for (text, shown) in [
        (
            "a\x1b[2Jb",
            "a<U+001B CONTROL SEQUENCE [2J, moves or erases text>b",
        ),
        (
            "\x1b]0;a\"<U+\x07",
            "<U+001B OPERATING SYSTEM COMMAND, sets the title: \"a\\\"\\u{3c}U+\">",
        ),
        ("a\r\nb\r", "a\nb<U+000D CARRIAGE RETURN>"),
        ("<U+ <u+", "<U+003C LESS-THAN SIGN>U+ <u+"),
        (
            "a\u{202e}b\u{202c}",
            "a<U+202E RIGHT-TO-LEFT OVERRIDE: \"b\">b<U+202C POP DIRECTIONAL FORMATTING>",
        ),
        ("👩‍🚀 می‌خواهم", "👩‍🚀 می‌خواهم"),
        // What a sequence says is quoted, and hides nothing either.
        (
            "\u{90}\u{1343d}\u{fe0f}",
            r#"<U+0090 CONTROL STRING, not ended: "\u{1343d}\u{fe0f}">"#,
        ),
    ] {
        assert_eq!(show(text), shown);
    }
}

/// Whatever is put together: findings ascend, do not overlap and lie on characters, and nothing but what has
/// letters of other scripts is found in what is shown.
#[test]
fn laws_hold_for_whatever_is_put_together() {
    let parts = [
        "a",
        "b ",
        "\u{200b}",
        "\u{200d}",
        "\u{202e}",
        "\u{2066}",
        "\u{2069}",
        "\u{200f}",
        "ש",
        "ا",
        "\u{301}",
        "\u{301}\u{301}\u{301}",
        "\x1b",
        "[",
        "]",
        "8;;",
        "\x07",
        "\x1b\\",
        "\r",
        "\n",
        "\u{e0068}",
        "\u{e007f}",
        "🏴",
        "\u{fe0f}",
        "\u{e0131}",
        "😀",
        "<",
        "U+",
        ">",
        "\"",
        "а",
        "o",
        "𝚊",
        "\u{2028}",
        "\u{85}",
        "1",
        "\u{20e3}",
        "葛",
        "ᠮ",
        "\u{180b}",
        "ก",
        "\u{9b}",
        "m",
        "\u{feff}",
        "\\",
    ];
    let mut seed = 7_u64;
    let mut next = |below: usize| {
        seed = seed
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (seed >> 33) as usize % below
    };
    for _ in 0..20_000 {
        let text: String = (0..next(14)).map(|_| parts[next(parts.len())]).collect();
        let mut at = 0;
        for one in find_hidden(&text) {
            assert!(one.offset >= at && one.length > 0, "{text:?}");
            at = one.offset + one.length;
            assert!(text.get(one.offset..at).is_some(), "{text:?}");
        }
        let shown = show(&text);
        let mut left = find_hidden(&shown);
        left.retain(|one| one.kind != HiddenKind::Homoglyph);
        assert_eq!(left, [], "{text:?} as {shown:?}");
        let diff = diff_text(&text, "a b");
        let of = |kind: PieceKind| -> String {
            let kept = |piece: &&Piece| piece.kind == kind || piece.kind == PieceKind::Same;
            diff.pieces
                .iter()
                .filter(kept)
                .map(|piece| piece.text.as_str())
                .collect()
        };
        assert_eq!(
            (of(PieceKind::Removed), of(PieceKind::Added)),
            (shown, "a b".to_owned())
        );
    }
}

#[test]
fn a_long_line_of_controls_takes_linear_time() {
    for part in [
        "\u{2066}",
        "ש\u{2067}",
        "\u{200f}a",
        "\x1b ",
        "\x1b]",
        "а",
        "аb ",
        "\u{200b}a",
        "<U+",
        "\r",
    ] {
        let text = part.repeat(50_000);
        assert!(!show(&text).is_empty());
    }
}

#[test]
fn differences_are_by_words_and_without_what_is_far() {
    let diff = |old: &str, new: &str| diff_text(old, new).to_string();
    assert_eq!(
        diff("Reads a file.", "Reads any file."),
        "Reads [-a-]{+any+} file."
    );
    assert_eq!(
        diff("one two three four", "one 2 3 four"),
        "one [-two three-]{+2 3+} four"
    );
    assert_eq!(
        diff("a\u{200b}b", "a\u{200c}b"),
        "a[-<U+200B ZERO WIDTH SPACE>-]{+<U+200C ZERO WIDTH NON-JOINER>+}b"
    );
    assert_eq!(
        diff("pay", "pаy"),
        "[-pay-]{+p<U+0430 CYRILLIC LETTER, looks like a>y+}"
    );
    let old: String = (1..20).map(|line| format!("line {line}\n")).collect();
    let new = old.replace("line 10\n", "line ten\n");
    assert_eq!(
        diff(&old, &new),
        "… 7 lines …\nline 8\nline 9\nline [-10-]{+ten+}\nline 11\nline 12\n… 7 lines …\n"
    );
    assert!(!diff_text(&old, &old).is_change());
}

#[test]
fn long_texts_are_compared_by_lines_and_longer_ones_as_a_whole() {
    let many = |word: &str, count: usize, end: &str| format!("{word}{end}").repeat(count);
    let pieces = |old: &str, new: &str| diff_text(old, new).pieces.len();
    // Each line has a word that differs; by lines it is one difference.
    let edge = |count| pieces(&many("a b", count, "\n"), &many("c b", count, "\n"));
    assert_eq!((edge(500), edge(501)), (1_500, 2));
    // Two differences by lines; as a whole it is one.
    let around = |word: &str, count| format!("{0}same x\n{0}", many(word, count, " y\n"));
    let edge = |count| pieces(&around("a", count), &around("b", count));
    assert_eq!((edge(999), edge(1_000)), (5, 2));
}
