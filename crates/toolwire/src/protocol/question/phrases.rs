//! Which phrases of `schema/secrets.json` stand where in a text.

use std::ops::Range;
use std::sync::LazyLock;

use super::fold::{fold, words};
use super::secret_table as table;

/// The class of a phrase, as the lists of the data are called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum PhraseClass {
    Passwords,
    Secrets,
    Unclear,
    Vague,
    Requests,
    Owners,
    Insists,
    Before,
    After,
    Negates,
    Breaks,
    Earlier,
    Later,
    Skip,
}

/// A phrase as it is looked for.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Phrase {
    /// Its words put together, folded.
    text: String,
    class: PhraseClass,
    /// Whether a word may go on behind it.
    goes_on: bool,
}

/// Phrases, sorted by their text.
type Phrases = Vec<Phrase>;

/// The phrases of terms, and all others; those that begin where a word does, and those that may stand
/// inside of one.
struct Tables {
    terms: [Phrases; 2],
    others: [Phrases; 2],
}

/// Made at the first question, since most programs ask none.
static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let terms = [
        (PhraseClass::Passwords, table::PASSWORDS),
        (PhraseClass::Secrets, table::SECRETS),
        (PhraseClass::Unclear, table::UNCLEAR),
        (PhraseClass::Vague, table::VAGUE),
    ];
    let others = [
        (PhraseClass::Requests, table::REQUESTS),
        (PhraseClass::Owners, table::OWNERS),
        (PhraseClass::Insists, table::INSISTS),
        (PhraseClass::Before, table::BEFORE),
        (PhraseClass::After, table::AFTER),
        (PhraseClass::Negates, table::NEGATIONS),
        (PhraseClass::Breaks, table::BREAKS),
        (PhraseClass::Earlier, table::EARLIER),
        (PhraseClass::Later, table::LATER),
        (PhraseClass::Skip, table::SKIP),
    ];
    Tables {
        terms: sorted(&terms),
        others: sorted(&others),
    }
});

fn sorted(lists: &[(PhraseClass, &str)]) -> [Phrases; 2] {
    let mut tables = [Vec::new(), Vec::new()];
    for (class, list) in lists {
        for phrase in list.lines() {
            tables[usize::from(phrase.starts_with('*'))].push(Phrase {
                text: words(phrase).concat(),
                class: *class,
                goes_on: phrase.ends_with('*'),
            });
        }
    }
    tables.iter_mut().for_each(|table| table.sort());
    tables
}

/// Where a phrase stands.
#[derive(Debug, Clone)]
pub(super) struct Found {
    pub at: Range<usize>,
    pub class: PhraseClass,
}

/// The words of a text put together, and what is known of the places in it.
pub(super) struct Text {
    letters: String,
    /// Where words start and end, in order.
    starts: Vec<usize>,
    ends: Vec<usize>,
    /// Whether one does here.
    is_start: Vec<bool>,
    is_end: Vec<bool>,
    /// Where sentences start, but for the first.
    sentences: Vec<usize>,
    /// Where clauses do, in sentences.
    clauses: Vec<usize>,
    /// Where something follows a comma.
    commas: Vec<usize>,
}

impl Text {
    pub(super) fn new(text: &str) -> Self {
        let folded = fold(text);
        let mut letters = String::with_capacity(folded.len());
        let (mut starts, mut ends) = (Vec::new(), Vec::new());
        let mut sentences = Vec::new();
        let (mut clauses, mut commas) = (Vec::new(), Vec::new());
        let mut inside = false;
        let mut rest = folded.chars().peekable();
        while let Some(c) = rest.next() {
            if c.is_alphanumeric() {
                if !inside {
                    starts.push(letters.len());
                }
                letters.push(c);
            } else {
                if inside {
                    ends.push(letters.len());
                }
                let point = c == '.' && rest.peek().is_some_and(|next| !next.is_whitespace());
                if "!?;.。．؟।॥።\n\r\u{2028}\u{2029}".contains(c) && !point {
                    sentences.push(letters.len());
                }
                if ":()\u{2013}\u{2014}".contains(c) {
                    clauses.push(letters.len());
                }
                if ",\u{3001}\u{60c}".contains(c) {
                    commas.push(letters.len());
                }
            }
            inside = c.is_alphanumeric();
        }
        if inside {
            ends.push(letters.len());
        }
        sentences.dedup();
        let marked = |places: &[usize]| {
            let mut marks = vec![false; letters.len() + 1];
            places.iter().for_each(|place| marks[*place] = true);
            marks
        };
        Text {
            is_start: marked(&starts),
            is_end: marked(&ends),
            letters,
            starts,
            ends,
            sentences,
            clauses,
            commas,
        }
    }

