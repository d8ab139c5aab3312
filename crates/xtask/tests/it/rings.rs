//! Modules depend on each other in one direction: what imports a module is not imported by it, not
//! even round three corners. Looked at is what the top-level modules of a tree name in their code;
//! tests may use anything.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Which modules each module names.
type Graph = BTreeMap<String, BTreeSet<String>>;

/// Reads the graph of a tree.
type Read = fn(&Path) -> Graph;

/// The trees that have no ring, and how each is read.
const TREES: [(&str, Read); 17] = [
    ("crates/toolwire/src", rust),
    ("crates/toolwire/src/base", rust),
    ("crates/toolwire/src/protocol", rust),
    ("crates/toolwire/src/bridge", rust),
    ("crates/toolwire-schema/src", rust),
    ("crates/toolwire-contract/src", rust),
    ("crates/toolwire-host/src", rust),
    ("crates/toolwire-rpc/src", rust),
    ("crates/toolwire-pty/src", rust),
    ("crates/toolwire-session-host/src", rust),
    ("crates/toolwire-source/src", rust),
    ("crates/toolwire-author/src", rust),
    ("crates/toolwire-ffi/src", rust),
    ("bindings-python/src", rust),
    ("bindings-python/python/toolwire", python),
    ("bindings-node/src", rust),
    ("bindings-node/lib", node),
];

#[test]
fn modules_do_not_depend_on_each_other_in_a_ring() {
    let mut rings = Vec::new();
    for (tree, read) in TREES {
        let graph = read(&checkout().join(tree));
        let edges: usize = graph.values().map(BTreeSet::len).sum();
        assert!(graph.len() > 1 && edges > 0, "`{tree}`: {graph:?}");
        rings.extend(ring(&graph).map(|ring| format!("`{tree}`: {}", ring.join(" -> "))));
    }
    assert!(rings.is_empty(), "rings in\n{}", rings.join("\n"));
}

fn checkout() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A shortest ring, its first module again at the end.
fn ring(graph: &Graph) -> Option<Vec<String>> {
    graph
        .keys()
        .filter_map(|start| way_back(graph, start))
        .min_by_key(Vec::len)
}

/// A shortest way from a module to itself.
fn way_back(graph: &Graph, start: &str) -> Option<Vec<String>> {
    let mut seen = BTreeSet::new();
    let mut ways = vec![vec![start.to_owned()]];
    while !ways.is_empty() {
        let mut longer = Vec::new();
        for way in ways {
            for next in way
                .last()
                .and_then(|last| graph.get(last))
                .into_iter()
                .flatten()
            {
                let mut way = way.clone();
                way.push(next.clone());
                if next == start {
                    return Some(way);
                }
                if seen.insert(next.clone()) {
                    longer.push(way);
                }
            }
        }
        ways = longer;
    }
    None
}

/// The modules of a Rust crate or of a folder in it: the files and folders beside its `lib.rs` or `mod.rs`. What the
/// root of the crate re-exports counts as the module that it is from.
fn rust(source: &Path) -> Graph {
    let mut crate_root = source;
    let mut path = "crate::".to_owned();
    while !crate_root.join("lib.rs").exists() {
        path = path.replace(
            "crate::",
            &format!("crate::{}::", stem(crate_root.file_name().expect("a name"))),
        );
        crate_root = crate_root.parent().expect("a `lib.rs`");
    }
    let root = code(&fs::read_to_string(crate_root.join("lib.rs")).expect("a `lib.rs`"));
    let mut homes: BTreeMap<String, String> = BTreeMap::new();
    let mut graph = Graph::new();
    for file in sources(source, "rs") {
        let inside = file.strip_prefix(source).expect("a file of the tree");
        let module = stem(inside.components().next().expect("a name").as_os_str());
        if !["lib", "main", "mod"].contains(&module.as_str()) {
            homes.insert(module.clone(), module.clone());
            graph.entry(module).or_default();
        }
    }
    for statement in root.split(';') {
        let Some((_, exported)) = statement.rsplit_once("pub use ") else {
            continue;
        };
        let exported = exported
            .trim()
            .trim_start_matches("crate::")
            .trim_start_matches("self::");
        let Some(exported) = exported.strip_prefix(path.trim_start_matches("crate::")) else {
            continue;
        };
        let module = exported.split("::").next().unwrap_or_default().to_owned();
        for name in words(exported).skip(1) {
            homes.insert(name.to_owned(), module.clone());
        }
    }
    for file in sources(source, "rs") {
        let inside = file.strip_prefix(source).expect("a file of the tree");
        let module = stem(inside.components().next().expect("a name").as_os_str());
        let Some(uses) = graph.get_mut(&module) else {
            continue;
        };
        let text = code(&fs::read_to_string(&file).expect("a source"));
        // From a module's own file, `super` is the root; from a file inside, two of them are.
        let depth = inside.components().count() - usize::from(inside.ends_with("mod.rs"));
        let up = "super::".repeat(depth);
        for prefix in ["crate::", &path, &up] {
            for name in named(&text, prefix) {
                uses.extend(homes.get(&name).filter(|home| **home != module).cloned());
            }
        }
    }
    graph
}

