//! `file:` URIs and references without a scheme, which mean files too (URI-16 to URI-35).

use super::{Reason, generic, normal_tail, percent, split_tail};

/// Where a file is: the parts of a canonical `file:` URI before its query.
#[derive(Debug, Clone)]
pub(super) struct Place {
    /// In normal form; empty for this machine.
    host: String,
    /// In normal form; neither empty nor dot segments. A drive is the first one, as in `C:`.
    segments: Vec<String>,
}

impl Place {
    /// The URI; `tail` is a query and a fragment with their delimiters, in normal form.
    pub(super) fn to_uri(&self, tail: &str) -> String {
        let path = self.segments.join("/");
        // A drive alone is the drive's root directory, which is written with its slash.
        let slash = if self.is_drive() { "/" } else { "" };
        format!("file://{}/{path}{slash}{tail}", self.host)
    }

    fn has_drive(&self) -> bool {
        let first = self.segments.first();
        self.host.is_empty() && first.is_some_and(|first| drive(first).is_some())
    }

    fn is_drive(&self) -> bool {
        self.segments.len() == 1 && self.has_drive()
    }

    fn new(host: String) -> Self {
        Place {
            host,
            segments: Vec::new(),
        }
    }

    /// The topmost directory on the same drive or host.
    fn top(&self) -> Place {
        let kept = usize::from(self.has_drive());
        Place {
            host: self.host.clone(),
            segments: self.segments[..kept].to_vec(),
        }
    }

    /// Walks a path from here, segment by segment, and never above the drive or the host.
    fn walk(&mut self, path: &str) {
        for written in path.split('/') {
            let segment = normal_segment(written);
            match segment.as_str() {
                "" | "." => {}
                ".." if self.is_drive() => {}
                ".." => drop(self.segments.pop()),
                _ if self.segments.is_empty() && self.host.is_empty() => {
                    self.segments.push(drive(&segment).unwrap_or(segment));
                }
                _ => self.segments.push(segment),
            }
        }
    }
}

/// Reads what follows `file:`, or a whole reference without a scheme. Gives the place, and the
/// query and fragment in normal form.
pub(super) fn parse(
    rest: &str,
    has_scheme: bool,
    root: Option<&Place>,
) -> Result<(Place, String), Reason> {
    let rest = without_verbatim_prefix(rest)?;
    let (hierarchy, tail) = split_tail(&rest);
    let place = resolve(hierarchy, has_scheme, root)?;
    Ok((place, normal_tail(tail)))
}

fn resolve(hierarchy: &str, has_scheme: bool, root: Option<&Place>) -> Result<Place, Reason> {
    // URI-22: a backslash among the first two slashes tells of a UNC path.
    let is_unc = matches!(
        hierarchy.as_bytes(),
        [b'\\', b'/' | b'\\', ..] | [b'/', b'\\', ..]
    );
    let hierarchy = hierarchy.replace('\\', "/");
    if is_unc {
        return unc(&hierarchy);
    }
    if let Some(after) = hierarchy.strip_prefix("//") {
        let (authority, path) = after.split_at(after.find('/').unwrap_or(after.len()));
        if drive(&normal_segment(authority)).is_some() {
            return Ok(walked(String::new(), after));
        }
        let host = normal_host(authority)?;
        return if host.is_empty() || host == "localhost" {
            local(path)
        } else {
            Ok(walked(host, path))
        };
    }
    if let Some(path) = hierarchy.strip_prefix('/') {
        let mut place = match root {
            // URI-31: only a reference without a scheme depends on the root.
            Some(root) if !has_scheme && !starts_with_drive(path) => root.top(),
            _ => Place::new(String::new()),
        };
        place.walk(path);
        return Ok(place);
    }
    if starts_with_drive(&hierarchy) {
        return Ok(walked(String::new(), &hierarchy));
    }
    relative(&hierarchy, root)
}

/// A path on this machine, after an empty authority; two slashes begin a UNC path.
fn local(path: &str) -> Result<Place, Reason> {
    if path.starts_with("//") {
        unc(path)
    } else {
        Ok(walked(String::new(), path))
    }
}

/// A UNC path with forward slashes: a host after any number of slashes, then the share.
fn unc(path: &str) -> Result<Place, Reason> {
    let path = path.trim_start_matches('/');
    let (host, rest) = path.split_at(path.find('/').unwrap_or(path.len()));
    if drive(&normal_segment(host)).is_some() {
        return Ok(walked(String::new(), path));
    }
    // URI-22: RFC 8089, appendix E.3.2, writes the brackets of an address in their encoded form.
    let host = host.replace("%5B", "[").replace("%5b", "[");
    let host = host.replace("%5D", "]").replace("%5d", "]");
    let mut host = normal_host(&host.replace('@', "%40"))?;
    // URI-23: a share of this machine is not a path of this machine, so the host must not vanish.
    if host == "localhost" {
        host = "127.0.0.1".to_owned();
    }
    Ok(walked(host, rest))
}

