//! What the help of a program says of its options and positionals, as argparse, click, typer, clap and GNU write it.
//! It is a draft for a person to look at: what can't be read is left out.

use std::collections::BTreeSet;

use super::usage::{self, Positional, Usage};

/// What a program takes.
#[derive(Debug, Default)]
pub struct Help {
    pub description: Option<String>,
    pub options: Vec<Parameter>,
    pub positionals: Vec<Parameter>,
    /// Its subcommands, one of which has to be named.
    pub commands: Vec<String>,
}

/// An option or a positional.
#[derive(Debug, Default, Clone)]
pub struct Parameter {
    /// Its name, without dashes.
    pub name: String,
    /// How an option is written, as in `--size`; empty for a positional.
    pub option: String,
    /// All its spellings, as in `-s` and `--size`.
    pub spellings: Vec<String>,
    pub kind: Kind,
    /// Whether `=` stands between an option and its value.
    pub has_equals: bool,
    pub required: bool,
    pub repeated: Repeated,
    pub choices: Vec<String>,
    pub description: String,
}

/// What a value is.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    #[default]
    Text,
    Integer,
    Number,
    /// An option without a value.
    Flag,
}

/// Whether there can be several values.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub enum Repeated {
    #[default]
    No,
    /// The values follow one another, as in `--tag a b`.
    Values,
    /// Each value has its option, as in `--tag=a --tag=b`.
    Options,
}

/// Options that do something else than the work of the program.
const NO_WORK: [&str; 5] = [
    "help",
    "h",
    "version",
    "install-completion",
    "show-completion",
];

/// How much further than its option a line begins that goes on with it, whatever it begins with.
const DEEP: usize = 8;

/// The most bytes of a description.
const MOST_BYTES: usize = 400;

/// Reads a help. The program has these words behind its name.
pub fn read(text: &str, words: &[String]) -> Help {
    let clean = text.replace('\t', "        ");
    let lines: Vec<&str> = clean.lines().map(str::trim_end).collect();
    let usage = usage::find(&lines, words);
    let mut help = Help {
        description: description(&lines, &usage),
        ..Help::default()
    };
    help.positionals = usage.positionals.iter().map(positional).collect();
    let mut section = String::new();
    let mut commands = Vec::new();
    let mut at = usage.lines.end;
    while let Some(line) = lines.get(at) {
        at += 1;
        let Some(indent) = indent(line) else {
            continue;
        };
        let entry = line.trim_start();
        if indent == 0 || (entry.ends_with(':') && !entry.starts_with('-')) {
            section = entry.to_lowercase();
            continue;
        }
        let is_option = is_option(entry);
        let is_argument = section.contains("argument") || section.contains("commands");
        if !is_option && !is_argument {
            continue;
        }
        let (head, mut about) = columns(entry);
        while let Some(more) = lines.get(at).filter(|more| goes_on(more, indent)) {
            about.push(' ');
            about.push_str(more.trim());
            at += 1;
        }
        let about = brief(&about);
        if is_option {
            help.options.extend(options(head, &about));
        } else if section.contains("commands") {
            commands.extend(head.split([' ', ',']).next().map(str::to_owned));
        } else {
            describe(&mut help.positionals, head, &about);
        }
    }
    if usage.has_command {
        help.commands = match usage.commands.is_empty() {
            true => commands,
            false => usage.commands,
        };
    }
    for option in &mut help.options {
        let mut spellings = option.spellings.iter();
        option.required |= spellings.any(|one| usage.required.contains(one));
    }
    let mut known = BTreeSet::from(NO_WORK.map(str::to_owned));
    help.options
        .retain(|option| known.insert(option.name.clone()));
    for positional in &mut help.positionals {
        while !known.insert(positional.name.clone()) {
            positional.name.push('_');
        }
    }
    help
}

/// The columns before the text of a line; nothing for an empty line.
fn indent(line: &str) -> Option<usize> {
    let text = line.trim_start();
    (!text.is_empty()).then(|| line.len() - text.len())
}

fn is_option(entry: &str) -> bool {
    let name = entry.trim_start_matches('-');
    let dashes = entry.len() - name.len();
    (1..=2).contains(&dashes) && name.starts_with(|c: char| c.is_ascii_alphanumeric())
}

