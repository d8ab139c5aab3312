//! What a profile expects of the server that it names (PROF-20, PROF-21).

use toolwire::{Error, Json};
use toolwire_contract::fingerprint::FingerprintOptions;
use toolwire_contract::hidden::show;
use toolwire_contract::profile::{Profile, SchemaValidation};

use crate::Source;

/// The most differences that are told; `toolwire profile validate` tells them all.
const MOST: usize = 5;

/// What a profile expects of the server that it names.
///
/// ```no_run
/// use toolwire::Json;
/// use toolwire_source::{Expected, Places, resolve};
///
/// let source = resolve("@biomcp".as_ref(), &Places::default())?;
/// if let Some(expected) = Expected::of(&source) {
///     let tools = Json::new(r#"[{"name":"search","inputSchema":{"type":"object"}}]"#)?;
///     for difference in expected.differences(&tools)? {
///         println!("{difference}");
///     }
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
#[non_exhaustive]
pub struct Expected {
    /// The name of the profile, without the `@`.
    pub name: String,
    /// What it says.
    pub profile: Profile,
    /// What follows if the server is not like that (PROF-20).
    pub validation: SchemaValidation,
    /// How the server is reached, for fingerprints.
    launch: Json,
}

/// Without what the profile says, which may have values of variables.
impl std::fmt::Debug for Expected {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Expected")
            .field("name", &self.name)
            .field("validation", &self.validation)
            .finish_non_exhaustive()
    }
}

impl Expected {
    /// What is expected of a source; nothing if no profile names it.
    #[must_use]
    pub fn of(source: &Source) -> Option<Expected> {
        let used = source.profile.as_ref()?;
        Some(Expected {
            name: used.name.clone(),
            profile: used.profile.clone(),
            validation: used.profile.schema_validation(),
            launch: source.facts().safety(),
        })
    }

    /// Whether there is anything to compare: otherwise nobody needs to ask for the tools.
    #[must_use]
    pub fn compares(&self) -> bool {
        let says = !self.profile.tools().is_empty() || self.profile.schema_hash().is_some();
        says && self.validation != SchemaValidation::Ignore
    }

    /// What is not as expected, a line each, with everything hidden made visible: the first five, and how many more
    /// there are. Nothing if nothing is compared. `tools` is the array of MCP's `tools/list`.
    ///
    /// # Errors
    ///
    /// Those of [`Profile::compare`].
    pub fn differences(&self, tools: &Json) -> Result<Vec<String>, Error> {
        if !self.compares() {
            return Ok(Vec::new());
        }
        let options = FingerprintOptions {
            launch: Some(self.launch.clone()),
            ..FingerprintOptions::default()
        };
        let changed = self.profile.compare(tools, &options)?;
        let first = changed.iter().take(MOST);
        let mut lines: Vec<String> = first.map(|one| on_one_line(&one.message)).collect();
        if changed.len() > MOST {
            lines.push(format!("and {} more like these", changed.len() - MOST));
        }
        Ok(lines)
    }

    /// That something is not as expected, for a message.
    #[must_use]
    pub fn says(&self) -> String {
        format!(
            "the tools of `@{}` are not as its profile expects",
            self.name
        )
    }

    /// What can be done about it.
    #[must_use]
    pub fn advice(&self) -> String {
        let name = &self.name;
        format!(
            "`toolwire profile diff {name}` shows what has changed, and `toolwire profile update {name}` takes it \
             over"
        )
    }
}

fn on_one_line(text: &str) -> String {
    let text = show(text);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
