//! Steps of a JSON Pointer (RFC 6901): `~` is written `~0`, and `/` is written `~1`.

use std::borrow::Cow;

/// A member's name as one step of a pointer.
///
/// ```
/// use toolwire::json::pointer;
///
/// assert_eq!(pointer::escape("computer.jp/error"), "computer.jp~1error");
/// assert_eq!(pointer::escape("~1"), "~01");
/// ```
#[must_use]
pub fn escape(name: &str) -> Cow<'_, str> {
    if name.contains(['~', '/']) {
        Cow::Owned(name.replace('~', "~0").replace('/', "~1"))
    } else {
        Cow::Borrowed(name)
    }
}

/// The member's name that one step of a pointer stands for.
///
/// ```
/// use toolwire::json::pointer;
///
/// assert_eq!(pointer::unescape("computer.jp~1error"), "computer.jp/error");
/// assert_eq!(pointer::unescape("~01"), "~1");
/// ```
#[must_use]
pub fn unescape(step: &str) -> Cow<'_, str> {
    if step.contains('~') {
        Cow::Owned(step.replace("~1", "/").replace("~0", "~"))
    } else {
        Cow::Borrowed(step)
    }
}

/// The pointer to a member of the value at `pointer`.
///
/// ```
/// use toolwire::json::pointer;
///
/// assert_eq!(pointer::join("/_meta", "computer.jp/error"), "/_meta/computer.jp~1error");
/// ```
#[must_use]
pub fn join(pointer: &str, name: &str) -> String {
    format!("{pointer}/{}", escape(name))
}

/// Adds a step to a pointer.
///
/// ```
/// use toolwire::json::pointer;
///
/// let mut pointer = String::from("/content");
/// pointer::push(&mut pointer, "0");
/// assert_eq!(pointer, "/content/0");
/// ```
pub fn push(pointer: &mut String, name: &str) {
    pointer.push('/');
    pointer.push_str(&escape(name));
}
