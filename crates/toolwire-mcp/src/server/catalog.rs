//! The tools that are served: found, described, named, and looked at again when something has changed
//! (SRV-2, SRV-4, SRV-6).

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use tokio::task::JoinSet;
use toolwire::call::{Call, ToolDescription, find_marker};
use toolwire_host::manifest::{Manifest, ManifestTool, TaskPolicy, unknown};
use toolwire_host::{
    CallMode, CallOptions, Command, InProcess, Nobody, Process, ProcessOptions, ToolList,
    call_until,
};

use super::gate::Gate;
use super::handles;
use super::tasks::Prepared;
use super::{ManifestOffer, ServeError, ServeOptions};

/// The longest name of a tool (CALL-31).
const MAX_NAME: usize = 128;

/// How a tool is reached.
#[derive(Debug, Clone)]
pub(super) enum Way {
    Functions(InProcess),
    Program(Command),
    Manifest(Box<ManifestTool>),
    /// As another process has prepared it.
    Prepared(Box<Prepared>),
}

impl Way {
    /// Whether a call becomes a task, if the manifest says so.
    pub(super) fn task(&self) -> Option<TaskPolicy> {
        match self {
            Way::Manifest(tool) => tool.task,
            Way::Prepared(tool) => tool.task,
            Way::Functions(_) | Way::Program(_) => None,
        }
    }
}

/// A tool as it is served.
#[derive(Debug)]
pub(super) struct Served {
    /// What it is, under the name that clients see.
    pub description: ToolDescription,
    /// The name that its program knows it by.
    pub own_name: String,
    pub way: Way,
    /// What it says of itself, if it keeps running and clients are shown its actions instead.
    pub session: Option<ToolDescription>,
}

/// The tools that are served, by their names.
#[derive(Debug, Default)]
pub(super) struct Catalog(pub BTreeMap<String, Arc<Served>>);

/// Where tools come from: a label for people, a word for a prefix, and the way.
struct Source {
    label: String,
    prefix: Option<String>,
    way: Way,
}

impl Catalog {
    /// Asks all programs for their tools. One that can't be described is reported and left out.
    ///
    /// # Errors
    ///
    /// If the manifest can't be read, if names collide, if a name was given that no tool has, or if no tool
    /// is left.
    pub(super) async fn read(options: &Arc<ServeOptions>) -> Result<Self, ServeError> {
        let sources = sources(options)?;
        // Calls that hang must not keep programs from being described.
        let gate = Arc::new(Gate::new(options.jobs, usize::MAX));
        let mut describing = JoinSet::new();
        for (at, source) in sources.iter().enumerate() {
            let (way, options, gate) = (source.way.clone(), Arc::clone(options), Arc::clone(&gate));
            describing.spawn(async move { (at, describe(way, &options, gate).await) });
        }
        let mut described = BTreeMap::new();
        while let Some(done) = describing.join_next().await {
            if let Ok((at, tools)) = done {
                described.insert(at, tools);
            }
        }
        let mut catalog = Catalog::default();
        let mut whose: BTreeMap<String, String> = BTreeMap::new();
        for (at, source) in sources.into_iter().enumerate() {
            let label = &source.label;
            let tools = match described.remove(&at) {
                Some(Ok(tools)) => tools,
                Some(Err(why)) => {
                    let message = format!("`{label}` is not served: {why}");
                    options.reporter.report(&message);
                    continue;
                }
                None => continue,
            };
            for mut description in tools {
                let own_name = description.name.clone();
                if let Some(prefix) = &source.prefix {
                    description.name = format!("{prefix}_{own_name}");
                }
                let name = description.name.clone();
                if name.len() > MAX_NAME {
                    return Err(ServeError::new(format!(
                        "the name `{name}` is longer than {MAX_NAME} characters"
                    )));
                }
                if options.tasks.is_none() && source.way.task() == Some(TaskPolicy::Required) {
                    let message = format!(
                        "`{name}` is not served: it needs tasks, which this server does not have"
                    );
                    options.reporter.report(&message);
                    continue;
                }
                if !options.offer.wants(&name) {
                    whose.entry(name).or_insert_with(|| label.clone());
                    continue;
                }
                let way = source.way.clone();
                let session =
                    handles::keeps_running(&description, &way).then(|| description.clone());
                if let Some(own) = &session {
                    let Some(handles) = &options.handles else {
                        let message = format!(
                            "`{name}` is not served: it keeps running, for which this server has no handles"
                        );
                        options.reporter.report(&message);
                        continue;
                    };
                    if !handles::can_be_carried(&way, handles, options) {
                        let message = format!(
                            "`{name}` is not served: nothing carries programs that know nothing of sessions"
                        );
                        options.reporter.report(&message);
                        continue;
                    }
                    description = handles::shown(own, handles);
                }
                let served = Served {
                    description,
                    own_name,
                    way,
                    session,
                };
                if catalog.0.insert(name.clone(), Arc::new(served)).is_some() {
                    let other = whose.get(&name).cloned().unwrap_or_default();
                    return Err(ServeError::new(format!(
                        "both `{other}` and `{label}` have a tool `{name}`; use `--prefix` to put the names \
                         of the programs before those of their tools, or leave one out with `--except`"
                    )));
                }
                whose.insert(name, label.clone());
            }
        }
        let names: Vec<&str> = whose.keys().map(String::as_str).collect();
        for name in options.offer.only.iter().chain(&options.offer.except) {
            if !whose.contains_key(name) {
                return Err(ServeError::new(unknown("tool", name, &names)));
            }
        }
        match catalog.0.is_empty() {
            true => Err(ServeError::new("there is no tool to serve")),
            false => Ok(catalog),
        }
    }

