//! What a crate's own macros make of their input, as far as they are simple enough: one that takes
//! single tokens, in repetitions or not.

use std::collections::HashMap;

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};

/// A `macro_rules!` of the crate.
pub struct Macro {
    /// For each arm what it takes and what it makes.
    arms: Vec<(Vec<TokenTree>, Vec<TokenTree>)>,
}

/// What a name of a macro stands for.
#[derive(Clone)]
enum Bound {
    One(TokenTree),
    Each(Vec<Bound>),
}

type Bindings = HashMap<String, Bound>;

impl Macro {
    pub fn new(rules: TokenStream) -> Macro {
        let tokens: Vec<TokenTree> = rules.into_iter().collect();
        let mut arms = Vec::new();
        // `(…) => {…};`
        let mut groups = tokens.into_iter().filter_map(|token| match token {
            TokenTree::Group(group) => Some(group.stream().into_iter().collect()),
            _ => None,
        });
        while let (Some(takes), Some(makes)) = (groups.next(), groups.next()) {
            arms.push((takes, makes));
        }
        Macro { arms }
    }

    /// What the first arm that fits makes; nothing if none does.
    pub fn expand(&self, input: TokenStream) -> Option<TokenStream> {
        let input: Vec<TokenTree> = input.into_iter().collect();
        self.arms.iter().find_map(|(takes, makes)| {
            let mut bindings = Bindings::new();
            let rest = take(takes, &input, &mut bindings)?;
            rest.is_empty().then(|| make(makes, &bindings))
        })
    }
}

/// Something in a macro that is not just a token.
enum Special<'a> {
    /// `$name` or, where it is taken, `$name:kind`.
    Name(String),
    /// `$(…) separator operator`
    Repeat(Group, Option<&'a TokenTree>, char),
}

/// Reads what stands behind a `$`; how many tokens it is.
fn special<'a>(tokens: &'a [TokenTree]) -> Option<(Special<'a>, usize)> {
    if !is(tokens.first()?, '$') {
        return None;
    }
    match tokens.get(1)? {
        TokenTree::Ident(name) => {
            let taken = tokens.get(2).is_some_and(|token| is(token, ':'));
            let kind = tokens.get(3).map(ToString::to_string);
            let taken = taken && kind.is_some_and(|kind| KINDS.contains(&kind.as_str()));
            let length = if taken { 4 } else { 2 };
            Some((Special::Name(name.to_string()), length))
        }
        TokenTree::Group(group) => {
            let operator = |at: usize| match tokens.get(at) {
                Some(TokenTree::Punct(punct)) if "*+?".contains(punct.as_char()) => {
                    Some(punct.as_char())
                }
                _ => None,
            };
            if let Some(found) = operator(2) {
                return Some((Special::Repeat(group.clone(), None, found), 3));
            }
            let found = operator(3)?;
            Some((Special::Repeat(group.clone(), tokens.get(2), found), 4))
        }
        _ => None,
    }
}

/// The kinds that are always a single token here.
const KINDS: [&str; 3] = ["ident", "literal", "tt"];

/// Takes a pattern from the front; what is left.
fn take<'a>(
    pattern: &[TokenTree],
    mut input: &'a [TokenTree],
    bindings: &mut Bindings,
) -> Option<&'a [TokenTree]> {
    let mut at = 0;
    while at < pattern.len() {
        match special(&pattern[at..]) {
            Some((Special::Name(name), length)) if length == 4 => {
                let (first, rest) = input.split_first()?;
                bindings.insert(name, Bound::One(first.clone()));
                (input, at) = (rest, at + length);
            }
            Some((Special::Repeat(body, separator, operator), length)) => {
                let body: Vec<TokenTree> = body.stream().into_iter().collect();
                let mut rounds = Vec::new();
                loop {
                    let start = match (separator, rounds.is_empty()) {
                        (Some(separator), false) => match input.split_first() {
                            Some((first, rest)) if same(first, separator) => rest,
                            _ => break,
                        },
                        _ => input,
                    };
                    let mut round = Bindings::new();
                    let Some(rest) = take(&body, start, &mut round) else {
                        break;
                    };
                    input = rest;
                    rounds.push(round);
                    if operator == '?' {
                        break;
                    }
                }
                if operator == '+' && rounds.is_empty() {
                    return None;
                }
                for name in names_in(&body) {
                    let each = rounds.iter().filter_map(|round| round.get(&name).cloned());
                    let each = Bound::Each(each.collect());
                    bindings.insert(name, each);
                }
                at += length;
            }
            Some(_) => return None,
            None => {
                let (first, rest) = input.split_first()?;
                match (&pattern[at], first) {
                    (TokenTree::Group(wanted), TokenTree::Group(found))
                        if wanted.delimiter() == found.delimiter() =>
                    {
                        let wanted: Vec<TokenTree> = wanted.stream().into_iter().collect();
                        let found: Vec<TokenTree> = found.stream().into_iter().collect();
                        if !take(&wanted, &found, bindings)?.is_empty() {
                            return None;
                        }
                    }
                    (wanted, found) if same(wanted, found) => {}
                    _ => return None,
                }
                (input, at) = (rest, at + 1);
            }
        }
    }
    Some(input)
}

/// Writes a template with what its names stand for.
fn make(template: &[TokenTree], bindings: &Bindings) -> TokenStream {
    let mut made = TokenStream::new();
    let mut at = 0;
    while at < template.len() {
        match special(&template[at..]) {
            Some((Special::Name(name), _)) => {
                match bindings.get(&name) {
                    Some(Bound::One(token)) => made.extend([token.clone()]),
                    _ if name == "crate" => {
                        let root = Ident::new("crate", Span::call_site());
                        made.extend([TokenTree::from(root)]);
                    }
                    _ => {}
                }
                at += 2;
            }
            Some((Special::Repeat(body, separator, _), length)) => {
                let body: Vec<TokenTree> = body.stream().into_iter().collect();
                let names = names_in(&body);
                let each = names.iter().filter_map(|name| match bindings.get(name) {
                    Some(Bound::Each(each)) => Some((name, each)),
                    _ => None,
                });
                let each: Vec<(&String, &Vec<Bound>)> = each.collect();
                let rounds = each.iter().map(|(_, each)| each.len()).max();
                for round in 0..rounds.unwrap_or(0) {
                    if round > 0 {
                        made.extend(separator.cloned());
                    }
                    let mut inner = bindings.clone();
                    for (name, each) in &each {
                        if let Some(bound) = each.get(round) {
                            inner.insert((*name).clone(), bound.clone());
                        }
                    }
                    made.extend(make(&body, &inner));
                }
                at += length;
            }
            None => {
                made.extend([match &template[at] {
                    TokenTree::Group(group) => {
                        let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                        Group::new(group.delimiter(), make(&inner, bindings)).into()
                    }
                    token => token.clone(),
                }]);
                at += 1;
            }
        }
    }
    made
}

/// The names behind a `$` in tokens and their groups.
fn names_in(tokens: &[TokenTree]) -> Vec<String> {
    let mut names = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Ident(name) if at > 0 && is(&tokens[at - 1], '$') => {
                names.push(name.to_string());
            }
            TokenTree::Group(group) => {
                let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                names.extend(names_in(&inner));
            }
            _ => {}
        }
    }
    names
}

fn is(token: &TokenTree, char: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == char)
}

fn same(one: &TokenTree, other: &TokenTree) -> bool {
    let is_group = |token: &TokenTree| matches!(token, TokenTree::Group(group) if group.delimiter() != Delimiter::None);
    !is_group(one) && !is_group(other) && one.to_string() == other.to_string()
}
