//! The query of a launch URI and of a profile word (LAUNCH-40 to LAUNCH-49): what belongs to the launch, and
//! what is asked.

use toolwire::{Code, Error, nearest};

use super::package;
use super::path::{self, Leads};
use super::refusal::{show, visible};
use super::{Argument, Launch, Launcher, Listing, Request};
use crate::percent::{IN_KEY, IN_VALUE, decode, encode};
use Launcher::{Docker, Exec, Http, Node, Npx, Python, Uvx};

const PROGRAMS: &[Launcher] = &[Uvx, Npx, Python, Node, Docker, Exec];
const ON_THIS_MACHINE: &[Launcher] = &[Uvx, Npx, Python, Node, Exec];

/// The keys that are no arguments of a tool: with the member of the JSON form, the launchers for which one has a
/// meaning, and whether it stands once at most. What is asked has a meaning everywhere, also for a profile.
const ROWS: [(&str, &str, &[Launcher], bool); 9] = [
    ("command", "/words", PROGRAMS, false),
    ("with", "/with", &[Uvx, Npx], false),
    ("env", "/env", PROGRAMS, false),
    ("header", "/headers", &[Http], false),
    ("cwd", "/cwd", ON_THIS_MACHINE, true),
    ("query", "/url", &[Http], true),
    ("tool", "/tool", &[], true),
    ("list", "/list", &[], true),
    ("resource", "/resource", &[], true),
];

/// The first row of what is asked.
const ASKED: usize = 6;

/// What stands in front of the name of an argument that a reserved key hides.
const ESCAPE: &str = "arg.";

/// A key of older URIs that is refused (LAUNCH-47).
const LAUNCHER: &str = "launcher";

/// Reads what stands behind `?`, from this byte on, into a launch whose target is the query of a server's own URL, with
/// its `?`. `launcher` is that of a launch URI, and `tool` the one that a profile word has named already.
pub(super) fn read(
    query: Option<&str>,
    from: usize,
    launcher: Option<Launcher>,
    tool: Option<String>,
) -> Result<Launch, Error> {
    let code = match launcher {
        Some(_) => Code::BadLaunchUri,
        None => Code::BadProfileWord,
    };
    let mut values: [Vec<String>; ROWS.len()] = Default::default();
    values[ASKED].extend(tool);
    let mut arguments = Vec::new();
    let mut unasked = None;
    let mut offset = from;
    for pair in query.into_iter().flat_map(|query| query.split('&')) {
        let at = u64::try_from(offset).ok();
        let refuse = |pointer: &str, message: String| Error::new(code, pointer, at, message);
        let (key, value) = pair
            .split_once('=')
            .ok_or_else(|| refuse("", no_value(pair)))?;
        let key = decode(key).and_then(visible);
        let key = key.map_err(|message| refuse("", message))?;
        let value = decode(value).map_err(|message| refuse("", message))?;
        if let Some(index) = ROWS.iter().position(|row| row.0 == key) {
            let (_, pointer, launchers, once) = ROWS[index];
            let refuse = |message| refuse(pointer, message);
            let value = visible(value).map_err(refuse)?;
            if let Some(message) = holds_value(&key, &value) {
                return Err(Error::new(Code::ValueInLaunchUri, pointer, at, message));
            }
            if index < ASKED && !launcher.is_some_and(|it| launchers.contains(&it)) {
                return Err(refuse(no_meaning(&key, launcher)));
            }
            let value = text(&key, &value, launcher.unwrap_or(Http)).map_err(refuse)?;
            let same = |other: &String| match key.as_str() {
                "header" => other.eq_ignore_ascii_case(&value),
                _ => once || (key == "env" && *other == value),
            };
            if values[index].iter().any(same) {
                return Err(refuse(format!(
                    "`{key}=` stands twice: keep one; an argument of this name is `arg.{key}=`"
                )));
            }
            values[index].push(value);
            if values[ASKED..].iter().flatten().count() > 1 && index >= ASKED {
                let message = "only one can be asked: a tool, a list or a resource".to_owned();
                return Err(Error::new(code, "", at, message));
            }
        } else {
            let argument =
                argument(&key, value).map_err(|(pointer, message)| refuse(pointer, message))?;
            unasked = unasked.or_else(|| Some((at, argument.name.clone())));
            arguments.push(argument);
        }
        offset += pair.len() + 1;
    }
    let [
        words,
        with,
        env,
        headers,
        mut cwd,
        mut own,
        mut tool,
        mut list,
        mut resource,
    ] = values;
    let list = list.pop().and_then(|list| list.parse().ok());
    let request = match (tool.pop(), list, resource.pop()) {
        (Some(name), _, _) => Some(Request::Tool { name, arguments }),
        (_, list, resource) => {
            let request = list.map(|list| Request::List { list });
            let request = request.or_else(|| resource.map(|uri| Request::Resource { uri }));
            if let Some((at, name)) = unasked {
                let message = no_tool(&name, request.is_some(), launcher.is_none());
                return Err(Error::new(code, "/arguments", at, message));
            }
            request
        }
    };
    let own = own.pop().map(|own| format!("?{own}"));
    Ok(Launch {
        with,
        words,
        env,
        cwd: cwd.pop(),
        headers,
        request,
        ..Launch::new(launcher.unwrap_or(Http), own.unwrap_or_default())
    })
}

