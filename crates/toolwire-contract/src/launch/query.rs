//! The query of a launch URI and of a profile word (LAUNCH-40 to LAUNCH-49): what belongs to the launch, and
//! what is asked.

use std::collections::BTreeSet;

use toolwire::{Code, Error, nearest};

use super::percent::{decode, encode, in_key, in_value};
use super::refusal::{Place, show};
use super::{Argument, Listing, Request};

/// The keys that are not arguments of a tool.
pub(super) const RESERVED: [&str; 9] = [
    "command", "with", "env", "header", "cwd", "query", "tool", "list", "resource",
];

/// What stands in front of the name of an argument that a reserved key hides.
const ESCAPE: &str = "arg.";

/// A key of the seed's that is refused (LAUNCH-47).
const LAUNCHER: &str = "launcher";

/// A value, and where it and its key begin.
#[derive(Debug)]
pub(super) struct Given {
    pub text: String,
    pub key: usize,
    pub offset: usize,
}

/// A query, taken apart.
#[derive(Debug, Default)]
pub(super) struct Query {
    pub command: Vec<Given>,
    pub with: Vec<Given>,
    pub env: Vec<Given>,
    pub header: Vec<Given>,
    pub cwd: Option<Given>,
    pub query: Option<Given>,
    pub request: Option<Request>,
}

/// What a request is made of, while it is collected.
#[derive(Default)]
struct Asked {
    tool: Option<Given>,
    list: Option<Given>,
    resource: Option<Given>,
    arguments: Vec<Argument>,
    /// The first argument, for a refusal.
    first: Option<Given>,
}

impl Query {
    /// Reads what stands behind `?`. `tool` is one that is named elsewhere.
    pub fn read(query: Option<&str>, tool: Option<Given>, place: Place) -> Result<Query, Error> {
        let mut out = Query::default();
        let has_tool = tool.is_some();
        let mut asked = Asked {
            tool,
            ..Asked::default()
        };
        let mut offset = place.offset;
        for pair in query.into_iter().flat_map(|query| query.split('&')) {
            let here = place.at(offset);
            let Some((key, value)) = pair.split_once('=') else {
                return Err(here.refuse(no_value(pair)));
            };
            let value_at = here.at(offset + key.len() + 1);
            let key = here.visible(decode(key, here)?)?;
            let text = decode(value, value_at)?;
            let given = Given {
                text,
                key: here.offset,
                offset: value_at.offset,
            };
            if has_tool && key == "tool" {
                return Err(here.member("/tool").refuse(
                    "the tool stands in front of the query already; an argument of this name is `arg.tool=`",
                ));
            }
            out.take(&mut asked, &key, given, here)?;
            offset += pair.len() + 1;
        }
        out.request = asked.request(place)?;
        Ok(out)
    }

    fn take(
        &mut self,
        asked: &mut Asked,
        key: &str,
        given: Given,
        here: Place,
    ) -> Result<(), Error> {
        let value = here.at(given.offset);
        match key {
            "command" => self.command.push(plain(given, value.member("/words"))?),
            "with" => self.with.push(plain(given, value.member("/with"))?),
            "env" => {
                let place = value.member("/env");
                let given = plain(given, place)?;
                variable(&given.text, place)?;
                self.env.push(given);
            }
            "header" => {
                let place = value.member("/headers");
                let given = plain(given, place)?;
                header(&given.text, place)?;
                self.header.push(given);
            }
            "cwd" => once(
                &mut self.cwd,
                plain(given, value.member("/cwd"))?,
                key,
                here.member("/cwd"),
            )?,
            "query" => once(
                &mut self.query,
                plain(given, value.member("/url"))?,
                key,
                here.member("/url"),
            )?,
            "tool" => {
                let place = value.member("/tool");
                let given = not_empty(plain(given, place)?, "tool", "NAME", place)?;
                once(&mut asked.tool, given, key, here.member("/tool"))?;
            }
            "list" => once(
                &mut asked.list,
                plain(given, value.member("/list"))?,
                key,
                here.member("/list"),
            )?,
            "resource" => {
                let place = value.member("/resource");
                let given = not_empty(plain(given, place)?, "resource", "URI", place)?;
                once(&mut asked.resource, given, key, here.member("/resource"))?;
            }
            LAUNCHER => {
                return Err(here.member("/launcher").refuse(
                    "`launcher=` is no part of a launch URI: the launcher stands in the scheme, as in \
                     `mcp+uvx://package/command`; an argument of this name is `arg.launcher=`",
                ));
            }
            name => {
                let name = name.strip_prefix(ESCAPE).unwrap_or(name);
                let place = here.member("/arguments");
                argument_name(name, place)?;
                if given.text.contains('\0') {
                    return Err(value.member("/arguments").refuse(format!(
                        "the argument `{}` has the control character U+0000: leave it out",
                        show(name)
                    )));
                }
                asked.first.get_or_insert_with(|| Given {
                    text: name.to_owned(),
                    key: given.key,
                    offset: given.offset,
                });
                asked.arguments.push(Argument {
                    name: name.to_owned(),
                    text: given.text,
                });
            }
        }
        Ok(())
    }

