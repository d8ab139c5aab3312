//! Reading a launch URI.

use toolwire::{Code, Error, WebUrl, is_hidden, nearest};

use super::package;
use super::path::{self, Leads, has_drive};
use super::percent::{check, decode, encode};
use super::query::{Query, distinct};
use super::refusal::{Place, named, show};
use super::{Launch, Launcher, Program, Remote, Server};

/// The most bytes of a launch URI.
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
const SCHEMES: [&str; 8] = [
    "mcp+uvx",
    "mcp+npx",
    "mcp+python",
    "mcp+node",
    "mcp+docker",
    "mcp+exec",
    "mcp+http",
    "mcp+https",
];

/// Reads a launch URI (chapter 29). Nothing is started, looked up or changed: what the URI says comes out as it
/// stands there, percent-decoded once.
///
/// # Errors
///
/// `bad_launch_uri` for a text that is none, with the byte and the member of the JSON form, and a message that
/// says what to write; `value_in_launch_uri` for the value of an environment variable or a header.
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
/// assert_eq!((error.pointer(), error.offset()), ("/tool", Some(25)));
/// # Ok::<(), toolwire::Error>(())
/// ```
pub fn parse_launch_uri(uri: &str) -> Result<Launch, Error> {
    let whole = Place {
        code: Code::BadLaunchUri,
        pointer: "",
        offset: 0,
    };
    characters(uri, MAX_BYTES, whole)?;
    let (scheme, rest) = split_scheme(uri, whole)?;
    let start = uri.len() - rest.len();
    let (target, query_text) = match rest.split_once('?') {
        Some((target, query)) => (target, Some(query)),
        None => (rest, None),
    };
    let query_place = whole.at(start + target.len() + 1);
    let target_place = whole.at(start);
    let query = Query::read(query_text, None, query_place)?;
    match scheme.as_str() {
        "mcp+http" | "mcp+https" => remote(&scheme, target, query, target_place),
        _ => program(&scheme, target, query, target_place),
    }
}

/// Refuses what may stand nowhere in a launch URI or a profile word unencoded (LAUNCH-2).
pub(super) fn characters(text: &str, most: usize, whole: Place) -> Result<(), Error> {
    if text.len() > most {
        return Err(whole.at(most).refuse(format!(
            "this is longer than {most} bytes: give long arguments apart from it"
        )));
    }
    let refused = |c: char| c == '#' || c.is_whitespace() || is_hidden(c);
    let Some((at, c)) = text.char_indices().find(|(_, c)| refused(*c)) else {
        return Ok(());
    };
    let here = whole.at(at);
    Err(match c {
        '#' => here.refuse("there is no fragment here: write `%23` for the sign itself"),
        ' ' => here.refuse("there is a space: write `%20`"),
        c => {
            let mut encoded = String::new();
            encode(&mut encoded, c.encode_utf8(&mut [0; 4]), |_| false);
            here.refuse(format!(
                "there is {}: leave it out, or write `{encoded}` in the value of an argument",
                named(c)
            ))
        }
    })
}

/// The scheme in lower case, and what follows `://`.
fn split_scheme(uri: &str, whole: Place) -> Result<(String, &str), Error> {
    let place = whole.member("/launcher");
    let Some((scheme, rest)) = uri.split_once("://") else {
        let known = SCHEMES.into_iter().find(|scheme| {
            uri.strip_prefix(scheme)
                .is_some_and(|rest| rest.starts_with(':'))
        });
        return Err(place.refuse(match known {
            Some(scheme) => format!("`{scheme}:` takes two slashes: write `{scheme}://…`"),
            None => format!(
                "`{}` is no launch URI: write one such as `mcp+uvx://package/command` or `mcp+python://./server.py`",
                show(uri)
            ),
        }));
    };
    let scheme = scheme.to_ascii_lowercase();
    if SCHEMES.contains(&scheme.as_str()) {
        return Ok((scheme, rest));
    }
    Err(place.refuse(match scheme.as_str() {
        "mcp" => preset(rest),
        "http" | "https" => format!(
            "a launch URI for this server begins with `mcp+{scheme}://`; where a server is named, its URL alone will do"
        ),
        "mcp+uv" => "`uv` is no launcher here: write `mcp+uvx://package/command`".to_owned(),
        "mcp+npm" => "`npm` is no launcher here: write `mcp+npx://package`".to_owned(),
        "mcp+python3" => "`python3` is no launcher here: write `mcp+python://./file.py`".to_owned(),
        other => match nearest(other, SCHEMES) {
            Some(scheme) => format!("`{}://` is unknown: did you mean `{scheme}://`?", show(other)),
            None => format!(
                "`{}://` is unknown: there are `{}`; any other program is `mcp+exec://program`",
                show(other),
                SCHEMES.join("`, `")
            ),
        },
    }))
}