/// Why a key is refused that has no meaning for what is launched (LAUNCH-45, LAUNCH-72).
fn no_meaning(key: &str, launcher: Option<Launcher>) -> String {
    let what = launcher.map_or("a profile", Launcher::as_str);
    let way = match key {
        _ if launcher.is_none() => "the profile says how its server is started",
        "with" => "it is for `mcp+uvx` and `mcp+npx`",
        "env" => "a server with a URL gets `header=NAME`",
        "header" => "a program gets `env=NAME`",
        "query" => "words for a command are `command=…`",
        "cwd" => "the folder of a container is `mcp+exec://docker?command=run&command=…`",
        _ => "nothing is started here",
    };
    format!("`{key}=` has no meaning for {what}: {way}; an argument of this name is `arg.{key}=`")
}

/// The value of a reserved key as a launch has it.
fn text(key: &str, value: &str, launcher: Launcher) -> Result<String, String> {
    let is_part =
        |more: &'static [u8]| move |byte: u8| byte.is_ascii_alphanumeric() || more.contains(&byte);
    let (is_good, way) = match key {
        "command" | "query" => return Ok(value.to_owned()),
        "with" => return package::read(launcher, value),
        "cwd" => return path::read(value, Leads::ToFolder),
        "env" => (
            !value.starts_with(|c: char| c.is_ascii_digit()) && value.bytes().all(is_part(b"_()")),
            "the name of a variable, of letters, digits and `_`, as in `env=GITHUB_TOKEN`",
        ),
        "header" => (
            value.bytes().all(is_part(b"!#$%&'*+-.^_`|~")),
            "the name of a header, as in `header=Authorization`",
        ),
        "list" => (
            value.parse::<Listing>().is_ok(),
            "`tools`, `resources` or `prompts`",
        ),
        "tool" => (true, "the name of a tool"),
        _ => (true, "the URI of a resource"),
    };
    if is_good && !value.is_empty() {
        return Ok(value.to_owned());
    }
    let shown = match key {
        "list" => format!(", not `{}`", show(value)),
        // What is no name of a variable or a header may be a secret.
        _ => String::new(),
    };
    Err(format!("`{key}=` takes {way}{shown}"))
}

