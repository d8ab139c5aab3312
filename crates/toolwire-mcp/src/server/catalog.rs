//! The tools that are served: found, described, named, and looked at again when something has changed
//!.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use tokio::task::JoinSet;
use toolwire::Json;
use toolwire::call::{Call, ToolDescription};
use toolwire_contract::hidden::say_hidden;
use toolwire_host::manifest::{Manifest, TaskPolicy};
use toolwire_host::{
    CallOptions, Command, Nobody, Process, ProcessOptions, Selection, ToolList, call_until,
    is_marked,
};

use super::gate::Gate;
use super::keeps;
use super::served::{Served, Way};
use super::shown;
use super::{Guarded, ManifestOffer, Refused, ServeError, ServeOptions};

/// The longest name of a tool (CALL-31).
const MAX_NAME: usize = 128;

/// The tools that are served, by their names, and what clients are shown, if that is something else.
#[derive(Debug, Default)]
pub(super) struct Catalog(
    pub BTreeMap<String, Arc<Served>>,
    pub Option<BTreeMap<String, ToolDescription>>,
);

/// Where tools come from: a label for people, a word for a prefix, and the way.
struct Source {
    label: String,
    prefix: Option<String>,
    way: Way,
}

impl Source {
    /// What is served of a source that can't be described: nothing, or what a server had before. People
    /// are told, once.
    fn instead(&self, why: &ServeError, options: &ServeOptions) -> Option<Vec<ToolDescription>> {
        let label = &self.label;
        let Way::Server(server) = &self.way else {
            let message = format!("`{label}` is not served: {why}");
            options.reporter.report(&message);
            return None;
        };
        let is_strict = options.guard.as_ref().is_some_and(|guard| guard.strict);
        let tools = server.described().filter(|_| !is_strict);
        let message = match &tools {
            Some(_) => format!("the tools of `{label}` stay as they were: {why}"),
            None => format!("`{label}` is not served: {why}"),
        };
        if server.is_news(Some(&message)) {
            options.reporter.report(&message);
        }
        tools
    }
}

