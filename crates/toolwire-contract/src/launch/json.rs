//! Launches as JSON (LAUNCH-60, LAUNCH-61).

use toolwire::json::{Document, Kind, Node, ObjectWriter, array, string};
use toolwire::{Code, Error, Json};

use super::{
    Argument, Image, Launch, Launcher, Listing, Package, ProfileWord, Program, Remote, Request,
    Server,
};

impl Launch {
    /// The launch as a JSON object (LAUNCH-60); what it does not say is left out.
    ///
    /// ```
    /// use toolwire_contract::launch::parse_launch_uri;
    ///
    /// let launch = parse_launch_uri("mcp+uvx://a@1.0/b?command=run&tool=t&x=1")?;
    /// assert_eq!(
    ///     launch.to_json().as_str(),
    ///     r#"{"launcher":"uvx","package":{"name":"a","version":"1.0"},"command":"b","words":["run"],"tool":"t","arguments":[{"name":"x","text":"1"}]}"#
    /// );
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn to_json(&self) -> Json {
        let mut out = ObjectWriter::new();
        match &self.server {
            Server::Program(program) => {
                out.text("launcher", program.launcher.as_str());
                match &program.launcher {
                    Launcher::Uvx {
                        package,
                        command,
                        with,
                    }
                    | Launcher::Npx {
                        package,
                        command,
                        with,
                    } => {
                        out.json("package", package_text(package))
                            .optional("command", command.as_ref());
                        texts(&mut out, "with", with.iter().map(package_text));
                    }
                    Launcher::Python { file } | Launcher::Node { file } => {
                        out.text("file", file);
                    }
                    Launcher::Docker { image } => {
                        let mut object = ObjectWriter::new();
                        object
                            .text("name", &image.name)
                            .optional("tag", image.tag.as_ref())
                            .optional("digest", image.digest.as_ref());
                        out.json("image", object.end());
                    }
                    Launcher::Exec { program } => {
                        out.text("program", program);
                    }
                }
                texts(
                    &mut out,
                    "words",
                    program.words.iter().map(|word| string(word)),
                );
                texts(&mut out, "env", program.env.iter().map(|name| string(name)));
                out.optional("cwd", program.cwd.as_ref());
            }
            Server::Remote(Remote { url, headers }) => {
                out.text("launcher", "http").text("url", url);
                texts(&mut out, "headers", headers.iter().map(|name| string(name)));
            }
        }
        write_request(&mut out, self.request.as_ref());
        json(&mut out)
    }

    /// Reads the JSON form of a launch. Whether a URI can say it, [`format_launch_uri`](super::format_launch_uri)
    /// shows.
    ///
    /// # Errors
    ///
    /// `bad_argument` with a pointer, for a member that is missing, unknown or of the wrong type.
    ///
    /// ```
    /// use toolwire::Json;
    /// use toolwire_contract::launch::{Launch, format_launch_uri};
    ///
    /// let launch = Launch::from_json(&Json::new(r#"{"launcher":"node","file":"C:/a b.js"}"#)?)?;
    /// assert_eq!(format_launch_uri(&launch)?, "mcp+node:///C:/a%20b.js");
    /// let error = Launch::from_json(&Json::new(r#"{"launcher":"node"}"#)?).unwrap_err();
    /// assert_eq!(error.pointer(), "/file");
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    pub fn from_json(json: &Json) -> Result<Launch, Error> {
        let document = Document::new(json.as_str())?;
        let root = Members::new(document.root(), "")?;
        let word = root.need("launcher")?;
        let (server, own): (Server, &[&str]) = match word.as_str() {
            "http" => (
                Server::Remote(Remote {
                    url: root.need("url")?,
                    headers: root.texts("headers")?,
                }),
                &["url", "headers"],
            ),
            "uvx" => (
                root.program(Launcher::Uvx {
                    package: root.package()?,
                    command: root.text("command")?,
                    with: root.with()?,
                })?,
                &["package", "command", "with", "words", "env", "cwd"],
            ),
            "npx" => (
                root.program(Launcher::Npx {
                    package: root.package()?,
                    command: root.text("command")?,
                    with: root.with()?,
                })?,
                &["package", "command", "with", "words", "env", "cwd"],
            ),
            "python" => (
                root.program(Launcher::Python {
                    file: root.need("file")?,
                })?,
                &["file", "words", "env", "cwd"],
            ),
            "node" => (
                root.program(Launcher::Node {
                    file: root.need("file")?,
                })?,
                &["file", "words", "env", "cwd"],
            ),
            "docker" => (
                root.program(Launcher::Docker {
                    image: root.image()?,
                })?,
                &["image", "words", "env", "cwd"],
            ),
            "exec" => (
                root.program(Launcher::Exec {
                    program: root.need("program")?,
                })?,
                &["program", "words", "env", "cwd"],
            ),
            _ => {
                return Err(refuse(
                    "/launcher",
                    "`launcher` is `uvx`, `npx`, `python`, `node`, `docker`, `exec` or `http`",
                ));
            }
        };
        root.only(own, &["launcher", "tool", "arguments", "list", "resource"])?;
        Ok(Launch {
            server,
            request: root.request()?,
        })
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
        let mut out = ObjectWriter::new();
        out.text("profile", &self.profile);
        write_request(&mut out, self.request.as_ref());
        json(&mut out)
    }

