//! Texts that are likely to have a format or to match a pattern. The validator says whether they do.

/// Texts in a format, and what is nearly so.
pub(super) fn of_format(format: &str) -> &'static [&'static str] {
    match format {
        "date" => &["2020-01-31", "2020-13-01"],
        "date-time" => &["2020-01-31T12:00:00Z", "2020-01-31"],
        "time" => &["12:00:00Z", "25:00:00Z"],
        "duration" => &["P1D", "1D"],
        "email" | "idn-email" => &["a@example.com", "a@"],
        "hostname" | "idn-hostname" => &["example.com", "-a"],
        "ipv4" => &["192.0.2.1", "192.0.2.256"],
        "ipv6" => &["2001:db8::1", "2001:db8::g"],
        "uri" | "iri" | "url" => &["https://example.com/a", "a b"],
        "uri-reference" | "iri-reference" => &["/a", "a b"],
        "uri-template" => &["/a/{b}", "/a/{"],
        "uuid" => &["123e4567-e89b-12d3-a456-426614174000", "123e4567"],
        "json-pointer" => &["/a", "a"],
        "relative-json-pointer" => &["1/a", "/a"],
        "regex" => &["a+", "("],
        _ => &[],
    }
}

/// The longest example.
const LONG: usize = 500;

/// Texts that a regular expression may match: the shortest one, and one that takes each choice another way.
/// None if the expression has what is not known here.
pub(super) fn of_pattern(pattern: &str) -> Vec<String> {
    let mut found = Vec::new();
    for way in 0..3 {
        let mut walk = Walk {
            rest: pattern.chars().collect(),
            at: 0,
            way,
        };
        if let Some(text) = walk.choices(0)
            && walk.at == walk.rest.len()
            && !found.contains(&text)
        {
            found.push(text);
        }
    }
    found
}

struct Walk {
    rest: Vec<char>,
    at: usize,
    /// Which choice is taken where there are several.
    way: usize,
}

impl Walk {
    fn peek(&self) -> Option<char> {
        self.rest.get(self.at).copied()
    }

    fn take(&mut self, expected: char) -> bool {
        let is = self.peek() == Some(expected);
        self.at += usize::from(is);
        is
    }

    fn choices(&mut self, depth: usize) -> Option<String> {
        const DEEP: usize = 30;
        if depth > DEEP {
            return None;
        }
        let mut all = vec![self.sequence(depth)?];
        while self.take('|') {
            all.push(self.sequence(depth)?);
        }
        let index = self.way % all.len();
        Some(all.swap_remove(index))
    }

    fn sequence(&mut self, depth: usize) -> Option<String> {
        let mut text = String::new();
        while let Some(next) = self.peek() {
            if matches!(next, '|' | ')') {
                break;
            }
            let part = self.atom(depth)?;
            let (least, most) = self.repeats()?;
            let count = match self.way {
                0 => least,
                _ => most.unwrap_or(least + 1).min(least.max(1) + 1),
            };
            if text.len() + part.len() * count > LONG {
                return None;
            }
            text.push_str(&part.repeat(count));
        }
        Some(text)
    }

    /// How often the last atom stands there.
    fn repeats(&mut self) -> Option<(usize, Option<usize>)> {
        let (least, most) = match self.peek() {
            Some('*') => (0, None),
            Some('+') => (1, None),
            Some('?') => (0, Some(1)),
            Some('{') => {
                let end = self.rest[self.at..].iter().position(|c| *c == '}')?;
                let inside: String = self.rest[self.at + 1..self.at + end].iter().collect();
                self.at += end;
                let (least, most) = inside.split_once(',').unwrap_or((&inside, &inside));
                (least.parse().ok()?, most.parse().ok())
            }
            _ => return Some((1, Some(1))),
        };
        self.at += 1;
        self.take('?');
        Some((least, most))
    }

    fn atom(&mut self, depth: usize) -> Option<String> {
        let next = self.peek()?;
        self.at += 1;
        Some(match next {
            '^' | '$' => String::new(),
            '.' => "a".to_owned(),
            '(' => {
                if self.take('?') {
                    match self.peek()? {
                        ':' => self.at += 1,
                        '<' if !matches!(self.rest.get(self.at + 1), Some('=' | '!')) => {
                            let end = self.rest[self.at..].iter().position(|c| *c == '>')?;
                            self.at += end + 1;
                        }
                        // What only looks ahead or back says nothing of what stands here.
                        '=' | '!' | '<' => {
                            self.choices(depth + 1)?;
                            return self.take(')').then(String::new);
                        }
                        _ => return None,
                    }
                }
                let inside = self.choices(depth + 1)?;
                return self.take(')').then_some(inside);
            }
            '[' => self.class()?.to_string(),
            '\\' => self.escape()?,
            other => other.to_string(),
        })
    }

