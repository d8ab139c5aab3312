//! Holds what the published crates promise against what they are: the listings of their API, and the
//! oldest Rust that builds them.

mod exports;
mod listing;
mod macros;
mod metadata;
mod msrv;
mod names;
mod render;
mod source;

use std::fs;
use std::process::ExitCode;

use metadata::Metadata;

const HELP: &str = "\
Checks what the published crates promise.

Usage: cargo run -p toolwire-api-check -- <COMMAND>

Commands:
  api           compare the API of each published crate with the listing in its `api.txt`
  api --write   write the listings
  msrv          compare the Rust version of the manifests, the dependencies and the READMEs
  help          print this
";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let checked = match words[..] {
        ["api"] => api(false),
        ["api", "--write"] => api(true),
        ["msrv"] => Metadata::read(true).map(|metadata| msrv::problems(&metadata)),
        ["help" | "--help" | "-h"] => {
            print!("{HELP}");
            return ExitCode::SUCCESS;
        }
        _ => {
            eprint!("{HELP}");
            return ExitCode::from(2);
        }
    };
    match checked {
        Ok(problems) if problems.is_empty() => ExitCode::SUCCESS,
        Ok(problems) => {
            for problem in problems {
                eprintln!("error: {problem}");
            }
            ExitCode::FAILURE
        }
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::from(2)
        }
    }
}

/// Compares or writes the listings; what is wrong with them.
fn api(write: bool) -> Result<Vec<String>, String> {
    let metadata = Metadata::read(false)?;
    let mut problems = Vec::new();
    for (package, library) in metadata.published_libraries() {
        let listing = listing::of_crate(&library.name, &library.src_path)?;
        let file = package.folder().join("api.txt");
        let shown = metadata.shown(&file);
        let kept = fs::read_to_string(&file).map(|text| text.replace("\r\n", "\n"));
        if kept.as_deref().is_ok_and(|kept| kept == listing) {
            continue;
        }
        if write {
            fs::write(&file, &listing).map_err(|error| format!("`{shown}`: {error}"))?;
            println!("wrote {shown}");
            continue;
        }
        let changes = match &kept {
            Ok(kept) => listing::changes(kept, &listing),
            Err(_) => "  the file is not there\n".to_owned(),
        };
        problems.push(format!(
            "the API of `{}` is not the one that is listed in {shown}:\n{changes}\
             if it is meant to change, run `cargo xtask api --write` and commit the listing",
            package.name
        ));
    }
    Ok(problems)
}