/// URI-30 and URI-32 to URI-34: a path that does not begin with a slash, or an empty one.
fn relative(path: &str, root: Option<&Place>) -> Result<Place, Reason> {
    let first = path.split('/').next().unwrap_or_default();
    if first.contains(':') {
        return Err(
            "a colon before the first slash needs a scheme of two letters or more, or a \
                    drive letter with a slash after it; for a name with a colon write `./name`",
        );
    }
    let root = root.ok_or("it is relative and there is no root; pass the workspace root")?;
    let mut place = root.clone();
    place.walk(path);
    Ok(place)
}

fn walked(host: String, path: &str) -> Place {
    let mut place = Place::new(host);
    place.walk(path);
    place
}

fn normal_host(authority: &str) -> Result<String, Reason> {
    if authority.contains('@') {
        return Err("a file has no user; write `file://host/path`");
    }
    let host = generic::normal_host(authority)?;
    if host == "." || host == ".." {
        return Err("`.` and `..` are not hosts; a local file has three slashes, `file:///path`");
    }
    Ok(host)
}

/// A segment of a file's path. RFC 8089 gives no delimiter a meaning inside a segment, so `%2B` and
/// `+` name the same file, and all languages' libraries meet in one form (URI-25).
fn normal_segment(segment: &str) -> String {
    percent::normal(segment, percent::is_segment, percent::is_segment)
}

/// The canonical drive, `X:`, if a normal segment is one: a letter and `:` or `|` (URI-20).
fn drive(segment: &str) -> Option<String> {
    let mut characters = segment.chars();
    let letter = characters.next().filter(char::is_ascii_alphabetic)?;
    matches!(characters.as_str(), ":" | "%7C").then(|| format!("{}:", letter.to_ascii_uppercase()))
}

fn starts_with_drive(path: &str) -> bool {
    drive(&normal_segment(path.split('/').next().unwrap_or_default())).is_some()
}

/// URI-24: `\\?\C:\x` is `C:\x`, and `\\?\UNC\server\share` is `\\server\share`.
fn without_verbatim_prefix(rest: &str) -> Result<String, Reason> {
    let question = rest.trim_start_matches(['/', '\\']);
    let slashes = &rest[..rest.len() - question.len()];
    let path = question.strip_prefix(r"?\");
    let Some(path) = path.filter(|_| slashes.ends_with(r"\\")) else {
        return Ok(rest.to_owned());
    };
    let segments = path.replace('\\', "/");
    let (first, after) = segments.split_once('/').unwrap_or((&segments, ""));
    if first.eq_ignore_ascii_case("UNC") && !after.is_empty() {
        return Ok(format!(r"\\{}", &path[first.len() + 1..]));
    }
    if starts_with_drive(first) {
        return Ok(path.to_owned());
    }
    Err(r"after `\\?\` only a drive or `UNC\server\share` names a file")
}

/// The place of an absolute path, taken literally.
pub(super) fn place_of_path(path: &str) -> Result<Place, Reason> {
    let reference = reference_of_path(path)?;
    match parse(&reference, false, None) {
        Ok((place, _)) => Ok(place),
        Err(reason) if is_absolute(&reference) => Err(reason),
        Err(_) => Err("it is not absolute"),
    }
}

/// See [`super::file_uri`].
pub(super) fn uri_of_path(path: &str) -> Result<String, Reason> {
    let reference = reference_of_path(path)?;
    if is_absolute(&reference) {
        return parse(&reference, false, None).map(|(place, _)| place.to_uri(""));
    }
    let reference = reference.replace('\\', "/");
    let first = reference.split('/').next().unwrap_or_default();
    if matches!(first.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic()) {
        return Err("a drive letter needs a slash after its colon");
    }
    let start = if first.contains(':') { "./" } else { "" };
    let segments = reference.split('/').map(normal_segment);
    Ok(start.to_owned() + &segments.collect::<Vec<_>>().join("/"))
}

fn is_absolute(path: &str) -> bool {
    path.starts_with(['/', '\\']) || starts_with_drive(&path.replace('\\', "/"))
}

/// A reference that means the path literally: what would be syntax in a URI is encoded.
fn reference_of_path(path: &str) -> Result<String, Reason> {
    if path.is_empty() {
        return Err("it is empty");
    }
    if path.contains('\0') {
        return Err("it holds a NUL character, which no path can");
    }
    // The prefix holds a question mark that is not a character of the path.
    let path = without_verbatim_prefix(path)?;
    // Everything else that needs an encoding gets it when the reference is read.
    let path = path.replace('%', "%25");
    Ok(path.replace('?', "%3F").replace('#', "%23"))
}
