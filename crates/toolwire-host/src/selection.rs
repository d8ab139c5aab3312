//! Which of many tools are meant: by names, and by patterns of names.

use crate::manifest::unknown;

/// A choice among tools: names, or patterns in which `*` stands for any characters and `?` for one.
///
/// ```
/// use toolwire_host::Selection;
///
/// let (only, except) = (vec!["git_*".to_owned()], vec!["git_push".to_owned()]);
/// let selection = Selection { only: &only, except: &except };
/// assert!(selection.takes("git_log") && !selection.takes("git_push") && !selection.takes("ls"));
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct Selection<'a> {
    /// What is taken; everything if it is empty.
    pub only: &'a [String],
    /// What is left out of that.
    pub except: &'a [String],
}

impl Selection<'_> {
    /// Whether a tool of this name is taken.
    #[must_use]
    pub fn takes(&self, name: &str) -> bool {
        let any = |patterns: &[String]| patterns.iter().any(|pattern| matches(pattern, name));
        (self.only.is_empty() || any(self.only)) && !any(self.except)
    }

    /// Looks for names and patterns that no tool has; says which patterns these are, to be reported.
    ///
    /// # Errors
    ///
    /// If there is no tool of a name: it is misspelled, and what it should leave out would be there.
    ///
    /// ```
    /// use toolwire_host::Selection;
    ///
    /// let only = |word: &str| vec![word.to_owned()];
    /// let check = |only: &[String]| Selection { only, except: &[] }.check(&["add"]);
    /// assert_eq!(check(&only("b*")).unwrap(), ["no tool has a name like `b*`"]);
    /// assert_eq!(check(&only("ad")).unwrap_err(), "there is no tool `ad`; did you mean `add`?");
    /// ```
    pub fn check(&self, names: &[&str]) -> Result<Vec<String>, String> {
        let mut unmatched = Vec::new();
        for pattern in self.only.iter().chain(self.except) {
            if names.iter().any(|name| matches(pattern, name)) {
                continue;
            }
            match pattern.contains(['*', '?']) {
                true => unmatched.push(format!("no tool has a name like `{pattern}`")),
                false => return Err(unknown("tool", pattern, names)),
            }
        }
        Ok(unmatched)
    }
}

/// Whether a pattern stands for a name. A star that took too little takes one character more, and only the last one has
/// to: the time is at most the product of the lengths.
fn matches(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) =
        (pattern.chars().collect(), name.chars().collect());
    let (mut at, mut in_name) = (0, 0);
    let mut star = None;
    while in_name < name.len() {
        match pattern.get(at) {
            Some('*') => {
                star = Some((at, in_name));
                at += 1;
            }
            Some(c) if *c == '?' || *c == name[in_name] => {
                at += 1;
                in_name += 1;
            }
            _ => match &mut star {
                Some((after, taken)) => {
                    *taken += 1;
                    (at, in_name) = (*after + 1, *taken);
                }
                None => return false,
            },
        }
    }
    pattern[at..].iter().all(|c| *c == '*')
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn stars_and_question_marks_stand_for_characters() {
        for (pattern, name, is_one) in [
            ("add", "add", true),
            ("add", "adds", false),
            ("*", "", true),
            ("git_*", "git_log", true),
            ("git_*", "git", false),
            ("*_log", "git_log", true),
            ("*l*g", "git_log", true),
            ("*l*g", "git_logs", false),
            ("a?c", "aüc", true),
            ("a?c", "ac", false),
            ("?*", "", false),
            ("**", "x", true),
        ] {
            assert_eq!(matches(pattern, name), is_one, "{pattern} {name}");
        }
        let stars = "*a".repeat(60) + "b";
        assert!(!matches(&stars, &"a".repeat(128)));
    }
}
