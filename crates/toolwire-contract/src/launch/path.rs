//! Paths in launch URIs (LAUNCH-20 to LAUNCH-24): read in the same way on every system, without a disk.

use super::refusal::show;

/// What a path leads to, and where it stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Leads {
    /// To a file; the path stands in front of a query.
    ToFile,
    /// To a folder; the path is a value.
    ToFolder,
}

/// Reads a path, in which a drive may stand behind a slash.
pub(super) fn read(text: &str, leads: Leads) -> Result<String, String> {
    let is_file = leads == Leads::ToFile;
    let what = if is_file { "file" } else { "folder" };
    let shown = show(text);
    let bare = text.strip_prefix('/').filter(|rest| has_drive(rest));
    let path = bare.unwrap_or(text);
    if text.is_empty() {
        return Err(format!(
            "there is no path of a {what}: write one such as `./{what}` or `/{what}`"
        ));
    }
    if text.contains('\\') {
        return Err(format!(
            "`{shown}` has a backslash: write the path with slashes, as in `/C:/dir/{what}` or `//server/share/{what}`"
        ));
    }
    if text.starts_with('-') {
        return Err(format!(
            "`{shown}` looks like an option: write `./{shown}` if it is a path"
        ));
    }
    if text.starts_with('~') {
        return Err(format!(
            "`{shown}` would need a shell to find the home folder: write the path from `/` on"
        ));
    }
    if is_file && has_drive(text) {
        return Err(format!(
            "a drive stands behind three slashes: write `:///{shown}`"
        ));
    }
    if has_drive(path) {
        if !path[2..].starts_with('/') {
            return Err(format!(
                "`{shown}` depends on the current folder of the drive: write `{}:/…`",
                &path[..1]
            ));
        }
    } else if let Some(share) = path.strip_prefix("//") {
        let parts: Vec<&str> = share.splitn(3, '/').collect();
        if matches!(parts[0], "" | "." | "?") || parts.get(1).is_none_or(|name| name.is_empty()) {
            return Err(format!(
                "`{shown}` names no server and share: write `//server/share/{what}`, or one slash for a path of this machine"
            ));
        }
        if is_file && parts.len() < 3 {
            return Err(format!("`{shown}` is a folder: add the name of the file"));
        }
    } else if !(path.starts_with('/') || is_relative(path)) {
        return Err(format!(
            "`{shown}` could be a host: write `./{shown}` for a {what} in the current folder, `/…` for one elsewhere"
        ));
    }
    let last = path.rsplit('/').next().unwrap_or_default();
    if is_file && matches!(last, "" | "." | "..") {
        return Err(format!("`{shown}` is a folder: add the name of the file"));
    }
    Ok(path.to_owned())
}

/// The path of a program: a name on the search path, or a path.
pub(super) fn program(text: &str) -> Result<String, String> {
    let is_path = text.contains(['/', '\\'])
        || has_drive(text)
        || text.starts_with('~')
        || matches!(text, "." | "..");
    if is_path {
        return read(text, Leads::ToFile);
    }
    if text.contains(':') {
        return Err(format!(
            "`{}` is no name of a program: write its name, or its path from `/` or `./` on",
            show(text)
        ));
    }
    Ok(text.to_owned())
}

/// Whether a path begins with the letter of a drive.
pub(super) fn has_drive(path: &str) -> bool {
    matches!(path.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic())
}

/// A path as it stands in front of a query, where a drive could be taken for a host.
pub(super) fn in_target(path: &str) -> String {
    let slash = if has_drive(path) { "/" } else { "" };
    format!("{slash}{path}")
}

/// Whether a path is one from the current folder on.
pub(super) fn is_relative(path: &str) -> bool {
    matches!(path, "." | "..") || path.starts_with("./") || path.starts_with("../")
}

/// Whether a path is one of Windows: with a drive, or of a share.
pub(super) fn is_windows(path: &str) -> bool {
    has_drive(path) || path.starts_with("\\\\")
}

/// The path from a folder on, as text; the folder may have backslashes.
pub(super) fn join(folder: &str, path: &str) -> String {
    if !is_relative(path) {
        return path.to_owned();
    }
    let folder = match is_windows(folder) {
        true => folder.replace('\\', "/"),
        false => folder.to_owned(),
    };
    let mut rest = path;
    while let Some(after) = rest.strip_prefix("./") {
        rest = after.trim_start_matches('/');
    }
    if matches!(rest, "" | ".") {
        return folder;
    }
    format!("{}/{rest}", folder.trim_end_matches('/'))
}
