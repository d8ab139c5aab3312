//! What a lock remembers of a launch (LAUNCH-80 to LAUNCH-83).

use toolwire::Json;
use toolwire::json::{ObjectWriter, array, string};

use super::package::{is_exact_npm, is_exact_python, is_range};
use super::usual::usual;
use super::{Launch, Launcher, Package, Program, Server};

/// What is started or reached, without what differs from call to call: no words, folder, variables, headers or
/// arguments.
///
/// ```
/// use toolwire_contract::launch::parse_launch_uri;
///
/// let facts = parse_launch_uri("mcp+uvx://Mcp_Server.Git==1.0.2/serve?command=--token-file")?.facts();
/// assert_eq!(facts.package.as_deref(), Some("mcp-server-git"));
/// assert_eq!(facts.program.as_deref(), Some("serve"));
/// let version = facts.version.as_ref().unwrap();
/// assert_eq!((version.text.as_str(), version.exact), ("1.0.2", true));
/// assert_eq!(
///     facts.safety().as_str(),
///     r#"{"launcher":"uvx","package":"mcp-server-git","program":"serve","transport":"stdio"}"#
/// );
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LaunchFacts {
    /// `stdio` for a program, `http` for a URL.
    pub transport: &'static str,
    /// What starts the program.
    pub launcher: Option<&'static str>,
    /// The package or image, without its version, and spelt in one way.
    pub package: Option<String>,
    /// The packages that are installed with it, likewise, sorted.
    pub with: Vec<String>,
    /// The command in the package, the file or the program.
    pub program: Option<String>,
    /// Scheme, host and port of a URL.
    pub origin: Option<String>,
    /// The version of the package.
    pub version: Option<Version>,
}

/// A version that was asked for.
///
/// ```
/// use toolwire_contract::launch::parse_launch_uri;
///
/// let version = |uri| parse_launch_uri(uri).map(|launch| launch.facts().version.unwrap());
/// assert!(version("mcp+npx://a@1.2.3")?.exact);
/// assert!(!version("mcp+npx://a@^1.2")?.exact);
/// assert!(!version("mcp+docker://a:1.2")?.exact);
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Version {
    /// The version, range, tag or digest.
    pub text: String,
    /// Whether it can be only one: a version as a whole, or the digest of an image. What that depends on is
    /// not said by it.
    pub exact: bool,
}

impl Launch {
    /// What a lock remembers of the launch.
    ///
    /// ```
    /// use toolwire_contract::launch::parse_launch_uri;
    ///
    /// let facts = parse_launch_uri("mcp+https://Example.org:443/mcp?query=key=1")?.facts();
    /// assert_eq!((facts.transport, facts.origin.as_deref()), ("http", Some("https://example.org")));
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn facts(&self) -> LaunchFacts {
        match &self.server {
            Server::Program(program) => of_program(program),
            Server::Remote(remote) => LaunchFacts {
                transport: "http",
                launcher: None,
                package: None,
                with: Vec::new(),
                program: None,
                origin: Some(origin(&remote.url)),
                version: None,
            },
        }
    }
}

impl LaunchFacts {
    /// The facts of a command that a person or a file gave, in whatever way it is written (LAUNCH-83). Nothing for no
    /// words.
    ///
    /// ```
    /// use toolwire_contract::launch::LaunchFacts;
    ///
    /// let of = |command: &str| {
    ///     let words: Vec<String> = command.split(' ').map(str::to_owned).collect();
    ///     LaunchFacts::of_command(&words).unwrap().safety()
    /// };
    /// assert_eq!(of("npx --yes -p @a/b@1.0.0 c -v"), of("npx -y --package=@a/b c"));
    /// assert_eq!(of("uvx --python 3.12 a@1.0"), of("uv tool run a"));
    /// assert_eq!(of("uvx --index-url X a").as_str(), r#"{"launcher":"exec","program":"uvx","transport":"stdio"}"#);
    /// ```
    #[must_use]
    pub fn of_command(words: &[String]) -> Option<LaunchFacts> {
        let exact = Launch::from_command(words)?.facts();
        if exact.launcher != Some("exec") {
            return Some(exact);
        }
        let usual = usual(words).and_then(|words| Launch::from_command(&words));
        let usual = usual.map(|launch| launch.facts());
        Some(
            usual
                .filter(|facts| facts.launcher != Some("exec"))
                .unwrap_or(exact),
        )
    }

