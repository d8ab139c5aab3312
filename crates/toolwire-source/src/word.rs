//! What a word is by its looks.

use std::path::is_separator;

use toolwire_host::clients::Client;

/// What a word stands for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Form<'w> {
    /// A server at this URL.
    Url,
    /// A launch URI.
    Launch,
    /// A profile.
    Profile,
    /// A tool of the manifest.
    Manifest(&'w str),
    /// A server of a client's file.
    Clients(&'w str),
    /// A program at this path.
    Path,
    /// Either of a manifest or of a client's file.
    Name,
    /// None of them, but almost this.
    Almost(String),
}

/// The prefix of a tool of the manifest.
pub(crate) const MANIFEST: &str = "manifest:";

/// The prefix of a server in a client's file.
pub(crate) const CLIENTS: &str = "mcp:";

impl Form<'_> {
    pub(crate) fn of(word: &str) -> Form<'_> {
        if word.starts_with("http://") || word.starts_with("https://") {
            return Form::Url;
        }
        // A launch URI takes capitals in its scheme (LAUNCH-1).
        let scheme = word.split_once("://").map(|(scheme, _)| scheme);
        let scheme = scheme.unwrap_or_default().to_ascii_lowercase();
        if scheme == "mcp" || scheme.starts_with("mcp+") {
            return Form::Launch;
        }
        if word.starts_with('@') {
            return Form::Profile;
        }
        if let Some(name) = word.strip_prefix(MANIFEST) {
            return Form::Manifest(name);
        }
        if let Some(name) = word.strip_prefix(CLIENTS) {
            return Form::Clients(name);
        }
        let client = word.split_once(':').map(|(client, _)| client);
        if client.is_some_and(|client| client.parse::<Client>().is_ok()) {
            return Form::Clients(word);
        }
        if let Some(url) = almost(word) {
            return Form::Almost(url);
        }
        match word.chars().any(is_separator) {
            true => Form::Path,
            false => Form::Name,
        }
    }
}

/// The URL that a word was probably meant to be: one of another scheme, or a host with its port.
fn almost(word: &str) -> Option<String> {
    if let Some((scheme, rest)) = word.split_once("://") {
        let is_scheme = scheme
            .chars()
            .all(|one| one.is_ascii_alphanumeric() || "+.-".contains(one));
        return is_scheme.then(|| format!("one with `http` or `https`, as in `http://{rest}`"));
    }
    let (host, rest) = word.split_once(':')?;
    let port = rest.split('/').next().unwrap_or_default();
    let is_port = !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
    let is_host = !host.is_empty() && !host.contains(is_separator);
    let path = if rest.contains('/') { "" } else { "/mcp" };
    (is_host && is_port).then(|| format!("`http://{word}{path}`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_row_that_fits_decides() {
        for (word, form) in [
            ("http://a/mcp", Form::Url),
            ("https://a", Form::Url),
            ("mcp+uvx://a/b", Form::Launch),
            ("mcp+python:///C:/a.py", Form::Launch),
            ("MCP+Python:///C:/a.py", Form::Launch),
            ("mcp://preset", Form::Launch),
            ("@biomcp/search?gene=BRAF", Form::Profile),
            ("manifest:a", Form::Manifest("a")),
            ("mcp:a/b", Form::Clients("a/b")),
            ("cursor:a", Form::Clients("cursor:a")),
            ("./mcp:a", Form::Path),
            ("./a:1", Form::Path),
            ("a/@b", Form::Path),
            ("files", Form::Name),
            ("nobody:files", Form::Name),
            ("mcp+", Form::Name),
        ] {
            assert_eq!(Form::of(word), form, "{word}");
        }
    }

    #[test]
    fn a_word_that_is_almost_a_url_is_named() {
        for (word, url) in [
            (
                "ftp://a/mcp",
                Some("one with `http` or `https`, as in `http://a/mcp`"),
            ),
            ("localhost:8080", Some("`http://localhost:8080/mcp`")),
            ("127.0.0.1:8080/x", Some("`http://127.0.0.1:8080/x`")),
            ("./a:1", None),
            ("files", None),
        ] {
            assert_eq!(almost(word).as_deref(), url, "{word}");
        }
    }
}
