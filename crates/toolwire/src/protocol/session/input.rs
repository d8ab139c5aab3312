//! What can be typed into a terminal or written to a program's pipes, as a value of JSON (TERM-1 to TERM-7).

use super::key::Key;
use crate::base::json::{Document, Kind, Place};
use crate::{Code, Error, Json};

/// Maximum size of the text of one input, in bytes.
const MAX_TEXT: usize = 1024 * 1024;
/// Maximum number of keys in one input.
const MAX_KEYS: usize = 1_000;
/// The fewest columns and rows of a terminal.
const MIN_SIZE: u16 = 2;
/// Maximum number of columns and rows of a terminal.
const MAX_SIZE: u16 = 500;

const PASTE: &str = "\x1b[200~";
const PASTE_END: &str = "\x1b[201~";

/// Input for a program that knows nothing of sessions: text, keys, or the size of its terminal.
///
/// ```
/// use toolwire::Json;
/// use toolwire::session::{TerminalInput, TerminalModes};
///
/// let input = TerminalInput::read(&Json::new(r#"{"text":"print(1)","enter":true}"#)?)?;
/// assert_eq!(input.typed(TerminalModes::default()), b"print(1)\r");
/// assert_eq!(input.piped()?, (b"print(1)\n".to_vec(), false));
///
/// let input = TerminalInput::read(&Json::new(r#"{"keys":["ctrl-c","up"]}"#)?)?;
/// assert_eq!(input.typed(TerminalModes::default()), b"\x03\x1b[A");
///
/// let error = TerminalInput::read(&Json::new(r#"{"key":"contrl-c"}"#)?).unwrap_err();
/// assert_eq!(error.pointer(), "/key");
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum TerminalInput {
    /// Text that is given to the byte: a JSON string.
    Verbatim(String),
    /// Text as a person types or pastes it: `{"text","enter","eof"}`.
    Text {
        /// The text.
        text: String,
        /// Whether the line ends after it.
        enter: bool,
        /// Whether nothing follows: the end of the program's input.
        eof: bool,
    },
    /// Keys: `{"key"}` or `{"keys"}`.
    Keys(Vec<Key>),
    /// A new size of the terminal: `{"size"}`.
    Size {
        /// How many columns it has.
        columns: u16,
        /// How many rows it has.
        rows: u16,
    },
}

/// Whether an input is the key with which a person interrupts a program, and nothing else. It is no text, so whoever
/// may not type at the prompt of a password can press it (SES-27).
///
/// ```
/// use toolwire::{Json, session::is_interrupt};
///
/// assert!(is_interrupt(&Json::new(r#"{"key":"ctrl-c"}"#)?));
/// assert!(!is_interrupt(&Json::from("1234")));
/// # Ok::<(), toolwire::Error>(())
/// ```
#[must_use]
pub fn is_interrupt(input: &Json) -> bool {
    let read = TerminalInput::read(input);
    read.is_ok_and(|input| input.typed(TerminalModes::default()) == b"\x03")
}

/// What the program has switched on in its terminal, as far as it changes what keys and texts send.
///
/// ```
/// assert!(!toolwire::session::TerminalModes::default().bracketed_paste);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct TerminalModes {
    /// Whether the cursor keys send other bytes (DECCKM).
    pub application_cursor: bool,
    /// Whether a text of several lines is marked as pasted (mode 2004).
    pub bracketed_paste: bool,
}

impl TerminalModes {
    /// Modes.
    ///
    /// ```
    /// use toolwire::session::{Key, TerminalModes};
    ///
    /// let home: Key = "home".parse().unwrap();
    /// assert_eq!(home.typed(TerminalModes::new(true, false)), b"\x1bOH");
    /// ```
    #[must_use]
    pub fn new(application_cursor: bool, bracketed_paste: bool) -> Self {
        TerminalModes {
            application_cursor,
            bracketed_paste,
        }
    }
}

