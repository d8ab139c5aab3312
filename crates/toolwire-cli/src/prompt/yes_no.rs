//! Yes or no.

use toolwire::Json;

use super::frame::{Frame, Line, Size, Style};
use super::keys::Key;
use super::{Machine, Reaction};

pub struct YesNo {
    /// What Enter answers; nothing if there is no default and no key was pressed.
    chosen: Option<bool>,
}

impl YesNo {
    pub fn new(default: Option<&Json>) -> YesNo {
        YesNo {
            chosen: default.and_then(|default| default.as_str().parse().ok()),
        }
    }
}

fn answer(yes: bool) -> Reaction {
    Reaction::Answer(Json::from(yes), if yes { "Yes" } else { "No" }.to_owned())
}

impl Machine for YesNo {
    fn key(&mut self, key: &Key) -> Reaction {
        match key {
            Key::Char('y' | 'Y') => return answer(true),
            Key::Char('n' | 'N') => return answer(false),
            Key::Left | Key::Up => self.chosen = Some(true),
            Key::Right | Key::Down => self.chosen = Some(false),
            Key::Tab | Key::Char(' ') => self.chosen = Some(!self.chosen.unwrap_or(false)),
            Key::Enter => {
                return match self.chosen {
                    Some(yes) => answer(yes),
                    None => Reaction::Refuse("there is no default: press y or n".to_owned()),
                };
            }
            _ => {}
        }
        Reaction::Stay
    }

    fn frame(&self, who: &str, _: Size) -> Frame {
        let piece = |yes, word: &str| match self.chosen == Some(yes) {
            true => (Style::Chosen, format!("❯ {word}")),
            false => (Style::Plain, format!("  {word}")),
        };
        let line = Line(vec![
            (Style::Dim, who.to_owned()),
            piece(true, "Yes"),
            (Style::Plain, "  ".to_owned()),
            piece(false, "No"),
        ]);
        Frame {
            lines: vec![line],
            cursor: None,
        }
    }

    fn is_empty(&self) -> bool {
        self.chosen.is_none()
    }

    fn hint(&self) -> Vec<String> {
        let keys: &[&str] = match self.chosen {
            Some(_) => &["y or n", "←/→ and Enter"],
            None => &["y or n"],
        };
        keys.iter().map(|&key| key.to_owned()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: Size = Size {
        columns: 40,
        rows: 10,
    };

    #[test]
    fn keys() {
        use Key::{Char, Enter, Left, Right, Tab};
        let cases: &[(Option<bool>, &[Key], Option<bool>)] = &[
            (None, &[Char('y')], Some(true)),
            (Some(true), &[Char('N')], Some(false)),
            (Some(true), &[Enter], Some(true)),
            (Some(false), &[Enter], Some(false)),
            (Some(true), &[Right, Enter], Some(false)),
            (Some(false), &[Left, Left, Enter], Some(true)),
            (None, &[Tab, Tab, Enter], Some(false)),
            (None, &[Enter], None),
            (Some(true), &[Char('x')], None),
        ];
        for (default, keys, expected) in cases {
            let mut prompt = YesNo::new(default.map(Json::from).as_ref());
            let reactions: Vec<Reaction> = keys.iter().map(|key| prompt.key(key)).collect();
            let given = match reactions.last() {
                Some(Reaction::Answer(value, _)) => Some(value.clone()),
                _ => None,
            };
            assert_eq!(given, expected.map(Json::from), "{default:?} {keys:?}");
        }
    }

    #[test]
    fn the_default_can_be_seen_without_colour() {
        let line = |default: Option<bool>| {
            let frame = YesNo::new(default.map(Json::from).as_ref()).frame("t asks › ", SIZE);
            frame.lines[0].text()
        };
        assert_eq!(line(Some(true)), "t asks › ❯ Yes    No");
        assert_eq!(line(Some(false)), "t asks ›   Yes  ❯ No");
        assert_eq!(line(None), "t asks ›   Yes    No");
    }
}
