//! Who may call over HTTP.

use std::path::Path;

use subtle::ConstantTimeEq;
use toolwire::digest_bytes;

use crate::server::{ServeError, secrets};

/// The environment variable with the tokens. No tool gets it.
pub const TOKENS_VARIABLE: &str = "TOOLWIRE_HTTP_TOKENS";

/// The most bytes of a file with tokens.
const MAX_FILE: u64 = 1024 * 1024;

/// A token that is shorter could be guessed.
const MIN_TOKEN: usize = 16;

/// The tokens that are accepted, each with the principal that it stands for.
///
/// ```
/// use toolwire_mcp::server::Tokens;
///
/// let tokens = Tokens::parse("# team\nanna: kIu5Tgp2mAq0Zs8L\nci: 0Zs8LkIu5Tgp2mAq\n")?;
/// assert_eq!(format!("{tokens:?}"), "Tokens(2)"); // never the tokens themselves
/// # Ok::<(), toolwire_mcp::server::ServeError>(())
/// ```
#[derive(Clone, Default)]
pub struct Tokens(Vec<Token>);

#[derive(Clone)]
struct Token {
    principal: String,
    /// Of the token, so that all compare in the same time, whatever their lengths.
    digest: String,
}

impl std::fmt::Debug for Tokens {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Tokens({})", self.0.len())
    }
}

impl Tokens {
    /// Reads tokens, one a line: the principal, `:` and the token. A principal can have several tokens. A
    /// line that begins with `#` is a comment.
    ///
    /// # Errors
    ///
    /// If there is none; if a line is not like that; if a token is shorter than 16 characters, has others
    /// than visible ASCII, or stands for two principals. The message never has the token.
    ///
    /// ```
    /// use toolwire_mcp::server::Tokens;
    ///
    /// let error = Tokens::parse("anna: secret").unwrap_err();
    /// assert_eq!(error.to_string(), "line 1: the token is shorter than 16 characters");
    /// ```
    pub fn parse(text: &str) -> Result<Self, ServeError> {
        let mut tokens: Vec<Token> = Vec::new();
        for (at, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let refuse = |why: &str| ServeError::new(format!("line {}: {why}", at + 1));
            let (principal, token) = line
                .split_once(':')
                .ok_or_else(|| refuse("write the principal, `:` and the token"))?;
            let (principal, token) = (principal.trim(), token.trim());
            if principal.is_empty() || principal.contains(char::is_control) {
                return Err(refuse("name a principal before the `:`"));
            }
            if token.len() < MIN_TOKEN {
                let message = format!("the token is shorter than {MIN_TOKEN} characters");
                return Err(refuse(&message));
            }
            if !token.bytes().all(|byte| byte.is_ascii_graphic()) {
                return Err(refuse("the token has characters that no header can have"));
            }
            let digest = digest_bytes(token.as_bytes());
            let same = tokens.iter().find(|other| other.digest == digest);
            if same.is_some_and(|other| other.principal != principal) {
                return Err(refuse("another principal has this token"));
            }
            tokens.push(Token {
                principal: principal.to_owned(),
                digest,
            });
        }
        match tokens.is_empty() {
            true => Err(ServeError::new("there is no token")),
            false => Ok(Tokens(tokens)),
        }
    }

    /// Reads the tokens of a file, as [`Tokens::parse`] does.
    ///
    /// # Errors
    ///
    /// Those of [`Tokens::parse`]; if the file can't be read, is over 1 MiB, or could have been written by
    /// others, who would let themselves in.
    pub fn from_file(path: &Path) -> Result<Self, ServeError> {
        secrets::from_file(path, MAX_FILE, "tokens", Tokens::parse)
    }

    /// The tokens in the environment variable `TOOLWIRE_HTTP_TOKENS`, if it is set.
    ///
    /// # Errors
    ///
    /// Those of [`Tokens::parse`].
    pub fn from_environment() -> Result<Option<Self>, ServeError> {
        secrets::from_environment(TOKENS_VARIABLE, Tokens::parse)
    }

    /// Whether there are none, so that everybody may call.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Who presents this token; nothing if nobody has it. It takes the same time for each that is wrong.
    pub(super) fn principal(&self, presented: &str) -> Option<&str> {
        let digest = digest_bytes(presented.as_bytes());
        let mut found = None;
        for token in &self.0 {
            if bool::from(token.digest.as_bytes().ct_eq(digest.as_bytes())) {
                found = Some(token.principal.as_str());
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_token_stands_for_its_principal() {
        let tokens =
            Tokens::parse("b: 0123456789abcdef\na:fedcba9876543210\nb : 0123456789abcdeF\n")
                .unwrap();
        assert_eq!(tokens.principal("0123456789abcdef"), Some("b"));
        assert_eq!(tokens.principal("0123456789abcdeF"), Some("b"));
        assert_eq!(tokens.principal("fedcba9876543210"), Some("a"));
        for wrong in [
            "",
            "0123456789abcde",
            "0123456789abcdef0",
            "FEDCBA9876543210",
        ] {
            assert_eq!(tokens.principal(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn what_is_no_token_is_refused_without_telling_it() {
        let cases = [
            ("", "there is no token"),
            ("# only\n", "there is no token"),
            ("\n0123456789abcdef", "line 2: write the principal"),
            (": 0123456789abcdef", "line 1: name a principal"),
            ("a: 0123456789abcde", "line 1: the token is shorter than 16"),
            ("a: 0123456789 abcdef", "characters that no header"),
            (
                "a: 0123456789abcdef\nb: 0123456789abcdef",
                "line 2: another principal",
            ),
        ];
        for (text, message) in cases {
            let error = Tokens::parse(text).unwrap_err().to_string();
            assert!(
                error.contains(message) && !error.contains("456789"),
                "{error}"
            );
        }
    }
}