/// The modules of a Python package: what each imports when it is imported. An import inside a
/// function runs later, and one for the checker of types never.
fn python(package: &Path) -> Graph {
    let mut graph = Graph::new();
    for file in sources(package, "py") {
        let text = fs::read_to_string(&file).expect("a source");
        let mut uses = BTreeSet::new();
        for line in text.lines() {
            let Some((from, names)) = line
                .strip_prefix("from .")
                .and_then(|rest| rest.split_once(" import "))
            else {
                continue;
            };
            if from.is_empty() {
                uses.extend(words(names).map(str::to_owned));
            } else {
                uses.insert(from.to_owned());
            }
        }
        graph.insert(stem(file.file_name().expect("a name")), uses);
    }
    graph
}

/// The modules of a folder of Node's: what each requires, be it inside a function, when it is called.
fn node(folder: &Path) -> Graph {
    let mut graph = Graph::new();
    for file in sources(folder, "cjs") {
        let text = code(&fs::read_to_string(&file).expect("a source"));
        let mut uses = BTreeSet::new();
        for line in text.lines() {
            for (at, start) in line.match_indices("require('./") {
                let name = line[at + start.len()..].split('\'').next();
                uses.extend(name.map(|name| stem(name.as_ref())));
            }
        }
        graph.insert(stem(file.file_name().expect("a name")), uses);
    }
    graph
}

/// The first names behind each path that begins with a prefix: `a` of `crate::a::b`, `a` and `b` of
/// `crate::{a, b::c}`.
fn named(text: &str, prefix: &str) -> Vec<String> {
    let mut names = Vec::new();
    for (at, _) in text.match_indices(prefix) {
        let before = text[..at].chars().next_back();
        if before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':') {
            continue;
        }
        let rest = &text[at + prefix.len()..];
        let Some(list) = rest.strip_prefix('{') else {
            names.extend(words(rest).next().map(str::to_owned));
            continue;
        };
        let mut depth = 0;
        let mut item = String::new();
        for c in list.chars() {
            match c {
                '{' => depth += 1,
                '}' if depth == 0 => break,
                '}' => depth -= 1,
                ',' if depth == 0 => {
                    names.extend(words(&item).next().map(str::to_owned));
                    item.clear();
                    continue;
                }
                _ => {}
            }
            item.push(c);
        }
        names.extend(words(&item).next().map(str::to_owned));
    }
    names
}

/// The identifiers of a text.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|word| !word.is_empty())
}

/// A source without comments and without its tests, which stand at the end.
fn code(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod tests").next().unwrap_or(text);
    let lines = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    lines.collect::<Vec<_>>().join("\n")
}

fn stem(name: &std::ffi::OsStr) -> String {
    let name = name.to_string_lossy();
    name.split('.').next().unwrap_or_default().to_owned()
}

/// The sources below a folder, without those that hold tests alone.
fn sources(folder: &Path, extension: &str) -> impl Iterator<Item = PathBuf> {
    let all = crate::files(folder, extension).into_iter();
    all.filter(|file| !file.ends_with("tests.rs"))
}

#[test]
fn a_ring_is_found_and_told() {
    let graph = |edges: &[(&str, &str)]| {
        let mut graph = Graph::new();
        for (from, to) in edges {
            graph
                .entry((*from).into())
                .or_default()
                .insert((*to).into());
        }
        graph
    };
    assert_eq!(ring(&graph(&[("a", "b"), ("b", "c"), ("a", "c")])), None);
    let found = ring(&graph(&[("a", "b"), ("b", "c"), ("c", "d"), ("d", "b")]));
    assert_eq!(found.expect("a ring"), ["b", "c", "d", "b"]);
    let names = named(
        "use crate::{A, b::{c, d}, e};\nfn f() { crate::g::h() }",
        "crate::",
    );
    assert_eq!(names, ["A", "b", "e", "g"]);
}
