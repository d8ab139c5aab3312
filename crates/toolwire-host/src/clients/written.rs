//! A server as its file writes it, for conversions.

use std::path::Path;

use toolwire_contract::convert::Form;

use super::Result;
use super::entry::Entry;
use super::file::ClientFile;
use super::places::Surroundings;
use super::tree::Node;

/// A server as its file writes it: variables are not replaced, and values that are secrets stand in it.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Written {
    /// Its name in the file.
    pub name: String,
    /// How it is written.
    pub form: Form,
    /// Its members, an object in JSON whatever the file is.
    pub members: String,
}

impl Written {
    fn new(name: &str, form: Form, node: &Node) -> Written {
        Written {
            name: name.to_owned(),
            form,
            members: node.to_json(),
        }
    }
}

impl std::fmt::Debug for Written {
    /// Without the members, in which secrets may stand.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Written")
            .field("name", &self.name)
            .field("form", &self.form)
            .finish_non_exhaustive()
    }
}

/// The server `name` of a file that was named, or its only one, as it is written there: of a client, or of a
/// manifest that has `[servers.NAME]`.
///
/// # Errors
///
/// Those of [`super::read_file`], but for mistakes in the server itself.
pub fn read_written(
    path: &Path,
    name: Option<&str>,
    surroundings: &Surroundings,
) -> Result<Written> {
    let file = ClientFile::named(path, surroundings)?;
    let name = file.meant(path, name)?;
    let member = file.servers.iter().find(|member| member.name == name);
    let node = &member.expect("the file has what it names").node;
    Ok(Written::new(&name, file.form, node))
}

impl Entry {
    /// The server as its file writes it.
    #[must_use]
    pub fn written(&self) -> Written {
        Written::new(&self.name, self.form, &self.node)
    }
}