impl Catalog {
    /// Asks all programs for their tools. One that can't be described is reported and left out.
    ///
    /// # Errors
    ///
    /// If the manifest can't be read, if names collide, if a name was given that no tool has, or if no tool
    /// is left, unless they were served before and are refused now, or a server has resources or prompts.
    pub(super) async fn read(
        options: &Arc<ServeOptions>,
        is_first: bool,
    ) -> Result<Self, ServeError> {
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
        let (mut any_refused, mut has_more) = (false, false);
        for (at, source) in sources.into_iter().enumerate() {
            let label = &source.label;
            let tools = match described.remove(&at) {
                Some(Ok(tools)) => tools,
                Some(Err(why)) => match source.instead(&why, options) {
                    Some(tools) => tools,
                    None => continue,
                },
                None => continue,
            };
            let refused = match &source.way {
                Way::Server(server) => match server.refused() {
                    Ok(refused) => {
                        has_more |= server.offers_more().await;
                        refused
                    }
                    Err(why) => {
                        let message = format!("`{label}` is not served: {why}");
                        options.reporter.report(&message);
                        any_refused = true;
                        continue;
                    }
                },
                way => refused(way, &tools, options)?,
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
                if !options.offer.selection().takes(&name) {
                    whose.entry(name).or_insert_with(|| label.clone());
                    continue;
                }
                if let Some(why) = refused.get(&own_name) {
                    options
                        .reporter
                        .report(&format!("`{name}` is not served: {why}"));
                    whose.entry(name).or_insert_with(|| label.clone());
                    any_refused = true;
                    continue;
                }
                let way = source.way.clone();
                let session = keeps::is_kept(&description, &way).then(|| description.clone());
                if let Some(own) = &session {
                    let Some(handles) = &options.handles else {
                        let message = format!(
                            "`{name}` is not served: it keeps running, for which this server has no handles"
                        );
                        options.reporter.report(&message);
                        continue;
                    };
                    if !keeps::can_be_carried(&way, handles) {
                        let message = format!(
                            "`{name}` is not served: nothing carries programs that know nothing of sessions"
                        );
                        options.reporter.report(&message);
                        continue;
                    }
                    description = keeps::shown(own, handles);
                }
                // A model reads what nobody sees.
                let tool = Json::new(description.to_json());
                let of_tool = format!("the tool `{name}`");
                for warning in tool.iter().flat_map(|tool| say_hidden(&of_tool, tool)) {
                    options.reporter.report(&warning);
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
        let unmatched = options.offer.selection().check(&names);
        for unmatched in unmatched.map_err(ServeError::new)? {
            options.reporter.report(&unmatched);
        }
        // One that has become what nobody wants served must not stay as it was.
        match catalog.0.is_empty() && !has_more && (is_first || !any_refused) {
            true => Err(ServeError::new("there is no tool to serve")),
            false => {
                let tools = catalog.0.values().map(|tool| &tool.description);
                let listed = shown::listed(&tools.collect::<Vec<_>>(), options)?;
                catalog.1 = listed;
                Ok(catalog)
            }
        }
    }

    /// A tool as clients are shown it.
    pub(super) fn listed(&self, name: &str) -> Option<&ToolDescription> {
        match &self.1 {
            Some(listed) => listed.get(name),
            None => self.0.get(name).map(|tool| &tool.description),
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
    fn selection(&self) -> Selection<'_> {
        Selection {
            only: &self.only,
            except: &self.except,
        }
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
        sources.push(Source {
            label: program.program().to_string_lossy().into_owned(),
            prefix: offer.prefix.then(|| prefix(&stem)),
            way: Way::Program(program.clone()),
        });
    }
    sources.extend(offer.servers.iter().map(|server| Source {
        label: server.label().to_owned(),
        prefix: offer.prefix.then(|| prefix(server.label())),
        way: Way::Server(Box::new(server.clone())),
    }));
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

/// A name as it stands before those of tools.
pub(super) fn prefix(name: &str) -> String {
    let fits = |c: char| c.is_ascii_alphanumeric() || "_-".contains(c);
    name.replace(|c| !fits(c), "_")
}

/// Which tools the guard does not let through.
fn refused(
    way: &Way,
    tools: &[ToolDescription],
    options: &ServeOptions,
) -> Result<Refused, ServeError> {
    let whose = match way {
        Way::Program(command) => Guarded::Program(command),
        Way::Manifest(tool) => Guarded::Manifest(tool),
        Way::Functions(_) | Way::Server(_) | Way::Prepared(_) => return Ok(Refused::new()),
    };
    let Some(guard) = &options.guard else {
        return Ok(Refused::new());
    };
    guard.refused(whose, tools).map_err(ServeError::new)
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
        Way::Server(server) => {
            let tools = server.describe().await.map_err(ServeError::new)?;
            server.is_news(None);
            return Ok(tools);
        }
        // It was described where it was prepared.
        Way::Prepared(_) => return Ok(Vec::new()),
    }?;
    let list = ToolList::from_outcome(outcome)?;
    list.tools
        .ok_or_else(|| ServeError::new("it does not describe its tools"))
}

/// Whether a program may be asked for its tools: it, or the script that it runs, says that it knows how to answer. Any
/// other one would do its job (CALL-35).
///
/// # Errors
///
/// If it does not say so, or there is no such program.
///
/// ```
/// use toolwire_host::{Command, ProcessOptions};
/// use toolwire_mcp::server::can_describe;
///
/// let command = Command::new("npx").args(["-y", "files-server"]);
/// assert!(can_describe(&command, &ProcessOptions::default()).is_err());
/// ```
pub fn can_describe(command: &Command, options: &ProcessOptions) -> Result<(), ServeError> {
    if is_marked(command, options)? {
        return Ok(());
    }
    let script = command.file_arguments(options.cwd.as_deref()).next();
    let what = match &script {
        Some(script) => format!("neither it nor `{}` says", script.display()),
        None => "nothing says".to_owned(),
    };
    Err(ServeError::new(format!(
        "{what} that it can describe itself; if it can, mark a script with the line `# toolwire-tool: 1`, \
         or name it as a tool in `toolwire.toml`"
    )))
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
    files.extend(options.guard.iter().filter_map(|guard| guard.file.clone()));
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
    files.extend(command.file_arguments(cwd));
    files
}
