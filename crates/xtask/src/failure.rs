//! Why a command of the project cannot go on.

use std::path::Path;

/// A sentence for a person.
#[derive(Debug)]
pub struct Failure(pub String);

pub type Outcome = Result<(), Failure>;

/// A failure at a file or folder.
pub fn at(path: &Path) -> impl FnOnce(std::io::Error) -> Failure {
    let path = path.to_owned();
    move |error| Failure(format!("`{}`: {error}", path.display()))
}
