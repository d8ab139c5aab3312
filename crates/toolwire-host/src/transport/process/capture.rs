//! What is kept of a tool's outputs, in bounded memory (PROC-10 to PROC-12).

use std::collections::VecDeque;

/// The beginning of an output, up to a number of bytes.
#[derive(Debug)]
pub(crate) struct Head {
    pub(crate) bytes: Vec<u8>,
    pub(crate) over: bool,
    most: usize,
}

impl Head {
    pub(crate) fn new(most: usize) -> Self {
        Head {
            bytes: Vec::new(),
            over: false,
            most,
        }
    }

    /// Takes a piece as far as it fits; whether this is the first that does not. The rest is dropped.
    pub(crate) fn push(&mut self, piece: &[u8]) -> bool {
        let room = self.most - self.bytes.len();
        let fits = &piece[..piece.len().min(room)];
        self.bytes.extend_from_slice(fits);
        fits.len() < piece.len() && !std::mem::replace(&mut self.over, true)
    }
}

/// The end of an output, up to a number of bytes.
#[derive(Debug)]
pub(crate) struct Tail {
    bytes: VecDeque<u8>,
    pub(crate) cut: bool,
    most: usize,
}

impl Tail {
    pub(crate) fn new(most: usize) -> Self {
        Tail {
            bytes: VecDeque::new(),
            cut: false,
            most,
        }
    }

    pub(crate) fn push(&mut self, piece: &[u8]) {
        let fits = &piece[piece.len().saturating_sub(self.most)..];
        let excess = (self.bytes.len() + fits.len()).saturating_sub(self.most);
        self.cut |= excess > 0 || fits.len() < piece.len();
        self.bytes.drain(..excess);
        self.bytes.extend(fits);
    }

    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.bytes.into()
    }
}

#[cfg(test)]
mod tests {
    use super::Tail;

    #[test]
    fn a_tail_keeps_the_last_bytes() {
        let mut tail = Tail::new(4);
        tail.push(b"ab");
        tail.push(b"cd");
        assert!(!tail.cut);
        tail.push(b"e");
        assert!(tail.cut);
        tail.push(b"0123456789");
        assert_eq!(tail.into_bytes(), b"6789");

        let mut none = Tail::new(0);
        none.push(b"a");
        assert!(none.cut && none.into_bytes().is_empty());
    }
}