impl TerminalInput {
    /// Reads an input.
    ///
    /// # Errors
    ///
    /// `bad_argument` at the first place that is wrong, with what to write instead (TERM-2).
    ///
    /// ```
    /// use toolwire::{Json, session::TerminalInput};
    ///
    /// let input = TerminalInput::read(&Json::new(r#"{"size":[120,40]}"#)?)?;
    /// assert_eq!(input, TerminalInput::Size { columns: 120, rows: 40 });
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    pub fn read(input: &Json) -> Result<Self, Error> {
        let document = Document::new(input.as_str())?;
        read(Place::new(document.root(), "", Code::BadArgument)).map_err(Error::placeless)
    }

    /// The bytes that a terminal sends for it; none for a size (TERM-3 to TERM-6).
    ///
    /// ```
    /// use toolwire::{Json, session::{TerminalInput, TerminalModes}};
    ///
    /// let input = TerminalInput::read(&Json::new(r#"{"text":"y","enter":true}"#)?)?;
    /// assert_eq!(input.typed(TerminalModes::default()), b"y\r");
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn typed(&self, modes: TerminalModes) -> Vec<u8> {
        match self {
            TerminalInput::Verbatim(text) => text.clone().into_bytes(),
            TerminalInput::Text { text, enter, eof } => {
                let mut bytes = pasted(text, modes.bracketed_paste).into_bytes();
                bytes.extend(enter.then_some(b'\r'));
                bytes.extend(eof.then_some(0x04));
                bytes
            }
            TerminalInput::Keys(keys) => keys.iter().flat_map(|key| key.typed(modes)).collect(),
            TerminalInput::Size { .. } => Vec::new(),
        }
    }

    /// The bytes that are written to a pipe for it, and whether the pipe is closed after them (TERM-7).
    ///
    /// # Errors
    ///
    /// `bad_argument` for what only a terminal has: keys other than `ctrl-d`, and a size.
    ///
    /// ```
    /// use toolwire::{Json, session::TerminalInput};
    ///
    /// let input = TerminalInput::read(&Json::new(r#"{"key":"ctrl-d"}"#)?)?;
    /// assert_eq!(input.piped()?, (Vec::new(), true));
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    pub fn piped(&self) -> Result<(Vec<u8>, bool), Error> {
        let refuse = |pointer: &str, message: &str| {
            Err(Error::new(Code::BadArgument, pointer, None, message))
        };
        match self {
            TerminalInput::Verbatim(text) => Ok((text.clone().into_bytes(), false)),
            TerminalInput::Text { text, enter, eof } => {
                let end = if *enter { "\n" } else { "" };
                Ok((format!("{text}{end}").into_bytes(), *eof))
            }
            TerminalInput::Keys(keys) if keys.iter().all(Key::is_end_of_input) => {
                Ok((Vec::new(), true))
            }
            TerminalInput::Keys(_) => refuse(
                "",
                "the program has no terminal, so it gets no keys but `ctrl-d`; use `text`, `enter` or `eof`",
            ),
            TerminalInput::Size { .. } => {
                refuse("/size", "the program has no terminal, so it has no size")
            }
        }
    }
}

fn read(place: Place<'_>) -> Result<TerminalInput, Error> {
    if place.node.as_str().is_some() {
        return Ok(TerminalInput::Verbatim(limited(&place)?));
    }
    let Ok(place) = place.clone().object() else {
        return Err(place.expected("a string, or an object with `text`, `key`, `keys` or `size`"));
    };
    let mut kind = None;
    for (name, member) in place
        .members()
        .filter(|(_, member)| member.node.kind() != Kind::Null)
    {
        let of = match &*name {
            "text" | "enter" | "eof" => "text",
            "key" => "key",
            "keys" => "keys",
            "size" => "size",
            _ => {
                return Err(member.refuse(format!(
                    "there is no `{name}`; use `text`, `enter`, `eof`, `key`, `keys` or `size`"
                )));
            }
        };
        if kind.replace(of).is_some_and(|before| before != of) {
            return Err(member.refuse("one input has text, keys or a size; give them one by one"));
        }
    }
    match kind {
        Some("text") => text(&place),
        Some("key") => {
            let key = place.required("key")?;
            Ok(TerminalInput::Keys(vec![read_key(&key)?]))
        }
        Some("keys") => keys(place.required("keys")?),
        Some("size") => size(place.required("size")?),
        _ => Err(place.refuse("it is empty; give `text`, `key`, `keys` or `size`")),
    }
}

