//! Closed sets of words, such as the verdicts or the states of an answer: one enum each, all with the
//! same methods.

use std::fmt;

/// A word that is not one of a closed set.
///
/// ```
/// let error = "paused".parse::<toolwire::Status>().unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "`paused` is not a status: use `running`, `waiting` or `stopped`",
/// );
/// let error = "no_such_code".parse::<toolwire::Code>().unwrap_err();
/// assert_eq!(error.to_string(), "`no_such_code` is not a diagnostic code");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownWord {
    word: String,
    what: &'static str,
    known: &'static [&'static str],
}

/// Maximum number of words of a set that a message lists.
const MAX_LISTED: usize = 8;

impl UnknownWord {
    /// The error for a word that is none of those in `known`. `what` names one of them with its article.
    ///
    /// ```
    /// use toolwire::UnknownWord;
    ///
    /// let error = UnknownWord::new("mauve", "a colour", &["red", "blue"]);
    /// assert_eq!(error.to_string(), "`mauve` is not a colour: use `red` or `blue`");
    /// ```
    #[must_use]
    pub fn new(word: &str, what: &'static str, known: &'static [&'static str]) -> Self {
        UnknownWord {
            word: word.to_owned(),
            what,
            known,
        }
    }

    /// The word that was given.
    ///
    /// ```
    /// let error = "cat".parse::<toolwire::Role>().unwrap_err();
    /// assert_eq!(error.word(), "cat");
    /// ```
    #[must_use]
    pub fn word(&self) -> &str {
        &self.word
    }

    /// The words that there are.
    ///
    /// ```
    /// let error = "cat".parse::<toolwire::Role>().unwrap_err();
    /// assert_eq!(error.known(), ["user", "assistant"]);
    /// ```
    #[must_use]
    pub fn known(&self) -> &'static [&'static str] {
        self.known
    }

    /// The words that there are, for a message.
    ///
    /// ```
    /// let error = "cat".parse::<toolwire::Role>().unwrap_err();
    /// assert_eq!(error.choices(), "`user` or `assistant`");
    /// ```
    #[must_use]
    pub fn choices(&self) -> String {
        choices(self.known)
    }
}

impl fmt::Display for UnknownWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not {}", self.word, self.what)?;
        if self.known.len() > MAX_LISTED {
            return Ok(());
        }
        write!(f, ": use {}", self.choices())
    }
}

impl std::error::Error for UnknownWord {}

/// Words to choose from, for a message.
fn choices(words: &[&str]) -> String {
    let mut out = String::new();
    for (index, word) in words.iter().enumerate() {
        let separator = match index {
            0 => "",
            last if last + 1 == words.len() => " or ",
            _ => ", ",
        };
        out.push_str(&format!("{separator}`{word}`"));
    }
    out
}

/// Implements a closed set of words for an enum without fields: `ALL`, `as_str`, `Display`, `FromStr` (its
/// error is [`UnknownWord`]), and serde as a string.
///
/// The arguments are the enum, what one of its values is called in messages, and the word of each value.
/// The enum itself is `Debug`, `Clone` and `Copy`.
///
/// ```
/// /// A side of a street.
/// #[derive(Debug, Clone, Copy, PartialEq, Eq)]
/// pub enum Side {
///     /// The left one.
///     Left,
///     /// The right one.
///     Right,
/// }
///
/// toolwire::closed_words!(Side, "a side", {
///     Left => "left",
///     Right => "right",
/// });
///
/// assert_eq!(Side::ALL, [Side::Left, Side::Right]);
/// assert_eq!("left".parse(), Ok(Side::Left));
/// let error = "up".parse::<Side>().unwrap_err();
/// assert_eq!(error.to_string(), "`up` is not a side: use `left` or `right`");
/// ```
#[macro_export]
macro_rules! closed_words {
    ($type:ident, $what:literal, { $($variant:ident => $word:literal),+ $(,)? }) => {
        impl $type {
            /// Every value, in the order of the specification.
            ///
            /// ```
            /// use toolwire::Verdict;
            ///
            /// assert_eq!(Verdict::ALL, [Verdict::Valid, Verdict::Warnings, Verdict::Raw]);
            /// ```
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The word that stands in JSON. `Display` writes it, and `FromStr` reads it.
            ///
            /// ```
            /// use toolwire::Verdict;
            ///
            /// assert_eq!(Verdict::Raw.as_str(), "raw");
            /// assert_eq!("raw".parse(), Ok(Verdict::Raw));
            /// ```
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $word),+
                }
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl std::str::FromStr for $type {
            type Err = $crate::UnknownWord;

            fn from_str(word: &str) -> Result<Self, Self::Err> {
                match word {
                    $($word => Ok(Self::$variant),)+
                    _ => Err($crate::UnknownWord::new(word, $what, &[$($word),+])),
                }
            }
        }

        impl $crate::__serde::Serialize for $type {
            fn serialize<S: $crate::__serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> $crate::__serde::Deserialize<'de> for $type {
            fn deserialize<D: $crate::__serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let word = <std::borrow::Cow<'de, str> as $crate::__serde::Deserialize>::deserialize(
                    deserializer,
                )?;
                word.parse().map_err($crate::__serde::de::Error::custom)
            }
        }
    };
}
