//! Which of the known names was probably meant by a name that is not known.

/// Of more names than this, and longer ones, none is suggested: a person would not find the mistake so.
const NAMES: usize = 200;
const LONG: usize = 64;

/// The known name that is the fewest changes away from `name`, letter case aside, or `None` if none is
/// near: at most one change in three characters, and one in a shorter name, of which something must
/// stay. Where several are as near, it is the first in the order of the alphabet.
///
/// Of more than 200 names, and of names longer than 64 characters, none is suggested.
///
/// ```
/// use toolwire::nearest;
///
/// assert_eq!(nearest("braking", ["title", "breaking"]), Some("breaking"));
/// assert_eq!(nearest("dryRun", ["dry_run"]), Some("dry_run"));
/// assert_eq!(nearest("colour", ["title", "breaking"]), None);
/// ```
#[must_use]
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = |name: &str| name.chars().take(LONG + 1).count();
    let one = length(name);
    let names: Vec<&str> = known.into_iter().take(NAMES + 1).collect();
    if names.len() > NAMES || one > LONG {
        return None;
    }
    let near = names.into_iter().filter_map(|other| {
        let two = length(other);
        let (shorter, longer) = (one.min(two), one.max(two));
        if longer > LONG {
            return None;
        }
        let changes = strsim::osa_distance(&name.to_lowercase(), &other.to_lowercase());
        let close = changes <= longer.max(3) / 3 && changes < shorter;
        close.then_some((changes, other))
    });
    near.min().map(|(_, other)| other)
}
