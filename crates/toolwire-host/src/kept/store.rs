//! Texts that are kept for a while in private files, within limits.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::time::Instant;

use super::KeptOptions;

/// What is kept, by its handles.
#[derive(Debug, Default)]
pub struct Store(HashMap<String, Entry>);

#[derive(Debug)]
struct Entry {
    principal: String,
    digest: String,
    /// It has no name, so nobody else can open it, and it is gone however this process ends.
    file: File,
    bytes: u64,
    since: Instant,
}

impl Store {
    /// Keeps a text, and returns its handle. What the principal has kept already keeps its handle.
    pub fn keep(
        &mut self,
        principal: &str,
        text: &str,
        options: &KeptOptions,
    ) -> io::Result<String> {
        self.expire(options);
        let digest = toolwire::digest_bytes(text.as_bytes());
        let same = |entry: &Entry| entry.principal == principal && entry.digest == digest;
        if let Some((handle, entry)) = self.0.iter_mut().find(|(_, entry)| same(entry)) {
            entry.since = Instant::now();
            return Ok(handle.clone());
        }
        let bytes = text.len() as u64;
        if bytes > options.max_all {
            return Err(io::Error::other("it is larger than all that may be kept"));
        }
        while self.0.len() >= options.max_results.max(1)
            || self.bytes(|_| true) + bytes > options.max_all
        {
            self.forget_one(options);
        }
        // It is private from its first moment, and has no name before anything is in it.
        let (mut file, name) = tempfile::NamedTempFile::new()?.into_parts();
        name.close()?;
        file.write_all(text.as_bytes())?;
        let handle = random_handle()?;
        let entry = Entry {
            principal: principal.to_owned(),
            digest,
            file,
            bytes,
            since: Instant::now(),
        };
        self.0.insert(handle.clone(), entry);
        Ok(handle)
    }

    /// The text under a handle, unless it is another principal's or not there any more.
    pub fn read(
        &mut self,
        principal: &str,
        handle: &str,
        options: &KeptOptions,
    ) -> Option<io::Result<String>> {
        self.expire(options);
        let entry = self.0.get_mut(handle)?;
        if entry.principal != principal {
            return None;
        }
        let mut text = String::new();
        let read = entry.file.seek(SeekFrom::Start(0));
        let read = read.and_then(|_| entry.file.read_to_string(&mut text));
        Some(read.map(|_| text))
    }

    fn expire(&mut self, options: &KeptOptions) {
        self.0
            .retain(|_, entry| entry.since.elapsed() < options.lifetime);
    }

    fn bytes(&self, which: impl Fn(&Entry) -> bool) -> u64 {
        let entries = self.0.values().filter(|entry| which(entry));
        entries.map(|entry| entry.bytes).sum()
    }

    /// Forgets the oldest text of the principal that has most, of bytes or of places, so that nobody takes the room of
    /// others.
    fn forget_one(&mut self, options: &KeptOptions) {
        let share = |one: &str| {
            let places = self.0.values().filter(|entry| entry.principal == one);
            let bytes = self.bytes(|entry| entry.principal == one) as f64;
            (bytes / options.max_all as f64).max(places.count() as f64 / options.max_results as f64)
        };
        let principals = self.0.values().map(|entry| &entry.principal);
        let most = principals
            .max_by(|one, other| share(one).total_cmp(&share(other)))
            .cloned();
        let of_it = self
            .0
            .iter()
            .filter(|(_, entry)| Some(&entry.principal) == most.as_ref());
        let oldest = of_it
            .min_by_key(|(_, entry)| entry.since)
            .map(|(handle, _)| handle.clone());
        if let Some(handle) = oldest {
            self.0.remove(&handle);
        }
    }
}

/// A handle of 128 random bits, in hexadecimal: no model misreads that.
fn random_handle() -> io::Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| io::Error::other(error.to_string()))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn options() -> KeptOptions {
        KeptOptions {
            max_all: 100,
            max_results: 3,
            ..KeptOptions::default()
        }
    }

    #[test]
    fn a_text_is_for_its_principal_alone() {
        let (mut store, options) = (Store::default(), options());
        let handle = store.keep("ada", "abc", &options).unwrap();
        assert_eq!(
            store.read("ada", &handle, &options).unwrap().unwrap(),
            "abc"
        );
        assert!(store.read("bob", &handle, &options).is_none());
        assert_eq!(store.keep("ada", "abc", &options).unwrap(), handle);
        assert_ne!(store.keep("bob", "abc", &options).unwrap(), handle);
    }

    #[cfg(unix)]
    #[test]
    fn nobody_else_can_open_the_file() {
        use std::os::unix::fs::MetadataExt as _;

        let mut store = Store::default();
        let handle = store.keep("", "abc", &options()).unwrap();
        let file = store.0[&handle].file.metadata().unwrap();
        assert_eq!((file.mode() & 0o777, file.nlink()), (0o600, 0));
    }

    #[test]
    fn who_has_most_places_makes_room_first() {
        let (mut store, options) = (Store::default(), options());
        let large = store.keep("ada", &"a".repeat(30), &options).unwrap();
        for text in ["b", "c", "d", "e"] {
            store.keep("bob", text, &options).unwrap();
        }
        assert!(store.read("ada", &large, &options).is_some());
    }

    #[test]
    fn who_keeps_most_makes_room_first() {
        let (mut store, options) = (Store::default(), options());
        let small = store.keep("bob", "b", &options).unwrap();
        let first = store.keep("ada", &"a".repeat(60), &options).unwrap();
        let second = store.keep("ada", &"c".repeat(50), &options).unwrap();
        assert!(store.read("ada", &first, &options).is_none());
        assert!(store.read("ada", &second, &options).is_some());
        assert!(store.read("bob", &small, &options).is_some());
        assert!(store.keep("ada", &"d".repeat(101), &options).is_err());
        for text in ["e", "f", "g"] {
            store.keep("ada", text, &options).unwrap();
        }
        assert_eq!(store.0.len(), 3);
    }

    #[test]
    fn what_is_old_is_gone() {
        let (mut store, mut options) = (Store::default(), options());
        let handle = store.keep("", "abc", &options).unwrap();
        options.lifetime = Duration::ZERO;
        assert!(store.read("", &handle, &options).is_none());
        assert!(store.0.is_empty());
    }
}
