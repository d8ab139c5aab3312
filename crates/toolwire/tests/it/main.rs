//! The tests of this crate in one program: each program has to be linked, and is run after the others.

mod call_laws;
mod examples;
mod explain;
mod format_laws;
mod languages;
mod question_sizes;
mod secrets;
mod serializing;
mod uri_cases;
mod uri_laws;
