//! What a launch URI says, as plain data.

use serde::{Deserialize, Serialize};
use toolwire::json::{Document, Kind, ObjectWriter, pointer};
use toolwire::{Code, Error, Json};

use crate::compact;

/// A server, how it is started or reached, and what is asked of it.
///
/// The fields are free; [`format_launch_uri`](super::format_launch_uri) refuses what no launch URI says.
///
/// ```
/// use toolwire_contract::launch::{Launcher, parse_launch_uri};
///
/// let launch = parse_launch_uri("mcp+npx://@upstash/context7-mcp@latest?command=--stdio&env=TOKEN")?;
/// assert_eq!(launch.launcher, Launcher::Npx);
/// assert_eq!(launch.target, "@upstash/context7-mcp@latest");
/// assert_eq!((launch.words, launch.env), (vec!["--stdio".into()], vec!["TOKEN".into()]));
/// assert_eq!(launch.request, None);
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Launch {
    /// What starts the server, or `Http` for one that runs elsewhere.
    pub launcher: Launcher,
    /// The package with its version, the path of the file, the image, the program, or the URL with its own query.
    pub target: String,
    /// The command in the package; without one, that of the package's name.
    #[serde(default)]
    pub command: Option<String>,
    /// Packages that are installed with it.
    #[serde(default)]
    pub with: Vec<String>,
    /// The further words of its command (`command=`), each as it is.
    #[serde(default)]
    pub words: Vec<String>,
    /// The names of the environment variables that it needs; never their values.
    #[serde(default)]
    pub env: Vec<String>,
    /// The folder in which it runs: absolute, or relative to the folder where the URI was given.
    #[serde(default)]
    pub cwd: Option<String>,
    /// The names of the headers that it needs; never their values.
    #[serde(default)]
    pub headers: Vec<String>,
    /// What is asked of it, if the URI says so.
    #[serde(flatten)]
    pub request: Option<Request>,
}

/// What starts a server.
///
/// ```
/// use toolwire_contract::launch::Launcher;
///
/// assert_eq!(Launcher::Exec.as_str(), "exec");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Launcher {
    /// `uvx`: a package from the Python Package Index.
    Uvx,
    /// `npx`: a package from the npm registry.
    Npx,
    /// `python` with a file.
    Python,
    /// `node` with a file.
    Node,
    /// `docker run -i --rm` with an image.
    Docker,
    /// Any other program.
    Exec,
    /// Nothing: the server has a URL.
    Http,
}

toolwire::closed_words!(Launcher, "a launcher", {
    Uvx => "uvx",
    Npx => "npx",
    Python => "python",
    Node => "node",
    Docker => "docker",
    Exec => "exec",
    Http => "http",
});

impl Launcher {
    /// Whether the target is a path, or perhaps one.
    pub(super) fn takes_path(self) -> bool {
        matches!(self, Launcher::Python | Launcher::Node | Launcher::Exec)
    }

    /// The member of the JSON form that has the target.
    pub(super) fn member(self) -> &'static str {
        match self {
            Launcher::Uvx | Launcher::Npx => "package",
            Launcher::Python | Launcher::Node => "file",
            Launcher::Docker => "image",
            Launcher::Exec => "program",
            Launcher::Http => "url",
        }
    }
}

/// What is asked of a server.
///
/// ```
/// use toolwire_contract::launch::{Listing, Request, parse_launch_uri};
///
/// let launch = parse_launch_uri("mcp+exec://server?list=tools")?;
/// assert_eq!(launch.request, Some(Request::List { list: Listing::Tools }));
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Request {
    /// A call of a tool.
    Tool {
        /// The name of the tool.
        #[serde(rename = "tool")]
        name: String,
        /// Its arguments, in their order; a name can come again, for the elements of an array.
        #[serde(default)]
        arguments: Vec<Argument>,
    },
    /// A list of what it offers.
    List {
        /// What is listed.
        list: Listing,
    },
    /// A resource.
    Resource {
        /// Its URI.
        #[serde(rename = "resource")]
        uri: String,
    },
}

impl Request {
    /// The arguments as words, for [`toolwire::parse_arguments`], which types them by the tool's schema.
    ///
    /// ```
    /// use toolwire::{Json, parse_arguments};
    /// use toolwire_contract::launch::parse_launch_uri;
    ///
    /// let launch = parse_launch_uri("mcp+exec://server?tool=find&limit=3&arg.tool=x")?;
    /// let words = launch.request.unwrap().words();
    /// assert_eq!(words, ["limit=3", "tool=x"]);
    /// let schema = Json::new(r#"{"properties":{"limit":{"type":"integer"}}}"#)?;
    /// assert_eq!(parse_arguments(&words, &schema)?.as_str(), r#"{"limit":3,"tool":"x"}"#);
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn words(&self) -> Vec<String> {
        let Request::Tool { arguments, .. } = self else {
            return Vec::new();
        };
        let words = arguments.iter();
        words.map(|it| format!("{}={}", it.name, it.text)).collect()
    }
}

/// An argument of a call, as a text.
///
/// ```
/// use toolwire_contract::launch::{Argument, Request, parse_profile_word};
///
/// let word = parse_profile_word("@biomcp/search?gene=BRAF")?;
/// let Some(Request::Tool { arguments, .. }) = word.request else { panic!() };
/// assert_eq!(arguments, [Argument { name: "gene".into(), text: "BRAF".into() }]);
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Argument {
    /// Its name.
    pub name: String,
    /// Its text; the tool's schema says what it means.
    pub text: String,
}

