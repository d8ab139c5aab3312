//! Reading the specification: its rules, its case fences, its unnumbered MUSTs.

use std::path::Path;

/// The most words that a rule of the standard has, its id included.
const RULE_WORDS: usize = 82;

/// A file of `spec/`.
pub struct Chapter {
    /// The file's name, such as `02-reading.md` or `companions/secret-judge.md`.
    pub file: String,
    pub text: String,
}

/// A numbered rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    pub id: String,
    pub file: String,
}

/// A fence that holds a case: its content and the line on which that begins.
#[derive(Clone, Debug, PartialEq)]
pub struct Fence {
    pub line: usize,
    pub text: String,
}

/// A paragraph, a list item or a table row, outside of code fences.
struct Passage {
    line: usize,
    text: String,
}

/// Reads all chapters, in the order of their names, and then all companions.
pub fn load(dir: &Path) -> Result<Vec<Chapter>, String> {
    let mut chapters = files(dir, "")?;
    chapters.extend(files(&dir.join("companions"), "companions/")?);
    Ok(chapters)
}

/// The pages of a folder, sorted by name.
fn files(dir: &Path, prefix: &str) -> Result<Vec<Chapter>, String> {
    let entries = std::fs::read_dir(dir)
        .map_err(|error| format!("cannot read the directory `{}`: {error}", dir.display()))?;
    let mut chapters = Vec::new();
    for path in entries.filter_map(Result::ok).map(|entry| entry.path()) {
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        if file.ends_with(".md") {
            let text = std::fs::read_to_string(&path)
                .map_err(|error| format!("cannot read `{}`: {error}", path.display()))?;
            chapters.push(Chapter {
                file: format!("{prefix}{file}"),
                text,
            });
        }
    }
    chapters.sort_by(|a, b| a.file.cmp(&b.file));
    Ok(chapters)
}

impl Chapter {
    /// The chapter's name without number and ending: `reading` for `02-reading.md`.
    pub fn name(&self) -> &str {
        let stem = self.file.trim_end_matches(".md");
        let stem = stem.rsplit('/').next().unwrap_or(stem);
        stem.trim_start_matches(|c: char| c.is_ascii_digit() || c == '-')
    }

    /// Whether the page is part of the standard, and not a companion.
    pub fn is_standard(&self) -> bool {
        !self.file.contains('/')
    }

    /// The rules that have more words than one can hold in mind.
    pub fn long_rules(&self) -> Vec<(String, usize)> {
        let words = |text: &str| text.split_whitespace().count();
        let long = self
            .passages()
            .into_iter()
            .filter(|passage| words(&passage.text) > RULE_WORDS);
        long.flat_map(|passage| {
            let count = words(&passage.text);
            rule_ids(&passage.text)
                .into_iter()
                .map(move |id| (id, count))
        })
        .collect()
    }

    /// The numbered rules, in the order of the text.
    pub fn rules(&self) -> Vec<Rule> {
        let mut rules = Vec::new();
        for passage in self.passages() {
            let ids = rule_ids(&passage.text);
            rules.extend(ids.into_iter().map(|id| Rule {
                id,
                file: self.file.clone(),
            }));
        }
        rules
    }

    /// The lines on which a passage says MUST without a rule's number.
    pub fn unnumbered_musts(&self) -> Vec<usize> {
        self.passages()
            .iter()
            .filter(|passage| says_must(&passage.text) && rule_ids(&passage.text).is_empty())
            .map(|passage| passage.line)
            .collect()
    }

    /// The rules that say neither MUST, SHOULD nor MAY, and so demand nothing.
    pub fn rules_without_key_word(&self) -> Vec<String> {
        self.passages()
            .iter()
            .filter(|passage| !KEY_WORDS.iter().any(|word| says(&passage.text, word)))
            .flat_map(|passage| rule_ids(&passage.text))
            .collect()
    }

    /// The fences marked `json case`.
    pub fn case_fences(&self) -> Result<Vec<Fence>, String> {
        let mut fences = Vec::new();
        let mut lines = self.text.lines().enumerate();
        while let Some((number, line)) = lines.next() {
            let Some((ticks, info)) = fence_start(line) else {
                continue;
            };
            let mut text = String::new();
            loop {
                match lines.next() {
                    None => {
                        return Err(format!(
                            "{}:{}: the fence is not closed",
                            self.file,
                            number + 1
                        ));
                    }
                    Some((_, inner)) if fence_end(inner, ticks) => break,
                    Some((_, inner)) => {
                        text.push_str(inner);
                        text.push('\n');
                    }
                }
            }
            if info == "json case" {
                fences.push(Fence {
                    line: number + 2,
                    text,
                });
            }
        }
        Ok(fences)
    }

