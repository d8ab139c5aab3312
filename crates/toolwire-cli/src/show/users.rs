//! Who names a parameter that is gone: the manifest, profiles and the lock of this place.

use std::collections::BTreeMap;

use toolwire::Json;
use toolwire::json::{ObjectWriter, array, pointer, string};
use toolwire_contract::diff::{Change, What};
use toolwire_contract::lock::Lock;
use toolwire_contract::profile::ProfileTool;
use toolwire_host::manifest::Manifest;
use toolwire_source::{LOCK_NAME, Places, ProfilePlace};

/// Where the parameters of a tool stand.
const PARAMETERS: &str = "/inputSchema/properties";

/// Who names what is gone, by the tool and the place of the change.
#[derive(Default)]
pub struct Users(BTreeMap<(String, String), Vec<String>>);

impl Users {
    /// Looks for those who name a parameter that one of these changes removes or renames. A profile that can't be used says
    /// nothing.
    pub fn find<'c>(
        changes: impl Iterator<Item = &'c Change>,
        manifest: Option<&Manifest>,
        lock: Option<&Lock>,
    ) -> Users {
        let removed: Vec<(&Change, String)> = changes
            .filter_map(|change| Some((change, removed(change)?)))
            .collect();
        if removed.is_empty() {
            return Users::default();
        }
        let places = ProfilePlace::all(&Places::default());
        let profiles = places
            .iter()
            .filter_map(|place| Some((place, place.read().ok()?.profile)));
        let profiles: Vec<_> = profiles.collect();
        let mut users = BTreeMap::new();
        for (change, parameter) in removed {
            let tool = change.tool.as_str();
            let mut by = Vec::new();
            for entry in manifest.iter().flat_map(|all| all.tools.values()) {
                let is_it = entry.name == tool || entry.own_name() == tool;
                if is_it && entry.arguments.contains_key(&parameter) {
                    by.push(format!(
                        "`toolwire.toml` (`tools.{}.arguments`)",
                        entry.name
                    ));
                }
            }
            for (place, profile) in &profiles {
                let tools = profile.tools().iter();
                for entry in tools.filter(|entry| entry.tool() == tool || entry.name() == tool) {
                    if let Some(how) = named_by(entry, &parameter) {
                        by.push(format!("`@{}/{}` ({how})", place.name, entry.name()));
                    }
                }
            }
            for (name, source) in lock.iter().flat_map(|lock| &lock.sources) {
                let locked = source.tools.get(tool);
                let place = pointer::join(PARAMETERS, &parameter);
                if locked.is_some_and(|locked| locked.tool.at(&place).is_some()) {
                    by.push(format!("`{LOCK_NAME}` (`{name}`)"));
                }
            }
            if !by.is_empty() {
                users.insert((change.tool.clone(), change.place.clone()), by);
            }
        }
        Users(users)
    }

    /// Those who name what a change removes.
    pub fn of(&self, change: &Change) -> &[String] {
        let key = (change.tool.clone(), change.place.clone());
        self.0.get(&key).map_or(&[], Vec::as_slice)
    }

    /// A report, a JSON object, with `users` as its last member, if there are any.
    pub fn beside(&self, report: String) -> String {
        let Some(open) = report.strip_suffix('}').filter(|_| !self.0.is_empty()) else {
            return report;
        };
        let users = array(self.0.iter().map(|((tool, place), by)| {
            ObjectWriter::new()
                .text("tool", tool)
                .text("place", place)
                .json("by", array(by.iter().map(|one| string(one))))
                .end()
        }));
        format!("{open},\"users\":{users}}}")
    }
}

/// The name of the parameter that a change removes, or seems to have replaced by another one, if it does.
fn removed(change: &Change) -> Option<String> {
    let step = change.place.strip_prefix(PARAMETERS)?.strip_prefix('/')?;
    if step.contains('/') {
        return None;
    }
    match change.what {
        What::ParameterRemoved => Some(pointer::unescape(step).into_owned()),
        What::ParameterRenamed => change.old.as_ref()?.to_text(),
        _ => None,
    }
}

/// How a tool of a profile names a parameter, if it does.
fn named_by(tool: &ProfileTool, parameter: &str) -> Option<&'static str> {
    let has = |json: &Json, within: &str| json.at(&pointer::join(within, parameter)).is_some();
    let schema = tool.input_schema().ok().flatten();
    let declared = schema.is_some_and(|schema| has(&schema, "/properties"));
    let examples = tool.examples();
    let given = examples.iter().any(|example| has(&example.input, ""));
    match (declared, given) {
        (true, true) => Some("parameters, examples"),
        (true, false) => Some("parameters"),
        (false, true) => Some("examples"),
        (false, false) => None,
    }
}