    fn escape(&mut self) -> Option<String> {
        let next = self.peek()?;
        self.at += 1;
        Some(match next {
            'd' => "0".to_owned(),
            'w' | 'S' | 'D' => "a".to_owned(),
            's' => " ".to_owned(),
            'W' => "-".to_owned(),
            'n' => "\n".to_owned(),
            't' => "\t".to_owned(),
            'b' | 'B' => String::new(),
            'p' | 'P' => {
                let end = self.rest[self.at..].iter().position(|c| *c == '}')?;
                self.at += end + 1;
                if next == 'p' { "a" } else { "-" }.to_owned()
            }
            other if other.is_alphanumeric() => return None,
            other => other.to_string(),
        })
    }

    /// One of a class of characters.
    fn class(&mut self) -> Option<char> {
        let negated = self.take('^');
        let mut ranges: Vec<(char, char)> = Vec::new();
        let mut first = true;
        while first || self.peek()? != ']' {
            first = false;
            let from = self.class_part(&mut ranges)?;
            let Some(from) = from else { continue };
            let is_range = self.peek() == Some('-') && self.rest.get(self.at + 1) != Some(&']');
            if is_range {
                self.at += 1;
                let to = self.class_part(&mut ranges)??;
                ranges.push((from, to));
            } else {
                ranges.push((from, from));
            }
        }
        self.at += 1;
        let has = |c: char| ranges.iter().any(|(from, to)| (*from..=*to).contains(&c));
        if negated {
            return ['a', '0', '-', '_', ' ', 'A', '.', 'é']
                .into_iter()
                .find(|c| !has(*c));
        }
        let (from, to) = ranges.get(self.way % ranges.len().max(1))?;
        Some(if self.way == 0 { *from } else { *to })
    }

    /// A character of a class; nothing for an escape that stands for several.
    fn class_part(&mut self, ranges: &mut Vec<(char, char)>) -> Option<Option<char>> {
        let next = self.peek()?;
        self.at += 1;
        if next != '\\' {
            return Some(Some(next));
        }
        let escaped = self.peek()?;
        self.at += 1;
        Some(match escaped {
            'd' => {
                ranges.push(('0', '9'));
                None
            }
            'w' => {
                ranges.extend([('a', 'z'), ('A', 'Z'), ('0', '9'), ('_', '_')]);
                None
            }
            's' => {
                ranges.push((' ', ' '));
                None
            }
            'n' => Some('\n'),
            't' => Some('\t'),
            other if other.is_alphanumeric() => return None,
            other => Some(other),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_match_their_patterns() {
        for pattern in [
            "^[a-z]+$",
            "^\\d{4}-\\d{2}-\\d{2}$",
            "^(foo|bar)?baz$",
            "^[^/]+/[^/]+$",
            "^[a-zA-Z0-9_-]{1,64}$",
            "^(?:NCT\\d{8}|[A-Z]{2,3})$",
            "^[\\w.-]+@[\\w.-]+$",
            "^(?=.*a).+$",
        ] {
            let all = of_pattern(pattern);
            assert!(!all.is_empty(), "{pattern}");
            let schema = toolwire::Json::new(format!(
                "{{\"pattern\":{}}}",
                toolwire::json::string(pattern)
            ))
            .unwrap();
            for text in all {
                let value = toolwire::Json::from(&*text);
                assert!(
                    toolwire_schema::check_value(&schema, &value).is_ok(),
                    "{pattern} {text}"
                );
            }
        }
    }

    #[test]
    fn first_texts_are_in_their_formats() {
        for format in [
            "date",
            "date-time",
            "time",
            "duration",
            "email",
            "hostname",
            "ipv4",
            "ipv6",
            "uri",
            "iri",
            "uri-reference",
            "uri-template",
            "uuid",
            "json-pointer",
            "relative-json-pointer",
            "regex",
        ] {
            let schema = toolwire::Json::new(format!("{{\"format\":\"{format}\"}}")).unwrap();
            let holds = |text: &str| {
                toolwire_schema::check_value(&schema, &toolwire::Json::from(text)).is_ok()
            };
            let [good, bad] = of_format(format) else {
                panic!("{format}")
            };
            assert!(holds(good) && !holds(bad), "{format}");
        }
    }
}
