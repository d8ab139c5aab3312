//! The oldest Rust that builds what is published: one number, in the manifest of the workspace, that
//! the dependencies allow and the READMEs repeat.

use std::fs;

use crate::metadata::Metadata;

/// What does not agree.
pub fn problems(metadata: &Metadata) -> Vec<String> {
    let ours = env!("CARGO_PKG_RUST_VERSION");
    let mut problems = Vec::new();
    for package in metadata.built_by_users() {
        if package.rust_version.as_deref() != Some(ours) {
            problems.push(format!(
                "`{}` must have the `rust-version` of the workspace, {ours}",
                package.name
            ));
        }
    }
    for package in metadata.built_with(metadata.built_by_users()) {
        let Some(theirs) = &package.rust_version else {
            continue;
        };
        if number(theirs) > number(ours) {
            problems.push(format!(
                "`{} {}` needs Rust {theirs}, but `rust-version` of the workspace is {ours}; take an \
                 older one, or raise `rust-version`",
                package.name, package.version
            ));
        }
    }
    let published = metadata
        .built_by_users()
        .filter(|package| package.is_published());
    let readmes = published.filter_map(|package| package.readme());
    let of_workspace = metadata.workspace_root.join("README.md");
    for readme in readmes.chain([of_workspace]) {
        let shown = metadata.shown(&readme);
        match fs::read_to_string(&readme) {
            Ok(text) => {
                problems.extend(wrong_in(&text, ours).map(|wrong| format!("{shown}: {wrong}")));
            }
            Err(error) => problems.push(format!("{shown}: {error}")),
        }
    }
    problems
}

/// What a README says wrongly of the Rust that is needed.
fn wrong_in(readme: &str, ours: &str) -> Option<String> {
    let said: Vec<&str> = readme.split("Rust 1.").skip(1).collect();
    let minor = |rest: &str| -> String {
        let digits = rest.chars().take_while(|char| char.is_ascii_digit());
        digits.collect()
    };
    let said: Vec<String> = said
        .iter()
        .map(|rest| format!("1.{}", minor(rest)))
        .collect();
    if said.is_empty() {
        return Some(format!("must say `Rust {ours} or newer`"));
    }
    let wrong = said.iter().find(|said| *said != ours)?;
    Some(format!("says Rust {wrong} where {ours} is needed"))
}

/// A version such as `1.88` or `1.88.0` as numbers that can be compared.
fn number(version: &str) -> [u32; 3] {
    let mut parts = version.split('.').map(|part| part.parse().unwrap_or(0));
    std::array::from_fn(|_| parts.next().unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_as_numbers() {
        assert_eq!(number("1.88"), number("1.88.0"));
        assert!(number("1.100") > number("1.88.1"));
        assert!(number("1.88.1") > number("1.88"));
    }

    #[test]
    fn a_readme_repeats_the_version() {
        assert_eq!(wrong_in("Needs Rust 1.88 or newer.", "1.88"), None);
        assert_eq!(
            wrong_in("Needs a compiler.", "1.88").as_deref(),
            Some("must say `Rust 1.88 or newer`")
        );
        assert_eq!(
            wrong_in("Needs Rust 1.88 or newer, built with Rust 1.8.", "1.88").as_deref(),
            Some("says Rust 1.8 where 1.88 is needed")
        );
    }
}
