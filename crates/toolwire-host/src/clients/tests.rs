//! What files of real clients look like, and what is made of them.

mod editing;
mod finding;
mod reading;
mod spec;

use std::fs;
use std::path::{Path, PathBuf};

use super::{Surroundings, System};

/// A home folder with a workspace in it.
struct Stage {
    folder: tempfile::TempDir,
}

impl Stage {
    fn new() -> Stage {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("home/project/below")).unwrap();
        Stage { folder }
    }

    fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    /// As they are for a user in a folder of the workspace.
    fn surroundings(&self) -> Surroundings {
        Surroundings::new(
            System::Linux,
            &self.home(),
            &self.home().join("project/below"),
        )
    }

    /// Writes a file whose path begins in the home folder.
    fn file(&self, path: &str, text: &str) -> PathBuf {
        let path = self.home().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }
}

fn with(mut surroundings: Surroundings, variables: &[(&str, &str)]) -> Surroundings {
    for (name, value) in variables {
        let (name, value) = ((*name).to_owned(), (*value).to_owned());
        surroundings.variables.insert(name, value);
    }
    surroundings
}

fn name_of(path: &Path) -> String {
    path.display().to_string()
}