/// Why the value of a variable or header is refused, without the value (LAUNCH-43).
fn holds_value(key: &str, text: &str) -> Option<String> {
    let name = text.split(['=', ':']).next().unwrap_or_default();
    if name.len() == text.len() || !matches!(key, "env" | "header") {
        return None;
    }
    let shown = match self::text(key, name, Http) {
        Ok(name) => name,
        Err(_) => "NAME".to_owned(),
    };
    Some(match key {
        "env" => format!(
            "a launch URI holds no values of variables: set `{shown}` in the environment, and write `env={shown}`"
        ),
        _ => format!(
            "a launch URI holds no values of headers: write `header={shown}`, and give its value as the caller takes it, \
             such as `--header-env {shown}=VARIABLE`"
        ),
    })
}

/// An argument of the tool: a name that words can pass on, which end it with `=`, and take `--` for an option
/// (CALL-40).
fn argument(key: &str, text: String) -> Result<Argument, (&'static str, String)> {
    if key == LAUNCHER {
        let message = "`launcher=` is no part of a launch URI: the launcher stands in the scheme, as in \
                       `mcp+uvx://package/command`; an argument of this name is `arg.launcher=`";
        return Err(("/launcher", message.to_owned()));
    }
    let name = key.strip_prefix(ESCAPE).unwrap_or(key).to_owned();
    let wrong = if name.is_empty() {
        "an argument has no name: write `name=value`".to_owned()
    } else if name.contains('=') || name.starts_with("--") {
        let name = show(&name);
        format!(
            "`{name}` can't be the name of an argument here; give the arguments apart from the URI"
        )
    } else if text.contains('\0') {
        let name = show(&name);
        format!("the argument `{name}` has the control character U+0000: leave it out")
    } else {
        return Ok(Argument { name, text });
    };
    Err(("/arguments", wrong))
}

/// What is said of an argument for which no tool is named.
fn no_tool(name: &str, is_asked: bool, is_profile: bool) -> String {
    let shown = show(name);
    if is_asked {
        return format!("`{shown}` is an argument, and only a tool takes arguments");
    }
    let way = match nearest(name, ROWS.map(|row| row.0)) {
        Some(key) => {
            return format!(
                "`{shown}` would be an argument, but no tool is named; did you mean `{key}=`?"
            );
        }
        None if is_profile => "write `@profile/tool?…`",
        None => "add `tool=NAME`; the query of a server's own URL is `query=`, percent-encoded",
    };
    format!("`{shown}` would be an argument, but no tool is named: {way}")
}

fn no_value(pair: &str) -> String {
    match pair {
        "" => "a pair `key=value` is missing: leave out the `?` or `&` too much".to_owned(),
        _ => format!("`{}` has no value: write `{0}=…`", show(pair)),
    }
}

/// Pairs of a query that is being written, with its `?`.
#[derive(Default)]
pub(super) struct Pairs(pub String);

impl Pairs {
    pub fn add(&mut self, key: &str, value: &str) {
        self.0.push(if self.0.is_empty() { '?' } else { '&' });
        encode(&mut self.0, key, IN_KEY);
        self.0.push('=');
        encode(&mut self.0, value, IN_VALUE);
    }

    pub fn all<'v>(&mut self, key: &str, values: impl IntoIterator<Item = &'v String>) {
        values.into_iter().for_each(|value| self.add(key, value));
    }

    /// What is asked; the name of a tool only if it stands nowhere else.
    pub fn request(&mut self, request: Option<&Request>, with_name: bool) {
        match request {
            None => {}
            Some(Request::List { list }) => self.add("list", list.as_str()),
            Some(Request::Resource { uri }) => self.add("resource", uri),
            Some(Request::Tool { name, arguments }) => {
                if with_name {
                    self.add("tool", name);
                }
                for Argument { name, text } in arguments {
                    let hidden = name == LAUNCHER || name.starts_with(ESCAPE);
                    let hidden = hidden || ROWS.iter().any(|row| row.0 == name);
                    let escape = if hidden { ESCAPE } else { "" };
                    self.add(&format!("{escape}{name}"), text);
                }
            }
        }
    }
}