    /// Refuses keys that have no meaning for what is launched.
    pub fn only(&self, allowed: &[&str], what: &str, place: Place) -> Result<(), Error> {
        let one = |given: &Option<Given>| given.as_ref().map(|given| given.key);
        let all = |given: &[Given]| given.first().map(|given| given.key);
        let rows = [
            ("command", "/words", all(&self.command)),
            ("with", "/with", all(&self.with)),
            ("env", "/env", all(&self.env)),
            ("header", "/headers", all(&self.header)),
            ("cwd", "/cwd", one(&self.cwd)),
            ("query", "/url", one(&self.query)),
        ];
        for (key, pointer, offset) in rows {
            let Some(offset) = offset.filter(|_| !allowed.contains(&key)) else {
                continue;
            };
            let way = match (key, what) {
                (_, "a profile") => "the profile says how its server is started",
                ("cwd", "an image") => {
                    "a folder of a container is `mcp+exec://docker?command=run&command=…`"
                }
                ("with", "a URL" | "a file" | "a program" | "an image") => {
                    "it is for `mcp+uvx` and `mcp+npx`"
                }
                ("env", _) => "what it needs to know is `header=NAME`",
                ("header", _) => "what it needs to know is `env=NAME`",
                ("query", _) => "words for its command are `command=…`",
                _ => "nothing is started here",
            };
            return Err(place.member(pointer).at(offset).refuse(format!(
                "`{key}=` has no meaning for {what}: {way}; an argument of this name is `arg.{key}=`"
            )));
        }
        Ok(())
    }
}

impl Asked {
    fn request(self, place: Place) -> Result<Option<Request>, Error> {
        let Asked {
            tool,
            list,
            resource,
            arguments,
            first,
        } = self;
        let asked = [&tool, &list, &resource].into_iter().flatten();
        let mut keys: Vec<usize> = asked.map(|given| given.key).collect();
        keys.sort_unstable();
        if let [_, .., last] = keys[..] {
            return Err(place
                .at(last)
                .refuse("only one can be asked: a tool, a list or a resource"));
        }
        if let (None, Some(first)) = (&tool, first) {
            let message = match (nearest(&first.text, RESERVED), place.code) {
                _ if list.is_some() || resource.is_some() => {
                    format!(
                        "`{}` is an argument, and only a tool takes arguments",
                        show(&first.text)
                    )
                }
                (Some(key), _) => format!(
                    "`{}` would be an argument, but no tool is named; did you mean `{key}=`?",
                    show(&first.text)
                ),
                (None, Code::BadProfileWord) => format!(
                    "`{}` would be an argument, but no tool is named: write `@profile/tool?…`",
                    show(&first.text)
                ),
                (None, _) => format!(
                    "`{}` would be an argument, but no tool is named: add `tool=NAME`; the query of a server's own URL \
                     is `query=`, percent-encoded",
                    show(&first.text)
                ),
            };
            return Err(place.at(first.key).member("/arguments").refuse(message));
        }
        if let Some(tool) = tool {
            return Ok(Some(Request::Tool {
                name: tool.text,
                arguments,
            }));
        }
        if let Some(list) = list {
            let word = Listing::ALL
                .into_iter()
                .find(|word| word.as_str() == list.text);
            return word.map(|word| Some(Request::List(word))).ok_or_else(|| {
                place.at(list.offset).member("/list").refuse(format!(
                    "`{}` can't be listed: write `list=tools`, `list=resources` or `list=prompts`",
                    show(&list.text)
                ))
            });
        }
        Ok(resource.map(|resource| Request::Resource(resource.text)))
    }
}

/// Writes the pairs of a request behind others.
pub(super) fn write_request(pairs: &mut Pairs, request: Option<&Request>) {
    match request {
        None => {}
        Some(Request::List(list)) => pairs.add("list", list.as_str()),
        Some(Request::Resource(uri)) => pairs.add("resource", uri),
        Some(Request::Tool { name, arguments }) => {
            pairs.add("tool", name);
            write_arguments(pairs, arguments);
        }
    }
}

