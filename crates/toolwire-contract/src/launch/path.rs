//! Paths in launch URIs (LAUNCH-20 to LAUNCH-24): read in the same way on every system, without a disk.

use toolwire::Error;

use super::refusal::{Place, show};

/// What a path leads to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Leads {
    ToFile,
    ToFolder,
}

/// The path that stands in front of a query, or as a value.
pub(super) fn read(text: &str, leads: Leads, place: Place) -> Result<String, Error> {
    let what = match leads {
        Leads::ToFile => "file",
        Leads::ToFolder => "folder",
    };
    if text.is_empty() {
        return Err(place.refuse(format!(
            "there is no path of a {what}: write one such as `./{what}` or `/{what}`"
        )));
    }
    if text.contains('\\') {
        return Err(place.refuse(format!(
            "`{}` has a backslash: write the path with slashes, as in `/C:/dir/{what}` or `//server/share/{what}`",
            show(text)
        )));
    }
    if text.starts_with('-') {
        return Err(place.refuse(format!(
            "`{}` looks like an option: write `./{0}` if it is a path",
            show(text)
        )));
    }
    if text.starts_with('~') {
        return Err(place.refuse(format!(
            "`{}` would need a shell to find the home folder: write the path from `/` on",
            show(text)
        )));
    }
    let path = match (
        has_drive(text),
        text.strip_prefix('/').filter(|rest| has_drive(rest)),
    ) {
        (_, Some(rest)) => rest,
        // A value says of itself where it begins; in front of a query, a host would stand there.
        (true, _) if leads == Leads::ToFolder => text,
        (true, _) => {
            return Err(place.refuse(format!(
                "a drive stands behind three slashes: write `:///{}`",
                show(text)
            )));
        }
        _ => text,
    };
    if has_drive(path) {
        if !path[2..].starts_with('/') {
            return Err(place.refuse(format!(
                "`{}` depends on the current folder of the drive: write `{}:/…`",
                show(path),
                &path[..1]
            )));
        }
    } else if let Some(share) = path.strip_prefix("//") {
        let mut parts = share.splitn(3, '/');
        let (server, name) = (
            parts.next().unwrap_or_default(),
            parts.next().unwrap_or_default(),
        );
        if name.is_empty() || matches!(server, "" | "." | "?") {
            return Err(place.refuse(format!(
                "`{}` names no server and share: write `//server/share/{what}`, or one slash for a path of this machine",
                show(text)
            )));
        }
        if leads == Leads::ToFile && parts.next().is_none() {
            return Err(no_file(text, place));
        }
    } else if !(path.starts_with('/') || is_relative(path)) {
        return Err(place.refuse(format!(
            "`{}` could be a host: write `./{0}` for a {what} in the current folder, `/…` for one elsewhere",
            show(text)
        )));
    }
    let last = path.rsplit('/').next().unwrap_or_default();
    if leads == Leads::ToFile && matches!(last, "" | "." | "..") {
        return Err(no_file(text, place));
    }
    Ok(path.to_owned())
}

fn no_file(text: &str, place: Place) -> Error {
    place.refuse(format!(
        "`{}` is a folder: add the name of the file",
        show(text)
    ))
}

/// Whether a path begins with the letter of a drive.
pub(super) fn has_drive(path: &str) -> bool {
    matches!(path.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic())
}

/// Whether a path is one from the current folder on.
pub(super) fn is_relative(path: &str) -> bool {
    matches!(path, "." | "..") || path.starts_with("./") || path.starts_with("../")
}

/// The path from a folder on, as text; the folder may have backslashes.
pub(super) fn join(folder: &str, path: &str) -> String {
    if !is_relative(path) {
        return path.to_owned();
    }
    let is_windows = has_drive(folder) || folder.starts_with("\\\\");
    let folder = if is_windows {
        folder.replace('\\', "/")
    } else {
        folder.to_owned()
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