/// What to write for the seed's `mcp://name?launcher=…&package=…` and `mcp://preset` (LAUNCH-47).
fn preset(rest: &str) -> String {
    let (name, query) = rest.split_once('?').unwrap_or((rest, ""));
    let value = |key: &str| {
        let mut pairs = query.split('&').filter_map(|pair| pair.split_once('='));
        pairs.find(|(name, _)| *name == key).map(|(_, value)| value)
    };
    let others: Vec<&str> = query
        .split('&')
        .filter(|pair| {
            !pair.is_empty() && !pair.starts_with("launcher=") && !pair.starts_with("package=")
        })
        .collect();
    let tail = if others.is_empty() { "" } else { "?" };
    let others = others.join("&");
    let scheme = value("launcher").map(|launcher| format!("mcp+{launcher}"));
    match (
        scheme.filter(|scheme| SCHEMES.contains(&scheme.as_str())),
        value("package"),
    ) {
        (Some(scheme), Some(package)) if scheme == "mcp+uvx" && package != name => {
            let form = format!("{scheme}://{package}/{name}{tail}{others}");
            format!(
                "the launcher stands in the scheme: write `{}`",
                show_long(&form)
            )
        }
        (Some(scheme), Some(package)) => {
            let form = format!("{scheme}://{package}{tail}{others}");
            format!(
                "the launcher stands in the scheme: write `{}`",
                show_long(&form)
            )
        }
        _ => format!(
            "`mcp://` names no launcher, and there is no list of presets: write `mcp+uvx://package/command`, \
             `mcp+npx://package` or another form with a launcher, or the profile `@{}`",
            show(name)
        ),
    }
}

/// A whole form in a message.
fn show_long(text: &str) -> String {
    const LONGEST: usize = 300;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", toolwire::terminal_safe(&text[..end], false)),
        None => toolwire::terminal_safe(text, false),
    }
}

/// A server with a URL: what stands in front of the query is kept to the letter.
fn remote(scheme: &str, target: &str, query: Query, place: Place) -> Result<Launch, Error> {
    let place = place.member("/url");
    query.only(&["header", "query"], "a URL", place)?;
    // What they stand for is the server's affair, but they have to be some.
    check(target, place)?;
    let scheme = scheme.trim_start_matches("mcp+");
    let mut url = format!("{scheme}://{target}");
    if target
        .split('/')
        .next()
        .is_some_and(|host| host.contains('@'))
    {
        return Err(Place { code: Code::ValueInLaunchUri, ..place }.refuse(
            "a launch URI holds no name and password: write `header=Authorization`, and give its value as the caller \
             takes it",
        ));
    }
    let is_address = WebUrl::new(&url).is_some();
    if let Some(own) = &query.query {
        if own.text.contains('#') {
            return Err(place
                .at(own.offset)
                .refuse("there is no fragment in the URL of a server: leave it out"));
        }
        url.push('?');
        url.push_str(&own.text);
    }
    if WebUrl::new(&url).is_none() {
        let place = match &query.query {
            Some(own) if is_address => place.at(own.offset),
            _ => place,
        };
        return Err(place.refuse(format!(
            "this is no URL of a server: write a host, a port and a path in ASCII, as in `mcp+{scheme}://example.org/mcp`, \
             of at most {} bytes",
            WebUrl::MAX_BYTES
        )));
    }
    let headers = distinct(
        query.header,
        "header",
        str::to_ascii_lowercase,
        place.member("/headers"),
    )?;
    Ok(Launch {
        server: Server::Remote(Remote { url, headers }),
        request: query.request,
    })
}

