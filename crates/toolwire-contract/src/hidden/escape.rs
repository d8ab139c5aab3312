//! Sequences that a terminal carries out, as ECMA-48 and xterm have them.

/// A sequence at the beginning of a text.
pub(super) struct Sequence {
    /// How many bytes it takes.
    pub(super) length: usize,
    /// What it does.
    pub(super) name: String,
    /// The text that it carries: a title, a link's target, what goes to the clipboard.
    pub(super) says: Option<String>,
}

/// No more of a control sequence is named than this.
const MOST_NAMED: usize = 24;

/// Reads the sequence that a text begins with; nothing if it begins with none.
pub(super) fn read(text: &str) -> Option<Sequence> {
    let first = text.chars().next()?;
    let (begins, intro) = match first {
        '\x1b' => (text[1..].chars().next()?, 1),
        // The C1 controls are `ESC` and a letter in one character.
        '\u{90}' | '\u{98}' | '\u{9b}' | '\u{9d}'..='\u{9f}' => {
            (char::from_u32(u32::from(first) - 0x40)?, 0)
        }
        _ => return None,
    };
    let head = match intro {
        0 => first.len_utf8(),
        _ => intro + begins.len_utf8(),
    };
    match begins {
        '[' => Some(control_sequence(text, head)),
        ']' | 'P' | 'X' | '^' | '_' => Some(string(text, head, begins)),
        ' '..='/' => {
            let rest = &text[1..];
            let length = rest.find(|c: char| !matches!(c, ' '..='/'))?;
            let last = rest[length..].chars().next()?;
            matches!(last, '0'..='~').then(|| Sequence {
                length: 1 + length + 1,
                name: "ESCAPE SEQUENCE, changes a character set or a setting".to_owned(),
                says: None,
            })
        }
        '0'..='~' => Some(Sequence {
            length: head,
            name: format!("ESCAPE SEQUENCE {:02X}", u32::from(begins)),
            says: None,
        }),
        _ => None,
    }
}

fn control_sequence(text: &str, head: usize) -> Sequence {
    let body = &text[head..];
    let length = body
        .find(|c: char| !matches!(c, ' '..='?'))
        .unwrap_or(body.len());
    let last = body[length..]
        .chars()
        .next()
        .filter(|c| matches!(c, '@'..='~'));
    let does = match (last, &body[..length]) {
        (Some('m'), parameters) if parameters.split([';', ':']).any(|one| one == "8") => {
            ", conceals the text behind it"
        }
        (Some('m'), _) => ", colours",
        (Some('J'), _) => ", erases the screen",
        (Some('K' | 'X' | 'P' | 'M'), _) => ", erases what stands there",
        (Some('A'..='H' | 'f' | 'd' | '`' | 'a' | 'e' | 's' | 'u'), _) => ", moves the cursor",
        (Some('S' | 'T' | 'L' | '@' | 'r'), _) => ", moves what stands there",
        (Some('h' | 'l'), _) => ", sets a mode",
        (Some('n' | 'c'), _) => ", makes the terminal answer",
        (Some(_), _) => "",
        (None, _) => ", not ended",
    };
    let taken = length + usize::from(last.is_some());
    let named = |c: &char| c.is_ascii_alphanumeric() || matches!(c, ';' | ':' | '?');
    let shown: String = body[..taken]
        .chars()
        .filter(named)
        .take(MOST_NAMED)
        .collect();
    Sequence {
        length: head + taken,
        name: format!("CONTROL SEQUENCE [{shown}{does}"),
        says: None,
    }
}

/// A sequence with a text in it, up to BEL or the string terminator. One that is not ended goes to the end of
/// the line: a terminal would swallow what follows.
fn string(text: &str, head: usize, begins: char) -> Sequence {
    let body = &text[head..];
    let end = body
        .find(|c: char| c.is_control() && c != '\t')
        .unwrap_or(body.len());
    let rest = &body[end..];
    let terminator = if rest.starts_with("\x1b\\") || rest.starts_with('\u{9c}') {
        2
    } else {
        usize::from(rest.starts_with('\x07'))
    };
    let body = &body[..end];
    let (number, payload) = body.split_once(';').unwrap_or((body, ""));
    let (name, says) = match (begins, number) {
        (']', "0" | "1" | "2") => ("OPERATING SYSTEM COMMAND, sets the title", payload),
        (']', "8") => {
            let target = payload.split_once(';').map_or("", |(_, target)| target);
            ("OPERATING SYSTEM COMMAND, a link", target)
        }
        (']', "52") => ("OPERATING SYSTEM COMMAND, writes to the clipboard", payload),
        (']', _) => ("OPERATING SYSTEM COMMAND", body),
        ('P', _) => ("DEVICE CONTROL STRING", body),
        ('X', _) => ("START OF STRING", body),
        ('^', _) => ("PRIVACY MESSAGE", body),
        _ => ("APPLICATION PROGRAM COMMAND", body),
    };
    let name = match terminator {
        0 => format!("{name}, not ended"),
        _ => name.to_owned(),
    };
    Sequence {
        length: head + end + terminator,
        name,
        says: (!says.is_empty()).then(|| says.to_owned()),
    }
}