    /// The facts that enter the fingerprint *safety*, as an object: all but the version.
    ///
    /// ```
    /// use toolwire_contract::launch::parse_launch_uri;
    ///
    /// let safety = |uri| parse_launch_uri(uri).map(|launch| launch.facts().safety());
    /// assert_eq!(safety("mcp+npx://a@1.0.0")?, safety("mcp+npx://a@2.0.0?tool=x")?);
    /// assert_ne!(safety("mcp+npx://a@1.0.0")?, safety("mcp+npx://b@1.0.0")?);
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn safety(&self) -> Json {
        let mut out = ObjectWriter::new();
        out.optional("launcher", self.launcher)
            .optional("origin", self.origin.as_ref())
            .optional("package", self.package.as_ref())
            .optional("program", self.program.as_ref())
            .text("transport", self.transport);
        if !self.with.is_empty() {
            out.json("with", array(self.with.iter().map(|name| string(name))));
        }
        Json::new(out.end()).unwrap_or_else(|_| Json::empty_object())
    }
}

fn of_program(program: &Program) -> LaunchFacts {
    let mut facts = LaunchFacts {
        transport: "stdio",
        launcher: Some(program.launcher.as_str()),
        package: None,
        with: Vec::new(),
        program: None,
        origin: None,
        version: None,
    };
    match &program.launcher {
        Launcher::Uvx {
            package,
            command,
            with,
        } => {
            facts.package = Some(python_name(&package.name));
            facts.with = names(with, |package| python_name(&package.name));
            facts.program = Some(
                command
                    .clone()
                    .unwrap_or_else(|| python_name(&package.name)),
            );
            facts.version = package.version.as_ref().map(|version| Version {
                text: version.clone(),
                exact: !is_range(version) && is_exact_python(version),
            });
        }
        Launcher::Npx {
            package,
            command,
            with,
        } => {
            facts.package = Some(package.name.clone());
            facts.with = names(with, |package| package.name.clone());
            facts.program.clone_from(command);
            facts.version = package.version.as_ref().map(|version| Version {
                text: version.clone(),
                exact: is_exact_npm(version),
            });
        }
        Launcher::Docker { image } => {
            facts.package = Some(image_name(&image.name));
            let parts = [image.tag.as_deref(), image.digest.as_deref()];
            let text = parts.into_iter().flatten().collect::<Vec<_>>().join("@");
            facts.version = (!text.is_empty()).then_some(Version {
                text,
                exact: image.digest.is_some(),
            });
        }
        Launcher::Python { file: path }
        | Launcher::Node { file: path }
        | Launcher::Exec { program: path } => {
            facts.program = Some(path.clone());
        }
    }
    facts
}

fn names(packages: &[Package], name: fn(&Package) -> String) -> Vec<String> {
    let mut all: Vec<String> = packages.iter().map(name).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// The one spelling of a name of the Python Package Index: lower case, and `-` for each run of `-`, `_`, `.`.
fn python_name(name: &str) -> String {
    let parts = name.split(['-', '_', '.']).filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join("-").to_ascii_lowercase()
}

/// The short name of an image: without the usual registry and its usual folder.
fn image_name(name: &str) -> String {
    let bare = ["docker.io/", "index.docker.io/"]
        .into_iter()
        .find_map(|registry| name.strip_prefix(registry));
    let bare = bare.unwrap_or(name);
    let official = bare
        .strip_prefix("library/")
        .filter(|rest| !rest.contains('/'));
    official.unwrap_or(bare).to_owned()
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