    /// Whether a client would see any difference.
    pub(super) fn looks_like(&self, other: &Catalog) -> bool {
        let shown = |catalog: &Catalog| -> Vec<ToolDescription> {
            let tools = catalog.0.values();
            tools.map(|tool| tool.description.clone()).collect()
        };
        shown(self) == shown(other)
    }
}

impl super::Offer {
    fn wants(&self, name: &str) -> bool {
        let is_in = |names: &[String]| names.iter().any(|other| other == name);
        (self.only.is_empty() || is_in(&self.only)) && !is_in(&self.except)
    }
}

fn manifest(offer: &ManifestOffer) -> Result<Manifest, ServeError> {
    Ok(Manifest::load(offer.path.as_deref())?)
}

fn sources(options: &ServeOptions) -> Result<Vec<Source>, ServeError> {
    let offer = &options.offer;
    let functions = offer.functions.iter().map(|functions| Source {
        label: "this program".to_owned(),
        prefix: None,
        way: Way::Functions(functions.clone()),
    });
    let mut sources: Vec<Source> = functions.collect();
    for program in &offer.programs {
        let stem = Path::new(program.program()).file_stem();
        let stem = stem.map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
        let fits = |c: char| c.is_ascii_alphanumeric() || "_-".contains(c);
        let word = stem.replace(|c| !fits(c), "_");
        sources.push(Source {
            label: program.program().to_string_lossy().into_owned(),
            prefix: offer.prefix.then_some(word),
            way: Way::Program(program.clone()),
        });
    }
    if let Some(wanted) = &offer.manifest {
        let manifest = manifest(wanted)?;
        let mut tools = Vec::new();
        for name in &wanted.names {
            tools.push(manifest.tool(name)?);
        }
        if wanted.names.is_empty() {
            tools.extend(manifest.tools.values());
        }
        sources.extend(tools.into_iter().map(|tool| Source {
            label: tool.name.clone(),
            prefix: None,
            way: Way::Manifest(Box::new(tool.clone())),
        }));
    }
    Ok(sources)
}

