//! The integration tests of this crate as one program, which is linked once and runs them side by side.

mod call_laws;
mod examples;
mod explain;
mod format_laws;
mod question_sizes;
mod secrets;
mod serializing;
mod uri_cases;
mod uri_laws;
