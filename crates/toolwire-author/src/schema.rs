//! The JSON Schemas of the types that an author gives a tool.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use toolwire::Json;
use toolwire::schema::close;

/// The schema of what is read into a type: closed, since what the type does not know would be dropped
/// (AUTH-73).
pub(crate) fn schema_of<T: JsonSchema>() -> Json {
    close(&json_of(
        SchemaSettings::draft2020_12()
            .for_deserialize()
            .into_generator()
            .into_root_schema_for::<T>(),
    ))
}

/// The schema of what is written of a type.
pub(crate) fn output_schema_of<T: JsonSchema>() -> Json {
    json_of(
        SchemaSettings::draft2020_12()
            .for_serialize()
            .into_generator()
            .into_root_schema_for::<T>(),
    )
}

fn json_of(schema: schemars::Schema) -> Json {
    // What the generator makes is JSON; should a hand-written schema not be, nothing is known of it.
    Json::new(schema.to_value().to_string()).unwrap_or_else(|_| Json::from(true))
}
