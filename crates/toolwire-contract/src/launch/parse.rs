//! Reading a launch URI.

use toolwire::{Code, Error, WebUrl, is_hidden, nearest};

use super::path::{self, Leads};
use super::query;
use super::refusal::{named, show, visible};
use super::{Launch, Launcher, package};
use crate::percent::{bytes, decode, encode};

/// The maximum length of a launch URI in bytes.
///
/// ```
/// use toolwire_contract::launch::{MAX_BYTES, parse_launch_uri};
///
/// let room = MAX_BYTES - "mcp+exec://a?command=".len();
/// assert!(parse_launch_uri(&format!("mcp+exec://a?command={}", "x".repeat(room))).is_ok());
/// assert!(parse_launch_uri(&format!("mcp+exec://a?command={}", "x".repeat(room + 1))).is_err());
/// ```
pub const MAX_BYTES: usize = 65_536;

/// The schemes.
const SCHEMES: [(&str, Launcher); 8] = [
    ("mcp+uvx", Launcher::Uvx),
    ("mcp+npx", Launcher::Npx),
    ("mcp+python", Launcher::Python),
    ("mcp+node", Launcher::Node),
    ("mcp+docker", Launcher::Docker),
    ("mcp+exec", Launcher::Exec),
    ("mcp+http", Launcher::Http),
    ("mcp+https", Launcher::Http),
];

/// Reads a launch URI (chapter 29). Nothing is started, looked up or changed: what the URI says comes out as it
/// stands there, percent-decoded once.
///
/// # Errors
///
/// `bad_launch_uri` for a text that is none, with the member of the JSON form and a message that says what to write;
/// `value_in_launch_uri` for the value of an environment variable or a header.
///
/// # Examples
///
/// ```
/// use toolwire_contract::launch::parse_launch_uri;
///
/// let launch = parse_launch_uri("mcp+npx://@scope/server@1.2.3?command=--stdio&env=TOKEN")?;
/// assert_eq!(launch.command().unwrap(), ["npx", "-y", "@scope/server@1.2.3", "--stdio"]);
///
/// let error = parse_launch_uri("mcp+exec://server?tool=a&tool=b").unwrap_err();
/// assert_eq!(error.pointer(), "/tool");
/// # Ok::<(), toolwire::Error>(())
/// ```
pub fn parse_launch_uri(uri: &str) -> Result<Launch, Error> {
    characters(uri, Code::BadLaunchUri)?;
    let refuse = |code, pointer: &str, at: usize, message| {
        Error::new(code, pointer, u64::try_from(at).ok(), message)
    };
    let (scheme, launcher, rest) =
        split_scheme(uri).map_err(|message| refuse(Code::BadLaunchUri, "/launcher", 0, message))?;
    let start = uri.len() - rest.len();
    let (target, query) = match rest.split_once('?') {
        Some((target, query)) => (target, Some(query)),
        None => (rest, None),
    };
    let launch = query::read(query, start + target.len() + 1, Some(launcher), None)?;
    let bad = |pointer: &str, message| refuse(Code::BadLaunchUri, pointer, start, message);
    let pointer = format!("/{}", launcher.member());
    let mut command = None;
    let target = if launcher == Launcher::Http {
        let host = target.split('/').next().unwrap_or_default();
        if host.contains('@') {
            let message = "a launch URI holds no name and password: write `header=Authorization`, and give its value as \
                           the caller takes it";
            return Err(refuse(
                Code::ValueInLaunchUri,
                &pointer,
                start,
                message.to_owned(),
            ));
        }
        address(&scheme["mcp+".len()..], target, &launch.target)
    } else {
        let text = decode(target).and_then(visible);
        let text = text.map_err(|message| bad("", message))?;
        match launcher {
            Launcher::Uvx | Launcher::Npx => {
                let (package, name) = package::split_command(&text);
                let package = package::read(launcher, package);
                let package = package.map_err(|message| bad(&pointer, message))?;
                let name = name.map(package::command).transpose();
                command = name.map_err(|message| bad("/command", message))?;
                Ok(package)
            }
            Launcher::Docker => package::read(launcher, &text),
            Launcher::Exec => {
                package::option_like(&text, "program").and_then(|()| path::program(&text))
            }
            _ => path::read(&text, Leads::ToFile),
        }
    };
    let target = target.map_err(|message| bad(&pointer, message))?;
    if launcher == Launcher::Npx && command.is_none() && !launch.with.is_empty() {
        let message = "npx does not know which of several packages has the command: write it behind the package, as in \
                       `mcp+npx://package/command?with=…`";
        return Err(bad("/command", message.to_owned()));
    }
    Ok(Launch {
        target,
        command,
        ..launch
    })
}

