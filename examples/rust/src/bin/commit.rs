//! Commit what is staged in a git repository; asks for the message, and before it commits.
//!
//!     toolwire run target/release/commit
//!     toolwire run target/release/commit message="Fix the fence" repository=../other
//!
//! The same tool is there in Python, Node and shell; the first three answer with the same bytes.

use std::process::{Command, ExitCode};

use toolwire_author::{
    Context, Error, Program, Structured, Tool, arguments, boolean, output, string,
};

/// Commit what is staged in a git repository.
#[arguments]
struct Arguments {
    /// The message of the commit; asked for if it is left out.
    message: Option<String>,
    /// The folder of the repository.
    #[serde(default = "here")]
    repository: String,
}

fn here() -> String {
    ".".into()
}

#[output]
struct Committed {
    committed: bool,
    commit: Option<String>,
    message: String,
}

fn git(repository: &str, arguments: &[&str]) -> Result<String, Error> {
    let ran = Command::new("git")
        .args(["-C", repository])
        .args(arguments)
        .output()?;
    if !ran.status.success() {
        let said = String::from_utf8_lossy(&ran.stderr);
        return Err(Error::new(format!("git {}: {}", arguments[0], said.trim())));
    }
    Ok(String::from_utf8_lossy(&ran.stdout).trim().to_owned())
}

fn commit(args: Arguments, ctx: &Context) -> Result<Structured<Committed>, Error> {
    let repository = args.repository.as_str();
    let staged = git(repository, &["diff", "--cached", "--stat"])?;
    if staged.is_empty() {
        return Err(Error::new(
            "nothing is staged; stage it with `git add` first",
        ));
    }
    ctx.emit(staged)?;
    let message = match args.message {
        Some(message) => message,
        None => {
            let question = string("What is the message of the commit?");
            ctx.answer("message", question.min_length(1).max_length(72))?
        }
    };
    let question = boolean(format!("Commit as “{message}”?")).default(true);
    let committed = ctx.answer("confirm", question)?;
    let mut commit = None;
    if committed {
        git(repository, &["commit", "--quiet", "-m", &message])?;
        let head = git(repository, &["rev-parse", "HEAD"])?;
        ctx.emit(format!("Committed as {head}."))?;
        commit = Some(head);
    } else {
        ctx.emit("Left as it was.")?;
    }
    Ok(Structured(Committed {
        committed,
        commit,
        message,
    }))
}

fn preview(args: Arguments, _: &Context) -> Result<String, Error> {
    let message = args.message.as_deref().unwrap_or("…");
    Ok(format!("git -C {} commit -m “{message}”", args.repository))
}

fn main() -> ExitCode {
    let tool = Tool::new("commit", commit)
        .title("Commit")
        .destructive(false)
        .open_world(false)
        .format_arguments(preview);
    Program::new().tool(tool).main()
}
