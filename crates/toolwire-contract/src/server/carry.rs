//! From an entry as a file spells it to one without secrets.

use std::collections::BTreeMap;

use toolwire::json::pointer;
use toolwire::mcp::{Fate, LossReport};

use super::credential::{self, Secret, scheme};
use super::secret::{is_secret_name, is_secret_value, variable_name};
use super::{Entry, Header, Part, Server, Spelled, SpelledServer, Text, Variables};

impl Spelled {
    /// The entry without the values of environment variables and headers, and without what looks like a secret
    /// in its words and its URL; and what became of each member. `name` is what the server is called, and
    /// `variables` are those of the file.
    ///
    /// # Examples
    ///
    /// ```
    /// use toolwire::Json;
    /// use toolwire_contract::server::{Spelled, Variables};
    ///
    /// let entry = Json::new(r#"{"command":"gh-mcp","env":{"GH_TOKEN":"ghp_0123"}}"#)?;
    /// let (entry, report) = Spelled::read(&entry, None)?.carry(Some("gh"), Variables::None);
    /// assert!(!entry.to_json().as_str().contains("ghp_"));
    /// assert_eq!(report.entries[1].pointer, "/env");
    /// assert_eq!(report.entries[2].pointer, "/env/GH_TOKEN");
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn carry(&self, name: Option<&str>, variables: Variables) -> (Entry, LossReport) {
        let mut carrier = Carrier {
            server: name.unwrap_or_default(),
            variables,
            report: LossReport::default(),
        };
        let server = match &self.server {
            SpelledServer::Program {
                command,
                args,
                env,
                env_vars,
                cwd,
            } => carrier.program(command, args, env, env_vars, cwd.as_deref()),
            SpelledServer::Url {
                url,
                headers,
                environment_headers,
                sse,
            } => {
                if !headers.is_empty() || !environment_headers.is_empty() {
                    carrier.kept("/headers");
                }
                let mut carried = BTreeMap::new();
                for (name, text) in headers {
                    let (before, value) = scheme(text);
                    let place = pointer::join("/headers", name);
                    let own = variable_name(&[carrier.server, name]);
                    let header = Header {
                        before: before.to_owned(),
                        variable: carrier.variable(&place, value, own),
                    };
                    carried.insert(name.clone(), header);
                }
                carried.extend(environment_headers.clone());
                carrier.kept("/url");
                Server::Url {
                    url: carrier.text("/url", credential::url_parts(url), &["path"]),
                    headers: carried,
                    sse: *sse,
                }
            }
        };
        for member in &self.more {
            let place = pointer::join("", member);
            let reason = "only its own form knows this member";
            carrier.report.add(&place, Fate::Dropped, reason);
        }
        let entry = Entry {
            name: name.map(str::to_owned),
            server,
        };
        (entry, carrier.report.finished())
    }
}

struct Carrier<'a> {
    server: &'a str,
    variables: Variables,
    report: LossReport,
}

