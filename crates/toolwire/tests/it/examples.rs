//! Each public item has an example in its documentation.

use std::fs;
use std::path::Path;

/// What begins the declaration of something public that can be used by itself.
const PUBLIC: &[&str] = &[
    "pub fn ",
    "pub const ",
    "pub struct ",
    "pub enum ",
    "pub type ",
];

/// `file:line: declaration` of each public item without an example.
fn without_example(folder: &Path, missing: &mut Vec<String>, seen: &mut usize) {
    for entry in fs::read_dir(folder).expect("the sources can be listed") {
        let path = entry.expect("the sources can be listed").path();
        if path.is_dir() {
            without_example(&path, missing, seen);
            continue;
        }
        let source = fs::read_to_string(&path).expect("a source can be read");
        let mut example = false;
        for (number, line) in source.lines().map(str::trim_start).enumerate() {
            if line.starts_with("#[cfg(test)]") || line.starts_with("#[cfg(doctest)]") {
                break;
            }
            if line.starts_with("///") || line.starts_with("#[") {
                example |= line.starts_with("/// ```");
                continue;
            }
            if PUBLIC.iter().any(|public| line.starts_with(public)) {
                *seen += 1;
                if !example {
                    missing.push(format!("{}:{}: {line}", path.display(), number + 1));
                }
            }
            example = false;
        }
    }
}

#[test]
fn each_public_item_has_an_example() {
    let (mut missing, mut seen) = (Vec::new(), 0);
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    without_example(&source, &mut missing, &mut seen);
    assert!(seen > 150, "only {seen} public items were found");
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}
