//! Case files: reading them, and making an input's bytes from its recipe.

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::path::Path;

/// What the topic of a case in `conformance/published/` begins with; the name of the file follows.
pub const PUBLISHED: &str = "published-";

/// One case, with the file that it stands in.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    pub id: String,
    pub spec: Vec<String>,
    pub about: String,
    pub op: String,
    pub input: Source,
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub options: Map<String, Value>,
    pub expect: Value,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub smoke: bool,
    /// The file's name without `.json`, after `published-` if it is one of those.
    #[serde(skip)]
    pub topic: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CaseFile {
    #[serde(default, rename = "$generated")]
    _generated: Option<String>,
    cases: Vec<Case>,
}

/// Bytes, written so that nothing in them can vanish.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(untagged)]
pub enum Source {
    Text { text: String },
    Base64 { base64: String },
    Repeat { repeat: String, times: usize },
    Concat { concat: Vec<Source> },
}

impl Source {
    /// The bytes that the recipe describes.
    pub fn bytes(&self) -> Result<Vec<u8>, String> {
        let mut out = Vec::new();
        self.append_to(&mut out)?;
        Ok(out)
    }

    fn append_to(&self, out: &mut Vec<u8>) -> Result<(), String> {
        match self {
            Source::Text { text } => out.extend_from_slice(text.as_bytes()),
            Source::Base64 { base64 } => out.extend(
                BASE64
                    .decode(base64)
                    .map_err(|error| format!("`{base64}` is not base64: {error}"))?,
            ),
            Source::Repeat { repeat, times } => out.extend(repeat.as_bytes().repeat(*times)),
            Source::Concat { concat } => {
                for part in concat {
                    part.append_to(out)?;
                }
            }
        }
        Ok(())
    }
}

impl Case {
    /// The file that it stands in, below `conformance/` and without `.json`.
    pub fn file(&self) -> String {
        match self.topic.strip_prefix(PUBLISHED) {
            Some(name) => format!("published/{name}"),
            None => format!("cases/{}", self.topic),
        }
    }

    /// The request's `options`: byte strings written as recipes become base64.
    pub fn wire_options(&self) -> Result<Value, String> {
        let mut options = self.options.clone();
        if self.op == "receive" {
            for name in ["stderr", "result"] {
                if let Some(recipe) = options.get_mut(name) {
                    let source: Source = serde_json::from_value(recipe.clone())
                        .map_err(|_| format!("option `{name}` is not written like an input"))?;
                    *recipe = Value::String(BASE64.encode(source.bytes()?));
                }
            }
        }
        Ok(Value::Object(options))
    }

    /// The request, but for its sequence number.
    pub fn request(&self, input: &[u8]) -> Result<Value, String> {
        Ok(json!({
            "cmd": "run",
            "op": self.op,
            "input": BASE64.encode(input),
            "options": self.wire_options()?,
        }))
    }
}

/// Reads every case file of a directory, in the order of their names.
pub fn load_all(dir: &Path) -> Result<Vec<Case>, String> {
    let mut cases = Vec::new();
    for path in json_files(dir)? {
        cases.extend(load(&path)?);
    }
    Ok(cases)
}

/// Reads one case file.
pub fn load(path: &Path) -> Result<Vec<Case>, String> {
    let topic = path
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let text = std::fs::read_to_string(path)
        .map_err(|error| format!("cannot read `{}`: {error}", path.display()))?;
    let file: CaseFile = serde_json::from_str(&text)
        .map_err(|error| format!("`{}` is not a case file: {error}", path.display()))?;
    Ok(file
        .cases
        .into_iter()
        .map(|case| Case {
            topic: topic.clone(),
            ..case
        })
        .collect())
}

/// The `.json` files of a directory, sorted by name.
pub fn json_files(dir: &Path) -> Result<Vec<std::path::PathBuf>, String> {
    let entries = std::fs::read_dir(dir)
        .map_err(|error| format!("cannot read the directory `{}`: {error}", dir.display()))?;
    let mut paths: Vec<_> = entries
        .filter_map(Result::ok)
        .map(|entry| entry.path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "json")
        })
        .collect();
    paths.sort();
    Ok(paths)
}

/// The codes that an expectation names, with the severity if it names that too.
pub fn expected_codes(expect: &Value) -> Vec<(&str, Option<&str>)> {
    let mut found = Vec::new();
    let error = expect.get("error").into_iter();
    let diagnostics = expect
        .pointer("/result/diagnostics")
        .and_then(Value::as_array);
    let outcomes = expect.pointer("/result/outcomes").and_then(Value::as_array);
    let refusals = outcomes.into_iter().flatten();
    let refusals = refusals.filter_map(|outcome| outcome.get("refusal"));
    let diagnostics = diagnostics.into_iter().flatten();
    for item in error.chain(diagnostics).chain(refusals) {
        if let Some(code) = item["code"].as_str() {
            found.push((code, item["severity"].as_str()));
        }
    }
    found
}