    /// Reads the JSON form of a profile word.
    ///
    /// # Errors
    ///
    /// `bad_argument` with a pointer, for a member that is missing, unknown or of the wrong type.
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
        let document = Document::new(json.as_str())?;
        let root = Members::new(document.root(), "")?;
        root.only(&["profile"], &["tool", "arguments", "list", "resource"])?;
        Ok(ProfileWord {
            profile: root.need("profile")?,
            request: root.request()?,
        })
    }
}

fn write_request(out: &mut ObjectWriter, request: Option<&Request>) {
    match request {
        None => {}
        Some(Request::List(list)) => {
            out.text("list", list.as_str());
        }
        Some(Request::Resource(uri)) => {
            out.text("resource", uri);
        }
        Some(Request::Tool { name, arguments }) => {
            out.text("tool", name);
            let one = |argument: &Argument| {
                ObjectWriter::new()
                    .text("name", &argument.name)
                    .text("text", &argument.text)
                    .end()
            };
            texts(out, "arguments", arguments.iter().map(one));
        }
    }
}

fn package_text(package: &Package) -> String {
    let mut out = ObjectWriter::new();
    out.text("name", &package.name);
    texts(
        &mut out,
        "extras",
        package.extras.iter().map(|extra| string(extra)),
    );
    out.optional("version", package.version.as_ref()).end()
}

/// An array of JSON texts, if there are any.
fn texts(out: &mut ObjectWriter, name: &str, texts: impl ExactSizeIterator<Item = String>) {
    if texts.len() > 0 {
        out.json(name, array(texts));
    }
}

fn json(out: &mut ObjectWriter) -> Json {
    Json::new(out.end()).unwrap_or_else(|_| Json::empty_object())
}

fn refuse(pointer: impl Into<String>, message: impl Into<String>) -> Error {
    Error::new(Code::BadArgument, pointer, None, message)
}

/// The members of an object, and where it stands.
struct Members<'a> {
    node: Node<'a>,
    pointer: String,
}

impl<'a> Members<'a> {
    fn new(node: Node<'a>, pointer: impl Into<String>) -> Result<Self, Error> {
        let pointer = pointer.into();
        if node.kind() != Kind::Object {
            return Err(refuse(pointer, "this must be an object"));
        }
        Ok(Members { node, pointer })
    }

    fn at(&self, name: &str) -> String {
        format!("{}/{name}", self.pointer)
    }

    fn text(&self, name: &str) -> Result<Option<String>, Error> {
        match self.node.get(name) {
            None => Ok(None),
            Some(node) => match node.as_str() {
                Some(text) => Ok(Some(text.into_owned())),
                None => Err(refuse(self.at(name), format!("`{name}` must be a string"))),
            },
        }
    }

    fn need(&self, name: &str) -> Result<String, Error> {
        let text = self.text(name)?;
        text.ok_or_else(|| refuse(self.at(name), format!("`{name}` is missing: give a string")))
    }

