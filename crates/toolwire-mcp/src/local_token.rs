//! The token of a server on the loopback, where other users of the machine connect too. It is kept in a file that
//! only this user can read, so that this user's clients find it.

use std::fs::{self, File};
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use reqwest::Url;
use toolwire_host::manifest::others;
use toolwire_host::store::{self, Lock};

use crate::client::Header;
use crate::server::error::ServeError;
use crate::server::http::tokens::Tokens;

/// The principal of the token.
const PRINCIPAL: &str = "local";

/// The token of one address on the loopback.
#[derive(Debug)]
pub struct LocalToken {
    file: PathBuf,
    token: String,
    /// Held while its server runs. Clients send the token to nobody else who has the port.
    lock: Option<Lock>,
    /// Whether the file goes with the server, whose port is another one the next time.
    once: bool,
}

impl LocalToken {
    /// The token of an address, which is made at the first time and stays, so that it can stand in the file of a
    /// client.
    ///
    /// # Errors
    ///
    /// If there is no folder for it, or others could have written the file.
    pub fn of(address: SocketAddr) -> Result<LocalToken, ServeError> {
        let failed = |why: &str| {
            let message = format!(
                "no token can be kept for `{address}`: {why}; name a file of tokens with `--tokens`, or let every user \
                 of this machine in with `--no-token`"
            );
            ServeError::new(message)
        };
        let file = file(address).ok_or_else(|| failed("set `HOME` or `XDG_STATE_HOME`"))?;
        let kept = read(&file).map_err(|error| failed(&error.to_string()))?;
        let token = match kept {
            Some(token) => token,
            None => {
                let token = random().map_err(|error| failed(&error))?;
                store::write_private(&file, &format!("{token}\n"))
                    .map_err(|error| failed(&error.to_string()))?;
                token
            }
        };
        Ok(LocalToken {
            file,
            token,
            lock: None,
            once: false,
        })
    }

    /// Tells this user's clients that its server runs; `once` if its port is a random one.
    pub(crate) fn serve(&mut self, once: bool) -> io::Result<()> {
        self.lock = Some(store::lock(&self.file)?);
        self.once = once;
        Ok(())
    }

    /// What a server of this address lets in.
    pub(crate) fn tokens(&self) -> Result<Tokens, ServeError> {
        Tokens::parse(&format!("{PRINCIPAL}: {}", self.token))
    }

    /// The token itself.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.token
    }

    /// Where it is kept.
    #[must_use]
    pub fn file(&self) -> &Path {
        &self.file
    }
}

impl Drop for LocalToken {
    fn drop(&mut self) {
        if self.once {
            let _ = fs::remove_file(&self.file);
        }
    }
}

/// How this user's client reaches the server of a URL, if this user runs it on the loopback: by its address instead of
/// a name, behind which somebody else may listen too, and with its token. Nothing for any other URL, and where the
/// client has an authorization already.
pub(crate) fn reach(url: &str, headers: &[Header]) -> Option<(String, Header)> {
    let mut given = headers.iter();
    if given.any(|header| header.name.eq_ignore_ascii_case("authorization")) {
        return None;
    }
    let mut url = Url::parse(url).ok().filter(|url| url.scheme() == "http")?;
    let port = url.port_or_known_default()?;
    let (ip, token) = loopback(url.host_str()?).into_iter().find_map(|ip| {
        let file = file(SocketAddr::new(ip, port))?;
        let runs = store::is_locked(&file).unwrap_or(false);
        Some((ip, read(&file).ok().flatten().filter(|_| runs)?))
    })?;
    url.set_ip_host(ip).ok()?;
    let header = Header::new("Authorization", format!("Bearer {token}"));
    Some((url.into(), header))
}

/// The addresses of the loopback that the host of a URL stands for.
pub(crate) fn loopback(host: &str) -> Vec<IpAddr> {
    match host.trim_matches(['[', ']']) {
        "localhost" => vec![Ipv4Addr::LOCALHOST.into(), Ipv6Addr::LOCALHOST.into()],
        ip => Vec::from_iter(ip.parse().ok().filter(IpAddr::is_loopback)),
    }
}

fn file(address: SocketAddr) -> Option<PathBuf> {
    let set = std::env::var_os("XDG_STATE_HOME").map(PathBuf::from);
    let usual = || Some(std::env::home_dir()?.join(".local/state"));
    let folder = set.filter(|folder| folder.is_absolute()).or_else(usual)?;
    let name = format!("{}-{}", address.ip(), address.port()).replace(':', "-");
    Some(folder.join("toolwire/http").join(name))
}

/// The token in a file, if there is one that nobody else can have written.
fn read(file: &Path) -> io::Result<Option<String>> {
    let open = match File::open(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        open => open?,
    };
    if let Some(why) = others(file, &open)? {
        let message = format!("`{}` is not used: {why}; remove it", file.display());
        return Err(io::Error::other(message));
    }
    let text = io::read_to_string(io::Read::take(open, 1024))?;
    Ok(Some(text.trim().to_owned()).filter(|token| !token.is_empty()))
}

fn random() -> Result<String, String> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(|error| error.to_string())?;
    Ok(BASE64_URL_SAFE_NO_PAD.encode(bytes))
}
