//! The law of sessions.

use super::*;
use toolwire::session::{Effect, SessionState};

#[test]
fn session_sees_wrong_ways_lost_blocks_and_open_questions() {
    for spoil in [
        (|outcome: &mut SessionOutcome| outcome.state = SessionState::Stopped)
            as fn(&mut SessionOutcome),
        |outcome| outcome.refusal = None,
        |outcome| {
            outcome
                .effects
                .retain(|effect| !matches!(effect, Effect::Open { .. }))
        },
        |outcome| spoil_envelope(outcome, r#""last":"#, r#""last":1"#),
        |outcome| spoil_envelope(outcome, r#""first":"#, r#""first":1"#),
        |outcome| {
            spoil_envelope(
                outcome,
                r#""type":"text","text":"2""#,
                r#""type":"text","text":"1""#,
            )
        },
        |outcome| spoil_envelope(outcome, r#""dropped":"#, r#""forgotten":"#),
        |outcome| {
            // What only a person may type comes through.
            if outcome.refusal.as_ref().map(|refusal| refusal.code) == Some(Code::PersonOnly) {
                let value = Json::from(true);
                outcome.effects.push(Effect::Input { value });
                outcome.refusal = None;
            }
        },
    ] {
        let wrong = Wrong {
            session: Some(spoil),
            ..Wrong::default()
        };
        // Bytes that spawn, write, ask, apply and fetch, again and again, and type while only a person may.
        red(
            "session",
            &wrong,
            "AA^^]^]L]C^^^]^^^^]^]^]R]]A^]LN]J]^R]]A^^][B",
        );
    }
}

fn spoil_envelope(outcome: &mut SessionOutcome, from: &str, to: &str) {
    for effect in &mut outcome.effects {
        if let Effect::Reply { envelope } = effect {
            *envelope = Json::new(envelope.as_str().replace(from, to)).unwrap();
        }
    }
}