    fn passages(&self) -> Vec<Passage> {
        let mut passages: Vec<Passage> = Vec::new();
        let mut open = false;
        let mut fence: Option<usize> = None;
        for (number, line) in self.text.lines().enumerate() {
            if let Some(ticks) = fence {
                if fence_end(line, ticks) {
                    fence = None;
                }
                continue;
            }
            if let Some((ticks, _)) = fence_start(line) {
                fence = Some(ticks);
                open = false;
                continue;
            }
            let trimmed = line.trim();
            if trimmed.is_empty() || trimmed.starts_with('#') {
                open = false;
            } else if let (true, Some(passage), false) =
                (open, passages.last_mut(), begins_passage(trimmed))
            {
                passage.text.push(' ');
                passage.text.push_str(trimmed);
            } else {
                passages.push(Passage {
                    line: number + 1,
                    text: trimmed.to_owned(),
                });
                open = true;
            }
        }
        passages
    }
}

/// A list item, a table row or a rule begins a passage of its own.
fn begins_passage(line: &str) -> bool {
    let number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    line.starts_with("- ")
        || line.starts_with("* ")
        || line.starts_with('|')
        || (number.len() < line.len() && number.starts_with(". "))
        || (line.starts_with("**") && !rule_ids(line).is_empty())
}

fn fence_start(line: &str) -> Option<(usize, &str)> {
    let line = line.trim_start();
    let ticks = line.len() - line.trim_start_matches('`').len();
    (ticks >= 3 && !line[ticks..].contains('`')).then(|| (ticks, line[ticks..].trim()))
}

fn fence_end(line: &str, ticks: usize) -> bool {
    let line = line.trim();
    line.len() >= ticks && line.bytes().all(|byte| byte == b'`')
}

/// The ids in a text that are written in bold, as `**READ-7**`.
fn rule_ids(text: &str) -> Vec<String> {
    text.split("**")
        .skip(1)
        .step_by(2)
        .filter(|bold| is_rule_id(bold))
        .map(str::to_owned)
        .collect()
}

/// Whether a text has the form of a rule's number, such as `READ-7`.
pub fn is_rule_id(text: &str) -> bool {
    text.split_once('-').is_some_and(|(chapter, number)| {
        !chapter.is_empty()
            && chapter.bytes().all(|byte| byte.is_ascii_uppercase())
            && !number.is_empty()
            && number.bytes().all(|byte| byte.is_ascii_digit())
    })
}

/// Whether a passage demands something; the one that explains the word does not.
fn says_must(text: &str) -> bool {
    if text.contains("RFC 2119") {
        return false;
    }
    says(text, "MUST")
}

/// The key words of RFC 2119 that the chapters use.
const KEY_WORDS: [&str; 3] = ["MUST", "SHOULD", "MAY"];

/// Whether a text has a word, in this spelling.
fn says(text: &str, wanted: &str) -> bool {
    text.split(|c: char| !c.is_ascii_alphanumeric())
        .any(|word| word == wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chapter(text: &str) -> Chapter {
        Chapter {
            file: "02-reading.md".to_owned(),
            text: text.to_owned(),
        }
    }

    #[test]
    fn rules_stand_in_paragraphs_items_and_rows() {
        let text = "# Title\n\n**READ-1** One MUST do\nthis.\n\
            **READ-2** Two.\n\n- **READ-3** Three.\n- four\n\n| a | b |\n|---|---|\n| **READ-5** | x |\n\
            \n```\n**READ-9** in a fence\n```\nsee READ-1 and **bold**\n";
        let rules = chapter(text).rules();
        let ids: Vec<_> = rules.iter().map(|rule| rule.id.as_str()).collect();
        assert_eq!(ids, ["READ-1", "READ-2", "READ-3", "READ-5"]);
    }

    #[test]
    fn a_must_without_a_number_is_found() {
        let text = "You MUST.\n\n**READ-1** It MUST.\n\nMUSTARD and must are free.\n\nMUST is that of RFC 2119.\n\n```\nMUST\n```\n";
        assert_eq!(chapter(text).unnumbered_musts(), [1]);
    }

    #[test]
    fn case_fences_may_be_longer_than_the_fences_in_them() {
        let text = "````json case\n{\"a\": \"```\"}\n````\n\n```json\n{}\n```\n";
        let fences = chapter(text).case_fences().unwrap();
        assert_eq!(
            fences,
            [Fence {
                line: 2,
                text: "{\"a\": \"```\"}\n".to_owned()
            }]
        );
        assert!(chapter("```json case\n{}").case_fences().is_err());
    }

    #[test]
    fn the_name_of_a_chapter_has_no_number() {
        assert_eq!(chapter("").name(), "reading");
        let companion = Chapter {
            file: "companions/secret-judge.md".to_owned(),
            text: String::new(),
        };
        assert_eq!(companion.name(), "secret-judge");
        assert!(!companion.is_standard() && chapter("").is_standard());
    }

    #[test]
    fn a_long_rule_is_found() {
        let text = format!(
            "- **READ-1** It MUST {}.\n- **READ-2** It MAY.\n",
            "be ".repeat(90)
        );
        assert_eq!(chapter(&text).long_rules(), [("READ-1".to_owned(), 95)]);
    }
}
