//! Keys, as the prompts know them.

use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Key {
    Char(char),
    Ctrl(char),
    /// Text that was pasted, or that an input method made.
    Paste(String),
    Enter,
    /// Enter that does not answer: with Alt.
    NewLine,
    Tab,
    /// Shift-Tab.
    BackTab,
    Backspace,
    Delete,
    Left,
    Right,
    WordLeft,
    WordRight,
    DeleteWord,
    Up,
    Down,
    Home,
    End,
    PageUp,
    PageDown,
    /// Esc.
    Cancel,
    /// Ctrl-D.
    Decline,
    /// Ctrl-C.
    Interrupt,
    /// Ctrl-Z.
    Suspend,
}

impl Key {
    /// The key of an event; nothing for what is no key that a prompt knows.
    pub fn of(event: Event) -> Option<Key> {
        match event {
            Event::Paste(text) => Some(Key::Paste(text)),
            Event::Key(key) if key.kind != KeyEventKind::Release => Key::of_key(key),
            _ => None,
        }
    }

    fn of_key(key: KeyEvent) -> Option<Key> {
        let alt = key.modifiers.contains(KeyModifiers::ALT);
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        Some(match key.code {
            // AltGr is both, and gives characters such as `@`.
            KeyCode::Char(c) if alt && control => Key::Char(c),
            KeyCode::Char(c) if control => match c.to_ascii_lowercase() {
                'c' => Key::Interrupt,
                'd' => Key::Decline,
                'h' => Key::Backspace,
                'j' => Key::NewLine,
                'w' => Key::DeleteWord,
                'z' => Key::Suspend,
                c => Key::Ctrl(c),
            },
            KeyCode::Char('b') if alt => Key::WordLeft,
            KeyCode::Char('f') if alt => Key::WordRight,
            KeyCode::Char(_) if alt => return None,
            KeyCode::Char(c) => Key::Char(c),
            KeyCode::Enter if alt => Key::NewLine,
            KeyCode::Enter => Key::Enter,
            KeyCode::Tab => Key::Tab,
            KeyCode::BackTab => Key::BackTab,
            KeyCode::Backspace if alt || control => Key::DeleteWord,
            KeyCode::Backspace => Key::Backspace,
            KeyCode::Delete => Key::Delete,
            KeyCode::Left if alt || control => Key::WordLeft,
            KeyCode::Right if alt || control => Key::WordRight,
            KeyCode::Left => Key::Left,
            KeyCode::Right => Key::Right,
            KeyCode::Up => Key::Up,
            KeyCode::Down => Key::Down,
            KeyCode::Home => Key::Home,
            KeyCode::End => Key::End,
            KeyCode::PageUp => Key::PageUp,
            KeyCode::PageDown => Key::PageDown,
            KeyCode::Esc => Key::Cancel,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(code: KeyCode, modifiers: KeyModifiers) -> Option<Key> {
        Key::of(Event::Key(KeyEvent::new(code, modifiers)))
    }

    #[test]
    fn keys_that_end_a_prompt() {
        assert_eq!(key(KeyCode::Esc, KeyModifiers::NONE), Some(Key::Cancel));
        let control = |c| key(KeyCode::Char(c), KeyModifiers::CONTROL);
        assert_eq!(control('c'), Some(Key::Interrupt));
        assert_eq!(control('d'), Some(Key::Decline));
        assert_eq!(control('z'), Some(Key::Suspend));
        assert_eq!(key(KeyCode::Enter, KeyModifiers::ALT), Some(Key::NewLine));
    }

    #[test]
    fn characters_with_alt_gr_are_characters_and_releases_are_nothing() {
        let both = KeyModifiers::CONTROL | KeyModifiers::ALT;
        assert_eq!(key(KeyCode::Char('@'), both), Some(Key::Char('@')));
        assert_eq!(key(KeyCode::Char('x'), KeyModifiers::ALT), None);
        let mut event = KeyEvent::new(KeyCode::Enter, KeyModifiers::NONE);
        event.kind = KeyEventKind::Release;
        assert_eq!(Key::of(Event::Key(event)), None);
    }
}