    fn elements(&self, name: &str) -> Result<Vec<(Node<'a>, String)>, Error> {
        let Some(node) = self.node.get(name) else {
            return Ok(Vec::new());
        };
        if node.kind() != Kind::Array {
            return Err(refuse(self.at(name), format!("`{name}` must be an array")));
        }
        let pointer = self.at(name);
        let elements = node.elements().enumerate();
        Ok(elements
            .map(|(index, node)| (node, format!("{pointer}/{index}")))
            .collect())
    }

    fn texts(&self, name: &str) -> Result<Vec<String>, Error> {
        let elements = self.elements(name)?.into_iter();
        elements
            .map(|(node, pointer)| match node.as_str() {
                Some(text) => Ok(text.into_owned()),
                None => Err(refuse(
                    pointer,
                    format!("each of `{name}` must be a string"),
                )),
            })
            .collect()
    }

    fn object(&self, name: &str) -> Result<Members<'a>, Error> {
        let node = self.node.get(name);
        let node = node.ok_or_else(|| {
            refuse(
                self.at(name),
                format!("`{name}` is missing: give an object"),
            )
        })?;
        Members::new(node, self.at(name))
    }

    /// Refuses members that are in neither list.
    fn only(&self, known: &[&str], more: &[&str]) -> Result<(), Error> {
        for (name, _) in self.node.members() {
            let name = name.as_ref();
            if !known.contains(&name) && !more.contains(&name) {
                let mut pointer = self.pointer.clone();
                pointer.push('/');
                pointer.push_str(&name.replace('~', "~0").replace('/', "~1"));
                let known: Vec<&str> = known.iter().chain(more).copied().collect();
                let message = format!(
                    "this member is unknown here: there are `{}`",
                    known.join("`, `")
                );
                return Err(refuse(pointer, message));
            }
        }
        Ok(())
    }

    fn as_package(&self) -> Result<Package, Error> {
        self.only(&["name", "extras", "version"], &[])?;
        Ok(Package {
            name: self.need("name")?,
            extras: self.texts("extras")?,
            version: self.text("version")?,
        })
    }

    fn package(&self) -> Result<Package, Error> {
        self.object("package")?.as_package()
    }

    fn with(&self) -> Result<Vec<Package>, Error> {
        let elements = self.elements("with")?.into_iter();
        elements
            .map(|(node, pointer)| Members::new(node, pointer)?.as_package())
            .collect()
    }

    fn image(&self) -> Result<Image, Error> {
        let image = self.object("image")?;
        image.only(&["name", "tag", "digest"], &[])?;
        Ok(Image {
            name: image.need("name")?,
            tag: image.text("tag")?,
            digest: image.text("digest")?,
        })
    }

    fn program(&self, launcher: Launcher) -> Result<Server, Error> {
        Ok(Server::Program(Program {
            launcher,
            words: self.texts("words")?,
            env: self.texts("env")?,
            cwd: self.text("cwd")?,
        }))
    }

    fn request(&self) -> Result<Option<Request>, Error> {
        let tool = self.text("tool")?;
        let list = self.text("list")?;
        let resource = self.text("resource")?;
        let mut arguments = Vec::new();
        for (node, pointer) in self.elements("arguments")? {
            let argument = Members::new(node, pointer)?;
            argument.only(&["name", "text"], &[])?;
            arguments.push(Argument {
                name: argument.need("name")?,
                text: argument.need("text")?,
            });
        }
        match (tool, list, resource) {
            (Some(name), None, None) => Ok(Some(Request::Tool { name, arguments })),
            _ if !arguments.is_empty() => Err(refuse(
                self.at("arguments"),
                "only a tool takes arguments: give `tool`",
            )),
            (None, Some(list), None) => {
                let word = Listing::ALL.into_iter().find(|word| word.as_str() == list);
                let word = word.ok_or_else(|| {
                    refuse(
                        self.at("list"),
                        "`list` is `tools`, `resources` or `prompts`",
                    )
                })?;
                Ok(Some(Request::List(word)))
            }
            (None, None, Some(uri)) => Ok(Some(Request::Resource(uri))),
            (None, None, None) => Ok(None),
            _ => Err(refuse(
                self.pointer.clone(),
                "only one of `tool`, `list` and `resource` can be asked",
            )),
        }
    }
}
