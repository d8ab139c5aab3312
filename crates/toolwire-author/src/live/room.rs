//! How much may wait for a tool that takes no input.

use crate::invocation;

/// When so many inputs, or so many bytes of them, wait for a tool that does not take them, more of them are lost. To
/// let the host wait instead would keep the answers and the end that come behind them from the tool.
pub(crate) const INPUTS: usize = 10_000;
pub(crate) const BYTES: usize = 16 * 1024 * 1024;

const LOST: &str =
    "toolwire: input is lost: the tool takes none, and 10,000 inputs or 16 MiB of them wait\n";

/// The room for the inputs of a session that wait.
#[derive(Debug, Default)]
pub struct Room {
    inputs: usize,
    bytes: usize,
    has_lost: bool,
}

/// There is no room for an input.
#[derive(Debug, PartialEq, Eq)]
pub struct Lost {
    is_first: bool,
}

impl Lost {
    /// Says so on stderr, once: an event would wait for a host that does not read, and with it what comes next.
    pub fn say(&self) {
        if self.is_first {
            invocation::say(LOST);
        }
    }
}

impl Room {
    /// Takes room for an input of so many bytes. One input always has some.
    ///
    /// # Errors
    ///
    /// If there is none: the input is lost.
    pub fn take(&mut self, size: usize) -> Result<(), Lost> {
        if self.inputs >= INPUTS || self.bytes >= BYTES {
            let is_first = !std::mem::replace(&mut self.has_lost, true);
            return Err(Lost { is_first });
        }
        self.inputs += 1;
        self.bytes += size;
        Ok(())
    }

    /// An input of so many bytes was taken.
    pub fn free(&mut self, size: usize) {
        self.inputs = self.inputs.saturating_sub(1);
        self.bytes = self.bytes.saturating_sub(size);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_fill_it_too_but_one_input_has_always_room() {
        let mut room = Room::default();
        assert_eq!(room.take(BYTES - 3), Ok(()));
        assert_eq!(room.take(3), Ok(()));
        assert_eq!(room.take(0), Err(Lost { is_first: true }));
        assert_eq!(room.take(0), Err(Lost { is_first: false }));
        room.free(3);
        assert_eq!(room.take(BYTES), Ok(()));
    }
}
