//! Laws of launch URIs and profile words: written and read again they are the same, and what they start
//! is what they say.

use crate::rng::Rng;
use toolwire_contract::launch::{Argument, Launch, Launcher, Listing, Request};

/// A URI that is read is written as one that is read as the same, and written again is that one.
pub(super) fn reads_again(input: &[u8], _: u64) -> Result<(), String> {
    let Ok(text) = std::str::from_utf8(input) else {
        return Ok(());
    };
    let Ok(launch) = toolwire_contract::launch::parse_launch_uri(text) else {
        return Ok(());
    };
    comes_back(&launch)?;
    let of_json = Launch::from_json(&launch.to_json());
    if of_json.as_ref() != Ok(&launch) {
        return Err(format!("as JSON it is another: {launch:?} and {of_json:?}"));
    }
    safe_command(&launch)
}

/// Fields of any text, if they can be written, come back.
pub(super) fn fields(input: &[u8], salt: u64) -> Result<(), String> {
    let text = String::from_utf8_lossy(input);
    let pieces: Vec<&str> = text.split(['/', '?', '&', '=', '@', ':']).collect();
    let mut rng = Rng::with_seed(salt);
    let launch = built(&pieces, &mut rng);
    match toolwire_contract::launch::format_launch_uri(&launch) {
        Ok(_) => comes_back(&launch),
        Err(_) => Ok(()),
    }
}

fn comes_back(launch: &Launch) -> Result<(), String> {
    let uri = toolwire_contract::launch::format_launch_uri(launch)
        .map_err(|error| format!("what was read can't be written: {launch:?}: {error}"))?;
    let again = toolwire_contract::launch::parse_launch_uri(&uri)
        .map_err(|error| format!("what was written can't be read: `{uri}`: {error}"))?;
    if again != *launch {
        return Err(format!("`{uri}` is another: {launch:?} and {again:?}"));
    }
    match toolwire_contract::launch::format_launch_uri(&again) {
        Ok(twice) if twice == uri => Ok(()),
        twice => Err(format!("`{uri}` is written again as {twice:?}")),
    }
}

/// What is started is a program with words, none of which a shell or a system call would cut, and no
/// package or file is taken for an option.
fn safe_command(launch: &Launch) -> Result<(), String> {
    let Some(words) = launch.command() else {
        return Ok(());
    };
    let wrong = |why: &str| Err(format!("{why}: {words:?}"));
    if words
        .first()
        .is_none_or(|program| program.is_empty() || program.starts_with('-'))
    {
        return wrong("no program");
    }
    if words.iter().any(|word| word.contains('\0')) {
        return wrong("a word that is cut");
    }
    if launch.target.starts_with('-') || launch.target.is_empty() {
        return wrong("what is started looks like an option");
    }
    Ok(())
}

/// A launch whose fields hold pieces of a text.
fn built(pieces: &[&str], rng: &mut Rng) -> Launch {
    let mut word = || {
        const MORE: [&str; 10] = [
            "a", "a b", "x=y", "@s/n", "1.0", "\u{e9}&", "%41", "./a", "C:/a", "+",
        ];
        let at = rng.usize(..pieces.len() + MORE.len());
        let chosen = pieces.get(at).copied();
        chosen.unwrap_or_else(|| MORE[at - pieces.len()]).to_owned()
    };
    let names = [
        word(),
        word(),
        word(),
        word(),
        word(),
        word(),
        word(),
        word(),
    ];
    let [first, second, third, fourth, fifth, sixth, seventh, eighth] = names;
    let some = |rng: &mut Rng, text: &String| rng.bool().then(|| text.clone());
    let few = |rng: &mut Rng, text: &String| match rng.u8(..3) {
        0 => vec![text.clone()],
        1 => vec![text.clone(), "more".to_owned()],
        _ => Vec::new(),
    };
    let (launcher, target) = match rng.u8(..7) {
        0 => (Launcher::Uvx, first),
        1 => (Launcher::Npx, first),
        2 => (Launcher::Python, first),
        3 => (Launcher::Node, first),
        4 => (Launcher::Docker, first),
        5 => (Launcher::Http, format!("https://example.org/{second}")),
        _ => (Launcher::Exec, first),
    };
    let is_package = matches!(launcher, Launcher::Uvx | Launcher::Npx);
    let is_url = launcher == Launcher::Http;
    // One launch in eight has a member too many.
    let any = rng.u8(..8) == 0;
    let mut list = |text: &String, fits: bool| match fits || any {
        true => few(rng, text),
        false => Vec::new(),
    };
    let mut launch = Launch {
        with: list(&fourth, is_package),
        words: list(&second, !is_url),
        env: list(&sixth, !is_url),
        headers: list(&third, is_url),
        ..Launch::new(launcher, target)
    };
    launch.command = some(rng, &fifth).filter(|_| is_package || any);
    launch.cwd = some(rng, &seventh).filter(|_| !is_url || any);
    let argument = |name: &str, text: &str| Argument {
        name: name.to_owned(),
        text: text.to_owned(),
    };
    let request = match rng.u8(..5) {
        0 => None,
        1 => Some(Request::List {
            list: Listing::ALL[rng.usize(..3)],
        }),
        2 => Some(Request::Resource { uri: eighth }),
        _ => Some(Request::Tool {
            name: eighth,
            arguments: vec![
                argument(&seventh, &sixth),
                argument(["tool", "command", "list", "arg.x"][rng.usize(..4)], &fifth),
            ],
        }),
    };
    Launch { request, ..launch }
}
