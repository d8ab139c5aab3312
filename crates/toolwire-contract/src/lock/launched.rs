//! What a source was started with (LOCK-11).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use toolwire::Json;
use toolwire::json::{Document, ObjectWriter, array, string};

use crate::diff::Verdict;
use crate::server::{without_credentials, without_user};

/// What a source was started with: facts by which a later start is told from this one. None of them is the value of
/// a variable or header, or holds a credential (LOCK-13).
///
/// ```
/// use toolwire::Json;
/// use toolwire_contract::lock::Launched;
///
/// let mut launched = Launched::default();
/// launched.launcher = Some("npx".to_owned());
/// launched.package = Some("@upstash/context7-mcp".to_owned());
/// launched.version = Some("1.0.14".to_owned());
/// launched.set_arguments(&["--api-key".to_owned(), "ctx7sk-1".to_owned()]);
/// assert_eq!(launched.arguments, ["--api-key", "***"]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Launched {
    /// `stdio` or `http`.
    pub transport: Option<String>,
    /// What started it: `uvx`, `npx`, `python`, `node`, `docker` or `exec`.
    pub launcher: Option<String>,
    /// The interpreter with the first two numbers of its version, such as `python 3.12`.
    pub interpreter: Option<String>,
    /// The package or image, without its version.
    pub package: Option<String>,
    /// The range or tag that was asked for, or `*` where nothing was; absent where an exact version was.
    pub requested: Option<String>,
    /// The exact version that was started, not the range that was asked for.
    pub version: Option<String>,
    /// The digest of the package or image, as its registry states it.
    pub integrity: Option<String>,
    /// A digest over all of its code, such as `sha256:…`.
    pub digest: Option<String>,
    /// A digest over the file that is run, whose other code may differ all the same.
    pub file: Option<String>,
    /// The program, or the command in the package.
    pub program: Option<String>,
    /// Scheme, host and port of its URL.
    pub origin: Option<String>,
    /// Its URL without a user, the values of its query, a fragment and credentials; see
    /// [`set_url`](Launched::set_url).
    pub url: Option<String>,
    /// The folder in which it is started, if one was named.
    pub cwd: Option<String>,
    /// Who answers its questions, and the program that does for a model, as JSON.
    pub questions: Option<String>,
    /// A digest over what else is set for it: arguments, options, what it inherits, and the values of variables that
    /// are no credentials.
    pub settings: Option<String>,
    /// The packages that were installed with it.
    pub with: Vec<String>,
    /// Its arguments, without credentials; see [`set_arguments`](Launched::set_arguments).
    pub arguments: Vec<String>,
    /// The names of the environment variables that are set for it.
    pub environment: Vec<String>,
    /// The names of the headers that it is sent.
    pub headers: Vec<String>,
    /// Members that this version does not know.
    #[serde(skip)]
    pub extra: BTreeMap<String, Json>,
}

/// One fact that is another now (LOCK-21).
///
/// ```
/// use toolwire::Json;
/// use toolwire_contract::lock::{CheckOptions, Lock, check_lock, update_lock};
///
/// let mut lock = Lock::default();
/// update_lock(&mut lock, "clock", &Json::new(r#"{"launch": {"version": "1.0.0"}, "tools": []}"#)?)?;
/// let now = Json::new(r#"{"sources": {"clock": {"launch": {"version": "1.0.1"}}}}"#)?;
/// let source = check_lock(&lock, &now, &CheckOptions::default())?.sources.remove(0);
/// let change = &source.launch_changes[0];
/// assert_eq!((change.member.as_str(), change.new.as_str()), ("version", r#""1.0.1""#));
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LaunchChange {
    /// The member.
    pub member: String,
    /// The old value as JSON; `null` if there was none.
    pub old: Json,
    /// The new value as JSON; `null` if there is none.
    pub new: Json,
    /// What it means.
    pub verdict: Verdict,
}

