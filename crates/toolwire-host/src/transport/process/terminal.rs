//! Which terminal a tool has: none (PROC-7), or that of its host for as long as it runs.

/// The controlling terminal that a tool gets.
///
/// ```
/// use toolwire_host::{ProcessOptions, Terminal};
///
/// assert_eq!(ProcessOptions::default().terminal, Terminal::None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Terminal {
    /// None: a program that asks on `/dev/tty`, as `ssh`, `sudo` and `git` do, fails at once
    /// (PROC-7).
    #[default]
    None,
    /// That of the host, in whose foreground the tool runs: nobody else reads it until the tool has
    /// ended. It is for one call at a time, in a host that is in the foreground itself; else
    /// the tool is not started, with `system_error`. On Windows it is the same as `None`.
    Foreground,
}

#[cfg(unix)]
pub(crate) use lent::{Lent, Owned};

#[cfg(unix)]
mod lent {
    use std::fmt::Display;
    use std::fs::File;
    use std::io;

    use nix::libc;
    use nix::sys::signal::{SigSet, SigmaskHow, Signal, kill, killpg};
    use nix::sys::termios::{SetArg, Termios, tcgetattr, tcsetattr};
    use nix::unistd::{Pid, getpgrp, tcgetpgrp, tcsetpgrp};
    use rustix::process::{WaitId, WaitIdOptions, waitid};

    /// The controlling terminal of this process, in the foreground of which it is.
    #[derive(Debug)]
    pub(crate) struct Owned {
        tty: File,
        modes: libc::termios,
    }

    impl Owned {
        /// Whether there is one at all.
        pub(crate) fn exists() -> bool {
            open().is_ok()
        }

        pub(crate) fn find() -> io::Result<Self> {
            // The kind of the system's error would be taken for one of the program.
            let refused = |why: &dyn Display| {
                io::Error::other(format!("the terminal can't be handed over: {why}"))
            };
            let tty = open().map_err(|error| refused(&error))?;
            let foreground = tcgetpgrp(&tty).map_err(|error| refused(&error))?;
            if foreground != getpgrp() {
                return Err(refused(&"another program is in its foreground"));
            }
            let modes = tcgetattr(&tty).map_err(|error| refused(&error))?.into();
            Ok(Owned { tty, modes })
        }

        /// Hands it to the group of a tool that has been started.
        pub(crate) fn lend(self, tool: u32) -> Lent {
            let mut lent = Lent {
                owned: self,
                tool: Pid::from_raw(tool.cast_signed()),
                given: false,
            };
            lent.give();
            lent
        }
    }

    fn open() -> io::Result<File> {
        File::options().read(true).write(true).open("/dev/tty")
    }

    /// The terminal while a tool has it. Dropped, it is the host's again, in the modes that it had.
    #[derive(Debug)]
    pub(crate) struct Lent {
        owned: Owned,
        tool: Pid,
        given: bool,
    }

    // A terminal that is gone can be neither given nor taken, and then nobody needs it.
    impl Lent {
        fn give(&mut self) {
            self.given = in_background(|| tcsetpgrp(&self.owned.tty, self.tool)).is_ok();
            self.go_on();
        }

        /// The tool may have wanted the terminal before it had it, which stops it.
        pub(crate) fn go_on(&self) {
            let _ = killpg(self.tool, Signal::SIGCONT);
        }

        fn take_back(&mut self) {
            if std::mem::take(&mut self.given) {
                let _ = in_background(|| {
                    tcsetpgrp(&self.owned.tty, getpgrp())?;
                    let modes = Termios::from(self.owned.modes);
                    tcsetattr(&self.owned.tty, SetArg::TCSANOW, &modes)
                });
            }
        }

        /// Sees to a tool that has been stopped, if it has, as by Ctrl-Z: this process stops too, so
        /// that the shell is there, and both go on together.
        pub(crate) fn follow(&mut self) {
            let id = rustix::process::Pid::from_raw(self.tool.as_raw());
            let stops = WaitIdOptions::STOPPED | WaitIdOptions::NOHANG;
            let Some(Ok(Some(status))) = id.map(|id| waitid(WaitId::Pid(id), stops)) else {
                return;
            };
            let wanted = [Signal::SIGTTIN, Signal::SIGTTOU].map(|signal| signal as i32);
            let wants_terminal = status
                .stopping_signal()
                .is_some_and(|signal| wanted.contains(&signal));
            if wants_terminal && self.given {
                // That was before it had the terminal.
                return self.go_on();
            }
            self.take_back();
            // A shell that goes on with both gives the terminal to this process.
            if !(wants_terminal && self.is_ours()) {
                let _ = kill(Pid::from_raw(0), Signal::SIGTSTP);
            }
            // Behind a `bg` the terminal is the shell's.
            match self.is_ours() {
                true => self.give(),
                false => self.go_on(),
            }
        }

        fn is_ours(&self) -> bool {
            tcgetpgrp(&self.owned.tty).is_ok_and(|group| group == getpgrp())
        }
    }

    impl Drop for Lent {
        fn drop(&mut self) {
            self.take_back();
        }
    }

    /// Does what would stop a process that is not in the foreground.
    fn in_background<T>(action: impl FnOnce() -> nix::Result<T>) -> nix::Result<T> {
        let mut mask = SigSet::empty();
        mask.add(Signal::SIGTTOU);
        let before = mask.thread_swap_mask(SigmaskHow::SIG_BLOCK)?;
        let done = action();
        before.thread_set_mask()?;
        done
    }
}
