//! How much a reader takes on before it says no (READ-3).

use crate::{Code, Error};

/// The largest `max_depth` that can be set, so that no later walk over a document can exhaust the stack.
///
/// ```
/// use toolwire::{Limits, MAX_DEPTH};
///
/// assert!(Limits { max_depth: MAX_DEPTH, ..Limits::default() }.check().is_ok());
/// ```
pub const MAX_DEPTH: usize = 1024;

/// The largest `max_bytes` that can be set: offsets inside a document are kept in 32 bits.
///
/// ```
/// use toolwire::{Limits, MAX_BYTES};
///
/// assert!(Limits { max_bytes: MAX_BYTES, ..Limits::default() }.check().is_ok());
/// ```
pub const MAX_BYTES: usize = u32::MAX as usize;

/// Limits of one reading (READ-3). What is over a limit is not an envelope but raw text, with a
/// diagnostic; nothing is lost.
///
/// # Examples
///
/// ```
/// use toolwire::{Limits, Verdict, parse};
///
/// let small = Limits { max_bytes: 10, ..Limits::default() };
/// assert_eq!(parse(&br#"{"content":[]}"#[..], &small).verdict(), Verdict::Raw);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of the whole output; 64 MiB by default, at most [`MAX_BYTES`].
    pub max_bytes: usize,
    /// Open arrays and objects at one place; 128 by default, at most [`MAX_DEPTH`].
    pub max_depth: usize,
    /// JSON values of all kinds, member names not counted; 10,000,000 by default.
    pub max_values: usize,
    /// Elements of `content`; 100,000 by default.
    pub max_blocks: usize,
    /// Diagnostics that are kept; 100 by default. A note says how many more there were.
    pub max_diagnostics: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            max_bytes: 64 * 1024 * 1024,
            max_depth: 128,
            max_values: 10_000_000,
            max_blocks: 100_000,
            max_diagnostics: 100,
        }
    }
}

impl Limits {
    /// The widest limits that can be set: for texts of one's own making, which were held to narrower
    /// ones before.
    ///
    /// # Examples
    ///
    /// ```
    /// use toolwire::Limits;
    ///
    /// assert!(Limits::WIDEST.check().is_ok());
    /// assert!(Limits::WIDEST.max_depth > Limits::default().max_depth);
    /// ```
    pub const WIDEST: Limits = Limits {
        max_bytes: MAX_BYTES,
        max_depth: MAX_DEPTH,
        max_values: MAX_BYTES,
        max_blocks: MAX_BYTES,
        max_diagnostics: 100,
    };

    /// Checks limits that were filled in by hand.
    ///
    /// # Errors
    ///
    /// `bad_option` where `max_bytes` or `max_depth` is over its own limit (API-3).
    ///
    /// # Examples
    ///
    /// ```
    /// use toolwire::Limits;
    ///
    /// assert!(Limits { max_depth: 5_000, ..Limits::default() }.check().is_err());
    /// ```
    pub fn check(&self) -> Result<(), Error> {
        for (name, value, most) in [
            ("maxBytes", self.max_bytes, MAX_BYTES),
            ("maxDepth", self.max_depth, MAX_DEPTH),
        ] {
            if value > most {
                return Err(Error::new(
                    Code::BadOption,
                    format!("/{name}"),
                    None,
                    format!("`{name}` is at most {most}, not {value}"),
                ));
            }
        }
        Ok(())
    }
}
