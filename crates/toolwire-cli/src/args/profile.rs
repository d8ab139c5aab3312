//! The arguments of `profile`.

use std::ffi::OsString;

use clap::{Args, Subcommand, ValueEnum, ValueHint};

use super::{JnArg, ServerArgs};
use crate::help;

#[derive(Args, Debug)]
pub struct ProfileArgs {
    #[command(subcommand)]
    pub verb: ProfileVerb,
}

#[derive(Subcommand, Debug)]
pub enum ProfileVerb {
    /// List the profiles that can be used here
    #[command(after_help = help::PROFILE_LIST)]
    List(ListProfilesArgs),
    /// Show what a profile says
    #[command(after_help = help::PROFILE_INFO)]
    Info(StoredProfileArgs),
    /// Write a new profile: of a server that is asked, or one that is given
    #[command(after_help = help::PROFILE_CREATE, override_usage = help::PROFILE_CREATE_USAGE)]
    Create(Box<CreateProfileArgs>),
    /// Check that the server's tools are still as the profile expects
    #[command(after_help = help::PROFILE_VALIDATE)]
    Validate(Box<AskProfileArgs>),
    /// Show what has changed since the profile was written
    #[command(after_help = help::PROFILE_DIFF)]
    Diff(Box<AskProfileArgs>),
    /// Take the server's tools over into the profile as they are now, after showing what has changed
    #[command(after_help = help::PROFILE_UPDATE)]
    Update(Box<UpdateProfileArgs>),
    /// Remove a profile
    #[command(after_help = help::PROFILE_REMOVE)]
    Remove(StoredProfileArgs),
}

/// What a profile is of.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProfileKind {
    Mcp,
}

#[derive(Args, Debug)]
pub struct ListProfilesArgs {
    /// Only profiles of this kind; there is one, for MCP servers
    #[arg(long = "type", value_enum, value_name = "TYPE")]
    pub kind: Option<ProfileKind>,
    /// Write JSON
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub jn: JnArg,
}

#[derive(Args, Debug)]
pub struct OneProfileArgs {
    /// The name of the profile, with or without `@`
    #[arg(value_name = "NAME")]
    pub name: String,
    /// Write JSON
    #[arg(long)]
    pub json: bool,
}

/// A profile whose server is not asked.
#[derive(Args, Debug)]
pub struct StoredProfileArgs {
    #[command(flatten)]
    pub one: OneProfileArgs,
    #[command(flatten)]
    pub jn: JnArg,
}

#[derive(Args, Debug)]
pub struct AskProfileArgs {
    #[command(flatten)]
    pub one: OneProfileArgs,
    #[command(flatten)]
    pub server: ServerArgs,
}

#[derive(Args, Debug)]
pub struct UpdateProfileArgs {
    /// Take the change over without asking
    #[arg(long)]
    pub accept: bool,
    /// Do not run the examples again
    #[arg(long)]
    pub no_examples: bool,
    #[command(flatten)]
    pub ask: AskProfileArgs,
}

#[derive(Args, Debug)]
pub struct CreateProfileArgs {
    #[command(flatten)]
    pub one: OneProfileArgs,
    /// The source that is asked for its tools; without it and a command, the profile is read from stdin
    #[arg(long, value_name = "SOURCE", value_hint = ValueHint::FilePath, conflicts_with = "command")]
    pub from: Option<OsString>,
    /// Put it into the project, in `.toolwire/profiles`, instead of the user's data folder
    #[arg(long)]
    pub project: bool,
    #[command(flatten)]
    pub server: ServerArgs,
    /// The program of a server and its own arguments
    #[arg(last = true, value_name = "COMMAND")]
    pub command: Vec<OsString>,
}

impl ProfileArgs {
    /// Whether standard input is read.
    pub fn reads(&self) -> bool {
        match &self.verb {
            ProfileVerb::Create(args) => args.from.is_none() && args.command.is_empty(),
            _ => false,
        }
    }
}