    /// The terms, in their order.
    pub(super) fn terms(&self) -> Vec<Found> {
        self.find(&TABLES.terms)
    }

    /// The phrases that are no terms, in their order.
    pub(super) fn others(&self) -> Vec<Found> {
        self.find(&TABLES.others)
    }

    /// The longest phrase of each kind at each place.
    fn find(&self, [bound, free]: &[Phrases; 2]) -> Vec<Found> {
        let mut all = Vec::new();
        for (at, _) in self.letters.char_indices() {
            let first = all.len();
            if self.is_start[at] {
                self.find_at(at, bound, &mut all);
            }
            self.find_at(at, free, &mut all);
            // Of one kind, only the longest counts.
            all[first..]
                .sort_by_key(|found: &Found| (found.class, std::cmp::Reverse(found.at.end)));
            let mut kept = first;
            for index in first..all.len() {
                if index == first || all[index].class != all[kept - 1].class {
                    all.swap(kept, index);
                    kept += 1;
                }
            }
            all.truncate(kept);
        }
        all
    }

    fn find_at(&self, at: usize, phrases: &[Phrase], all: &mut Vec<Found>) {
        let text = &self.letters.as_bytes()[at..];
        let mut left = phrases;
        for (depth, byte) in text.iter().enumerate() {
            let byte_of = |phrase: &Phrase| phrase.text.as_bytes().get(depth).copied();
            let from = left.partition_point(|phrase| byte_of(phrase) < Some(*byte));
            let to = from + left[from..].partition_point(|phrase| byte_of(phrase) <= Some(*byte));
            left = &left[from..to];
            if left.is_empty() {
                return;
            }
            let end = at + depth + 1;
            let whole = left
                .iter()
                .take_while(|phrase| phrase.text.len() == depth + 1);
            all.extend(
                whole
                    .filter(|phrase| phrase.goes_on || self.is_end[end])
                    .map(|phrase| Found {
                        at: at..end,
                        class: phrase.class,
                    }),
            );
        }
    }

    /// The number of the sentence that this letter is in.
    pub(super) fn sentence(&self, letter: usize) -> usize {
        self.sentences.partition_point(|start| *start <= letter)
    }

    /// Whether two letters are in the same clause.
    pub(super) fn is_one_clause(&self, one: usize, other: usize) -> bool {
        let clause = |letter| self.clauses.partition_point(|start| *start <= letter);
        self.sentence(one) == self.sentence(other) && clause(one) == clause(other)
    }

    /// Where the part between commas ends that a letter is in.
    pub(super) fn part_end(&self, letter: usize) -> usize {
        let next = self.commas.partition_point(|start| *start <= letter);
        self.commas.get(next).copied().unwrap_or(self.letters.len())
    }

    /// The words of a place, as they are compared.
    pub(super) fn spelled(&self, at: &Range<usize>) -> String {
        let mut words = String::new();
        for (place, c) in self.letters[at.clone()].char_indices() {
            if place > 0 && self.is_start[at.start + place] {
                words.push(' ');
            }
            words.push(c);
        }
        words
    }

    /// How many words the sentence of this letter has.
    pub(super) fn words_beside(&self, letter: usize) -> usize {
        let sentence = self.sentence(letter);
        let start = sentence
            .checked_sub(1)
            .map_or(0, |before| self.sentences[before]);
        let end = self.sentences.get(sentence).copied().unwrap_or(usize::MAX);
        let before = |place| self.starts.partition_point(|start| *start < place);
        before(end) - before(start)
    }

    /// Where the word that goes on here ends.
    pub(super) fn word_end(&self, letter: usize) -> usize {
        let next = self.ends.partition_point(|end| *end < letter);
        self.ends.get(next).copied().unwrap_or(letter)
    }
}
