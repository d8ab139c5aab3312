//! What a lock remembers of a launch (LAUNCH-80 to LAUNCH-82).

use super::package::{is_exact, split};
use super::{Launch, Launcher};
use crate::lock::{Launched, origin};

impl Launch {
    /// What is started or reached, without what differs from call to call: no words, folder, variables, headers or
    /// arguments. A version that could be several is what was requested: whoever starts it knows which one it was.
    ///
    /// ```
    /// use toolwire_contract::launch::parse_launch_uri;
    ///
    /// let facts = |uri| parse_launch_uri(uri).map(|launch| launch.facts());
    /// let of = facts("mcp+uvx://Mcp_Server.Git==1.0.2/serve?command=--token-file")?;
    /// assert_eq!(
    ///     of.safety().as_str(),
    ///     r#"{"launcher":"uvx","package":"mcp-server-git","program":"serve","transport":"stdio"}"#
    /// );
    /// assert_eq!(of.version.as_deref(), Some("1.0.2"));
    /// assert_eq!(facts("mcp+npx://clock@latest")?.requested.as_deref(), Some("latest"));
    /// assert_eq!(facts("mcp+npx://clock")?.requested.as_deref(), Some("*"));
    /// let of = facts("mcp+https://Example.org:443/mcp?query=key=1")?;
    /// assert_eq!((of.transport.as_deref(), of.origin.as_deref()), (Some("http"), Some("https://example.org")));
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn facts(&self) -> Launched {
        let mut out = Launched::default();
        let launcher = self.launcher;
        if launcher == Launcher::Http {
            out.transport = Some("http".to_owned());
            out.origin = Some(origin(&self.target));
            return out;
        }
        out.transport = Some("stdio".to_owned());
        out.launcher = Some(launcher.as_str().to_owned());
        if launcher.takes_path() {
            out.program = Some(self.target.clone());
            return out;
        }
        let (name, version) = split(launcher, &self.target);
        let name = spelt(launcher, name);
        let of_package = (launcher == Launcher::Uvx).then(|| name.clone());
        out.program = self.command.clone().or(of_package);
        out.package = Some(name);
        let with = self.with.iter();
        out.with = with
            .map(|one| spelt(launcher, split(launcher, one).0))
            .collect();
        out.with.sort_unstable();
        out.with.dedup();
        match version.filter(|version| is_exact(launcher, version)) {
            Some(version) => out.version = Some(version.to_owned()),
            None => out.requested = Some(version.unwrap_or("*").to_owned()),
        }
        out
    }
}

/// The one spelling of the name of a package or image (LAUNCH-82).
fn spelt(launcher: Launcher, name: &str) -> String {
    match launcher {
        Launcher::Uvx => {
            let parts = name.split(['-', '_', '.']).filter(|part| !part.is_empty());
            parts.collect::<Vec<_>>().join("-").to_ascii_lowercase()
        }
        Launcher::Docker => {
            let bare = name.strip_prefix("index.").unwrap_or(name);
            let bare = bare.strip_prefix("docker.io/").unwrap_or(name);
            let official = bare.strip_prefix("library/");
            official
                .filter(|rest| !rest.contains('/'))
                .unwrap_or(bare)
                .to_owned()
        }
        _ => name.to_owned(),
    }
}
