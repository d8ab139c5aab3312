//! A crate with what a listing has to see through.

mod hidden;
pub mod open;

use std::fmt;

pub use hidden::{Shape, inner::deep as renamed};
pub use serde_json::Value as Data;

/// Neither a test nor what is hidden is listed.
#[doc(hidden)]
pub fn secret() {}

pub(crate) fn internal() {}

pub const MOST: usize = 3;

#[cfg(unix)]
pub fn only_here<F>(mut self_made: Own, (a, b): (u8, u8), function: F) -> fmt::Result
where
    F: Fn(&hidden::inner::Private) -> Option<std::option::Option<Vec<u8>>>,
{
    let _ = (&mut self_made, a, b, function);
    Ok(())
}

#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Own {
    pub shape: hidden::Shape,
    secret: u8,
}

impl Own {
    pub fn take(mut self) -> Self {
        self.secret += 1;
        self
    }

    fn private(&self) {}
}

impl From<hidden::inner::Private> for String {
    fn from(_: hidden::inner::Private) -> String {
        String::new()
    }
}

impl From<Own> for String {
    fn from(_: Own) -> String {
        String::new()
    }
}

#[cfg(test)]
mod tests {
    pub fn nothing() {}
}