/// What can be listed.
///
/// ```
/// use toolwire_contract::launch::Listing;
///
/// assert_eq!(Listing::Tools.as_str(), "tools");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Listing {
    /// The tools.
    Tools,
    /// The resources, with their templates.
    Resources,
    /// The prompts.
    Prompts,
}

toolwire::closed_words!(Listing, "a listing", {
    Tools => "tools",
    Resources => "resources",
    Prompts => "prompts",
});

/// A profile that is named in one word, and what is asked of its server.
///
/// ```
/// use toolwire_contract::launch::{Listing, Request, parse_profile_word};
///
/// let word = parse_profile_word("@biomcp?list=tools")?;
/// assert_eq!(word.profile, "biomcp");
/// assert_eq!(word.request, Some(Request::List { list: Listing::Tools }));
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProfileWord {
    /// The name of the profile.
    pub profile: String,
    /// What is asked, if the word says so.
    #[serde(flatten)]
    pub request: Option<Request>,
}

impl Launch {
    /// A launch of this target and nothing else.
    ///
    /// ```
    /// use toolwire_contract::launch::{Launch, Launcher, format_launch_uri};
    ///
    /// assert_eq!(format_launch_uri(&Launch::new(Launcher::Exec, "git"))?, "mcp+exec://git");
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn new(launcher: Launcher, target: impl Into<String>) -> Launch {
        Launch {
            launcher,
            target: target.into(),
            command: None,
            with: Vec::new(),
            words: Vec::new(),
            env: Vec::new(),
            cwd: None,
            headers: Vec::new(),
            request: None,
        }
    }

    /// The launch as a JSON object (LAUNCH-60); what it does not say is left out.
    ///
    /// ```
    /// use toolwire_contract::launch::parse_launch_uri;
    ///
    /// let launch = parse_launch_uri("mcp+uvx://a@1.0/b?command=run&tool=t&x=1")?;
    /// assert_eq!(
    ///     launch.to_json().as_str(),
    ///     r#"{"launcher":"uvx","package":"a@1.0","command":"b","words":["run"],"tool":"t","arguments":[{"name":"x","text":"1"}]}"#
    /// );
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn to_json(&self) -> Json {
        let json = renamed(&compact(self), "target", self.launcher.member());
        json.expect("no two members have one name")
    }

    /// Reads the JSON form of a launch. Whether a URI can say it, [`format_launch_uri`](super::format_launch_uri)
    /// shows.
    ///
    /// # Errors
    ///
    /// `bad_argument` for a member that is missing, unknown or of the wrong type.
    ///
    /// ```
    /// use toolwire::Json;
    /// use toolwire_contract::launch::{Launch, format_launch_uri};
    ///
    /// let launch = Launch::from_json(&Json::new(r#"{"launcher":"node","file":"C:/a b.js"}"#)?)?;
    /// assert_eq!(format_launch_uri(&launch)?, "mcp+node:///C:/a%20b.js");
    /// assert!(Launch::from_json(&Json::new(r#"{"launcher":"node"}"#)?).is_err());
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    pub fn from_json(json: &Json) -> Result<Launch, Error> {
        let launcher = json.at("/launcher").and_then(|word| word.to_value().ok());
        let launcher: Launcher = launcher.ok_or_else(|| {
            let message =
                "`launcher` is `uvx`, `npx`, `python`, `node`, `docker`, `exec` or `http`";
            Error::new(Code::BadArgument, "/launcher", None, message)
        })?;
        let launch: Launch = renamed(json, launcher.member(), "target")?.to_value()?;
        says_all(json, &launch.to_json())?;
        Ok(launch)
    }
}

impl ProfileWord {
    /// The word as a JSON object, `profile` and the members of a request.
    ///
    /// ```
    /// use toolwire_contract::launch::parse_profile_word;
    ///
    /// let word = parse_profile_word("@biomcp?resource=file:///a")?;
    /// assert_eq!(word.to_json().as_str(), r#"{"profile":"biomcp","resource":"file:///a"}"#);
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn to_json(&self) -> Json {
        compact(self)
    }

    /// Reads the JSON form of a profile word.
    ///
    /// # Errors
    ///
    /// `bad_argument` for a member that is missing, unknown or of the wrong type.
    ///
    /// ```
    /// use toolwire::Json;
    /// use toolwire_contract::launch::{ProfileWord, format_profile_word};
    ///
    /// let word = ProfileWord::from_json(&Json::new(r#"{"profile":"a","tool":"b/c"}"#)?)?;
    /// assert_eq!(format_profile_word(&word)?, "@a/b/c");
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    pub fn from_json(json: &Json) -> Result<ProfileWord, Error> {
        let word: ProfileWord = json.to_value()?;
        says_all(json, &word.to_json())?;
        Ok(word)
    }
}

/// An object with another name for one of its members.
fn renamed(json: &Json, from: &str, to: &str) -> Result<Json, Error> {
    let mut out = ObjectWriter::new();
    for (name, value) in Document::new(json.as_str())?.root().members() {
        out.json(if name == from { to } else { &name }, value.raw());
    }
    Json::new(out.end())
}

/// Refuses a member that was not understood: serde passes over those that it does not know.
fn says_all(json: &Json, read: &Json) -> Result<(), Error> {
    let document = Document::new(json.as_str())?;
    for (name, value) in document.root().members() {
        let place = pointer::join("", &name);
        let says_nothing = value.kind() == Kind::Array && value.is_empty();
        if !says_nothing && read.at(&place).is_none() {
            let message = format!(
                "`{name}` is unknown, of another type, or stands beside a member that excludes it"
            );
            return Err(Error::new(Code::BadArgument, place, None, message));
        }
    }
    Ok(())
}
