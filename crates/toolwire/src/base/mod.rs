//! What knows nothing of envelopes: JSON, its errors, its canonical form, URIs, and schemas.

#[macro_use]
mod words;

pub mod canonical;
pub mod diagnostic;
pub mod escape;
pub mod json;
pub mod nearest;
pub mod schema;
pub mod uri;

pub use words::UnknownWord;