impl Launched {
    /// The members as JSON, each a text, an array of texts, or `null`.
    pub(super) fn members(&self) -> Vec<(String, Json)> {
        let json = Json::from_value(self).expect("it has texts only");
        let document = Document::new(json.as_str()).expect("a `Json` is JSON");
        let members = document.root().members();
        members
            .map(|(name, value)| (name.into_owned(), Json::from(value)))
            .collect()
    }

    /// The version, range, tag or digest that was asked for, and whether it can be only one; `None` if any will do.
    /// What the version depends on is not said by it.
    ///
    /// ```
    /// use toolwire_contract::launch::parse_launch_uri;
    ///
    /// assert_eq!(parse_launch_uri("mcp+npx://a@1.2.0")?.facts().asked_version(), Some(("1.2.0", true)));
    /// assert_eq!(parse_launch_uri("mcp+npx://a@^1")?.facts().asked_version(), Some(("^1", false)));
    /// assert_eq!(parse_launch_uri("mcp+npx://a")?.facts().asked_version(), None);
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn asked_version(&self) -> Option<(&str, bool)> {
        let (text, exact) = match &self.requested {
            Some(range) => (Some(range), false),
            None => (self.version.as_ref(), true),
        };
        text.filter(|text| *text != "*")
            .map(|text| (text.as_str(), exact))
    }

    /// Takes the arguments of a command without the credentials in them (LOCK-13).
    ///
    /// ```
    /// use toolwire_contract::lock::Launched;
    ///
    /// let mut launched = Launched::default();
    /// launched.set_arguments(&["--url=https://me:hunter2@db.example/".to_owned()]);
    /// assert_eq!(launched.arguments, ["--url=https://***@db.example/"]);
    /// ```
    pub fn set_arguments(&mut self, words: &[String]) {
        self.arguments = without_credentials(words);
    }

    /// Takes a URL without its user, its fragment, the values of its query, and what is spelt as a credential in its
    /// path (LOCK-80).
    ///
    /// ```
    /// use toolwire_contract::lock::Launched;
    ///
    /// let mut launched = Launched::default();
    /// launched.set_url("https://me:hunter2@Example.org:443/mcp/a?team=red&key=hunter2#x");
    /// assert_eq!(launched.url.as_deref(), Some("https://example.org/mcp/a?team&key"));
    /// ```
    pub fn set_url(&mut self, url: &str) {
        let url = url.split('#').next().unwrap_or_default();
        let (place, query) = url.split_once('?').unwrap_or((url, ""));
        let place = without_user(place);
        let authority = place.find("://").map_or(0, |at| at + 3);
        let path = place[authority..].find('/').map(|at| authority + at);
        let mut kept = origin(&place);
        kept.push_str(path.map_or("", |at| &place[at..]));
        let names = query.split('&').map(|pair| pair.split('=').next());
        for (at, name) in names.flatten().filter(|name| !name.is_empty()).enumerate() {
            kept.push(if at == 0 { '?' } else { '&' });
            // A query may be a key and nothing else.
            kept.push_str(&without_credentials(&[name.to_owned()]).concat());
        }
        self.url = Some(kept);
    }

    /// The facts as they are locked (LOCK-13), whoever put them together.
    pub(super) fn locked(mut self) -> Self {
        self.set_arguments(&self.arguments.clone());
        if let Some(url) = self.url.take() {
            self.set_url(&url);
        }
        for text in [&mut self.package, &mut self.program, &mut self.origin]
            .into_iter()
            .flatten()
        {
            *text = without_user(text);
        }
        for word in &mut self.with {
            *word = without_user(word);
        }
        for (names, end) in [(&mut self.environment, '='), (&mut self.headers, ':')] {
            for name in names.iter_mut() {
                let length = name.find(end).unwrap_or(name.len());
                name.truncate(length);
            }
            names.sort_unstable();
            names.dedup();
        }
        self
    }

