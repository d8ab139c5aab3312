//! A short run under the test command. The long one is `cargo xtask fuzz --minutes N`.

use toolwire::Limits;
use toolwire_fuzz::corpus::{Corpus, cases_folder};
use toolwire_fuzz::run::{self, Length};
use toolwire_fuzz::subject::{Reading, Subject, Toolwire};

/// So many that an unoptimized build takes about ten seconds.
const INPUTS: u64 = 12_000;

#[test]
fn all_laws_hold_for_the_inputs_of_one_seed() {
    let corpus = Corpus::with_cases(&cases_folder()).expect("the cases");
    let mut broken = Vec::new();
    let tally = run::on_a_deep_stack(|| {
        let failed = |failure: toolwire_fuzz::report::Failure| {
            let file = failure.write(std::path::Path::new(env!("CARGO_TARGET_TMPDIR")));
            broken.push(format!(
                "{}: {} (see {file:?})",
                failure.law, failure.message
            ));
        };
        run::run(
            &Toolwire,
            &corpus,
            58,
            Length::Inputs(INPUTS),
            None,
            |_| {},
            failed,
        )
    });
    assert!(broken.is_empty(), "{broken:#?}");
    assert!(tally.checks > 5 * INPUTS, "{} checks", tally.checks);
}

/// One law alone, for as many texts as take about a second.
#[test]
fn the_formats_of_schemas_agree_with_another_validator() {
    let law = toolwire_fuzz::laws::by_name("schema-format");
    let mut broken = Vec::new();
    run::run(
        &Toolwire,
        &Corpus::builtin(),
        58,
        Length::Inputs(4_000),
        law,
        |_| {},
        |failure| broken.push(failure.message),
    );
    assert!(law.is_some() && broken.is_empty(), "{broken:#?}");
}

/// Forgets the last skipped block of a document.
struct Forgetful;

impl Subject for Forgetful {
    fn parse(&self, input: &[u8], limits: &Limits) -> Reading {
        let mut reading = Toolwire.parse(input, limits);
        reading.skipped.pop();
        reading
    }
}

#[test]
fn a_run_finds_a_planted_bug_and_cuts_it_down() {
    let law = toolwire_fuzz::laws::by_name("nothing-lost");
    let mut found = Vec::new();
    run::on_a_deep_stack(|| {
        run::run(
            &Forgetful,
            &Corpus::builtin(),
            1,
            Length::Inputs(400),
            law,
            |_| {},
            |failure| found.push(failure),
        );
    });
    let [failure] = found.as_slice() else {
        panic!("{} failures", found.len())
    };
    assert!(
        failure.input.len() <= r#"{"content":[{"type":"a"}]}"#.len(),
        "{} bytes",
        failure.input.len()
    );
}

#[test]
fn the_same_seed_makes_the_same_inputs() {
    let corpus = Corpus::builtin();
    let inputs = |seed| {
        (0..100)
            .map(|i| run::input_of(seed, i, &corpus, None))
            .collect::<Vec<_>>()
    };
    assert_eq!(inputs(3), inputs(3));
    assert_ne!(inputs(3), inputs(4));
}
