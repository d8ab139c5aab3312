//! Arguments, answers and options as the types that the author gave them.

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_path_to_error::Segment;
use toolwire::Json;
use toolwire::author::{Failure, bad_arguments};
use toolwire::json::pointer;
use toolwire::schema::tidy_input;
use toolwire_schema::{CheckError, check_value};

use crate::schema::schema_of;

/// A place, as a JSON Pointer, and what is wrong there.
type Mismatch = (String, String);

/// Reads the arguments of a tool. The failure names them and says what is wrong (AUTH-34).
pub(crate) fn read<T: DeserializeOwned + JsonSchema>(
    tool: &str,
    arguments: &Json,
) -> Result<T, Failure> {
    checked(&tidy_input(&schema_of::<T>()), arguments).map_err(|found| bad_arguments(tool, &found))
}

/// Reads a value that fits a schema into a type, or says where it does not fit, and why.
pub(crate) fn checked<T: DeserializeOwned>(
    schema: &Json,
    value: &Json,
) -> Result<T, Vec<Mismatch>> {
    match check_value(schema, value) {
        // With a schema that can't be used, such as one with a pattern of another kind, the type has
        // the only word.
        Ok(()) | Err(CheckError::BadSchema(_) | CheckError::OverBudget(_)) => {
            typed(value).map_err(|found| vec![found])
        }
        Err(CheckError::Mismatches(found)) => {
            let pairs = found.into_iter().map(|one| (one.pointer, one.message));
            Err(pairs.collect())
        }
    }
}

/// Reads a value into a type. What the type says of itself is all that is known where it refuses.
pub(crate) fn typed<T: DeserializeOwned>(value: &Json) -> Result<T, Mismatch> {
    let mut reader = serde_json::Deserializer::from_str(value.as_str());
    serde_path_to_error::deserialize(&mut reader).map_err(|error| {
        let mut place = String::new();
        error
            .path()
            .iter()
            .for_each(|step| follow(&mut place, step));
        let error = error.into_inner();
        let message = error.to_string();
        // The text is not the author's: nobody could look at that line.
        let line = format!(" at line {} column {}", error.line(), error.column());
        let message = message.strip_suffix(&line).unwrap_or(&message);
        (place, message.to_owned())
    })
}

/// Takes a step further into a value.
fn follow(place: &mut String, step: &Segment) {
    match step {
        Segment::Seq { index } => pointer::push(place, &index.to_string()),
        Segment::Map { key } => pointer::push(place, key),
        Segment::Enum { .. } | Segment::Unknown => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, serde::Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only reading it counts")]
    struct Args {
        limit: usize,
        author: Option<Author>,
        #[serde(default)]
        host: Option<Host>,
    }

    #[derive(Debug, serde::Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only reading it counts")]
    struct Author {
        names: Vec<String>,
    }

    /// To its schema it is any text.
    #[derive(Debug, JsonSchema)]
    #[schemars(transparent)]
    struct Host(#[expect(dead_code, reason = "only reading it counts")] String);

    impl<'de> serde::Deserialize<'de> for Host {
        fn deserialize<D: serde::Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
            let text = String::deserialize(reader)?;
            match text.contains(' ') {
                true => Err(serde::de::Error::custom("a host has no spaces")),
                false => Ok(Host(text)),
            }
        }
    }

    fn refused(text: &str) -> String {
        let arguments = Json::new(text).unwrap();
        read::<Args>("search", &arguments).expect_err(text).message
    }

    #[test]
    fn the_words_are_those_of_every_language() {
        assert_eq!(
            refused(r#"{"limit":"3"}"#),
            "the arguments of `search` do not fit: `/limit`: `limit` must be a whole number, not `\"3\"`"
        );
        assert_eq!(
            refused(r#"{"limit":-1,"author":{"names":[1]},"a/b":1}"#),
            "the arguments of `search` do not fit:\n- `/author/names/0`: `author.names[0]` must be a \
             string, not `1`\n- `/a~1b`: `a/b` is not expected\n- `/limit`: `limit` must be at least 0, \
             not `-1`"
        );
        assert_eq!(
            refused("{}"),
            "the arguments of `search` do not fit: `/limit`: `limit` is missing"
        );
    }

    #[test]
    fn what_only_the_type_refuses_is_told_in_its_words() {
        assert_eq!(
            refused(r#"{"limit":3,"host":"a b"}"#),
            "the arguments of `search` do not fit: `/host`: a host has no spaces"
        );
        let message = refused(r#"{"limit":99999999999999999999}"#);
        assert!(
            message.contains("`/limit`: ") && !message.contains("line"),
            "{message}"
        );
    }
}