fn program(scheme: &str, target: &str, query: Query, place: Place) -> Result<Launch, Error> {
    let text = place.visible(decode(target, place)?)?;
    let mut allowed = vec!["command", "env"];
    let (what, more): (&str, &[&str]) = match scheme {
        "mcp+uvx" | "mcp+npx" => ("a package", &["with", "cwd"]),
        "mcp+docker" => ("an image", &[]),
        "mcp+exec" => ("a program", &["cwd"]),
        _ => ("a file", &["cwd"]),
    };
    allowed.extend(more);
    query.only(&allowed, what, place)?;
    let launcher = match scheme {
        "mcp+uvx" => uvx(&text, &query, place)?,
        "mcp+npx" => npx(&text, &query, place)?,
        "mcp+docker" => Launcher::Docker {
            image: package::image(&text, place.member("/image"))?,
        },
        "mcp+exec" => Launcher::Exec {
            program: executable(&text, place.member("/program"))?,
        },
        _ => {
            let file = path::read(&text, Leads::ToFile, place.member("/file"))?;
            match scheme {
                "mcp+python" => Launcher::Python { file },
                _ => Launcher::Node { file },
            }
        }
    };
    let cwd = query.cwd.map(|cwd| {
        let place = place.member("/cwd").at(cwd.offset);
        path::read(&cwd.text, Leads::ToFolder, place)
    });
    let env = distinct(query.env, "env", str::to_owned, place.member("/env"))?;
    Ok(Launch {
        server: Server::Program(Program {
            launcher,
            words: query.command.into_iter().map(|word| word.text).collect(),
            env,
            cwd: cwd.transpose()?,
        }),
        request: query.request,
    })
}

fn uvx(text: &str, query: &Query, place: Place) -> Result<Launcher, Error> {
    let (package, command) = match text.split_once('/') {
        Some((package, command)) => (package, Some(command)),
        None => (text, None),
    };
    let command = command.map(|command| package::command(command, place.member("/command")));
    let with = query
        .with
        .iter()
        .map(|with| package::python(&with.text, place.member("/with").at(with.offset)));
    Ok(Launcher::Uvx {
        package: package::python(package, place.member("/package"))?,
        command: command.transpose()?,
        with: with.collect::<Result<_, _>>()?,
    })
}

fn npx(text: &str, query: &Query, place: Place) -> Result<Launcher, Error> {
    let (package, command) = package::npm(text, place.member("/package"))?;
    let command = command.map(|command| package::command(command, place.member("/command")));
    let command = command.transpose()?;
    let mut with = Vec::new();
    for given in &query.with {
        let place = place.member("/with").at(given.offset);
        let (package, rest) = package::npm(&given.text, place)?;
        if let Some(rest) = rest {
            return Err(place.refuse(format!(
                "`/{}` is too much: `with=` takes a package, without a command",
                show(rest)
            )));
        }
        with.push(package);
    }
    if command.is_none() && !with.is_empty() {
        return Err(place.member("/command").refuse(
            "npx does not know which of several packages has the command: write it behind the package, as in \
             `mcp+npx://package/command?with=…`",
        ));
    }
    Ok(Launcher::Npx {
        package,
        command,
        with,
    })
}

/// A program: a name on the search path, or a path.
fn executable(text: &str, place: Place) -> Result<String, Error> {
    package::option_like(text, "program", place)?;
    let is_path = text.contains(['/', '\\'])
        || has_drive(text)
        || text.starts_with('~')
        || matches!(text, "." | "..");
    if is_path {
        return path::read(text, Leads::ToFile, place);
    }
    if text.contains(':') {
        return Err(place.refuse(format!(
            "`{}` is no name of a program: write its name, or its path from `/` or `./` on",
            show(text)
        )));
    }
    Ok(text.to_owned())
}
