//! Identities of resources, and receipts against what a model already has (ID rules).

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use crate::base::uri::{Root, root_relative};
use crate::{BlockKind, Code, Error, Parsed, digest_bytes};

/// What a model already has: one identity of an earlier answer.
///
/// ```
/// use toolwire::{IdentifyOptions, Known};
///
/// let digest = toolwire::digest_bytes(b"hi");
/// let known = Known { uri: "file:///a.rs".into(), digest };
/// let options = IdentifyOptions { known: vec![known], ..Default::default() };
/// assert_eq!(options.known[0].uri, "file:///a.rs");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Known {
    /// The URI, canonical or not (ID-10).
    pub uri: String,
    /// `sha256:` and 64 lower-case hexadecimal digits.
    pub digest: String,
}

impl Known {
    /// An identity whose digest is of the right form.
    ///
    /// # Errors
    ///
    /// `bad_option` at `/digest` if it is not `sha256:` with 64 lower-case hexadecimal digits (ID-15).
    ///
    /// # Examples
    ///
    /// ```
    /// use toolwire::Known;
    ///
    /// assert!(Known::new("file:///a.rs", toolwire::digest_bytes(b"hi")).is_ok());
    /// assert_eq!(Known::new("file:///a.rs", "hi").unwrap_err().pointer(), "/digest");
    /// ```
    pub fn new(uri: impl Into<String>, digest: impl Into<String>) -> Result<Self, Error> {
        let (uri, digest) = (uri.into(), digest.into());
        if is_digest(&digest) {
            Ok(Known { uri, digest })
        } else {
            Err(wrong_digest("/digest"))
        }
    }
}

/// How to identify.
///
/// ```
/// use toolwire::IdentifyOptions;
///
/// let options = IdentifyOptions { root: Some("/project".into()), ..Default::default() };
/// assert!(options.known.is_empty());
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IdentifyOptions {
    /// The workspace root: an absolute path or a `file:` URI. Without one, relative URIs have no
    /// canonical form.
    pub root: Option<String>,
    /// The identities that the model already has, in the order in which it got them.
    pub known: Vec<Known>,
}

/// How a resource relates to what the model already has.
///
/// ```
/// use toolwire::{IdentifyOptions, Limits, Receipt, identify, parse};
///
/// let output = br#"{"content":[{"type":"resource","resource":{"uri":"a:b","text":""}}]}"#;
/// let identities = identify(&parse(&output[..], &Limits::default()), &IdentifyOptions::default())?;
/// assert_eq!(identities[0].status, Receipt::New);
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Receipt {
    /// Its URI is not known.
    New,
    /// Its URI is known with the same digest.
    Repeat,
    /// Its URI is known with another digest.
    Changed,
}

closed_words!(Receipt, "a receipt", {
    New => "new",
    Repeat => "repeat",
    Changed => "changed",
});

/// What a resource is: where it is from, and what it holds.
///
/// Two resources are the same if `uri` and `digest` are equal (ID-9).
///
/// ```
/// use toolwire::{IdentifyOptions, Limits, identify, parse};
///
/// let output = br#"{"content":[{"type":"resource","resource":{"uri":"/a/./b","blob":"aGk="}}]}"#;
/// let identities = identify(&parse(&output[..], &Limits::default()), &IdentifyOptions::default())?;
/// assert_eq!((identities[0].uri.as_str(), identities[0].size), ("file:///a/b", 2));
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Identity {
    /// The block, as a JSON Pointer such as `/content/3`.
    pub pointer: String,
    /// The canonical URI; if there is none, the URI as the tool wrote it.
    pub uri: String,
    /// Whether `uri` is canonical.
    pub normalized: bool,
    /// The digest of the raw content: of the text's UTF-8, or of the decoded blob; `sha256:<hex>`.
    pub digest: String,
    /// The length of the raw content in bytes.
    pub size: u64,
    /// The MIME type, as the tool wrote it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    /// How it relates to what is known.
    pub status: Receipt,
    /// The digest that was known, if the status is [`Receipt::Changed`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub previous: Option<String>,
}

