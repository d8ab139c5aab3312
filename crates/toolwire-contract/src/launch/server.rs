//! What a launch URI says, as plain data.

/// A server, how it is started or reached, and what is asked of it.
///
/// The fields are free; [`format_launch_uri`](super::format_launch_uri) refuses what no launch URI says.
///
/// ```
/// use toolwire_contract::launch::{Launcher, Server, parse_launch_uri};
///
/// let launch = parse_launch_uri("mcp+npx://@upstash/context7-mcp@latest")?;
/// let Server::Program(program) = &launch.server else { panic!() };
/// let Launcher::Npx { package, .. } = &program.launcher else { panic!() };
/// assert_eq!(package.name, "@upstash/context7-mcp");
/// assert_eq!(package.version.as_deref(), Some("latest"));
/// assert_eq!(launch.request, None);
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launch {
    /// The server.
    pub server: Server,
    /// What is asked of it, if the URI says so.
    pub request: Option<Request>,
}

/// How a server is reached.
///
/// ```
/// use toolwire_contract::launch::{Server, parse_launch_uri};
///
/// let launch = parse_launch_uri("mcp+https://example.org/mcp")?;
/// assert!(matches!(launch.server, Server::Remote(remote) if remote.url == "https://example.org/mcp"));
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Server {
    /// A program that is started.
    Program(Program),
    /// A server elsewhere.
    Remote(Remote),
}

/// A program that is started, without its environment.
///
/// ```
/// use toolwire_contract::launch::{Server, parse_launch_uri};
///
/// let launch = parse_launch_uri("mcp+node://./server.js?command=--stdio&env=TOKEN&cwd=./data")?;
/// let Server::Program(program) = launch.server else { panic!() };
/// assert_eq!(program.words, ["--stdio"]);
/// assert_eq!(program.env, ["TOKEN"]);
/// assert_eq!(program.cwd.as_deref(), Some("./data"));
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// What starts it, and what that is told.
    pub launcher: Launcher,
    /// The further words of its command (`command=`), each as it is.
    pub words: Vec<String>,
    /// The names of the environment variables that it needs; never their values.
    pub env: Vec<String>,
    /// The folder in which it runs: absolute, or relative as LAUNCH-31 says.
    pub cwd: Option<String>,
}

/// What starts a program.
///
/// ```
/// use toolwire_contract::launch::{Launcher, Server, parse_launch_uri};
///
/// let launch = parse_launch_uri("mcp+python:///C:/tools/server.py")?;
/// let Server::Program(program) = launch.server else { panic!() };
/// assert_eq!(program.launcher, Launcher::Python { file: "C:/tools/server.py".into() });
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Launcher {
    /// `uvx`: a package from the Python Package Index.
    Uvx {
        /// The package.
        package: Package,
        /// The command in it; without one, that of the package's name.
        command: Option<String>,
        /// Packages that are installed with it.
        with: Vec<Package>,
    },
    /// `npx`: a package from the npm registry.
    Npx {
        /// The package.
        package: Package,
        /// The command in it; without one, the one that npx chooses.
        command: Option<String>,
        /// Packages that are installed with it.
        with: Vec<Package>,
    },
    /// `python` with a file.
    Python {
        /// The path of the file, with slashes.
        file: String,
    },
    /// `node` with a file.
    Node {
        /// The path of the file, with slashes.
        file: String,
    },
    /// `docker run -i --rm` with an image.
    Docker {
        /// The image.
        image: Image,
    },
    /// Any other program.
    Exec {
        /// Its name on the search path, or its path, with slashes.
        program: String,
    },
}

impl Launcher {
    /// The word of the scheme, behind `mcp+`.
    ///
    /// ```
    /// use toolwire_contract::launch::Launcher;
    ///
    /// assert_eq!(Launcher::Exec { program: "git".into() }.as_str(), "exec");
    /// ```
    #[must_use]
    pub fn as_str(&self) -> &'static str {
        match self {
            Launcher::Uvx { .. } => "uvx",
            Launcher::Npx { .. } => "npx",
            Launcher::Python { .. } => "python",
            Launcher::Node { .. } => "node",
            Launcher::Docker { .. } => "docker",
            Launcher::Exec { .. } => "exec",
        }
    }
}

