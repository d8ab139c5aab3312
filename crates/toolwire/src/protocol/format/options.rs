//! How an answer is to be presented (the table of options in chapter 5).

use crate::{Code, Error, Role};

/// The smallest byte budget: what the formatter has to say itself always fits (FMT-24).
///
/// ```
/// use toolwire::{FormatOptions, MIN_BUDGET};
///
/// let budget = |bytes| FormatOptions { max_bytes: Some(bytes), ..FormatOptions::default() };
/// assert!(budget(MIN_BUDGET).check().is_ok());
/// assert!(budget(MIN_BUDGET - 1).check().is_err());
/// ```
pub const MIN_BUDGET: usize = 256;

/// The lengths that a nonce may have (FMT-30).
const NONCE_LENGTH: std::ops::RangeInclusive<usize> = 16..=64;

/// For whom an answer is presented.
///
/// ```
/// assert_eq!(toolwire::Target::default(), toolwire::Target::Model);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Target {
    /// A language model: text stays as it is.
    #[default]
    Model,
    /// A terminal: everything that could speak to it is neutralized (FMT-40).
    Terminal,
}

closed_words!(Target, "a target", {
    Model => "model",
    Terminal => "terminal",
});

/// What stands around content.
///
/// ```
/// assert_eq!(toolwire::Style::default(), toolwire::Style::Fence);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Style {
    /// Markdown code fences and marker lines.
    #[default]
    Fence,
    /// XML elements.
    Xml,
}

closed_words!(Style, "a style", {
    Fence => "fence",
    Xml => "xml",
});

/// Options of [`format`](crate::format()).
///
/// # Examples
///
/// ```
/// use toolwire::{FormatOptions, Style};
///
/// let options = FormatOptions { style: Style::Xml, max_bytes: Some(4096), ..FormatOptions::default() };
/// assert!(!options.header);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormatOptions {
    /// For whom; a model by default.
    pub target: Target,
    /// Code fences by default.
    pub style: Style,
    /// Whether a line with URI, name, type and line range stands above each fence; no by default.
    /// Style xml always has them as attributes.
    pub header: bool,
    /// Maximum size of the result in bytes of UTF-8, at least [`MIN_BUDGET`]; no limit by default.
    pub max_bytes: Option<usize>,
    /// Leaves out the blocks that are not for this role; nothing is left out by default.
    pub audience: Option<Role>,
    /// A random word that fences off untrusted content: 16 to 64 letters, digits, `-` or `_`. The
    /// caller draws a new one each time; by default there is no such fence.
    pub nonce: Option<String>,
    /// Whether colours are kept on a terminal; yes by default.
    pub color: bool,
}

impl Default for FormatOptions {
    fn default() -> Self {
        FormatOptions {
            target: Target::Model,
            style: Style::Fence,
            header: false,
            max_bytes: None,
            audience: None,
            nonce: None,
            color: true,
        }
    }
}

impl FormatOptions {
    /// Checks options that were filled in by hand; [`format`](crate::format()) does it too.
    ///
    /// # Errors
    ///
    /// `bad_option` where the budget is outside of its range (FMT-24) or the nonce malformed (FMT-30).
    ///
    /// # Examples
    ///
    /// ```
    /// use toolwire::FormatOptions;
    ///
    /// let options = FormatOptions { nonce: Some("short".into()), ..FormatOptions::default() };
    /// assert_eq!(options.check().unwrap_err().pointer(), "/nonce");
    /// ```
    pub fn check(&self) -> Result<(), Error> {
        let most = crate::MAX_BYTES;
        let wrong_budget = |budget: &usize| !(MIN_BUDGET..=most).contains(budget);
        if let Some(budget) = self.max_bytes.filter(wrong_budget) {
            let message =
                format!("`maxBytes` is a whole number from {MIN_BUDGET} to {most}, not `{budget}`");
            return Err(Error::new(Code::BadOption, "/maxBytes", None, message));
        }
        let fits = |nonce: &String| {
            NONCE_LENGTH.contains(&nonce.len())
                && nonce
                    .bytes()
                    .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'))
        };
        if self.nonce.as_ref().is_some_and(|nonce| !fits(nonce)) {
            let message = "`nonce` is 16 to 64 letters, digits, `-` or `_`; draw it at random";
            return Err(Error::new(Code::BadOption, "/nonce", None, message));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_budget_is_told_the_whole_range() {
        let range = "`maxBytes` is a whole number from 256 to 4294967295, not";
        for budget in [0, 255, crate::MAX_BYTES + 1] {
            let by_hand = FormatOptions {
                max_bytes: Some(budget),
                ..FormatOptions::default()
            };
            let message = format!("{range} `{budget}`");
            assert_eq!(by_hand.check().unwrap_err().message(), message);
        }
        for budget in [256, crate::MAX_BYTES] {
            let by_hand = FormatOptions {
                max_bytes: Some(budget),
                ..FormatOptions::default()
            };
            assert!(by_hand.check().is_ok());
        }
    }
}
