//! The keys that seal a `requestState`.

use std::path::Path;

use base64::Engine;
use base64::alphabet::{STANDARD, URL_SAFE};
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{Key, XChaCha20Poly1305, XNonce};

use super::{ServeError, secrets};

/// The environment variable with the keys. No tool gets it.
pub const KEYS_VARIABLE: &str = "TOOLWIRE_STATE_KEYS";

/// The most bytes of a file with keys.
const MAX_FILE: u64 = 64 * 1024;

const KEY: usize = 32;
const NONCE: usize = 24;
const ID: usize = 24;

/// What stands before the nonce, and is authenticated: which form this is.
const FORM: u8 = 1;
const CONTEXT: &[u8] = b"toolwire requestState 1";

const LENIENT: GeneralPurposeConfig =
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
const BASE64: GeneralPurpose = GeneralPurpose::new(&STANDARD, LENIENT);
pub(super) const BASE64URL: GeneralPurpose =
    GeneralPurpose::new(&URL_SAFE, LENIENT.with_encode_padding(false));

/// The keys that seal a `requestState`: the first one seals, each of them opens. To rotate, put a new key
/// before the old one, and take the old one away when the states that it sealed have expired.
///
/// ```
/// use toolwire_mcp::server::StateKeys;
///
/// let keys = StateKeys::parse("# new\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAE=\n")?;
/// assert_eq!(format!("{keys:?}"), "StateKeys(1)"); // never the keys themselves
/// # Ok::<(), toolwire_mcp::server::ServeError>(())
/// ```
#[derive(Clone)]
pub struct StateKeys(Vec<[u8; KEY]>);

impl std::fmt::Debug for StateKeys {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "StateKeys({})", self.0.len())
    }
}

fn cipher(key: &[u8; KEY]) -> XChaCha20Poly1305 {
    XChaCha20Poly1305::new(&Key::from(*key))
}

impl StateKeys {
    /// A key that only this process has.
    ///
    /// # Errors
    ///
    /// If the operating system gives no randomness.
    ///
    /// ```
    /// let keys = toolwire_mcp::server::StateKeys::random()?;
    /// # let _ = keys;
    /// # Ok::<(), toolwire_mcp::server::ServeError>(())
    /// ```
    pub fn random() -> Result<Self, ServeError> {
        let mut key = [0; KEY];
        fill(&mut key)?;
        Ok(StateKeys(vec![key]))
    }

    /// Reads keys, one a line or between commas: each is 32 bytes in base64, base64url or hexadecimal. A line
    /// may end with a comment that begins with `#`.
    ///
    /// # Errors
    ///
    /// If there is no key, or one is not 32 bytes. The message never has the key.
    ///
    /// ```
    /// use toolwire_mcp::server::StateKeys;
    ///
    /// assert!(StateKeys::parse(&"ab".repeat(32)).is_ok());
    /// let error = StateKeys::parse("hunter2").unwrap_err();
    /// assert_eq!(error.to_string(), "key 1 is not 32 bytes in base64 or hexadecimal");
    /// ```
    pub fn parse(text: &str) -> Result<Self, ServeError> {
        let lines = text
            .lines()
            .map(|line| line.split('#').next().unwrap_or(""));
        let words = lines.flat_map(|line| line.split([',', ' ', '\t']));
        let words = words.map(str::trim).filter(|word| !word.is_empty());
        let mut keys = Vec::new();
        for (at, word) in words.enumerate() {
            let key = read(word).ok_or_else(|| {
                let number = at + 1;
                ServeError::new(format!(
                    "key {number} is not 32 bytes in base64 or hexadecimal"
                ))
            })?;
            keys.push(key);
        }
        match keys.is_empty() {
            true => Err(ServeError::new("there is no key")),
            false => Ok(StateKeys(keys)),
        }
    }

    /// Reads the keys of a file, as [`StateKeys::parse`] does.
    ///
    /// # Errors
    ///
    /// Those of [`StateKeys::parse`]; if the file can't be read, is over 64 KiB, or could have been written by
    /// others, who could then forge states.
    ///
    /// ```
    /// use std::path::Path;
    /// use toolwire_mcp::server::StateKeys;
    ///
    /// assert!(StateKeys::from_file(Path::new("./no/such/file")).is_err());
    /// ```
    pub fn from_file(path: &Path) -> Result<Self, ServeError> {
        secrets::from_file(path, MAX_FILE, "keys", StateKeys::parse)
    }

    /// The keys in the environment variable `TOOLWIRE_STATE_KEYS`, if it is set.
    ///
    /// # Errors
    ///
    /// Those of [`StateKeys::parse`].
    ///
    /// ```
    /// let keys = toolwire_mcp::server::StateKeys::from_environment()?;
    /// # let _ = keys;
    /// # Ok::<(), toolwire_mcp::server::ServeError>(())
    /// ```
    pub fn from_environment() -> Result<Option<Self>, ServeError> {
        secrets::from_environment(KEYS_VARIABLE, StateKeys::parse)
    }

