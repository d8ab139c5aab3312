//! Definitions of tools for a request (PROV-40 to PROV-47).

use super::form::Form;
use super::name::provider_name;
use super::table::form;
use super::template::fill;
use super::{Family, Provider};
use crate::base::json::{Document, ObjectWriter, Place, array, brief, pointer, string};
use crate::bridge::mcp::{Fate, LossReport};
use crate::call::ToolDescription;
use crate::schema::{Projection, project};
use crate::{Code, Error, Json};

/// How tools are defined.
///
/// ```
/// assert!(!toolwire::provider::ToolsOptions::default().strict);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct ToolsOptions {
    /// The family of models.
    pub family: Option<Family>,
    /// Whether the provider makes sure that arguments fit the schema.
    pub strict: bool,
    /// Whether the definitions get a cache hint.
    pub cache: bool,
    /// Whether output schemas are sent, where the provider takes them.
    pub output_schemas: bool,
}

/// A tool's name, and what its arguments are for the model.
///
/// ```
/// use toolwire::Json;
/// use toolwire::provider::{Provider, ToolsOptions, to_tools};
///
/// let tools = Json::new(r#"[{"name":"a.b","inputSchema":{"type":"object"}}]"#)?;
/// let tools = to_tools(&tools, Provider::Anthropic, &ToolsOptions::default())?;
/// assert_eq!((&*tools.names[0].tool, &*tools.names[0].name), ("a.b", "a_b_2e7336dc"));
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolName {
    /// The name of the tool.
    pub tool: String,
    /// Its name for the provider.
    pub name: String,
    /// The schema that the model sees.
    pub projection: Projection,
}

/// The tools of a request.
///
/// ```
/// use toolwire::Json;
/// use toolwire::provider::{Provider, ToolsOptions, to_tools};
///
/// let tools = to_tools(&Json::new("[]")?, Provider::Gemini, &ToolsOptions::default())?;
/// assert_eq!(tools.to_json(), r#"{"tools":[],"names":[],"report":[]}"#);
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tools {
    /// The array of definitions.
    pub json: Json,
    /// The tools that are defined, in their order.
    pub names: Vec<ToolName>,
    /// What became of each tool: entries with pointers into the array of tools.
    pub report: LossReport,
}

impl Tools {
    /// The tool that a model calls by this name.
    ///
    /// ```
    /// use toolwire::Json;
    /// use toolwire::provider::{Provider, ToolsOptions, to_tools};
    ///
    /// let tools = to_tools(&Json::new("[]")?, Provider::Gemini, &ToolsOptions::default())?;
    /// assert!(tools.find("now").is_none());
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn find(&self, name: &str) -> Option<&ToolName> {
        self.names.iter().find(|tool| tool.name == name)
    }

    /// The whole as a JSON object: `{"tools","names":[{"tool","name"}],"report"}`.
    ///
    /// ```
    /// use toolwire::Json;
    /// use toolwire::provider::{Provider, ToolsOptions, to_tools};
    ///
    /// let tools = to_tools(&Json::new("[]")?, Provider::Mistral, &ToolsOptions::default())?;
    /// assert!(tools.to_json().starts_with(r#"{"tools":[]"#));
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn to_json(&self) -> String {
        let name = |tool: &ToolName| {
            let mut out = ObjectWriter::new();
            out.text("tool", &tool.tool).text("name", &tool.name).end()
        };
        ObjectWriter::new()
            .json("tools", self.json.as_str())
            .json("names", array(self.names.iter().map(name)))
            .json("report", self.report.to_json())
            .end()
    }
}

/// Definitions of tools for a provider's request, from an array of tools as a description or an MCP server has them.
/// A tool that can't be defined is left out and reported, since one bad definition makes a provider refuse all.
///
/// # Errors
///
/// `bad_argument` if it is no array.
///
/// # Examples
///
/// ```
/// use toolwire::Json;
/// use toolwire::provider::{Provider, ToolsOptions, to_tools};
///
/// let tools = Json::new(r#"[{"name":"now","description":"The time.","inputSchema":{"type":"object"}}]"#)?;
/// let tools = to_tools(&tools, Provider::Anthropic, &ToolsOptions::default())?;
/// assert_eq!(
///     tools.json.as_str(),
///     r#"[{"name":"now","description":"The time.","input_schema":{"type":"object"}}]"#,
/// );
/// # Ok::<(), toolwire::Error>(())
/// ```
pub fn to_tools(tools: &Json, provider: Provider, options: &ToolsOptions) -> Result<Tools, Error> {
    let document = Document::new(tools.as_str())?;
    let list = Place::new(document.root(), "", Code::BadArgument).array()?;
    let mut defined = Defined {
        line: form(provider, options.family),
        options,
        json: Vec::new(),
        names: Vec::new(),
        strict: [0; 3],
        report: LossReport::default(),
    };
    for (index, place) in list.elements().enumerate() {
        let at = format!("/{index}");
        match ToolDescription::from_json(place.node.raw()) {
            Ok(tool) => defined.add(&tool, at),
            Err(error) => defined.report.add(at, Fate::Dropped, error.message()),
        }
    }
    Ok(defined.end())
}

struct Defined<'a> {
    line: &'static Form,
    options: &'a ToolsOptions,
    json: Vec<String>,
    names: Vec<ToolName>,
    /// Strict tools, their optional parameters and their unions.
    strict: [usize; 3],
    report: LossReport,
}