impl Carrier<'_> {
    fn kept(&mut self, place: &str) {
        self.report.add(place, Fate::Kept, "");
    }

    fn lost(&mut self, place: &str, reason: &str) {
        self.report.add(place, Fate::Approximated, reason);
    }

    fn program(
        &mut self,
        command: &str,
        args: &[String],
        env: &BTreeMap<String, String>,
        env_vars: &[String],
        cwd: Option<&str>,
    ) -> Server {
        self.kept("/command");
        let mut names = BTreeMap::new();
        if !env.is_empty() {
            self.kept("/env");
        }
        for (name, text) in env {
            let variable = self.variable(&pointer::join("/env", name), text, name.clone());
            names.insert(name.clone(), variable);
        }
        for name in env_vars {
            self.kept(&pointer::join("/env", name));
            names.insert(name.clone(), name.clone());
        }
        if !args.is_empty() {
            self.kept("/args");
        }
        let is_container = ["docker", "podman"].contains(&base_name(command));
        let mut words = Vec::new();
        for (at, arg) in args.iter().enumerate() {
            let before = at.checked_sub(1).map(|at| args[at].as_str());
            let place = format!("/args/{at}");
            let literal = Text::parse(arg, self.variables).as_literal().is_some();
            let set = (is_container && literal).then(|| container_variable(before, arg));
            words.push(match set.flatten() {
                Some((option, name)) => {
                    self.lost(&place, &not_carried(name));
                    names.insert(name.to_owned(), name.to_owned());
                    Text::literal(&format!("{option}{name}"))
                }
                None => {
                    let spelt = ["argument", &at.to_string()];
                    self.text(&place, credential::parts(before, arg), &spelt)
                }
            });
        }
        let cwd = cwd.map(|cwd| {
            self.kept("/cwd");
            let text = Text::parse(cwd, self.variables);
            self.without_defaults("/cwd", text, false)
        });
        let command = Text::parse(command, self.variables);
        Server::Program {
            command: self.without_defaults("/command", command, false),
            args: words,
            env: names,
            cwd,
        }
    }

    /// The variable that has the value of an environment variable or header: the one that is its whole text,
    /// or else `own`.
    fn variable(&mut self, place: &str, text: &str, own: String) -> String {
        let text = Text::parse(text, self.variables);
        let [Part::Variable { name, .. }] = &text.parts[..] else {
            self.lost(place, &not_carried(&own));
            return own;
        };
        let name = name.clone();
        self.kept(place);
        self.without_defaults(place, text, true);
        name
    }

    /// A text with a variable in the place of each credential. One that has no name is called as
    /// `spelt` says. The user of a server's URL is left out.
    fn text(&mut self, place: &str, parts: Vec<credential::Part<'_>>, spelt: &[&str]) -> Text {
        let mut text = Text::default();
        let mut behind_user = false;
        for part in parts {
            let said = part.text.strip_prefix('@').filter(|_| behind_user);
            let said = Text::parse(said.unwrap_or(part.text), self.variables);
            behind_user = false;
            let mut names = vec![self.server];
            match &part.secret {
                None => {
                    text.append(self.without_defaults(place, said, false));
                    continue;
                }
                Some(Secret::User) if place == "/url" => {
                    let reason = "the user and the password in it are not carried over; send them as a header";
                    self.lost(place, reason);
                    behind_user = true;
                    continue;
                }
                Some(Secret::Named(name)) => names.push(name),
                Some(Secret::User) => names.push("user"),
                Some(Secret::Spelt) => names.extend(spelt),
            }
            // A credential that consists of variables stays.
            let is_literal = |part: &Part| matches!(part, Part::Literal(_));
            if said.parts.iter().any(is_literal) {
                let variable = variable_name(&names);
                let reason = format!(
                    "it looks like a secret and is not carried over; set the variable `{variable}`"
                );
                self.lost(place, &reason);
                text.append(Text::variable(&variable));
            } else {
                text.append(self.without_defaults(place, said, true));
            }
        }
        text
    }

    /// A text without default values of variables: of all of them, or of those that look like secrets.
    fn without_defaults(&mut self, place: &str, mut text: Text, all: bool) -> Text {
        for part in &mut text.parts {
            let Part::Variable { name, default } = part else {
                continue;
            };
            let secret = |default: &String| {
                let looks = is_secret_name(name) || is_secret_value(default);
                all || (!default.is_empty() && looks)
            };
            if default.as_ref().is_some_and(secret) {
                let reason =
                    format!("what stands in for `{name}` is not carried over; set the variable");
                self.lost(place, &reason);
                *default = None;
            }
        }
        text
    }
}

/// What is said of a value.
fn not_carried(variable: &str) -> String {
    format!("its value is not carried over; set the variable `{variable}`")
}

/// The last step of a path, without the ending of programs on Windows.
fn base_name(command: &str) -> &str {
    let name = command.rsplit(['/', '\\']).next().unwrap_or_default();
    name.strip_suffix(".exe").unwrap_or(name)
}

/// `-e NAME=VALUE` of a container's command: what stands before the name in this word, and the name.
fn container_variable<'a>(before: Option<&str>, arg: &'a str) -> Option<(&'a str, &'a str)> {
    let (option, rest) = match before {
        Some("-e" | "--env") => ("", arg),
        _ => ("--env=", arg.strip_prefix("--env=")?),
    };
    let (name, _) = rest.split_once('=')?;
    (!name.is_empty()).then_some((option, name))
}