impl Identity {
    /// The identity as a JSON object; absent members are left out.
    ///
    /// ```
    /// use toolwire::{IdentifyOptions, Limits, identify, parse};
    ///
    /// let output = br#"{"content":[{"type":"resource","resource":{"uri":"/a","text":""}}]}"#;
    /// let parsed = parse(&output[..], &Limits::default());
    /// let json = identify(&parsed, &IdentifyOptions::default())?[0].to_json();
    /// assert!(json.starts_with(r#"{"pointer":"/content/0","uri":"file:///a","normalized":true,"#));
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn to_json(&self) -> String {
        // Strings, numbers and words are always written.
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// The identity of each delivered resource, in order, and its receipt against what is known.
///
/// A resource that occurs again in the same envelope is judged against the earlier one (ID-14). An
/// answer without resources, such as raw text, has no identities.
///
/// # Errors
///
/// `bad_option` if the root is neither an absolute path nor a `file:` URI, or if a known digest is
/// not `sha256:` with 64 lower-case hexadecimal digits. Never because of what the tool wrote.
///
/// # Examples
///
/// ```
/// use toolwire::{IdentifyOptions, Known, Limits, Receipt, identify, parse};
///
/// let output = br#"{"content":[{"type":"resource","resource":{"uri":"src/a.rs","text":"hi"}}]}"#;
/// let parsed = parse(&output[..], &Limits::default());
/// let mut options = IdentifyOptions { root: Some("/project".into()), ..Default::default() };
///
/// let first = identify(&parsed, &options)?;
/// assert_eq!(first[0].uri, "file:///project/src/a.rs");
/// assert_eq!(first[0].digest, toolwire::digest_bytes(b"hi"));
/// assert_eq!(first[0].status, Receipt::New);
///
/// let Identity { uri, digest, .. } = first[0].clone();
/// options.known.push(Known { uri, digest });
/// assert_eq!(identify(&parsed, &options)?[0].status, Receipt::Repeat);
/// # use toolwire::Identity;
/// # Ok::<(), toolwire::Error>(())
/// ```
pub fn identify(parsed: &Parsed<'_>, options: &IdentifyOptions) -> Result<Vec<Identity>, Error> {
    let root = options.root.as_deref().map(Root::read).transpose()?;
    let root = root.as_ref();
    let mut known = HashMap::new();
    for (i, identity) in options.known.iter().enumerate() {
        if !is_digest(&identity.digest) {
            return Err(wrong_digest(format!("/known/{i}/digest")));
        }
        known.insert(
            canonical_or_verbatim(&identity.uri, root).0,
            identity.digest.clone(),
        );
    }
    let mut identities = Vec::new();
    for block in parsed
        .blocks()
        .filter(|block| block.kind() == BlockKind::Resource)
    {
        let content = block.content_bytes();
        let (uri, normalized) = canonical_or_verbatim(&block.uri().unwrap_or_default(), root);
        let digest = digest_bytes(&content);
        let (status, previous) = match known.insert(uri.clone(), digest.clone()) {
            None => (Receipt::New, None),
            Some(earlier) if earlier == digest => (Receipt::Repeat, None),
            Some(earlier) => (Receipt::Changed, Some(earlier)),
        };
        identities.push(Identity {
            pointer: block.pointer(),
            uri,
            normalized,
            digest,
            size: content.len() as u64,
            mime_type: block.mime_type().map(|mime_type| mime_type.into_owned()),
            status,
            previous,
        });
    }
    Ok(identities)
}

/// The canonical URI and true, or the URI as it is and false (ID-3).
fn canonical_or_verbatim(uri: &str, root: Option<&Root>) -> (String, bool) {
    match root_relative(uri, root) {
        Ok(canonical) => (canonical, true),
        Err(_) => (uri.to_owned(), false),
    }
}

fn is_digest(text: &str) -> bool {
    text.strip_prefix("sha256:").is_some_and(|hex| {
        hex.len() == 64 && hex.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
    })
}

fn wrong_digest(pointer: impl Into<String>) -> Error {
    let message = "`digest` is `sha256:` and 64 lower-case hexadecimal digits";
    Error::new(Code::BadOption, pointer, None, message)
}