/// Whether a line goes on with the description of an entry that is indented so far.
fn goes_on(line: &str, entry: usize) -> bool {
    indent(line)
        .is_some_and(|own| own > entry + DEEP || own > entry && !is_option(line.trim_start()))
}

/// An entry, and what is said of it in the next column.
fn columns(entry: &str) -> (&str, String) {
    match entry.split_once("  ") {
        Some((head, about)) => (head, about.trim().to_owned()),
        None => (entry, String::new()),
    }
}

/// A description on one line, without what its schema says, and without control characters.
fn brief(text: &str) -> String {
    let mut text: String = text.chars().filter(|c| !c.is_control()).collect();
    for said in ["(default: None)", "(default: False)", "[default: None]"] {
        text = text.replace(said, "");
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut text = words.join(" ");
    if text.len() > MOST_BYTES {
        let end = (0..=MOST_BYTES).rev().find(|&at| text.is_char_boundary(at));
        text.truncate(end.unwrap_or_default());
        text.push('…');
    }
    text
}

/// What the program is for: the first paragraph before its usage, or else behind it. A text without a usage may be
/// anything.
fn description(lines: &[&str], usage: &Usage) -> Option<String> {
    let (before, behind) = (&lines[..usage.lines.start], &lines[usage.lines.end..]);
    let paragraph = |lines: &[&str]| {
        let mut lines = lines.iter().skip_while(|line| line.trim().is_empty());
        let first = lines.clone().next()?.trim();
        let is_text = !first.ends_with(':') && !first.starts_with('-') && first.contains(' ');
        let text: Vec<&str> = lines
            .by_ref()
            .take_while(|line| !line.trim().is_empty())
            .copied()
            .collect();
        is_text.then(|| brief(&text.join(" ")))
    };
    if usage.lines.is_empty() {
        return None;
    }
    let found = paragraph(before).or_else(|| paragraph(behind));
    found.filter(|text| !text.is_empty())
}

fn positional(found: &Positional) -> Parameter {
    Parameter {
        name: found.name.clone(),
        required: found.required,
        repeated: match found.repeated {
            true => Repeated::Values,
            false => Repeated::No,
        },
        choices: found.choices.clone(),
        ..Parameter::default()
    }
}

/// Adds to a positional what its entry says.
fn describe(positionals: &mut [Parameter], head: &str, about: &str) {
    let name = usage::name(head);
    let choices = usage::choices(head);
    let mut all = positionals.iter_mut();
    let found = all.find(|one| match choices.is_empty() {
        true => one.name == name,
        false => one.choices == choices,
    });
    if let Some(positional) = found {
        positional.description = without_required(about);
        positional.kind = kind(head.split_once(' ').map_or("", |(_, kind)| kind), about);
        if positional.choices.is_empty() {
            positional.choices = possible_values(about);
        }
    }
}

/// What is said of an option that must be given.
const REQUIRED: [&str; 2] = ["[required]", "(required)"];

fn without_required(about: &str) -> String {
    let about = REQUIRED
        .iter()
        .fold(about.to_owned(), |about, said| about.replace(said, ""));
    about.trim().to_owned()
}

/// The options of an entry such as `-s SIZE, --size SIZE`; two for a pair such as `--shout / --no-shout`.
fn options(head: &str, about: &str) -> Vec<Parameter> {
    let mut names: Vec<&str> = Vec::new();
    let mut value = "";
    for alias in aliases(head) {
        let end = alias.find([' ', '=', '[', '<']).unwrap_or(alias.len());
        names.push(&alias[..end]);
        if end < alias.len() {
            value = &alias[end..];
        }
    }
    names.retain(|name| is_option(name));
    let is_negative = |name: &&&str| {
        let positive = name.strip_prefix("--no-").map(|rest| format!("--{rest}"));
        positive.is_some_and(|positive| names.contains(&&*positive))
    };
    let negative = names.iter().find(is_negative).copied();
    let long = names.iter().find(|name| name.starts_with("--"));
    let Some(option) = long.or(names.first()).copied() else {
        return Vec::new();
    };
    let has_equals = value.starts_with(['=', '[']) && value.contains('=');
    let value = value.trim_start_matches(['=', ' ']).trim();
    let choices = match usage::choices(value) {
        none if none.is_empty() => possible_values(about),
        choices => choices,
    };
    let lower = about.to_lowercase();
    let said_required = REQUIRED.iter().any(|said| about.contains(said));
    let option = Parameter {
        name: usage::name(option.trim_start_matches('-')),
        option: option.to_owned(),
        kind: match value.is_empty() {
            true => Kind::Flag,
            false if choices.is_empty() => kind(value, about),
            false => Kind::Text,
        },
        spellings: names.iter().map(|&name| name.to_owned()).collect(),
        has_equals,
        required: said_required,
        repeated: if value.contains("...") {
            Repeated::Values
        } else if !value.is_empty()
            && ["repeated", "repeatable", "multiple times"]
                .iter()
                .any(|said| lower.contains(said))
        {
            Repeated::Options
        } else {
            Repeated::No
        },
        choices,
        description: without_required(about),
    };
    let negative = negative.map(|name| Parameter {
        name: usage::name(name.trim_start_matches('-')),
        option: name.to_owned(),
        ..option.clone()
    });
    std::iter::once(option).chain(negative).collect()
}

/// The parts between commas and slashes that stand in no brackets.
fn aliases(head: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0_usize, 0);
    for (at, c) in head.char_indices() {
        match c {
            '[' | '{' | '<' | '(' => depth += 1,
            ']' | '}' | '>' | ')' => depth = depth.saturating_sub(1),
            ',' | '/' if depth == 0 && head[at + 1..].trim_start().starts_with('-') => {
                parts.push(head[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(head[start..].trim());
    parts
}

/// What a value is, as its name or its default says.
fn kind(value: &str, about: &str) -> Kind {
    let lower = value.to_lowercase();
    let words: Vec<&str> = lower.split(|c: char| !c.is_ascii_alphanumeric()).collect();
    let is = |names: &[&str]| words.iter().any(|word| names.contains(word));
    let default = about.split_once("default: ").map(|(_, rest)| {
        let end = rest.find([')', ']', ';', ',', ' ']).unwrap_or(rest.len());
        &rest[..end]
    });
    if is(&["int", "integer", "n", "num", "count", "port"]) {
        Kind::Integer
    } else if is(&["float", "double", "number"]) {
        Kind::Number
    } else if is(&["str", "text", "string", "path", "file"]) {
        Kind::Text
    } else if default.is_some_and(|default| default.parse::<i64>().is_ok()) {
        Kind::Integer
    } else if default.is_some_and(|default| default.parse::<f64>().is_ok_and(f64::is_finite)) {
        Kind::Number
    } else {
        Kind::Text
    }
}

/// The values that clap writes behind a description.
fn possible_values(about: &str) -> Vec<String> {
    let values = about
        .split_once("[possible values: ")
        .and_then(|(_, rest)| rest.split_once(']'));
    let values = values.map(|(values, _)| values.split(','));
    values
        .into_iter()
        .flatten()
        .map(|value| value.trim().to_owned())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each parameter on a line: its option, its name, what it is and what is said of it.
    fn told(text: &str, words: &[&str]) -> String {
        let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
        let help = read(text, &words);
        let line = |one: &Parameter| {
            let marks = [
                (one.required, "!"),
                (one.has_equals, "="),
                (one.repeated == Repeated::Values, "..."),
                (one.repeated == Repeated::Options, "*"),
            ];
            let marks: String = marks
                .into_iter()
                .filter_map(|(is, mark)| is.then_some(mark))
                .collect();
            let Parameter {
                option,
                name,
                kind,
                choices,
                description,
                ..
            } = one;
            format!("{option} {name}{marks} {kind:?} {choices:?} {description}\n")
        };
        let parameters = help.options.iter().chain(&help.positionals).map(line);
        help.description
            .iter()
            .map(|text| format!("{text}\n"))
            .chain(parameters)
            .collect()
    }

    #[test]
    fn argparse() {
        let help =
            "usage: sub.py add [-h] [-s SIZE] -o NAME [--tags TAGS [TAGS ...]] [--level [LEVEL]]
                  [--color | --no-color] [--old {a,b}]
                  folder [extra ...] {fast,slow}

Parses arguments.

positional arguments:
  folder                folder with photos
  {fast,slow}           how

options:
  -h, --help            show this help message and exit
  -s SIZE, --size SIZE  longest side (default: 800)
  -o NAME, --owner NAME
                        who owns them,
                        -1 for nobody (default: None)
  --tags TAGS [TAGS ...]
  --level [LEVEL]       level
  --color, --no-color
  --old {a,b}
  --version             show program's version number and exit
";
        assert_eq!(
            told(help, &["add"]),
            "Parses arguments.\n\
             --size size Integer [] longest side (default: 800)\n\
             --owner owner! Text [] who owns them, -1 for nobody\n\
             --tags tags... Text [] \n\
             --level level Text [] level\n\
             --color color Flag [] \n\
             --no-color no-color Flag [] \n\
             --old old Text [\"a\", \"b\"] \n \
             folder! Text [] folder with photos\n \
             extra... Text [] \n \
             choice3! Text [\"fast\", \"slow\"] how\n"
        );
        let help = "usage: sub.py [-h] {add,remove} ...\n\npositional arguments:\n  {add,remove}\n    add  adds\n";
        assert_eq!(read(help, &[]).commands, ["add", "remove"]);
    }

    #[test]
    fn click_and_typer() {
        let help = "Usage: c.py [OPTIONS] SRC [DST]...

  Resize photos.

  Keeps the originals.

Options:
  -s, --size INTEGER RANGE  Longest side.  [default: 800; 1<=x<=5000]
  --format [jpg|png]        Output format.  [required]
  --shout / --no-shout      Be loud.
  --ratio <float>           The ratio.
  -t TEXT                   A tag; can be repeated.
  --help                    Show this message and exit.
";
        assert_eq!(
            told(help, &[]),
            "Resize photos.\n\
             --size size Integer [] Longest side. [default: 800; 1<=x<=5000]\n\
             --format format! Text [\"jpg\", \"png\"] Output format.\n\
             --shout shout Flag [] Be loud.\n\
             --no-shout no-shout Flag [] Be loud.\n\
             --ratio ratio Number [] The ratio.\n\
             -t t* Text [] A tag; can be repeated.\n \
             src! Text [] \n \
             dst... Text [] \n"
        );
        let help = " Usage: t.py [OPTIONS] {src} [dst]...\n\nArguments:\n  src <int>           The number.  [required]\n  \
                    dst... <list[str]>\n\nOptions:\n  --mode <a|b>  [default: a]\n";
        assert_eq!(
            told(help, &[]),
            "--mode mode Text [\"a\", \"b\"] [default: a]\n src! Integer [] The number.\n dst... Text [] \n"
        );
    }

    #[test]
    fn clap_and_gnu() {
        let help = "Add dependencies to a file

Usage: cargo add [OPTIONS] <DEP>[@<VERSION>] ...
       cargo add [OPTIONS] --path <PATH> ...

Arguments:
  [DEP]...
          Reference to a package

          - `<name>`, like `cargo add serde`

Options:
      --no-default-features
          Disable them

  -F, --features <FEATURES>
          List of features

          More of it.
      --color <WHEN>  Colouring [possible values: auto, never]
";
        assert_eq!(
            told(help, &["add"]),
            "Add dependencies to a file\n\
             --no-default-features no-default-features Flag [] Disable them\n\
             --features features Text [] List of features\n\
             --color color Text [\"auto\", \"never\"] Colouring [possible values: auto, never]\n \
             dep!... Text [] Reference to a package\n"
        );
        let help = "Usage: ls [OPTION]... [FILE]...
  or:  ls --other X
List information.

  -a, --all                  do not ignore
      --block-size=SIZE      with -l, scale;
                             e.g., '--block-size=M'
      --color[=WHEN]         color the output
";
        assert_eq!(
            told(help, &[]),
            "List information.\n\
             --all all Flag [] do not ignore\n\
             --block-size block-size= Text [] with -l, scale; e.g., '--block-size=M'\n\
             --color color= Text [] color the output\n \
             file... Text [] \n"
        );
    }

    #[test]
    fn what_is_no_help_says_nothing() {
        for text in [
            "",
            "error: no such option\n",
            "usage:",
            "Usage: x [--",
            "- a\n-- b\n",
            "  --\n",
            "\u{fffd} \u{1b}[31m -é",
        ] {
            let help = read(text, &[]);
            assert!(
                help.options.is_empty()
                    && help.positionals.is_empty()
                    && help.description.is_none(),
                "{text:?}: {help:?}"
            );
        }
    }
}