/// Writes arguments, each by its own name if that is free.
pub(super) fn write_arguments(pairs: &mut Pairs, arguments: &[Argument]) {
    for Argument { name, text } in arguments {
        let is_hidden =
            name == LAUNCHER || RESERVED.contains(&name.as_str()) || name.starts_with(ESCAPE);
        if is_hidden {
            pairs.add(&format!("{ESCAPE}{name}"), text);
        } else {
            pairs.add(name, text);
        }
    }
}

/// Pairs of a query that is being written.
#[derive(Default)]
pub(super) struct Pairs {
    text: String,
}

impl Pairs {
    pub fn add(&mut self, key: &str, value: &str) {
        self.text.push(if self.text.is_empty() { '?' } else { '&' });
        encode(&mut self.text, key, in_key);
        self.text.push('=');
        encode(&mut self.text, value, in_value);
    }

    /// The query with its `?`; empty if there is none.
    pub fn end(self) -> String {
        self.text
    }
}

fn no_value(pair: &str) -> String {
    if pair.is_empty() {
        return "a pair `key=value` is missing: leave out the `?` or `&` too much".to_owned();
    }
    format!("`{}` has no value: write `{0}=…`", show(pair))
}

/// A value of a reserved key, which hides nothing.
fn plain(given: Given, place: Place) -> Result<Given, Error> {
    Ok(Given {
        text: place.visible(given.text)?,
        ..given
    })
}

fn not_empty(given: Given, key: &str, what: &str, place: Place) -> Result<Given, Error> {
    if given.text.is_empty() {
        return Err(place.refuse(format!("`{key}=` names nothing: write `{key}={what}`")));
    }
    Ok(given)
}

fn once(slot: &mut Option<Given>, given: Given, key: &str, place: Place) -> Result<(), Error> {
    if slot.is_some() {
        return Err(place.refuse(format!(
            "`{key}=` stands twice: keep one; an argument of this name is `arg.{key}=`"
        )));
    }
    *slot = Some(given);
    Ok(())
}

/// Texts that may come only once, compared as `same` makes them.
pub(super) fn distinct(
    given: Vec<Given>,
    key: &str,
    same: fn(&str) -> String,
    place: Place,
) -> Result<Vec<String>, Error> {
    let mut seen = BTreeSet::new();
    for one in &given {
        if !seen.insert(same(&one.text)) {
            return Err(place.at(one.offset).refuse(format!(
                "`{key}={}` stands twice: keep one",
                show(&one.text)
            )));
        }
    }
    Ok(given.into_iter().map(|one| one.text).collect())
}

/// A name that words can pass on: they end it with `=`, and take `--` for an option (CALL-40).
fn argument_name(name: &str, place: Place) -> Result<(), Error> {
    if name.is_empty() {
        return Err(place.refuse("an argument has no name: write `name=value`"));
    }
    if name.contains('=') || name.starts_with("--") {
        return Err(place.refuse(format!(
            "`{}` can't be the name of an argument here; give the arguments apart from the URI",
            show(name)
        )));
    }
    Ok(())
}

/// The name of an environment variable; a value is refused without being shown (LAUNCH-43).
fn variable(text: &str, place: Place) -> Result<(), Error> {
    let name = text.split(['=', ':']).next().unwrap_or_default();
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"_()".contains(&byte);
    let is_name = !name.is_empty()
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && name.bytes().all(is_part);
    if name.len() < text.len() {
        let shown = if is_name { name } else { "NAME" };
        return Err(value_refused(
            place,
            format!(
                "a launch URI holds no values of variables: set `{shown}` in the environment, and write `env={shown}`"
            ),
        ));
    }
    if !is_name {
        return Err(place.refuse(
            "`env=` takes the name of an environment variable, of letters, digits and `_`, as in `env=GITHUB_TOKEN`",
        ));
    }
    Ok(())
}

/// The name of a header; a value is refused without being shown (LAUNCH-43).
fn header(text: &str, place: Place) -> Result<(), Error> {
    let name = text.split(['=', ':']).next().unwrap_or_default();
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    let is_name = !name.is_empty() && name.bytes().all(is_part);
    if name.len() < text.len() {
        let shown = if is_name { name } else { "NAME" };
        return Err(value_refused(
            place,
            format!(
                "a launch URI holds no values of headers: write `header={shown}`, and give its value as the caller takes it, \
             such as `--header-env {shown}=VARIABLE`"
            ),
        ));
    }
    if !is_name {
        return Err(
            place.refuse("`header=` takes the name of a header, as in `header=Authorization`")
        );
    }
    Ok(())
}

fn value_refused(place: Place, message: String) -> Error {
    Place {
        code: Code::ValueInLaunchUri,
        ..place
    }
    .refuse(message)
}
