//! Laws of launch URIs and profile words: written and read again they are the same, and what they start
//! is what they say.

use fastrand::Rng;
use toolwire_contract::launch::{
    Argument, Image, Launch, Launcher, Listing, Package, Program, Remote, Request, Server,
};

use crate::subject::Subject;

/// A URI that is read is written as one that is read as the same, and written again is that one.
pub(super) fn reads_again(subject: &dyn Subject, input: &[u8], _: u64) -> Result<(), String> {
    let Ok(text) = std::str::from_utf8(input) else {
        return Ok(());
    };
    let Ok(launch) = subject.parse_launch_uri(text) else {
        return Ok(());
    };
    comes_back(subject, &launch)?;
    let of_json = Launch::from_json(&launch.to_json());
    if of_json.as_ref() != Ok(&launch) {
        return Err(format!("as JSON it is another: {launch:?} and {of_json:?}"));
    }
    safe_command(&launch)
}

/// Fields of any text, if they can be written, come back.
pub(super) fn fields(subject: &dyn Subject, input: &[u8], salt: u64) -> Result<(), String> {
    let text = String::from_utf8_lossy(input);
    let pieces: Vec<&str> = text.split(['/', '?', '&', '=', '@', ':']).collect();
    let mut rng = Rng::with_seed(salt);
    let launch = built(&pieces, &mut rng);
    match subject.format_launch_uri(&launch) {
        Ok(_) => comes_back(subject, &launch),
        Err(_) => Ok(()),
    }
}

fn comes_back(subject: &dyn Subject, launch: &Launch) -> Result<(), String> {
    let uri = subject
        .format_launch_uri(launch)
        .map_err(|error| format!("what was read can't be written: {launch:?}: {error}"))?;
    let again = subject
        .parse_launch_uri(&uri)
        .map_err(|error| format!("what was written can't be read: `{uri}`: {error}"))?;
    if again != *launch {
        return Err(format!("`{uri}` is another: {launch:?} and {again:?}"));
    }
    match subject.format_launch_uri(&again) {
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
    let Server::Program(program) = &launch.server else {
        return wrong("a server elsewhere has no command");
    };
    let named = match &program.launcher {
        Launcher::Uvx { package, .. } | Launcher::Npx { package, .. } => &package.name,
        Launcher::Python { file } | Launcher::Node { file } => file,
        Launcher::Docker { image } => &image.name,
        Launcher::Exec { program } => program,
    };
    if named.starts_with('-') || named.is_empty() {
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
    let package = Package {
        name: first.clone(),
        extras: few(rng, &second),
        version: some(rng, &third),
    };
    let with = few(rng, &fourth).into_iter().map(|name| Package {
        name,
        extras: Vec::new(),
        version: None,
    });
    let with: Vec<Package> = with.collect();
    let command = some(rng, &fifth);
    let launcher = match rng.u8(..6) {
        0 => Launcher::Uvx {
            package,
            command,
            with,
        },
        1 => Launcher::Npx {
            package,
            command,
            with,
        },
        2 => Launcher::Python { file: first },
        3 => Launcher::Node { file: first },
        4 => Launcher::Docker {
            image: Image {
                name: first,
                tag: some(rng, &second),
                digest: None,
            },
        },
        _ => Launcher::Exec { program: first },
    };
    let server = match rng.u8(..5) {
        0 => Server::Remote(Remote {
            url: format!("https://example.org/{second}"),
            headers: few(rng, &third),
        }),
        _ => Server::Program(Program {
            launcher,
            words: few(rng, &second),
            env: few(rng, &sixth),
            cwd: some(rng, &seventh),
        }),
    };
    let argument = |name: &str, text: &str| Argument {
        name: name.to_owned(),
        text: text.to_owned(),
    };
    let request = match rng.u8(..5) {
        0 => None,
        1 => Some(Request::List(Listing::ALL[rng.usize(..3)])),
        2 => Some(Request::Resource(eighth)),
        _ => Some(Request::Tool {
            name: eighth,
            arguments: vec![
                argument(&seventh, &sixth),
                argument(["tool", "command", "list", "arg.x"][rng.usize(..4)], &fifth),
            ],
        }),
    };
    Launch { server, request }
}
