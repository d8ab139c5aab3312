//! The handler of a signal, put back where the program has given the signal back to the system
//! meanwhile, as an event loop does when it ends: `signal-hook` sets it once and never looks again.

#![allow(
    unsafe_code,
    reason = "no crate tells or sets the handler of a signal safely"
)]

use std::io;
use std::mem::MaybeUninit;
use std::ptr;

/// What the system does with a signal.
pub(crate) struct Disposition(libc::sigaction);

impl Disposition {
    /// What it does now.
    pub(crate) fn now(signal: i32) -> io::Result<Self> {
        let mut action = MaybeUninit::uninit();
        // SAFETY: a null pointer changes nothing, and the other is valid for a write.
        let failed = unsafe { libc::sigaction(signal, ptr::null(), action.as_mut_ptr()) } != 0;
        if failed {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: the system has filled it in, since the call has not failed.
        Ok(Disposition(unsafe { action.assume_init() }))
    }

    /// Puts it back, if the system now does what it does by default.
    pub(crate) fn put_back(&self, signal: i32) -> io::Result<()> {
        if Disposition::now(signal)?.0.sa_sigaction != libc::SIG_DFL {
            return Ok(());
        }
        // SAFETY: the action comes from the system, its handler is a function of `signal-hook` that is
        // never unloaded, and the null pointer takes no old one.
        match unsafe { libc::sigaction(signal, &self.0, ptr::null_mut()) } {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error()),
        }
    }
}
