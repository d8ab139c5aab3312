//! What is offered to a shell, in lines that its script reads.

use crate::prompt::fit;
use crate::terminal;

/// The most columns of a description.
const MOST_HELP: usize = 70;
/// The most candidates. Nobody reads more, and a shell takes its time with each.
const MOST: usize = 1000;

#[derive(Debug, PartialEq, Eq)]
enum Candidate {
    /// A word, and whether it is complete, so that a space may follow.
    Word {
        text: String,
        help: String,
        complete: bool,
    },
    /// The names of files behind a part of the word that stays.
    Files { behind: String, only_folders: bool },
}

#[derive(Debug, Default)]
pub struct Candidates(Vec<Candidate>);

impl Candidates {
    /// Offers a name that somebody gave to something. One that a shell would have to quote is left out:
    /// nobody calls a thing like that, but for those who hope that a shell does not quote.
    pub fn name(&mut self, before: &str, name: &str, after: &str, help: &str) {
        if is_plain(name) {
            self.push(format!("{before}{name}{after}"), help, after.is_empty());
        }
    }

    /// Offers a value behind a part of the word that stays. The script quotes it.
    pub fn value(&mut self, behind: &str, value: &str, help: &str) {
        if !value.is_empty() {
            self.push(format!("{behind}{value}"), help, true);
        }
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn files(&mut self, behind: &str) {
        self.paths(behind, false);
    }

    pub fn folders(&mut self, behind: &str) {
        self.paths(behind, true);
    }

    fn paths(&mut self, behind: &str, only_folders: bool) {
        self.0.push(Candidate::Files {
            behind: behind.to_owned(),
            only_folders,
        });
    }

    fn push(&mut self, text: String, help: &str, complete: bool) {
        // A line can't hold them, and a terminal must not get them.
        if text.chars().all(is_visible) {
            let help: Vec<&str> = help.split_whitespace().collect();
            let help = fit(&terminal::safe(&help.join(" ")), MOST_HELP);
            self.0.push(Candidate::Word {
                text,
                help,
                complete,
            });
        }
    }

    /// A line for each: what it is, the word or what stands before the files, and a description.
    /// Words that do not begin as the one at the cursor are left out.
    pub fn to_lines(&self, current: &str) -> String {
        let mut lines = String::new();
        let mut words = 0;
        for candidate in &self.0 {
            let (kind, text, help) = match candidate {
                Candidate::Word { text, .. } if !text.starts_with(current) || words == MOST => {
                    continue;
                }
                Candidate::Word {
                    text,
                    help,
                    complete,
                } => {
                    words += 1;
                    (if *complete { "word" } else { "part" }, text, help.as_str())
                }
                Candidate::Files {
                    behind,
                    only_folders,
                } => (if *only_folders { "folders" } else { "files" }, behind, ""),
            };
            lines.push_str(&format!("{kind}\t{text}\t{help}\n"));
        }
        lines
    }
}

fn is_plain(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_.@%+,:/-".contains(c);
    !name.is_empty() && !name.starts_with('-') && name.chars().all(plain)
}

/// Whether a character is one that a person sees: what the terminal rules replace is not.
fn is_visible(c: char) -> bool {
    let mut text = [0; 4];
    let text: &str = c.encode_utf8(&mut text);
    terminal::safe(text) == text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_that_no_shell_has_to_quote_are_offered() {
        let mut candidates = Candidates::default();
        for name in [
            "ok",
            "$(rm -rf ~)",
            "`id`",
            "a b",
            "-rf",
            "a;b",
            "é",
            "",
            "a\nb",
        ] {
            candidates.name("", name, "=", "");
        }
        assert_eq!(candidates.to_lines(""), "part\tok=\t\n");
    }

    #[test]
    fn values_and_descriptions_stay_on_their_line_and_steer_nothing() {
        let mut candidates = Candidates::default();
        for value in ["two words", "a\nb", "\x1b[2J", "\u{202e}x", "$(id)"] {
            candidates.value("x=", value, "line one\nfiles\t\x1b[2J");
        }
        let help = "line one files ␛[2J";
        assert_eq!(
            candidates.to_lines("x="),
            format!("word\tx=two words\t{help}\nword\tx=$(id)\t{help}\n")
        );
    }
}
