//! Steps of a JSON Pointer (RFC 6901): `~` is written `~0`, and `/` is written `~1`.

use std::borrow::Cow;
use std::cmp::Ordering;

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

/// The order of two pointers: step by step, a value before what is in it, the elements of an array by their
/// places and before any name, and names as in canonical form (MCP-3).
pub(crate) fn order(a: &str, b: &str) -> Ordering {
    let (mut a, mut b) = (a.split('/'), b.split('/'));
    loop {
        let order = match (a.next(), b.next()) {
            (Some(a), Some(b)) => step_order(a, b),
            (a, b) => return a.is_some().cmp(&b.is_some()),
        };
        if order.is_ne() {
            return order;
        }
    }
}

fn step_order(a: &str, b: &str) -> Ordering {
    match (is_place(a), is_place(b)) {
        (true, true) => a.len().cmp(&b.len()).then_with(|| a.cmp(b)),
        (false, false) => unescape(a).encode_utf16().cmp(unescape(b).encode_utf16()),
        (a, b) => b.cmp(&a),
    }
}

/// Whether a step is written as the place of an element is: digits, without a leading zero.
fn is_place(step: &str) -> bool {
    step == "0" || !step.starts_with('0') && is_digits(step)
}

fn is_digits(step: &str) -> bool {
    !step.is_empty() && step.bytes().all(|byte| byte.is_ascii_digit())
}

/// The place of an element that a step is.
pub(crate) fn index(step: &str) -> Option<usize> {
    step.parse().ok().filter(|_| is_place(step))
}

/// Whether a value is in another, or is it.
pub(crate) fn holds(outer: &str, inner: &str) -> bool {
    let rest = inner.strip_prefix(outer);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}
