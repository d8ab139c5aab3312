//! The URLs that a host may open for a person (ENV-18).

/// The URL of a page that a host may open for a person, taken apart (ENV-18).
///
/// ```
/// use toolwire::WebUrl;
///
/// let url = WebUrl::new("https://example.org:8443/login?state=7f3a").expect("a page");
/// assert_eq!((url.host(), url.is_encrypted()), ("example.org", true));
///
/// assert!(WebUrl::new("file:///etc/passwd").is_none());
/// assert!(WebUrl::new("https://example.org@example.com/").is_none());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WebUrl<'a> {
    whole: &'a str,
    /// Where the host begins and ends.
    start: usize,
    end: usize,
}

impl<'a> WebUrl<'a> {
    /// Maximum size of such a URL, in bytes.
    ///
    /// ```
    /// let url = format!("https://example.org/{}", "a".repeat(toolwire::WebUrl::MAX_BYTES));
    /// assert!(toolwire::WebUrl::new(&url).is_none());
    /// ```
    pub const MAX_BYTES: usize = 8192;

    /// What is expected where a text is no such URL.
    pub(crate) const EXPECTED: &'static str = "an absolute `https` or `http` URL in ASCII, without user \
        information, of at most 8,192 bytes";

    /// Takes a URL apart; `None` if a host may not open it: it has another scheme than `https` and
    /// `http`, user information, a host that is not spelt out in ASCII, or a character that has no place
    /// in a URL.
    ///
    /// ```
    /// assert!(toolwire::WebUrl::new("http://localhost:3000/").is_some());
    /// assert!(toolwire::WebUrl::new("https://exämple.org/").is_none());
    /// ```
    #[must_use]
    pub fn new(text: &'a str) -> Option<Self> {
        if text.len() > Self::MAX_BYTES {
            return None;
        }
        let start = ["https://", "http://"].into_iter().find_map(|scheme| {
            let begins = text.get(..scheme.len())?;
            begins.eq_ignore_ascii_case(scheme).then_some(scheme.len())
        })?;
        let rest = text.get(start..)?;
        let length = match rest.strip_prefix('[') {
            Some(address) => {
                let is_part = |byte: &u8| byte.is_ascii_hexdigit() || b":.".contains(byte);
                let length = address.bytes().take_while(|byte| is_part(byte)).count();
                let closed = length > 0 && address.as_bytes().get(length) == Some(&b']');
                closed.then_some(length + 2)?
            }
            None => {
                let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"._-".contains(byte);
                rest.bytes().next().filter(u8::is_ascii_alphanumeric)?;
                rest.bytes().take_while(|byte| is_part(byte)).count()
            }
        };
        let mut after = rest.get(length..)?;
        if let Some(port) = after.strip_prefix(':') {
            let digits = port.bytes().take_while(u8::is_ascii_digit).count();
            after = (1..=5).contains(&digits).then(|| port.get(digits..))??;
        }
        let opens = after
            .bytes()
            .next()
            .is_none_or(|byte| b"/?#".contains(&byte));
        let is_plain = |byte: u8| byte.is_ascii_graphic() && !b"\"<>\\`".contains(&byte);
        (opens && after.bytes().all(is_plain)).then_some(WebUrl {
            whole: text,
            start,
            end: start + length,
        })
    }

    /// The host, an address of IPv6 with its brackets.
    ///
    /// ```
    /// assert_eq!(toolwire::WebUrl::new("https://[::1]/").map(|url| url.host()), Some("[::1]"));
    /// ```
    #[must_use]
    pub fn host(&self) -> &'a str {
        self.whole.get(self.start..self.end).unwrap_or_default()
    }

    /// Whether the scheme is `https`.
    ///
    /// ```
    /// assert!(!toolwire::WebUrl::new("http://example.org").expect("a page").is_encrypted());
    /// ```
    #[must_use]
    pub fn is_encrypted(&self) -> bool {
        self.start == "https://".len()
    }
}

#[cfg(test)]
mod tests {
    use super::WebUrl;

    #[test]
    fn only_what_cannot_mislead_is_a_page() {
        for (url, host) in [
            ("https://example.org", "example.org"),
            ("HTTP://Example.ORG:80", "Example.ORG"),
            (
                "https://xn--e1afmkfd.xn--p1ai/%D0%B0?q={a|b}^~",
                "xn--e1afmkfd.xn--p1ai",
            ),
            ("https://[2001:db8::1]:8443?x#y/#z", "[2001:db8::1]"),
            ("https://127.0.0.1:65536/", "127.0.0.1"),
        ] {
            assert_eq!(WebUrl::new(url).map(|url| url.host()), Some(host), "{url}");
        }
        for url in [
            "",
            "https://",
            "https:example.org",
            "//example.org/",
            "ftp://example.org/",
            "javascript:alert(1)",
            "https://user@example.org/",
            "https://user:1@example.org/",
            "https://example.org\\@example.com/",
            "https://exa%6Dple.org/",
            "https://-example.org/",
            "https://.example.org/",
            "https://[::1/",
            "https://[]/",
            "https://[::1]x/",
            "https://[fe80::1%25eth0]/",
            "https://example.org:/",
            "https://example.org:123456/",
            "https://example.org/a b",
            "https://example.org/\"",
            "https://example.org/<",
            "https://example.org/`",
            "https://example.org/\u{1b}[0m",
            "https://example.org/\u{7f}",
            "https://example.org/\u{202e}",
            "https://exämple.org/",
            " https://example.org/",
        ] {
            assert_eq!(WebUrl::new(url), None, "{url}");
        }
    }

    #[test]
    fn a_page_is_of_at_most_so_many_bytes() {
        let longest = format!("https://e/{}", "a".repeat(WebUrl::MAX_BYTES - 10));
        assert!(WebUrl::new(&longest).is_some());
        assert!(WebUrl::new(&format!("{longest}a")).is_none());
    }
}
