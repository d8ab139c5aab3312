use super::*;

fn find(schema: &str) -> Option<Secret> {
    find_in(Json::new(schema).unwrap())
}

fn find_in(schema: Json) -> Option<Secret> {
    let question = Question {
        id: "q".into(),
        text: "Which?".into(),
        schema,
        default: None,
        url: None,
        extra: Default::default(),
    };
    find_secret(&question, &SecretContext::default())
}

#[test]
fn the_deepest_schema_is_looked_through() {
    let depth = Limits::WIDEST.max_depth - 1;
    let text = format!(
        r#"{}{{"writeOnly":true}}{}"#,
        r#"{"a":"#.repeat(depth),
        "}".repeat(depth)
    );
    let found = find_in(Json::written(text)).unwrap();
    assert_eq!(found.reason, SecretReason::WriteOnly);
}

#[test]
fn a_password_is_one_whatever_the_first_sign_is() {
    let about = |schema| find(schema).unwrap().about;
    let marked = r#"{"writeOnly":true,"title":"Hasło"}"#;
    assert_eq!(about(marked), RefusalAbout::Password);
    assert_eq!(about(r#"{"writeOnly":true}"#), RefusalAbout::Secret);
    let both = r#"{"description":"Your API key and your password"}"#;
    assert_eq!(about(both), RefusalAbout::Password);
}

#[test]
fn a_large_question_is_judged_in_linear_time() {
    let schemas: [fn(usize) -> String; 5] = [
        |n| {
            format!(
                r#"{{"title":"{}"}}"#,
                "secret the password manager ".repeat(n / 28)
            )
        },
        |n| format!(r#"{{"title":"{}"}}"#, "密码管理器".repeat(n / 15)),
        |n| format!(r#"{{"title":"{}"}}"#, "a".repeat(n)),
        |n| format!(r#"{{"required":[{}"x"]}}"#, r#""the_id","#.repeat(n / 9)),
        |n| {
            format!(
                r#"{{"allOf":[{}{{}}]}}"#,
                r##"{"$ref":"#"},"##.repeat(n / 13)
            )
        },
    ];
    for (index, schema) in schemas.into_iter().enumerate() {
        let schema = Json::written(schema(1_000_000));
        let before = std::time::Instant::now();
        let _ = find_in(schema);
        // It takes a second or two, even unoptimized; a quadratic way would take hours.
        assert!(before.elapsed().as_secs() < 100, "{index}");
    }
}
