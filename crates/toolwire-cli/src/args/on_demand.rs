//! Arguments that are not built before somebody needs them.

use std::ops::{Deref, DerefMut};

use clap::builder::Resettable;
use clap::{ArgMatches, Args, Command, Error, FromArgMatches};

/// The arguments of a command. Only those of the command that was given are built: building those of
/// all commands would take longer than to read the command line.
#[derive(Debug)]
pub struct OnDemand<T>(Box<T>);

impl<T> Deref for OnDemand<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> DerefMut for OnDemand<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

impl<T: Args> Args for OnDemand<T> {
    fn augment_args(command: Command) -> Command {
        command.defer(|command| with_its_own_words(command, T::augment_args))
    }

    fn augment_args_for_update(command: Command) -> Command {
        command.defer(|command| with_its_own_words(command, T::augment_args_for_update))
    }
}

/// Adds arguments, whose own documentation is not that of the command.
fn with_its_own_words(command: Command, augment: fn(Command) -> Command) -> Command {
    let about = command.get_about().cloned();
    let long_about = command.get_long_about().cloned();
    augment(command)
        .about(Resettable::from(about))
        .long_about(Resettable::from(long_about))
}

impl<T: FromArgMatches> FromArgMatches for OnDemand<T> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        T::from_arg_matches(matches).map(|args| OnDemand(Box::new(args)))
    }

    fn from_arg_matches_mut(matches: &mut ArgMatches) -> Result<Self, Error> {
        T::from_arg_matches_mut(matches).map(|args| OnDemand(Box::new(args)))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        self.0.update_from_arg_matches(matches)
    }

    fn update_from_arg_matches_mut(&mut self, matches: &mut ArgMatches) -> Result<(), Error> {
        self.0.update_from_arg_matches_mut(matches)
    }
}
