//! The line of a help that says how a program is called.

use std::ops::Range;

/// What the usage of a program says.
#[derive(Debug, Default)]
pub struct Usage {
    /// The lines on which it stands.
    pub lines: Range<usize>,
    pub positionals: Vec<Positional>,
    /// The options that must be given.
    pub required: Vec<String>,
    /// Whether one of several commands follows, and their names, if it says them.
    pub has_command: bool,
    pub commands: Vec<String>,
}

/// An argument without a name.
#[derive(Debug)]
pub struct Positional {
    pub name: String,
    pub required: bool,
    pub repeated: bool,
    pub choices: Vec<String>,
}

/// Finds and reads the usage. The program has these words behind its name.
pub fn find(lines: &[&str], words: &[String]) -> Usage {
    let is_usage = |line: &&str| line.trim_start().to_lowercase().starts_with("usage:");
    let Some(start) = lines.iter().position(is_usage) else {
        return Usage::default();
    };
    let mut text = lines[start].trim_start()["usage:".len()..]
        .trim()
        .to_owned();
    let mut end = start + 1;
    let program = text.split(' ').next().unwrap_or_default().to_owned();
    let mut is_other = false;
    while let Some(line) = lines.get(end).filter(|line| line.starts_with(' ')) {
        let line = line.trim();
        if line.is_empty() {
            break;
        }
        // Another form of the same program.
        is_other |= line.starts_with("or:")
            || !program.is_empty() && line.split(' ').next() == Some(&program);
        if !is_other {
            text.push(' ');
            text.push_str(line);
        }
        end += 1;
    }
    let mut usage = Usage {
        lines: start..end,
        ..Usage::default()
    };
    usage.read(&tokens(&text), words);
    usage
}

impl Usage {
    fn read(&mut self, tokens: &[&str], words: &[String]) {
        let mut tokens = tokens.iter().copied().skip(1).peekable();
        for word in words {
            tokens.next_if(|token| token == word);
        }
        while let Some(token) = tokens.next() {
            if token == "..." {
                match self.positionals.last_mut() {
                    // argparse writes the arguments of a command like this.
                    Some(last) if !last.choices.is_empty() => {
                        self.commands.append(&mut last.choices);
                        self.has_command = true;
                        self.positionals.pop();
                    }
                    Some(last) => last.repeated = true,
                    None => {}
                }
                continue;
            }
            let inner = token
                .strip_prefix('[')
                .map(|inner| inner.trim_end_matches(['.', ']']));
            let text = inner.unwrap_or(token);
            if text.starts_with(['(', '|']) {
                continue;
            }
            if text.starts_with('-') {
                if inner.is_none() {
                    let end = text.find('=').unwrap_or(text.len());
                    self.required.push(text[..end].to_owned());
                    if end == text.len() {
                        tokens.next_if(|value| !value.starts_with(['-', '[']));
                    }
                }
                continue;
            }
            let (name, choices) = (name(text), choices(text));
            match &*name {
                "options" | "option" | "flags" | "args" => continue,
                "command" | "subcommand" => {
                    self.has_command = true;
                    continue;
                }
                "" if choices.is_empty() => continue,
                _ => {}
            }
            let repeated = token.contains("...");
            if let Some(same) = self
                .positionals
                .iter_mut()
                .find(|one| one.name == name && choices.is_empty())
            {
                // `FILE [FILE ...]`.
                same.repeated = true;
                continue;
            }
            self.positionals.push(Positional {
                name: match name.is_empty() {
                    true => format!("choice{}", self.positionals.len() + 1),
                    false => name,
                },
                required: inner.is_none(),
                repeated,
                choices,
            });
        }
    }
}

/// The tokens of a usage line; a bracketed group is one token.
fn tokens(text: &str) -> Vec<&str> {
    let (mut tokens, mut depth, mut start) = (Vec::new(), 0_usize, 0);
    for (at, c) in text.char_indices() {
        match c {
            '[' | '{' | '(' | '<' => depth += 1,
            ']' | '}' | ')' | '>' => depth = depth.saturating_sub(1),
            ' ' if depth == 0 => {
                tokens.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    tokens.push(&text[start..]);
    tokens.retain(|token| !token.is_empty());
    tokens
}

/// The name of a value or an option as a parameter: `<FILE>...` is `file`. A list of choices has none.
pub fn name(text: &str) -> String {
    let may_have_spaces = text.starts_with('<');
    let text = text.trim_start_matches(['<', '[']);
    let is_part =
        |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_' || c == ' ' && may_have_spaces;
    if text.starts_with('{') && !choices(text).is_empty() && text.contains(',') {
        return String::new();
    }
    let text = text.trim_start_matches('{');
    let end = text.find(|c| !is_part(c)).unwrap_or(text.len());
    text[..end].trim_end().to_lowercase().replace(' ', "-")
}

/// The choices that `{a,b}`, `[a|b]` or `<a|b>` stands for.
pub fn choices(text: &str) -> Vec<String> {
    let Some(open) = text.chars().next() else {
        return Vec::new();
    };
    let (close, comma) = match open {
        '{' => ('}', ','),
        '[' => (']', '|'),
        '<' => ('>', '|'),
        _ => return Vec::new(),
    };
    let Some((inner, _)) = text[1..].split_once(close) else {
        return Vec::new();
    };
    let is_one = |one: &str| !one.is_empty() && !one.contains([' ', '[', '{', '<']);
    let parts: Vec<&str> = inner.split(comma).collect();
    match parts.len() > 1 && parts.iter().all(|one| is_one(one)) {
        true => parts.into_iter().map(str::to_owned).collect(),
        false => Vec::new(),
    }
}
