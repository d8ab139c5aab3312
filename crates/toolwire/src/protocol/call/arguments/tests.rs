use crate::{Json, parse_arguments};

fn refused(words: &[&str], schema: &str) -> String {
    let schema = Json::new(schema).unwrap();
    let error = parse_arguments(words, &schema).unwrap_err();
    error.message().to_owned()
}

#[test]
fn messages_tell_what_to_write() {
    let closed = r#"{"properties":{"dry_run":{"type":"boolean"},"folder":{"type":"string"},
        "author":{"properties":{"name":{}},"additionalProperties":false}},
        "additionalProperties":false}"#;
    let open = r#"{"properties":{"folder":{}}}"#;
    for (words, schema, message) in [
        (
            &["--foldr", "a"][..],
            closed,
            "`--foldr` is not an argument; did you mean `--folder`?",
        ),
        (
            &["foldr=a"],
            closed,
            "`foldr` is not an argument; did you mean `folder`?",
        ),
        (
            &["dryrun=yes"],
            closed,
            "`dryrun` is not an argument; did you mean `dry_run`?",
        ),
        (
            &["--dryrun"],
            closed,
            "`--dryrun` is not an argument; did you mean `--dry-run`?",
        ),
        (
            &["--author.nme", "a"],
            closed,
            "`--author.nme` is not an argument; did you mean `--author.name`?",
        ),
        (
            &["--dry-run", "maybe"],
            closed,
            "`maybe` is not an argument: write `name=value`",
        ),
        (
            &["author.nme=a"],
            closed,
            "`author.nme` is not an argument; did you mean `author.name`?",
        ),
        (
            &["x=1"],
            closed,
            "`x` is not an argument: there are `dry_run`, `folder`, `author`",
        ),
        (
            &["--x"],
            closed,
            "`--x` is not an argument: there are `--dry-run`, `--folder`, `--author.name`",
        ),
        (
            &["--x", "1"],
            open,
            "`--x` is not an argument: there is `--folder`; to pass another argument, write `x=1`",
        ),
        (
            &["--folder", "/tmp"],
            "{}",
            "`--folder` is not an argument: there are none; to pass another argument, write `folder=/tmp`",
        ),
        (&["--folder"], closed, "`--folder` needs a string after it"),
        (
            &["--folder", "-x"],
            closed,
            "`--folder` needs a value, and `-x` looks like an option: write `--folder=-x`",
        ),
        (
            &["--dry-run", "false"],
            closed,
            "`false` is not an argument: write `name=value`",
        ),
        (
            &["--no-dry-run=1"],
            closed,
            "`--no-dry-run` takes no value: write `--no-dry-run`, or `dry_run=false`",
        ),
    ] {
        assert_eq!(refused(words, schema), message, "{words:?}");
    }
}