/// A package of a registry.
///
/// ```
/// use toolwire_contract::launch::{Launcher, Package, Server, parse_launch_uri};
///
/// let launch = parse_launch_uri("mcp+uvx://mcp[cli]==1.9.0/mcp")?;
/// let Server::Program(program) = launch.server else { panic!() };
/// let Launcher::Uvx { package, .. } = program.launcher else { panic!() };
/// assert_eq!(package.name, "mcp");
/// assert_eq!(package.extras, ["cli"]);
/// assert_eq!(package.version.as_deref(), Some("1.9.0"));
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Package {
    /// Its name; on npm with the scope, as in `@scope/name`.
    pub name: String,
    /// Its extras, on the Python Package Index.
    pub extras: Vec<String>,
    /// The version, as in `1.2.3`; a range, as in `>=1,<2` (Python) or `^1.2` (npm); or a tag, as in `latest`.
    pub version: Option<String>,
}

/// An image of a container.
///
/// ```
/// use toolwire_contract::launch::{Launcher, Server, parse_launch_uri};
///
/// let launch = parse_launch_uri("mcp+docker://ghcr.io/github/github-mcp-server:v1")?;
/// let Server::Program(program) = launch.server else { panic!() };
/// let Launcher::Docker { image } = program.launcher else { panic!() };
/// assert_eq!(image.name, "ghcr.io/github/github-mcp-server");
/// assert_eq!(image.tag.as_deref(), Some("v1"));
/// assert_eq!(image.digest, None);
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Image {
    /// Its name, with the registry if it is not the usual one.
    pub name: String,
    /// Its tag.
    pub tag: Option<String>,
    /// Its digest, as in `sha256:…`.
    pub digest: Option<String>,
}

/// A server elsewhere.
///
/// ```
/// use toolwire_contract::launch::{Server, parse_launch_uri};
///
/// let launch = parse_launch_uri("mcp+https://example.org/mcp?query=v=2&header=X-Key&tool=find")?;
/// let Server::Remote(remote) = launch.server else { panic!() };
/// assert_eq!(remote.url, "https://example.org/mcp?v=2");
/// assert_eq!(remote.headers, ["X-Key"]);
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remote {
    /// Its address, with its own query and without a fragment.
    pub url: String,
    /// The names of the headers that it needs; never their values.
    pub headers: Vec<String>,
}

/// What is asked of a server.
///
/// ```
/// use toolwire_contract::launch::{Listing, Request, parse_launch_uri};
///
/// let launch = parse_launch_uri("mcp+exec://server?list=tools")?;
/// assert_eq!(launch.request, Some(Request::List(Listing::Tools)));
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Request {
    /// A call of a tool.
    Tool {
        /// The name of the tool.
        name: String,
        /// Its arguments, in their order; a name can come again, for the elements of an array.
        arguments: Vec<Argument>,
    },
    /// A list of what it offers.
    List(Listing),
    /// The resource of this URI.
    Resource(String),
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
        match self {
            Request::Tool { arguments, .. } => arguments
                .iter()
                .map(|argument| format!("{}={}", argument.name, argument.text))
                .collect(),
            Request::List(_) | Request::Resource(_) => Vec::new(),
        }
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
#[derive(Debug, Clone, PartialEq, Eq)]
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
/// assert_eq!(Listing::ALL.map(Listing::as_str), ["tools", "resources", "prompts"]);
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

impl Listing {
    /// All of them.
    pub const ALL: [Listing; 3] = [Listing::Tools, Listing::Resources, Listing::Prompts];

    /// The word of `list=`.
    ///
    /// ```
    /// assert_eq!(toolwire_contract::launch::Listing::Tools.as_str(), "tools");
    /// ```
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Listing::Tools => "tools",
            Listing::Resources => "resources",
            Listing::Prompts => "prompts",
        }
    }
}