    /// The keys as [`StateKeys::parse`] reads them, for another process of the same user.
    pub(super) fn to_text(&self) -> String {
        let keys: Vec<String> = self.0.iter().map(|key| BASE64URL.encode(key)).collect();
        keys.join(",")
    }

    /// Seals a text with the first key.
    pub(super) fn seal(&self, text: &str) -> Result<String, ServeError> {
        let mut nonce = [0; NONCE];
        fill(&mut nonce)?;
        let payload = Payload {
            msg: text.as_bytes(),
            aad: CONTEXT,
        };
        let key = self.0.first();
        let sealed = key.and_then(|key| cipher(key).encrypt(&XNonce::from(nonce), payload).ok());
        let sealed = sealed.ok_or_else(|| ServeError::new("the state can't be sealed"))?;
        let mut bytes = Vec::with_capacity(1 + NONCE + sealed.len());
        bytes.push(FORM);
        bytes.extend_from_slice(&nonce);
        bytes.extend_from_slice(&sealed);
        Ok(BASE64URL.encode(bytes))
    }

    /// What was sealed with one of these keys; nothing if it was not, or not to the last bit.
    pub(super) fn open(&self, sealed: &str) -> Option<String> {
        let bytes = BASE64URL.decode(sealed).ok()?;
        let (form, rest) = bytes.split_first()?;
        let (nonce, sealed) = rest.split_first_chunk::<NONCE>()?;
        if *form != FORM {
            return None;
        }
        let nonce = XNonce::from(*nonce);
        let opened = self.0.iter().find_map(|key| {
            let payload = Payload {
                msg: sealed,
                aad: CONTEXT,
            };
            cipher(key).decrypt(&nonce, payload).ok()
        })?;
        String::from_utf8(opened).ok()
    }
}

/// An id that nobody can guess, with all but a little of 192 bits of randomness. It does not begin with
/// `-`, so that no command line takes it for an option.
pub(super) fn random_id() -> Result<String, ServeError> {
    let mut bytes = [0; ID];
    loop {
        fill(&mut bytes)?;
        let id = BASE64URL.encode(bytes);
        if !id.starts_with('-') {
            return Ok(id);
        }
    }
}

fn fill(bytes: &mut [u8]) -> Result<(), ServeError> {
    getrandom::fill(bytes)
        .map_err(|error| ServeError::new(format!("the system gives no randomness: {error}")))
}

fn read(word: &str) -> Option<[u8; KEY]> {
    if word.len() == 2 * KEY && word.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        let mut key = [0; KEY];
        for (at, byte) in key.iter_mut().enumerate() {
            *byte = u8::from_str_radix(word.get(2 * at..2 * at + 2)?, 16).ok()?;
        }
        return Some(key);
    }
    let bytes = BASE64
        .decode(word)
        .or_else(|_| BASE64URL.decode(word))
        .ok()?;
    bytes.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_one_key_seals_every_later_set_with_it_opens() {
        let (old, new) = ("01".repeat(32), "02".repeat(32));
        let before = StateKeys::parse(&old).unwrap();
        let after = StateKeys::parse(&format!("{new}\n{old} # until Friday\n")).unwrap();
        let sealed = before.seal("state").unwrap();
        assert_eq!(after.open(&sealed).as_deref(), Some("state"));
        let sealed = after.seal("state").unwrap();
        assert_eq!(before.open(&sealed), None, "the first key seals");
    }

    #[test]
    #[cfg(unix)]
    fn a_file_that_others_could_have_written_is_refused() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("keys");
        std::fs::write(&path, "01".repeat(KEY)).unwrap();
        assert!(StateKeys::from_file(&path).is_ok());
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o666)).unwrap();
        let error = StateKeys::from_file(&path).unwrap_err();
        assert!(error.to_string().contains("it is not used"), "{error}");
    }

    #[test]
    fn ids_are_long_and_no_options() {
        let ids: std::collections::HashSet<String> =
            (0..1000).map(|_| random_id().unwrap()).collect();
        assert_eq!(ids.len(), 1000);
        assert!(ids.iter().all(|id| id.len() == 32 && !id.starts_with('-')));
    }

    #[test]
    fn no_bit_may_be_changed_and_no_byte_be_missing() {
        let keys = StateKeys::random().unwrap();
        let sealed = keys.seal("{\"tool\":\"rename\"}").unwrap();
        let bytes = BASE64URL.decode(&sealed).unwrap();
        for at in 0..bytes.len() {
            let mut forged = bytes.clone();
            forged[at] ^= 1;
            assert_eq!(keys.open(&BASE64URL.encode(&forged)), None, "byte {at}");
            assert_eq!(keys.open(&BASE64URL.encode(&bytes[..at])), None);
        }
        assert_eq!(keys.open(&sealed).as_deref(), Some("{\"tool\":\"rename\"}"));
        assert_ne!(keys.seal("x").unwrap(), keys.seal("x").unwrap());
        assert!(!sealed.contains("rename"));
    }
}
