//! Whether a file can be somebody else's word.

use std::fs::{self, File, Metadata};
use std::io;
use std::path::Path;

/// Why others than the user and root may have written a file that is open at this path, if they may
///. A link is its owner's word on which file is meant, and in a folder it can be replaced.
///
/// # Errors
///
/// The file or its folder can't be looked at.
pub fn others(path: &Path, file: &File) -> io::Result<Option<String>> {
    let place = fs::symlink_metadata(path)?;
    let link = match place.is_symlink() {
        true => stranger(&place, What::Link),
        false => None,
    };
    // The parent of a bare name is empty, and no place.
    let path = std::path::absolute(path)?;
    let folder = fs::metadata(path.parent().unwrap_or(&path))?;
    Ok(link
        .or(stranger(&file.metadata()?, What::File))
        .or_else(|| stranger(&folder, What::Folder)))
}

/// Whether a link leads from a folder, such as a checkout, to a file that is not in it. Whoever agreed to what a file
/// starts agreed to it for the folder of that file.
///
/// # Errors
///
/// The file or the folder can't be looked at.
pub fn leaves(folder: &Path, path: &Path) -> io::Result<bool> {
    // The folder of a bare name is empty, and the current one.
    let folder = fs::canonicalize(Path::new(".").join(folder))?;
    Ok(!fs::canonicalize(path)?.starts_with(folder))
}

/// What is looked at, as a sentence names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    File,
    /// The symbolic link that stands in its place, of which only the owner counts.
    Link,
    /// The folder in which it was found.
    Folder,
}

/// Why somebody else than the user and root may have written this; nothing if nobody else can have.
#[cfg(not(unix))]
fn stranger(_: &Metadata, _: What) -> Option<String> {
    None
}

/// Why somebody else than the user and root may have written this; nothing if nobody else can have.
#[cfg(unix)]
fn stranger(file: &Metadata, what: What) -> Option<String> {
    use std::os::unix::fs::MetadataExt;
    let (uid, gid, mode) = (file.uid(), file.gid(), file.mode());
    let name = match what {
        What::File => "it",
        What::Link => "the link in its place",
        What::Folder => "its folder",
    };
    let owner = user(uid);
    if uid != 0 && uid != nix::unistd::geteuid().as_raw() {
        return Some(format!(
            "{name} belongs to {owner}, which is neither you nor root"
        ));
    }
    // In a sticky folder nobody takes away or replaces what is another's.
    if what == What::Link || (what == What::Folder && mode & 0o1000 != 0) {
        return None;
    }
    if mode & 0o002 != 0 {
        return Some(format!(
            "everybody can write {name}, though it belongs to {owner}"
        ));
    }
    if mode & 0o020 != 0 && !is_own_group(uid, gid) {
        let group = group(gid);
        return Some(format!(
            "{group} can write {name}, though it belongs to {owner}"
        ));
    }
    None
}

/// Whether a group is that of one user alone, as many systems make one for each user.
#[cfg(unix)]
fn is_own_group(uid: u32, gid: u32) -> bool {
    use nix::unistd::{Gid, Group, Uid, User};
    let (Ok(Some(user)), Ok(Some(group))) = (
        User::from_uid(Uid::from_raw(uid)),
        Group::from_gid(Gid::from_raw(gid)),
    ) else {
        return false;
    };
    user.gid == group.gid
        && user.name == group.name
        && group.mem.iter().all(|member| *member == user.name)
}

#[cfg(unix)]
fn user(uid: u32) -> String {
    use nix::unistd::{Uid, User};
    match User::from_uid(Uid::from_raw(uid)) {
        Ok(Some(user)) => format!("`{}`", user.name),
        _ => format!("the user {uid}"),
    }
}

#[cfg(unix)]
fn group(gid: u32) -> String {
    use nix::unistd::{Gid, Group};
    match Group::from_gid(Gid::from_raw(gid)) {
        Ok(Some(group)) => format!("the group `{}`", group.name),
        _ => format!("the group {gid}"),
    }
}