fn text(place: &Place<'_>) -> Result<TerminalInput, Error> {
    let flag = |name| place.given(name).map_or(Ok(false), |flag| flag.flag());
    let (enter, eof) = (flag("enter")?, flag("eof")?);
    let text = match place.given("text") {
        Some(text) => limited(&text)?,
        None if enter || eof => String::new(),
        None => return Err(place.refuse("there is nothing to type; give `text`")),
    };
    Ok(TerminalInput::Text { text, enter, eof })
}

fn limited(place: &Place<'_>) -> Result<String, Error> {
    let text = place.string()?;
    match text.len() <= MAX_TEXT {
        true => Ok(text),
        false => Err(place.refuse(format!(
            "a text has at most {MAX_TEXT} bytes; give it in several inputs"
        ))),
    }
}

fn read_key(place: &Place<'_>) -> Result<Key, Error> {
    let name = place.string()?;
    name.parse::<Key>()
        .map_err(|why| place.refuse(why.message()))
}

fn keys(place: Place<'_>) -> Result<TerminalInput, Error> {
    let place = place.array()?;
    let count = place.elements().count();
    if !(1..=MAX_KEYS).contains(&count) {
        return Err(place.expected(&format!("an array of 1 to {MAX_KEYS} keys")));
    }
    let keys: Result<Vec<Key>, Error> = place.elements().map(|key| read_key(&key)).collect();
    keys.map(TerminalInput::Keys)
}

fn size(place: Place<'_>) -> Result<TerminalInput, Error> {
    let wrong = || {
        place.expected(&format!(
            "an array of columns and rows, each from {MIN_SIZE} to {MAX_SIZE}"
        ))
    };
    let array = place.clone().array()?;
    let numbers = array.elements().map(|number| {
        let number = u16::try_from(number.node.as_whole()?).ok()?;
        (MIN_SIZE..=MAX_SIZE).contains(&number).then_some(number)
    });
    match numbers.collect::<Option<Vec<u16>>>().as_deref() {
        Some(&[columns, rows]) => Ok(TerminalInput::Size { columns, rows }),
        _ => Err(wrong()),
    }
}

/// A text as a terminal pastes it: each line end is a carriage return, and several lines are marked if the
/// program wants it. A text can't end the mark itself.
fn pasted(text: &str, bracketed: bool) -> String {
    let mut lines = text.replace("\r\n", "\r").replace('\n', "\r");
    if !bracketed || !lines.contains('\r') {
        return lines;
    }
    while lines.contains(PASTE_END) {
        lines = lines.replace(PASTE_END, "");
    }
    format!("{PASTE}{lines}{PASTE_END}")
}

#[cfg(test)]
mod tests {
    use super::{MAX_KEYS, MAX_TEXT, TerminalInput, TerminalModes};
    use crate::Json;

    fn typed(json: &str, modes: TerminalModes) -> String {
        let input = TerminalInput::read(&Json::new(json).unwrap()).unwrap();
        String::from_utf8(input.typed(modes)).unwrap()
    }

    fn wrong(json: &str) -> (String, String) {
        let error = TerminalInput::read(&Json::new(json).unwrap()).unwrap_err();
        (error.pointer().to_owned(), error.message().to_owned())
    }