impl Defined<'_> {
    fn add(&mut self, tool: &ToolDescription, at: String) {
        let form = &self.line.tool;
        let name = provider_name(&tool.name, &self.line.name).into_owned();
        if self.names.iter().any(|other| other.name == name) {
            let reason = format!("another tool has the name `{name}`");
            return self.report.add(at, Fate::Dropped, &reason);
        }
        if self.names.len() >= form.max_tools {
            let reason = format!("the maximum is {} tools", form.max_tools);
            return self.report.add(at, Fate::Dropped, &reason);
        }
        self.report.add(&*at, Fate::Kept, "");
        if name != tool.name {
            let reason = format!("the provider does not take it: it is `{name}` there");
            self.report.add(format!("{at}/name"), Fate::Moved, &reason);
        }
        let (projection, is_strict) = self.schema(tool, &at);
        for loss in &projection.losses {
            let place = format!("{at}/inputSchema{}", loss.pointer);
            let reason = format!("`{}` is not expressed in the schema", loss.what);
            self.report.add(place, Fate::Approximated, &reason);
        }
        if projection.wrapped {
            let reason = "the arguments are the member `answer` of an object";
            self.report
                .add(format!("{at}/inputSchema"), Fate::Moved, reason);
        }
        let description = self.description(tool, &at);
        let output = self.output(tool, &at);
        let mut out = String::new();
        fill(&mut out, form.tool, &mut |word, out| {
            let text = match word {
                "name" => Some(string(&name)),
                "description" => description.as_deref().map(string),
                "schema" => Some(projection.schema.to_string()),
                "strict" => is_strict.then(|| "true".to_owned()),
                "is_strict" => Some(is_strict.to_string()),
                "output" => output.as_ref().map(Json::to_string),
                _ => None,
            };
            out.push_str(text.as_deref().unwrap_or_default());
            text.is_some()
        });
        self.json.push(out);
        self.names.push(ToolName {
            tool: tool.name.clone(),
            name,
            projection,
        });
    }

    /// The schema of the arguments, strict if the provider and the limits of a request allow it.
    fn schema(&mut self, tool: &ToolDescription, at: &str) -> (Projection, bool) {
        let form = &self.line.tool;
        let usual = || (project(&tool.input_schema, form.schema), false);
        if !self.options.strict {
            return usual();
        }
        let mut refuse = |reason: &str| {
            let place = format!("{at}/inputSchema");
            self.report.add(place, Fate::Approximated, reason);
        };
        let Some(strict) = form.strict else {
            refuse("the provider has no strict tools");
            return usual();
        };
        let projection = project(&tool.input_schema, strict);
        let (optional, unions) = counts(&projection.schema);
        let sums = [1, optional, unions];
        let sums: [usize; 3] = std::array::from_fn(|at| self.strict[at] + sums[at]);
        if (0..3).any(|at| sums[at] > form.max_strict[at]) {
            let [tools, optional, unions] = form.max_strict;
            let reason = format!(
                "it is not strict: the maximum for all strict tools is {tools} tools, {optional} optional parameters and {unions} unions"
            );
            refuse(&reason);
            return usual();
        }
        self.strict = sums;
        (projection, true)
    }

    fn description(&mut self, tool: &ToolDescription, at: &str) -> Option<String> {
        let given = tool.description.as_deref().or(tool.title.as_deref())?;
        let max = self.line.tool.max_description;
        if given.is_empty() {
            return None;
        }
        let short = brief(given, max.saturating_sub(1)).into_owned();
        if short.len() < given.len() && given.chars().count() > max {
            let reason = format!("the maximum is {max} characters");
            let place = format!("{at}/description");
            self.report.add(place, Fate::Approximated, &reason);
            return Some(short);
        }
        Some(given.to_owned())
    }

    fn output(&mut self, tool: &ToolDescription, at: &str) -> Option<Json> {
        let schema = tool.output_schema.as_ref()?;
        let is_taken = self.line.tool.tool.contains("$output");
        if is_taken && self.options.output_schemas {
            return Some(schema.clone());
        }
        let reason = match is_taken {
            true => "output schemas were not asked for",
            false => "the provider takes no output schema",
        };
        let place = pointer::join(at, "outputSchema");
        self.report.add(place, Fate::Dropped, reason);
        None
    }

    fn end(mut self) -> Tools {
        let form = &self.line.tool;
        if let Some(last) = self.json.last_mut().filter(|_| self.options.cache) {
            last.insert_str(last.len() - 1, form.cache);
            if !form.cache_after.is_empty() {
                self.json.push(form.cache_after.to_owned());
            }
        }
        Tools {
            json: Json::written(array(&self.json)),
            names: self.names,
            report: self.report.finished(),
        }
    }
}

/// How many parameters of a strict schema can be absent, and how many of its schemas have several types.
fn counts(schema: &Json) -> (usize, usize) {
    let mut sums = (0, 0);
    let Ok(document) = Document::new(schema.as_str()) else {
        return sums;
    };
    let mut open = vec![document.root()];
    while let Some(node) = open.pop() {
        let required = node.get("required").map_or(0, |required| required.len());
        let properties = node.get("properties").map_or(0, |all| all.len());
        sums.0 += properties.saturating_sub(required);
        let several = node.get("type").is_some_and(|kind| kind.len() > 1);
        sums.1 += usize::from(several || node.get("anyOf").is_some());
        for (name, value) in node.members() {
            match name.as_ref() {
                "properties" | "$defs" | "definitions" => {
                    open.extend(value.members().map(|(_, schema)| schema));
                }
                "anyOf" | "allOf" => open.extend(value.elements()),
                "items" => open.push(value),
                _ => {}
            }
        }
    }
    sums
}