/// Refuses what may stand nowhere in a launch URI or a profile word unencoded (LAUNCH-2).
pub(super) fn characters(text: &str, code: Code) -> Result<(), Error> {
    let refuse =
        |at: usize, message: String| Err(Error::new(code, "", u64::try_from(at).ok(), message));
    if text.len() > MAX_BYTES {
        let message =
            format!("this is longer than {MAX_BYTES} bytes: give long arguments apart from it");
        return refuse(MAX_BYTES, message);
    }
    let refused = |c: char| c == '#' || c.is_whitespace() || is_hidden(c);
    let Some((at, c)) = text.char_indices().find(|(_, c)| refused(*c)) else {
        return Ok(());
    };
    let mut encoded = String::new();
    encode(&mut encoded, c.encode_utf8(&mut [0; 4]), b"");
    refuse(
        at,
        match c {
            '#' => "there is no fragment here: write `%23` for the sign itself".to_owned(),
            ' ' => "there is a space: write `%20`".to_owned(),
            c => format!(
                "there is {}: leave it out, or write `{encoded}` in the value of an argument",
                named(c)
            ),
        },
    )
}

/// The scheme in lower case, its launcher, and what follows `://`.
fn split_scheme(uri: &str) -> Result<(String, Launcher, &str), String> {
    let Some((scheme, rest)) = uri.split_once("://") else {
        return Err(format!(
            "`{}` is no launch URI: write one such as `mcp+uvx://package/command` or `mcp+python://./server.py`",
            show(uri)
        ));
    };
    let scheme = scheme.to_ascii_lowercase();
    let known = |scheme: &str| SCHEMES.into_iter().find(|(known, _)| *known == scheme);
    if let Some((_, launcher)) = known(&scheme) {
        return Ok((scheme, launcher, rest));
    }
    let shown = show(&scheme);
    Err(match scheme.as_str() {
        "mcp" => format!(
            "`mcp://` names no launcher: write it in the scheme, as in `mcp+uvx://package/command` or \
             `mcp+npx://package`; a profile is `@{}`",
            show(rest.split('?').next().unwrap_or_default())
        ),
        "http" | "https" => format!(
            "a launch URI for this server begins with `mcp+{scheme}://`; where a server is named, its URL alone will do"
        ),
        _ => match nearest(&scheme, SCHEMES.map(|(scheme, _)| scheme)) {
            Some(scheme) => format!("`{shown}://` is unknown: did you mean `{scheme}://`?"),
            None => format!(
                "`{shown}://` is unknown: there are `{}`; any other program is `mcp+exec://program`",
                SCHEMES.map(|(scheme, _)| scheme).join("`, `")
            ),
        },
    })
}

/// The URL of a server; what stands in front of the query is kept to the letter.
fn address(scheme: &str, target: &str, query: &str) -> Result<String, String> {
    // What they stand for is the server's affair, but they have to be some.
    bytes(target)?;
    if query.contains('#') {
        return Err("there is no fragment in the URL of a server: leave it out".to_owned());
    }
    let url = format!("{scheme}://{target}{query}");
    match WebUrl::new(&url) {
        Some(_) => Ok(url),
        None => Err(format!(
            "this is no URL of a server: write a host, a port and a path in ASCII, as in `mcp+{scheme}://example.org/mcp`, \
             of at most {} bytes",
            WebUrl::MAX_BYTES
        )),
    }
}