    #[test]
    fn a_string_is_typed_to_the_letter_and_a_text_as_it_is_pasted() {
        let (plain, paste) = (TerminalModes::default(), TerminalModes::new(false, true));
        assert_eq!(typed(r#""a\nb\u0003""#, paste), "a\nb\u{3}");
        assert_eq!(typed(r#"{"text":"a\nb\r\nc"}"#, plain), "a\rb\rc");
        assert_eq!(typed(r#"{"text":"a","enter":true}"#, paste), "a\r");
        assert_eq!(
            typed(r#"{"text":"a\nb","enter":true}"#, paste),
            "\u{1b}[200~a\rb\u{1b}[201~\r"
        );
        assert_eq!(
            typed(r#"{"text":"a\u001b[2\u001b[201~01~\nrm"}"#, paste),
            "\u{1b}[200~a\rrm\u{1b}[201~"
        );
        assert_eq!(typed(r#"{"enter":true}"#, plain), "\r");
        assert_eq!(typed(r#"{"text":"a","enter":null,"key":null}"#, plain), "a");
        assert_eq!(typed(r#"{"text":"a","eof":true}"#, plain), "a\u{4}");
        assert_eq!(typed(r#"{"size":[100,30]}"#, plain), "");
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        for (json, pointer) in [
            ("1", ""),
            ("{}", ""),
            (r#"{"text":1}"#, "/text"),
            (r#"{"enter":false}"#, ""),
            (r#"{"text":"a","enter":1}"#, "/enter"),
            (r#"{"text":"a","key":"up"}"#, "/key"),
            (r#"{"txt":"a"}"#, "/txt"),
            (r#"{"key":"contrl-c"}"#, "/key"),
            (r#"{"keys":[]}"#, "/keys"),
            (r#"{"keys":["up","dwn"]}"#, "/keys/1"),
            (r#"{"size":[80]}"#, "/size"),
            (r#"{"size":[80,1]}"#, "/size"),
            (r#"{"size":[501,24]}"#, "/size"),
            (r#"{"size":[80.5,24]}"#, "/size"),
        ] {
            assert_eq!(wrong(json).0, pointer, "{json}: {}", wrong(json).1);
        }
        assert_eq!(typed(r#"{"size":[2,500]}"#, TerminalModes::default()), "");
    }

    #[test]
    fn limits_are_kept_at_their_edges() {
        let text = |bytes: usize| format!("\"{}\"", "a".repeat(bytes));
        assert_eq!(
            typed(&text(MAX_TEXT), TerminalModes::default()).len(),
            MAX_TEXT
        );
        assert_eq!(wrong(&text(MAX_TEXT + 1)).0, "");
        let keys = |count: usize| format!("{{\"keys\":[{}]}}", vec!["\"a\""; count].join(","));
        assert_eq!(
            typed(&keys(MAX_KEYS), TerminalModes::default()).len(),
            MAX_KEYS
        );
        assert_eq!(wrong(&keys(MAX_KEYS + 1)).0, "/keys");
    }

    #[test]
    fn pipes_get_text_and_its_end() {
        let piped = |json: &str| {
            let input = TerminalInput::read(&Json::new(json).unwrap()).unwrap();
            input.piped().map_err(|error| error.pointer().to_owned())
        };
        assert_eq!(piped(r#""a\r\n""#), Ok((b"a\r\n".to_vec(), false)));
        assert_eq!(
            piped(r#"{"text":"a\nb","enter":true}"#),
            Ok((b"a\nb\n".to_vec(), false))
        );
        assert_eq!(
            piped(r#"{"text":"a","eof":true}"#),
            Ok((b"a".to_vec(), true))
        );
        assert_eq!(piped(r#"{"key":"ctrl-d"}"#), Ok((Vec::new(), true)));
        assert_eq!(piped(r#"{"key":"up"}"#), Err(String::new()));
        assert_eq!(piped(r#"{"size":[80,24]}"#), Err("/size".to_owned()));
    }
}
