//! Streams of events, read as WHATWG says: what is not known is passed over.

/// An event that has data.
#[derive(Debug, PartialEq)]
pub(super) struct Event {
    pub data: Vec<u8>,
    /// Whether it is of the type `message`, as one without a type is.
    pub is_message: bool,
}

/// What has been read of a stream.
#[derive(Debug, Default)]
pub(super) struct Events {
    /// The maximum bytes of an event.
    limit: usize,
    line: Vec<u8>,
    data: Option<Vec<u8>>,
    is_other: bool,
    new_id: Option<String>,
    /// The id of the last event.
    pub last_id: Option<String>,
    /// After how many milliseconds the rest is asked for if it ends.
    pub retry: Option<u64>,
    has_begun: bool,
    /// Whether the last byte was a CR, which may be the first half of a line end.
    after_return: bool,
}

impl Events {
    pub(super) fn new(limit: usize) -> Self {
        Events {
            limit,
            ..Events::default()
        }
    }

    /// The events that end in a piece of the stream; nothing if one is too long.
    pub(super) fn feed(&mut self, mut piece: &[u8]) -> Option<Vec<Event>> {
        let mut events = Vec::new();
        while let [first, rest @ ..] = piece {
            if std::mem::take(&mut self.after_return) && *first == b'\n' {
                piece = rest;
                continue;
            }
            let end = piece.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
            self.line
                .extend_from_slice(&piece[..end.unwrap_or(piece.len())]);
            if self.line.len() + self.data.as_ref().map_or(0, Vec::len) > self.limit {
                return None;
            }
            let Some(end) = end else {
                break;
            };
            self.after_return = piece[end] == b'\r';
            piece = &piece[end + 1..];
            let line = std::mem::take(&mut self.line);
            events.extend(self.take(line));
        }
        Some(events)
    }

    /// Takes a line; gives the event that it ends.
    fn take(&mut self, mut line: Vec<u8>) -> Option<Event> {
        if !std::mem::replace(&mut self.has_begun, true) && line.starts_with(b"\xef\xbb\xbf") {
            line.drain(..3);
        }
        if line.is_empty() {
            let is_message = !std::mem::take(&mut self.is_other);
            self.last_id = self.new_id.clone();
            let data = self.data.take().filter(|data| !data.is_empty());
            return data.map(|data| Event { data, is_message });
        }
        let colon = line
            .iter()
            .position(|byte| *byte == b':')
            .unwrap_or(line.len());
        let value = (colon + 1).min(line.len());
        let value = value + usize::from(line.get(value) == Some(&b' '));
        let text = || String::from_utf8_lossy(&line[value..]).into_owned();
        match &line[..colon] {
            b"data" => match &mut self.data {
                Some(data) => {
                    data.push(b'\n');
                    data.extend_from_slice(&line[value..]);
                }
                // A long one is moved, not copied.
                None => {
                    line.drain(..value);
                    self.data = Some(line);
                }
            },
            b"event" => self.is_other = !matches!(&line[value..], b"" | b"message"),
            b"id" if !line.contains(&0) => self.new_id = Some(text()),
            b"retry" if line[value..].iter().all(u8::is_ascii_digit) => {
                self.retry = text().parse().ok().or(self.retry);
            }
            _ => {}
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn data(events: &mut Events, text: &str) -> Vec<String> {
        let events = events.feed(text.as_bytes()).unwrap();
        events
            .into_iter()
            .map(|event| String::from_utf8(event.data).unwrap())
            .collect()
    }

    #[test]
    fn an_event_ends_with_an_empty_line_of_any_kind() {
        for end in ["\n", "\r\n", "\r"] {
            let text = format!(
                "\u{feff}: hello\nheartbeat\nfoo: bar\ndata: a{end}data:b{end}{end}data{end}{end}data: c{end}{end}"
            );
            let mut whole = Events::new(100);
            assert_eq!(data(&mut whole, &text), ["a\nb", "c"]);
            let mut pieces = Events::new(100);
            let pieces = text
                .as_bytes()
                .iter()
                .flat_map(|byte| pieces.feed(&[*byte]).unwrap());
            assert_eq!(pieces.count(), 2);
        }
        assert_eq!(data(&mut Events::new(100), "data: cut\n"), [""; 0]);
    }

    #[test]
    fn the_id_and_the_time_are_those_of_the_last_event() {
        let mut events = Events::new(100);
        data(
            &mut events,
            "id: 1\nretry: 1000\ndata:\n\nretry: soon\nid: 2\ndata: x",
        );
        assert_eq!(
            (events.last_id.as_deref(), events.retry),
            (Some("1"), Some(1000))
        );
        data(&mut events, "\n\nid: a\0b\ndata: y\n\n");
        assert_eq!(events.last_id.as_deref(), Some("2"));
    }

    #[test]
    fn only_a_message_is_one() {
        let mut events = Events::new(100);
        let all = events.feed(b"event: ping\ndata: 1\n\ndata: 2\n\nevent: message\ndata: 3\n\n");
        let all: Vec<bool> = all.unwrap().iter().map(|event| event.is_message).collect();
        assert_eq!(all, [false, true, true]);
    }

    #[test]
    fn an_event_may_be_as_long_as_the_limit_and_no_longer() {
        for (limit, fits) in [(8, true), (7, false)] {
            let mut events = Events::new(limit);
            assert!(events.feed(b"data: 1\n\ndata: 1\n").is_some());
            assert_eq!(events.feed(b"data: 2").is_some(), fits);
        }
    }
}
