//! The integration tests of this crate as one program, which is linked once and runs them side by side.

use std::fs;
use std::path::{Path, PathBuf};

mod links;
mod promises;
mod rings;
mod terminals;

/// The files below a folder with an extension, in order, without what is installed, built or hidden.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let entry = entry.expect("an entry");
        let (path, name) = (entry.path(), entry.file_name());
        let name = name.to_string_lossy();
        if !path.is_dir() {
            found.extend(
                path.extension()
                    .is_some_and(|end| end == extension)
                    .then_some(path),
            );
        } else if !["target", "node_modules"].contains(&&*name) && !name.starts_with('.') {
            found.extend(files(&path, extension));
        }
    }
    found.sort();
    found
}
