//! Search the files of a folder for a regular expression; each place is a resource with its lines.
//!
//!     toolwire run target/release/search 'pattern=fn \w+_tool' path=crates
//!
//! Files that git ignores, hidden ones and binary ones are left out.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use ignore::WalkBuilder;
use regex::{Regex, RegexBuilder};
use toolwire_author::toolwire::build::{self, ResourceOptions};
use toolwire_author::toolwire::{Block, file_uri};
use toolwire_author::{Context, Error, Program, Tool, arguments};

/// Search files for a regular expression.
#[arguments]
struct Search {
    /// A regular expression, in the syntax of Rust's regex crate.
    pattern: String,
    /// A folder or a file; relative to the root of the workspace.
    #[serde(default = "here")]
    path: String,
    /// Whether upper and lower case are the same.
    #[serde(default)]
    ignore_case: bool,
    /// So many lines are shown before and after each match.
    #[serde(default = "two")]
    #[schemars(range(max = 100))]
    context: usize,
    /// After so many places the search ends.
    #[serde(default = "fifty")]
    #[schemars(range(min = 1, max = 1000))]
    limit: usize,
}

fn here() -> String {
    ".".into()
}

fn two() -> usize {
    2
}

fn fifty() -> usize {
    50
}

fn search(args: Search, ctx: &Context) -> Result<Vec<Block>, Error> {
    let pattern = RegexBuilder::new(&args.pattern)
        .case_insensitive(args.ignore_case)
        .build()?;
    let root = ctx.root().unwrap_or(".");
    let root = root.strip_prefix("file://").unwrap_or(root);
    let start = std::path::absolute(Path::new(root).join(&args.path))?;
    fs::metadata(&start)
        .map_err(|error| Error::new(format!("`{}` can't be searched: {error}", start.display())))?;

    let mut places = Vec::new();
    let mut files = 0;
    let mut walk = WalkBuilder::new(&start);
    let walk = walk.sort_by_file_path(Path::cmp).build();
    for entry in walk {
        // A folder that can't be entered is told on stderr and does not end the search.
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                eprintln!("{error}");
                continue;
            }
        };
        let Ok(text) = fs::read_to_string(entry.path()) else {
            continue;
        };
        let found = regions(&text, &pattern, args.context);
        files += usize::from(!found.is_empty());
        for (first, last) in found {
            places.push(place(entry.path(), &text, first, last)?);
            if places.len() == args.limit {
                ctx.emit(format!("The first {} places:", args.limit))?;
                return Ok(places);
            }
        }
    }
    ctx.emit(match places.len() {
        0 => "Nothing was found.".to_owned(),
        1 => "One place:".to_owned(),
        many => format!("{many} places in {files} files:"),
    })?;
    Ok(places)
}

/// The first and last lines, from 0, of what is shown: matches with the lines around them.
fn regions(text: &str, pattern: &Regex, context: usize) -> Vec<(usize, usize)> {
    let mut regions: Vec<(usize, usize)> = Vec::new();
    let end = text.lines().count();
    for (number, _) in text
        .lines()
        .enumerate()
        .filter(|(_, line)| pattern.is_match(line))
    {
        let (first, last) = (
            number.saturating_sub(context),
            (number + context).min(end - 1),
        );
        match regions.last_mut() {
            Some((_, before)) if first <= *before + 1 => *before = last,
            _ => regions.push((first, last)),
        }
    }
    regions
}

fn place(path: &Path, text: &str, first: usize, last: usize) -> Result<Block, Error> {
    let lines: String = text
        .split_inclusive('\n')
        .skip(first)
        .take(last - first + 1)
        .collect();
    let (first, last) = (first + 1, last + 1);
    let uri = format!("{}#L{first}-{last}", file_uri(&path.to_string_lossy())?);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let options = ResourceOptions {
        name: Some(format!("{name}, lines {first} to {last}")),
        ..ResourceOptions::default()
    };
    Ok(build::resource(&uri, lines.as_str(), options)?)
}

fn main() -> ExitCode {
    let tool = Tool::new("search", search)
        .read_only(true)
        .open_world(false);
    Program::new().tool(tool).main()
}
