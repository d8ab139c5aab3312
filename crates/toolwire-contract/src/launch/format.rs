//! Writing a launch URI.

use toolwire::{Code, Error};

use super::package::{npm_text, text};
use super::path::has_drive;
use super::percent::{encode, in_target};
use super::query::{Pairs, write_request};
use super::{Image, Launch, Launcher, Remote, Server, parse_launch_uri};

/// The canonical launch URI (LAUNCH-50): reading it gives the same launch again.
///
/// # Errors
///
/// As [`parse_launch_uri`], without a byte, for a launch that no launch URI says, such as a package whose name
/// begins with `-`.
///
/// # Examples
///
/// ```
/// use toolwire_contract::launch::{format_launch_uri, parse_launch_uri};
///
/// let launch = parse_launch_uri("MCP+UVX://mcp%5Bcli%5D==1.9.0/mcp?tool=a%62c&env=T&x=1+1")?;
/// assert_eq!(format_launch_uri(&launch)?, "mcp+uvx://mcp[cli]@1.9.0/mcp?env=T&tool=abc&x=1%2B1");
/// # Ok::<(), toolwire::Error>(())
/// ```
pub fn format_launch_uri(launch: &Launch) -> Result<String, Error> {
    let mut pairs = Pairs::default();
    let mut uri = match &launch.server {
        Server::Program(program) => {
            let mut uri = target(&program.launcher);
            for word in &program.words {
                pairs.add("command", word);
            }
            match &program.launcher {
                Launcher::Uvx { with, .. } => {
                    with.iter().for_each(|one| pairs.add("with", &text(one)))
                }
                Launcher::Npx { with, .. } => with
                    .iter()
                    .for_each(|one| pairs.add("with", &npm_text(one))),
                _ => {}
            }
            for name in &program.env {
                pairs.add("env", name);
            }
            if let Some(cwd) = &program.cwd {
                pairs.add("cwd", cwd);
            }
            uri.insert_str(0, "mcp+");
            uri
        }
        Server::Remote(Remote { url, headers }) => {
            let (front, query) = match url.split_once('?') {
                Some((front, query)) => (front, Some(query)),
                None => (url.as_str(), None),
            };
            for name in headers {
                pairs.add("header", name);
            }
            if let Some(query) = query {
                pairs.add("query", query);
            }
            format!("mcp+{front}")
        }
    };
    write_request(&mut pairs, launch.request.as_ref());
    uri.push_str(&pairs.end());
    match parse_launch_uri(&uri) {
        Ok(read) if read == *launch => Ok(uri),
        Ok(_) => Err(Error::new(
            Code::BadLaunchUri,
            "",
            None,
            "this is not written as a launch URI would say it: paths have slashes, and each part stands in its own member",
        )),
        Err(error) => Err(Error::new(
            error.code(),
            error.pointer(),
            None,
            error.message(),
        )),
    }
}

/// What stands in front of the query, without `mcp+`.
fn target(launcher: &Launcher) -> String {
    let mut out = format!("{}://", launcher.as_str());
    let mut add = |text: &str| encode(&mut out, text, in_target);
    match launcher {
        Launcher::Uvx {
            package, command, ..
        } => {
            add(&text(package));
            if let Some(command) = command {
                add("/");
                add(command);
            }
        }
        Launcher::Npx {
            package, command, ..
        } => {
            add(&npm_text(package));
            if let Some(command) = command {
                add("/");
                add(command);
            }
        }
        Launcher::Docker { image } => add(&image.to_string()),
        Launcher::Python { file: path }
        | Launcher::Node { file: path }
        | Launcher::Exec { program: path } => {
            if has_drive(path) {
                add("/");
            }
            add(path);
        }
    }
    out
}

impl std::fmt::Display for Image {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.name)?;
        if let Some(tag) = &self.tag {
            write!(f, ":{tag}")?;
        }
        if let Some(digest) = &self.digest {
            write!(f, "@{digest}")?;
        }
        Ok(())
    }
}
