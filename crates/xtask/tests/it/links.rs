//! The links between README.md, the pages of `docs/`, `spec/` and the packages lead somewhere.

use std::fs;
use std::path::{Component, Path, PathBuf};

#[test]
fn every_link_leads_to_a_file_and_a_heading() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let root = root.canonicalize().unwrap();
    let pages = crate::files(&root, "md");
    assert!(pages.len() > 50, "only {} pages were found", pages.len());
    let mut broken = Vec::new();
    for page in &pages {
        let text = prose(&fs::read_to_string(page).unwrap());
        let own = "https://github.com/toolwire/toolwire/blob/main/";
        for link in links(&text) {
            let (file, heading) = link.split_once('#').unwrap_or((link, ""));
            let target = match file.strip_prefix(own) {
                Some(inside) => root.join(inside),
                None if file.contains(':') => continue,
                None if file.is_empty() => page.clone(),
                None => tidy(&page.parent().unwrap().join(file)),
            };
            let is_there = match heading {
                "" => target.exists(),
                _ if heading.starts_with('L') => target.exists(),
                _ => fs::read_to_string(&target).is_ok_and(|text| has_heading(&text, heading)),
            };
            if !is_there {
                let page = page.strip_prefix(&root).unwrap();
                broken.push(format!("{}: {link}", page.display()));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

/// A page without its fences and without code in its lines.
fn prose(page: &str) -> String {
    let mut prose = String::new();
    let mut inside = false;
    for line in page.lines() {
        let fence = line.trim_start().starts_with("```");
        inside ^= fence;
        if !inside && !fence {
            prose.extend(line.split('`').step_by(2));
            prose.push('\n');
        }
    }
    prose
}

fn links(text: &str) -> impl Iterator<Item = &str> {
    let after = text.split("](").skip(1);
    after.filter_map(|rest| Some(rest.split_once(')')?.0))
}

/// A heading has the anchor that its page is linked by: its words in lower case with hyphens between them.
fn has_heading(page: &str, anchor: &str) -> bool {
    page.lines().any(|line| {
        let title = line.trim_start_matches('#');
        let letters = title.trim().chars().filter_map(|letter| match letter {
            ' ' => Some('-'),
            '-' | '_' => Some(letter),
            _ => letter
                .is_alphanumeric()
                .then(|| letter.to_ascii_lowercase()),
        });
        title.len() < line.len() && letters.collect::<String>() == anchor
    })
}

/// The path without `..`, which need not exist.
fn tidy(path: &Path) -> PathBuf {
    let mut tidy = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(tidy.pop()),
            Component::CurDir => {}
            part => tidy.push(part),
        }
    }
    tidy
}
