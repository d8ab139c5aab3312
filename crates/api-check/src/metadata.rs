//! What cargo says of the workspace.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;

#[derive(Deserialize)]
pub struct Metadata {
    packages: Vec<Package>,
    workspace_members: Vec<String>,
    resolve: Option<Resolve>,
    pub workspace_root: PathBuf,
}

#[derive(Deserialize)]
pub struct Package {
    id: String,
    pub name: String,
    pub version: String,
    pub rust_version: Option<String>,
    manifest_path: PathBuf,
    publish: Option<Vec<String>>,
    readme: Option<PathBuf>,
    targets: Vec<Target>,
}

#[derive(Deserialize)]
pub struct Target {
    pub name: String,
    kind: Vec<String>,
    pub src_path: PathBuf,
}

#[derive(Deserialize)]
struct Resolve {
    nodes: Vec<Node>,
}

#[derive(Deserialize)]
struct Node {
    id: String,
    deps: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    pkg: String,
    dep_kinds: Vec<DependencyKind>,
}

#[derive(Deserialize)]
struct DependencyKind {
    /// `dev`, `build`, or nothing for what is linked.
    kind: Option<String>,
}

impl Metadata {
    /// Asks cargo; of the dependencies, on every platform, only where they are needed.
    pub fn read(dependencies: bool) -> Result<Metadata, String> {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(cargo);
        command
            .args(["metadata", "--quiet", "--locked", "--format-version", "1"])
            .current_dir(env!("CARGO_MANIFEST_DIR"));
        if !dependencies {
            command.arg("--no-deps");
        }
        let output = command
            .output()
            .map_err(|error| format!("cannot run `cargo metadata`: {error}"))?;
        if !output.status.success() {
            return Err(format!(
                "`cargo metadata` failed: {}",
                String::from_utf8_lossy(&output.stderr).trim_end()
            ));
        }
        serde_json::from_slice(&output.stdout)
            .map_err(|error| format!("`cargo metadata` wrote what can't be read: {error}"))
    }

    fn members(&self) -> impl Iterator<Item = &Package> {
        let members = &self.workspace_members;
        let of_workspace = |package: &&Package| members.contains(&package.id);
        self.packages.iter().filter(of_workspace)
    }

    /// The packages that are published, and of each its library if it has one.
    pub fn published_libraries(&self) -> impl Iterator<Item = (&Package, &Target)> {
        let published = self.members().filter(|package| package.is_published());
        published.filter_map(|package| {
            let library = package.targets.iter().find(|target| target.is("lib"))?;
            Some((package, library))
        })
    }

    /// What users build: the packages that are published, and the bindings.
    pub fn built_by_users(&self) -> impl Iterator<Item = &Package> {
        let binding = |package: &Package| package.targets.iter().any(|target| target.is("cdylib"));
        self.members()
            .filter(move |package| package.is_published() || binding(package))
    }

    /// All that is built with these packages, and they themselves; not what only their tests need.
    pub fn built_with<'a>(&'a self, roots: impl Iterator<Item = &'a Package>) -> Vec<&'a Package> {
        let nodes = self.resolve.iter().flat_map(|resolve| &resolve.nodes);
        let nodes: HashMap<&str, &Node> = nodes.map(|node| (node.id.as_str(), node)).collect();
        let mut open: Vec<&str> = roots.map(|package| package.id.as_str()).collect();
        let mut seen = HashSet::new();
        while let Some(id) = open.pop() {
            if !seen.insert(id) {
                continue;
            }
            let dependencies = nodes.get(id).into_iter().flat_map(|node| &node.deps);
            let built = dependencies.filter(|dependency| {
                let mut kinds = dependency.dep_kinds.iter();
                kinds.any(|kind| kind.kind.as_deref() != Some("dev"))
            });
            open.extend(built.map(|dependency| dependency.pkg.as_str()));
        }
        let packages = self.packages.iter();
        packages
            .filter(|package| seen.contains(package.id.as_str()))
            .collect()
    }

    /// A path as it is written from the root of the checkout.
    pub fn shown(&self, path: &Path) -> String {
        let inside = path.strip_prefix(&self.workspace_root).unwrap_or(path);
        inside.display().to_string().replace('\\', "/")
    }
}

impl Package {
    pub fn is_published(&self) -> bool {
        self.publish
            .as_ref()
            .is_none_or(|registries| !registries.is_empty())
    }

    pub fn folder(&self) -> &Path {
        self.manifest_path.parent().unwrap_or(&self.manifest_path)
    }

    pub fn readme(&self) -> Option<PathBuf> {
        let readme = self.readme.as_ref()?;
        Some(self.folder().join(readme))
    }
}

impl Target {
    fn is(&self, kind: &str) -> bool {
        self.kind.iter().any(|other| other == kind)
    }
}
