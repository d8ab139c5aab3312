//! Schemas for the providers of models, as text.

use toolwire::json::array;
use toolwire::schema::{Projection, Provider, lint_schema, project, project_answer};
use toolwire::{Code, Error, Json, UnknownWord};

/// The provider that a word means; without one, `common`.
///
/// # Errors
///
/// `bad_option` at `/provider`.
pub fn provider(word: Option<&str>) -> Result<Provider, Error> {
    let read = word.map(|word| {
        word.parse().map_err(|error: UnknownWord| {
            Error::new(
                Code::BadOption,
                "/provider",
                None,
                format!("`provider`: {error}"),
            )
        })
    });
    read.transpose().map(Option::unwrap_or_default)
}

/// The projection of a schema for a provider, or that for an answer.
///
/// # Errors
///
/// `bad_option` at `/provider`.
pub fn projection(schema: &Json, answer: bool, word: Option<&str>) -> Result<Projection, Error> {
    let project = if answer { project_answer } else { project };
    Ok(project(schema, provider(word)?))
}

/// What a provider would reject of a schema, as a JSON array of diagnostics.
///
/// # Errors
///
/// `bad_option` at `/provider`.
pub fn lint(schema: &Json, word: Option<&str>) -> Result<String, Error> {
    let found = lint_schema(schema, provider(word)?);
    Ok(array(found.iter().map(|found| found.to_json())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_provider_is_one_of_a_few_words() {
        assert_eq!(provider(None).unwrap(), Provider::Common);
        assert_eq!(provider(Some("google")).unwrap(), Provider::Google);
        assert_eq!(provider(Some("Google")).unwrap_err().pointer(), "/provider");
        let found = lint(&Json::from(true), Some("openai")).unwrap();
        assert!(found.starts_with(r#"[{"code":"schema_refused","severity":"error","pointer":"""#));
    }
}
