//! Proxies without the user name and password that their URLs may hold.

use std::ffi::OsString;

/// The value of a standard variable without what is secret in it; nothing where it can't be told for
/// certain what that is. Only proxies' URLs hold secrets.
pub(super) fn without_credentials(name: &str, value: OsString) -> Option<OsString> {
    let name = name.to_ascii_lowercase();
    if !name.ends_with("_proxy") || name == "no_proxy" {
        return Some(value);
    }
    let url = value.to_str()?;
    stripped(url).map(Into::into)
}

/// The text before the last `@` is the user information, whatever characters it holds; but for one
/// that could as well end the host, since then the `@` may be part of a path.
fn stripped(url: &str) -> Option<String> {
    if !url.bytes().all(|byte| byte.is_ascii_graphic()) {
        return None;
    }
    let Some((before, host)) = url.rsplit_once('@') else {
        return Some(url.to_owned());
    };
    let (start, user) = match before.split_once("//") {
        Some((scheme, user)) if is_scheme(scheme) => (format!("{scheme}//"), user),
        _ => (String::new(), before),
    };
    let is_certain = !user.contains(['/', '\\', '?', '#']) && is_host(host);
    is_certain.then(|| format!("{start}{host}"))
}

/// The text before `//`: nothing, or a scheme and a colon.
fn is_scheme(text: &str) -> bool {
    let scheme = text.strip_suffix(':').unwrap_or(text);
    let plain = |c: char| c.is_ascii_alphanumeric() || "+-.".contains(c);
    text.is_empty() || (text.ends_with(':') && !scheme.is_empty() && scheme.chars().all(plain))
}

/// A host with or without a port, and at most a `/` behind it.
fn is_host(text: &str) -> bool {
    let host = text.strip_suffix('/').unwrap_or(text);
    let plain = |c: char| c.is_ascii_alphanumeric() || "-._~:[]%".contains(c);
    !host.is_empty() && !host.starts_with(':') && host.chars().all(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn user_information_is_taken_out_of_a_proxy_or_the_proxy_is_left_out() {
        for (url, expected) in [
            ("http://proxy:3128", Some("http://proxy:3128")),
            ("proxy:3128", Some("proxy:3128")),
            ("", Some("")),
            ("http://user:pass@proxy:3128/", Some("http://proxy:3128/")),
            ("HTTP://user@proxy", Some("HTTP://proxy")),
            ("socks5h://u:p@[::1]:1080", Some("socks5h://[::1]:1080")),
            ("user:p@ss@host:1", Some("host:1")),
            ("user:pass@host:1", Some("host:1")),
            ("http://u:p@ss:w@rd@host:1", Some("http://host:1")),
            ("http://u%40corp:p%2Fw@host", Some("http://host")),
            ("//user@host", Some("//host")),
            ("//u:p@host:1/", Some("//host:1/")),
            ("http:user:p@host", Some("host")),
            ("@host", Some("host")),
            // Where the user information ends is anybody's guess.
            ("http://u:p/w@host", None),
            ("http://u:p#w@host", None),
            ("http://u:p?w@host", None),
            ("http:\\\\u:p@host", None),
            ("http:/u:p@host", None),
            ("http:////u:p@host", None),
            ("http://host/path@x", None),
            ("http://a:b@one,http://c:d@two", None),
            ("http://u:p@host/path", None),
            ("http://u:p@host?token=x", None),
            ("http://u:p@", None),
            ("http://u:p@:1", None),
            // Some programs take it for an `@`.
            ("http://u:p\u{ff20}host", None),
            ("http://u:p w@host", None),
            ("http://u:p\n@host", None),
        ] {
            assert_eq!(stripped(url).as_deref(), expected, "{url}");
        }
    }

    #[test]
    fn only_proxies_are_looked_at() {
        let kept = |name, value: &str| without_credentials(name, value.into());
        assert_eq!(kept("HOME", "/a@b/c"), Some("/a@b/c".into()));
        assert_eq!(kept("NO_PROXY", "a,b@c/d"), Some("a,b@c/d".into()));
        for name in ["http_proxy", "HTTPS_PROXY", "all_proxy", "FTP_PROXY"] {
            assert_eq!(kept(name, "u:p@h"), Some("h".into()), "{name}");
            assert_eq!(kept(name, "u:p/@h"), None, "{name}");
        }
    }
}
