//! The path by which this command is started again.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::exit::{Failure, Result};

/// The program that is to be started: this one, as it was started. Where it came by a link, as package
/// managers make them, that stays when the next version comes; in a package for Python or Node, the
/// executable of this process is another one.
pub fn own_path(program: &OsStr) -> Result<String> {
    let found = match Path::new(program).components().count() {
        1 => which::which(program).ok(),
        _ => std::path::absolute(program)
            .ok()
            .filter(|path| path.is_file()),
    };
    let is_this = |path: &PathBuf| path.file_stem().is_some_and(|stem| stem == "toolwire");
    let path = found.or_else(|| std::env::current_exe().ok().filter(is_this));
    let path = path.ok_or_else(|| {
        let message = "cannot tell how this command was started; put `toolwire` on the PATH";
        Failure::Wrong(vec![message.to_owned()])
    })?;
    path.to_str().map(str::to_owned).ok_or_else(|| {
        let shown = path.display();
        Failure::Wrong(vec![format!(
            "`{shown}` is not valid Unicode, so it can't stand in the file of a client"
        )])
    })
}
