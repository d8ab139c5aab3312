//! From an entry as a file spells it to one without secrets (CONV-10 to CONV-14).

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
                    carrier.said("/headers", Fate::Kept, "");
                }
                let mut carried = carrier.headers(headers);
                for header in environment_headers {
                    carrier.said(&pointer::join("/headers", &header.name), Fate::Kept, "");
                    let place = Header {
                        before: header.before.to_owned(),
                        variable: header.variable.clone(),
                    };
                    carried.insert(header.name.clone(), place);
                }
                Server::Url {
                    url: carrier.url(url),
                    headers: carried,
                    sse: *sse,
                }
            }
        };
        for member in &self.more {
            let place = pointer::join("", member);
            carrier.said(&place, Fate::Dropped, "only its own form knows this member");
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
    fn said(&mut self, place: &str, fate: Fate, reason: &str) {
        self.report.add(place, fate, reason);
    }

    fn program(
        &mut self,
        command: &str,
        args: &[String],
        env: &BTreeMap<String, String>,
        env_vars: &[String],
        cwd: Option<&str>,
    ) -> Server {
        self.said("/command", Fate::Kept, "");
        let mut names = BTreeMap::new();
        if !env.is_empty() {
            self.said("/env", Fate::Kept, "");
        }
        for (name, text) in env {
            let variable = self.variable(name, text);
            names.insert(name.clone(), variable);
        }
        for name in env_vars {
            self.said(&pointer::join("/env", name), Fate::Kept, "");
            names.insert(name.clone(), name.clone());
        }
        if !args.is_empty() {
            self.said("/args", Fate::Kept, "");
        }
        let is_container = ["docker", "podman"].contains(&base_name(command));
        let mut words = Vec::new();
        for (at, arg) in args.iter().enumerate() {
            let before = at.checked_sub(1).map(|at| args[at].as_str());
            let literal = Text::parse(arg, self.variables).as_literal().is_some();
            let set = (is_container && literal).then(|| container_variable(before, arg));
            let word = match set.flatten() {
                Some((option, name)) => {
                    let reason =
                        format!("its value is not carried over; set the variable `{name}`");
                    self.said(&format!("/args/{at}"), Fate::Approximated, &reason);
                    names.insert(name.to_owned(), name.to_owned());
                    Text::literal(&format!("{option}{name}"))
                }
                None => self.word(at, before, arg),
            };
            words.push(word);
        }
        let cwd = cwd.map(|cwd| {
            self.said("/cwd", Fate::Kept, "");
            let text = Text::parse(cwd, self.variables);
            self.without_defaults("/cwd", text)
        });
        let command = Text::parse(command, self.variables);
        Server::Program {
            command: self.without_defaults("/command", command),
            args: words,
            env: names,
            cwd,
        }
    }

    /// The variable that has the value of an environment variable that is set.
    fn variable(&mut self, name: &str, text: &str) -> String {
        let place = pointer::join("/env", name);
        match &Text::parse(text, self.variables).parts[..] {
            [
                Part::Variable {
                    name,
                    default: None,
                },
            ] => {
                self.said(&place, Fate::Kept, "");
                name.clone()
            }
            [Part::Variable { name, .. }] => {
                let reason =
                    format!("what stands in for `{name}` is not carried over; set the variable");
                self.said(&place, Fate::Approximated, &reason);
                name.clone()
            }
            _ => {
                let reason = format!("its value is not carried over; set the variable `{name}`");
                self.said(&place, Fate::Approximated, &reason);
                name.to_owned()
            }
        }
    }

    fn headers(&mut self, headers: &BTreeMap<String, String>) -> BTreeMap<String, Header> {
        let carried = headers.iter().map(|(name, text)| {
            let place = pointer::join("/headers", name);
            let (before, rest) = scheme(text);
            let header = match &Text::parse(rest, self.variables).parts[..] {
                [
                    Part::Variable {
                        name,
                        default: None,
                    },
                ] => {
                    self.said(&place, Fate::Kept, "");
                    name.clone()
                }
                _ => {
                    let variable = variable_name(&[self.server, name]);
                    let reason =
                        format!("its value is not carried over; set the variable `{variable}`");
                    self.said(&place, Fate::Approximated, &reason);
                    variable
                }
            };
            let header = Header {
                before: before.to_owned(),
                variable: header,
            };
            (name.clone(), header)
        });
        carried.collect()
    }

    /// An argument, with a variable in the place of each credential (CONV-12).
    fn word(&mut self, at: usize, before: Option<&str>, arg: &str) -> Text {
        let place = format!("/args/{at}");
        let number = at.to_string();
        let mut text = Text::default();
        for part in credential::parts(before, arg) {
            let said = Text::parse(part.text, self.variables);
            let variable = match &part.secret {
                None => {
                    let said = self.without_defaults(&place, said);
                    text.append(said);
                    continue;
                }
                Some(Secret::Named(name)) => variable_name(&[self.server, name]),
                Some(Secret::User) => variable_name(&[self.server, "user"]),
                Some(Secret::Spelt) => variable_name(&[self.server, "argument", &number]),
            };
            text.append(self.credential(&place, said, &variable));
        }
        text
    }

    /// What stands in the place of a credential: the variables that it consists of, or else one of this name.
    fn credential(&mut self, place: &str, mut said: Text, variable: &str) -> Text {
        if said
            .parts
            .iter()
            .any(|part| matches!(part, Part::Literal(_)))
        {
            let reason = format!(
                "it looks like a secret and is not carried over; set the variable `{variable}`"
            );
            self.said(place, Fate::Approximated, &reason);
            return Text::variable(variable);
        }
        for part in &mut said.parts {
            if let Part::Variable { name, default } = part
                && default.take().is_some()
            {
                let reason =
                    format!("what stands in for `{name}` is not carried over; set the variable");
                self.said(place, Fate::Approximated, &reason);
            }
        }
        said
    }

    /// A text without what stands in for variables that look like secrets.
    fn without_defaults(&mut self, place: &str, mut text: Text) -> Text {
        for part in &mut text.parts {
            let Part::Variable { name, default } = part else {
                continue;
            };
            let secret = default.as_ref().is_some_and(|default| {
                !default.is_empty() && (is_secret_name(name) || is_secret_value(default))
            });
            if secret {
                let reason =
                    format!("what stands in for `{name}` is not carried over; set the variable");
                self.said(place, Fate::Approximated, &reason);
                *default = None;
            }
        }
        text
    }

    /// An address without a user and a password, and with variables in the place of other credentials (CONV-13).
    fn url(&mut self, url: &str) -> Text {
        self.said("/url", Fate::Kept, "");
        let mut text = Text::default();
        let mut behind_user = false;
        for part in credential::url_parts(url) {
            let said = match behind_user {
                true => part.text.strip_prefix('@').unwrap_or(part.text),
                false => part.text,
            };
            behind_user = part.secret == Some(Secret::User);
            let said = Text::parse(said, self.variables);
            let said = match &part.secret {
                None => self.without_defaults("/url", said),
                Some(Secret::User) => {
                    let reason = "the user and the password in it are not carried over; send them as a header";
                    self.said("/url", Fate::Approximated, reason);
                    continue;
                }
                Some(Secret::Named(name)) => {
                    self.credential("/url", said, &variable_name(&[self.server, name]))
                }
                Some(Secret::Spelt) => {
                    self.credential("/url", said, &variable_name(&[self.server, "path"]))
                }
            };
            text.append(said);
        }
        text
    }
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
