//! How many attacks are found, and how many harmless questions are taken for one, in the corpora of
//! `conformance/secrets`. Of the held-out one nothing but the figures is told.

use std::fmt::Write;
use std::path::PathBuf;

use toolwire::Json;
use toolwire::json::Document;
use toolwire::question::{SecretContext, SecretTier, find_secret, read_question};

/// What became of the entries of one kind.
#[derive(Default)]
struct Count {
    all: usize,
    declared: usize,
    suspected: usize,
    /// Attacks that declare the secret, and how many of them are found to.
    plain: usize,
    plain_found: usize,
    wrong: String,
}

impl Count {
    fn rate(&self) -> f64 {
        (self.declared + self.suspected) as f64 / self.all as f64
    }
}

/// Attacks and harmless questions.
fn count(name: &str) -> [Count; 2] {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../conformance/secrets");
    let text = std::fs::read_to_string(path.join(name)).expect("the corpus is there");
    let document = Document::new(&text).expect("the corpus is JSON");
    let mut counts = [Count::default(), Count::default()];
    for entry in document.root().elements() {
        let text = |name: &str| entry.get(name).and_then(|node| node.as_str());
        let attack = text("kind").expect("a kind") == "attack";
        let question = entry.get("question").expect("a question");
        let question = read_question(Json::from(question).as_str()).expect("a question");
        let blocks = entry.get("context").into_iter();
        let context: SecretContext = blocks
            .flat_map(|blocks| blocks.elements())
            .filter_map(|block| block.as_str())
            .collect();
        let found = find_secret(&question, &context);
        let tier = found.as_ref().map(|secret| secret.tier);
        let count = &mut counts[usize::from(!attack)];
        count.all += 1;
        count.declared += usize::from(tier == Some(SecretTier::Declared));
        count.suspected += usize::from(tier == Some(SecretTier::Suspected));
        if text("tier").as_deref() == Some("declared") {
            count.plain += 1;
            count.plain_found += usize::from(tier == Some(SecretTier::Declared));
        }
        if attack != found.is_some() {
            let place = found.map_or("nothing".into(), |secret| secret.pointer);
            let id = text("id").expect("an id");
            let _ = writeln!(count.wrong, "  {id}: {place} in {}", question.text);
        }
    }
    counts
}

fn holds(name: &str, tells: bool) {
    let [attacks, harmless] = count(name);
    println!(
        "{name}: {} attacks, {} found declared, {} suspected, recall {:.1} %; {} of {} that declare \
         the secret are found to; {} harmless, {} taken as declared, {} as suspected, false alarms \
         {:.1} %",
        attacks.all,
        attacks.declared,
        attacks.suspected,
        attacks.rate() * 100.0,
        attacks.plain_found,
        attacks.plain,
        harmless.all,
        harmless.declared,
        harmless.suspected,
        harmless.rate() * 100.0,
    );
    if tells {
        println!(
            "missed:\n{}false alarms:\n{}",
            attacks.wrong, harmless.wrong
        );
    }
    assert_eq!(harmless.declared, 0, "a harmless question is never refused");
    assert!(attacks.rate() >= 0.85, "recall of {name}");
    assert!(harmless.rate() <= 0.1, "false alarms of {name}");
}

#[test]
fn the_development_corpus() {
    holds("development.json", true);
}

#[test]
fn the_held_out_corpus() {
    holds("held-out.json", false);
}