/// The tools behind a way.
async fn describe(
    way: Way,
    options: &ServeOptions,
    gate: Arc<Gate>,
) -> Result<Vec<ToolDescription>, ServeError> {
    let mut document = Call::describe();
    document.root.clone_from(&options.process.root);
    // The time begins when the program does.
    let _place = gate.enter().await;
    let late = tokio::time::sleep(options.describing);
    let asked = CallOptions::default();
    let outcome = match way {
        Way::Functions(inner) => call_until(&inner, document, &asked, &mut Nobody, late).await,
        Way::Program(command) => {
            let process = options.process.options(None);
            can_describe(&command, &process)?;
            let inner = Process::new(command, process);
            call_until(&inner, document, &asked, &mut Nobody, late).await
        }
        Way::Manifest(tool) => {
            let inner = tool.transport(options.process.options(Some(&tool)));
            call_until(&inner, document, &asked, &mut Nobody, late).await
        }
        // It was described where it was prepared.
        Way::Prepared(_) => return Ok(Vec::new()),
    }?;
    let list = ToolList::from_outcome(outcome)?;
    list.tools
        .ok_or_else(|| ServeError::new("it does not describe its tools"))
}

/// Refuses to ask a program for its tools that may not know how to answer, and would do its job (CALL-35).
fn can_describe(command: &Command, options: &ProcessOptions) -> Result<(), ServeError> {
    if CallMode::of(command, options, false)? == CallMode::Describe {
        return Ok(());
    }
    let script = argument_files(command, options.cwd.as_deref()).next();
    if script.as_deref().is_some_and(is_marked) {
        return Ok(());
    }
    let what = match &script {
        Some(script) => format!("neither it nor `{}` says", script.display()),
        None => "nothing says".to_owned(),
    };
    Err(ServeError::new(format!(
        "{what} that it can describe itself; if it can, mark a script with the line `# toolwire-tool: 1`, \
         or name it as a tool in `toolwire.toml`"
    )))
}

/// Whether a file carries the marker, as the script of an interpreter does.
fn is_marked(file: &Path) -> bool {
    let file = std::fs::File::open(file).ok();
    file.is_some_and(|file| matches!(find_marker(file), Ok(Some(_))))
}

/// What tells that a file may have changed.
pub(super) type Stamps = BTreeMap<PathBuf, Option<(SystemTime, u64)>>;

/// The manifest, and the programs with those of their arguments that are files.
pub(super) fn stamps(options: &ServeOptions) -> Stamps {
    let offer = &options.offer;
    let mut files: Vec<PathBuf> = Vec::new();
    let mut add = |command: &Command, cwd: Option<&Path>| {
        files.extend(files_of(command, cwd));
    };
    let cwd = options.process.cwd.as_deref();
    for program in &offer.programs {
        add(program, cwd);
    }
    let manifest = offer.manifest.as_ref().map(manifest);
    if let Some(Ok(manifest)) = &manifest {
        for tool in manifest.tools.values() {
            add(&tool.command, cwd.or(tool.cwd.as_deref()));
        }
        files.push(manifest.path.clone());
    } else if let Some(path) = offer.manifest.as_ref().and_then(|offer| offer.path.clone()) {
        files.push(path);
    }
    let stamps = files.into_iter().map(|file| {
        let seen = std::fs::metadata(&file).ok();
        let seen = seen.and_then(|seen| Some((seen.modified().ok()?, seen.len())));
        (file, seen)
    });
    stamps.collect()
}

fn files_of(command: &Command, cwd: Option<&Path>) -> Vec<PathBuf> {
    let program = Path::new(command.program());
    let mut files = Vec::new();
    if program.components().count() > 1 {
        files.push(program.to_owned());
    }
    files.extend(argument_files(command, cwd));
    files
}

/// The arguments that are files.
fn argument_files<'a>(
    command: &'a Command,
    cwd: Option<&'a Path>,
) -> impl Iterator<Item = PathBuf> + 'a {
    let words = command.arguments().iter();
    let paths = words.map(move |word| match cwd {
        Some(cwd) => cwd.join(word),
        None => PathBuf::from(word),
    });
    paths.filter(|path| path.is_file())
}
