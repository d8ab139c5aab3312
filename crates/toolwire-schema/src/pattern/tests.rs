use super::*;
use crate::Budget;

fn matches(pattern: &str, text: &str) -> Option<bool> {
    let mut allowance = Allowance::default();
    let pattern = Pattern::new(pattern, &mut allowance).unwrap();
    pattern.matches(text, &mut allowance).unwrap()
}

/// Both kinds of patterns match what the engine of the validator matches, whose own searching is not
/// counted.
#[test]
fn patterns_match_as_another_engine_does() {
    let patterns = [
        "a",
        "^a$",
        "^(a|ab)(c|bcd)$",
        r"^\d+$",
        r"\bfoo\b",
        r"^\S+@\S+$",
        "[^a-z]",
        "(?i)é",
        "a{2,3}",
        "^(a+)+$",
        "",
        "^$",
        r"\p{L}+",
        r"^\w{1,3}-\W$",
        "(?:a|b)*?c",
        ".",
        "^.{2}$",
        r"[\s\S]",
        "a**",
        "(?=a)a",
        "(?!a)b",
        "(?<=a)b",
        "(?<!a)b",
        r"(a+)b\1",
        r"^(?=.*[A-Z])(?=.*\d).{4,}$",
        r"^(?:(?!ab).)*$",
        r"(?i)(A)\1",
        "(?=(a*))\\1b",
        r"(?<=\d{2,3})x",
        "(?>a+)ab",
        r"^(?:(a)|b)*\1$",
        "(?=a|b)[^b]",
        r"(?<year>\d{4})-\k<year>",
        "(?m)^(?=b)b$",
        "(?s)(?=.).\n",
        "x?(?=y)",
        "(a?)*(?=b)",
    ];
    let texts = [
        "",
        "a",
        "b",
        "ab",
        "abc",
        "abcd",
        "foo bar",
        "xfoo",
        "é",
        "É",
        "aaa",
        "aaab",
        "aabaa",
        "A1bc",
        "AAaa",
        "12x",
        "1x",
        "2025-2025",
        "a\nb",
        "b\na",
        "x\n",
        "a b",
        "me@x",
        "ac",
        "bbc",
        "aab",
        "ba",
        "a1-!",
        "xy",
        "aaaaaaa!",
    ];
    for pattern in patterns {
        let translated = jsonschema_regex::to_rust_regex(pattern);
        let other = translated.ok().and_then(|text| Regex::new(&text).ok());
        let mut allowance = Allowance::default();
        let own = Pattern::new(pattern, &mut allowance);
        assert_eq!(own.is_ok(), other.is_some(), "{pattern}");
        let (Ok(own), Some(other)) = (own, other) else {
            continue;
        };
        for text in texts {
            let found = own.matches(text, &mut allowance).unwrap();
            assert_eq!(found, other.is_match(text).ok(), "{pattern} {text}");
        }
    }
}

#[test]
fn what_would_try_for_ever_gives_up() {
    assert_eq!(matches(r"^(a|aa)+\1b", &"a".repeat(60)), None);
    assert_eq!(
        matches("^(a+)+$", &format!("{}!", "a".repeat(60))),
        Some(false)
    );
}

#[test]
fn each_step_is_taken_from_the_allowance() {
    for (pattern, text) in [
        ("^(?:(?=[a-z]*!)[a-z])*$", "a".repeat(20_000) + "!"),
        ("(?<=a.*)b", "b".repeat(5_000)),
        ("(a?){1000}(?=b)", "a".repeat(1_000)),
    ] {
        let mut allowance = Allowance::new(Budget {
            steps: 20_000,
            ..Budget::default()
        });
        let pattern = Pattern::new(pattern, &mut allowance);
        let Ok(pattern) = pattern else { continue };
        assert_eq!(
            pattern.matches(&text, &mut allowance),
            Err(Stop::OverBudget)
        );
    }
}

#[test]
fn what_one_match_may_take_is_bounded_by_its_price() {
    for (pattern, text) in [
        ("(x+x+)+y", "x".repeat(20_000)),
        ("(a|b)*a(a|b){200}c", "ab".repeat(10_000)),
        ("^(?=(a+)+$)(a|aa)+b$", "a".repeat(2_000)),
        (r"^(\w+\s?)*(?!x)\1$", "word ".repeat(200) + "!"),
        ("(?:(?=a*)a)*(?=b)", "a".repeat(3_000)),
        ("(a*)*(?=b)", "a".repeat(3_000)),
        ("(?<!a{1,100})(?:a|a)*(?=!)", "a".repeat(1_000)),
    ] {
        let mut allowance = Allowance::default();
        let start = std::time::Instant::now();
        if let Ok(pattern) = Pattern::new(pattern, &mut allowance) {
            let _ = pattern.matches(&text, &mut allowance);
        }
        assert!(start.elapsed().as_secs() < 10, "{pattern}");
    }
}

#[test]
fn compiling_is_paid_for_too() {
    let many = r"\p{L}".repeat(5_000);
    assert!(matches!(
        Pattern::new(&many, &mut Allowance::default()),
        Err(NoPattern::Stop(Stop::OverBudget))
    ));
    for bomb in [
        "(?:a{1000}){1000}",
        "(?:(?:){1000}){1000}(?=a)",
        "(?:(?:(?:){1000}){1000}){1000}",
        "(?i)(?:\\p{L}{500}){9}",
    ] {
        let mut allowance = Allowance::default();
        let made = Pattern::new(bomb, &mut allowance);
        assert!(
            matches!(made, Err(NoPattern::Bad)) || allowance.steps() < Budget::default().steps,
            "{bomb}"
        );
    }
}