    /// The facts that enter the fingerprint *safety*, as an object: how it is reached, without versions and
    /// digests.
    ///
    /// ```
    /// use toolwire_contract::lock::Launched;
    ///
    /// let mut launched = Launched::default();
    /// launched.transport = Some("stdio".to_owned());
    /// launched.version = Some("1.0.0".to_owned());
    /// assert_eq!(launched.safety().as_str(), r#"{"transport":"stdio"}"#);
    /// ```
    #[must_use]
    pub fn safety(&self) -> Json {
        let mut out = ObjectWriter::new();
        out.optional("launcher", self.launcher.as_ref())
            .optional("origin", self.origin.as_ref())
            .optional("package", self.package.as_ref())
            .optional("program", self.program.as_ref())
            .optional("transport", self.transport.as_ref());
        if !self.with.is_empty() {
            let names = self.with.iter().map(|word| string(package_name(word)));
            out.json("with", array(names));
        }
        Json::new(out.end()).unwrap_or_else(|_| Json::empty_object())
    }

    /// The facts as a JSON object; what is absent or empty is left out.
    ///
    /// ```
    /// use toolwire_contract::lock::Launched;
    ///
    /// let mut launched = Launched::default();
    /// launched.headers = vec!["Authorization".to_owned()];
    /// assert_eq!(launched.to_json().as_str(), r#"{"headers":["Authorization"]}"#);
    /// ```
    #[must_use]
    pub fn to_json(&self) -> Json {
        let mut out = ObjectWriter::new();
        for (member, json) in self.members() {
            if !matches!(json.as_str(), "null" | "[]") {
                out.json(&member, json.as_str());
            }
        }
        out.members(&self.extra);
        Json::new(out.end()).unwrap_or_else(|_| Json::empty_object())
    }

    /// What only the launcher or the interpreter knows, and nobody has asked it now (LOCK-26).
    pub(super) fn not_asked(&self, now: &Launched) -> Vec<&'static str> {
        let gone = |old: &Option<String>, new: &Option<String>| old.is_some() && new.is_none();
        // A version that was asked for is known without asking, and that it is asked for no more is, too.
        let version = gone(&self.version, &now.version) && now.requested.is_some();
        let facts = [
            ("interpreter", gone(&self.interpreter, &now.interpreter)),
            ("version", version),
            ("integrity", gone(&self.integrity, &now.integrity)),
        ];
        let facts = facts.into_iter().filter(|(_, not_asked)| *not_asked);
        facts.map(|(member, _)| member).collect()
    }

    /// What is different now, in the order of the members (LOCK-21).
    pub(super) fn changes(&self, now: &Launched) -> Vec<LaunchChange> {
        let not_asked = self.not_asked(now);
        let same_version = self.version == now.version;
        let both = self.members().into_iter().zip(now.members());
        let changed = both.filter(|((member, old), (_, new))| {
            old != new && !not_asked.contains(&member.as_str())
        });
        changed
            .map(|((member, old), (_, new))| LaunchChange {
                verdict: meaning(&member, same_version),
                member,
                old,
                new,
            })
            .collect()
    }
}

/// Scheme, host and port of a URL, in lower case, without the usual port.
pub(crate) fn origin(url: &str) -> String {
    let (scheme, rest) = url.split_once("://").unwrap_or(("", url));
    let scheme = scheme.to_ascii_lowercase();
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    // A user is no part of it, and may come with a password.
    let host = rest[..end].rsplit('@').next().unwrap_or_default();
    let host = host.to_ascii_lowercase();
    let usual = if scheme == "https" { ":443" } else { ":80" };
    let host = host.strip_suffix(usual).unwrap_or(&host);
    format!("{scheme}://{host}")
}

/// What it means that a fact is another.
fn meaning(member: &str, same_version: bool) -> Verdict {
    match member {
        // Something else is run, or it is elsewhere, or somebody else answers.
        "transport" | "launcher" | "package" | "program" | "origin" | "url" | "questions"
        | "settings" => Verdict::Safety,
        // Other bytes under one version.
        "integrity" if same_version => Verdict::Safety,
        _ => Verdict::Behaviour,
    }
}

/// The name of a package in a word such as `httpx==0.27` or `@scope/name@1.0`.
fn package_name(word: &str) -> &str {
    let start = usize::from(word.starts_with('@'));
    let end = word[start..].find(['=', '<', '>', '!', '~', '@', '[', ' ', ';']);
    end.map_or(word, |end| &word[..start + end])
}
