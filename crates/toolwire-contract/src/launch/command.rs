//! The command of a launch (LAUNCH-30).

use super::package::{is_short, requirement, split};
use super::path::join;
use super::{Launch, Launcher};

impl Launch {
    /// The argument vector that starts the server, the program first; `None` for a server with a URL.
    ///
    /// Relative paths are as the URI has them; see [`Launch::resolved`]. `python` stands for the interpreter,
    /// whatever its name is on the machine.
    ///
    /// ```
    /// use toolwire_contract::launch::parse_launch_uri;
    ///
    /// let of = |uri| parse_launch_uri(uri).map(|launch| launch.command().unwrap_or_default().join(" "));
    /// assert_eq!(of("mcp+uvx://mcp-server-git@1.0?with=mcp<2")?, "uvx --with mcp<2 mcp-server-git@1.0");
    /// assert_eq!(of("mcp+uvx://mcp[cli]>=1/mcp")?, "uvx --from mcp[cli]>=1 mcp");
    /// assert_eq!(of("mcp+npx://a/b?with=c@2")?, "npx -y --package=a --package=c@2 b");
    /// assert_eq!(of("mcp+docker://mcp/fetch?env=TOKEN")?, "docker run -i --rm -e TOKEN mcp/fetch");
    /// assert_eq!(of("mcp+https://example.org/mcp")?, "");
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn command(&self) -> Option<Vec<String>> {
        let mut out: Vec<String> = Vec::new();
        let mut add = |words: &[&str]| out.extend(words.iter().map(|word| (*word).to_owned()));
        match (self.launcher, &self.command) {
            (Launcher::Http, _) => return None,
            (Launcher::Uvx, command) => {
                add(&["uvx"]);
                for with in &self.with {
                    add(&["--with", &requirement(with)]);
                }
                match command {
                    None if is_short(&self.target) => add(&[&self.target]),
                    _ => {
                        let name = split(Launcher::Uvx, &self.target).0;
                        let command = command.as_deref().unwrap_or(name);
                        add(&["--from", &requirement(&self.target), command]);
                    }
                }
            }
            (Launcher::Npx, None) => add(&["npx", "-y", &self.target]),
            (Launcher::Npx, Some(command)) => {
                add(&["npx", "-y"]);
                for package in std::iter::once(&self.target).chain(&self.with) {
                    add(&[&format!("--package={package}")]);
                }
                add(&[command]);
            }
            (Launcher::Python | Launcher::Node, _) => add(&[self.launcher.as_str(), &self.target]),
            (Launcher::Docker, _) => {
                add(&["docker", "run", "-i", "--rm"]);
                self.env.iter().for_each(|name| add(&["-e", name]));
                add(&[&self.target]);
            }
            (Launcher::Exec, _) => add(&[&self.target]),
        }
        out.extend(self.words.iter().cloned());
        Some(out)
    }

    /// The launch with relative paths made absolute: from the folder where the URI was given. The folder is
    /// absolute and may be one of Windows; nothing is looked up, and `..` stays.
    ///
    /// ```
    /// use toolwire_contract::launch::parse_launch_uri;
    ///
    /// let launch = parse_launch_uri("mcp+python://./server.py")?;
    /// assert_eq!(launch.resolved("/srv").command().unwrap(), ["python", "/srv/server.py"]);
    /// assert_eq!(launch.resolved("C:\\srv").command().unwrap(), ["python", "C:/srv/server.py"]);
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn resolved(&self, folder: &str) -> Launch {
        let mut out = self.clone();
        out.cwd = out.cwd.map(|cwd| join(folder, &cwd));
        if self.launcher.takes_path() {
            out.target = join(folder, &out.target);
        }
        out
    }
}
