//! The events file: what a tool says while it runs (EVT rules).

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::time::{Duration, Instant};

use tokio::time::sleep;
use toolwire::Limits;
use toolwire::event::{Level, Message, Progress, ToolEvent, read_event};

use super::{EventLimits, ProcessOptions};
use crate::Control;
use crate::transport::control::HOST;

/// How often the file is looked at: after it grew, and at most so rarely if it does not.
///
/// Looking costs about a microsecond. A notification by the system instead (inotify) would need one of the few
/// instances that a user may have, 128 on many systems, for each call.
const SOON: Duration = Duration::from_millis(20);
const LATE: Duration = Duration::from_millis(100);

/// Maximum bytes per read, after which other work has its turn.
const PIECE: usize = 128 * 1024;

/// Reads an events file as it grows and passes on what it says.
///
/// It holds the file that the host made. What a tool puts in its place is not read, so no link and no named
/// pipe can be opened (EVT-3).
#[derive(Debug)]
pub(crate) struct EventReader<'a> {
    file: File,
    limits: EventLimits,
    options: &'a ProcessOptions,
    control: &'a Control,
    /// Where in the file the next byte is, and how many were read in all.
    position: u64,
    read: u64,
    /// Whether more was written than is read.
    over: bool,
    /// A line that has begun; its bytes are not kept once there are too many.
    line: Vec<u8>,
    too_long: bool,
    /// How many lines have ended.
    lines: u64,
    /// Progress that is not passed on yet, and when some was last.
    waiting: Option<Progress>,
    told: Option<Instant>,
    ignored: Ignored,
}

/// The lines that are not events, for a message to the author of the tool.
#[derive(Debug, Default)]
struct Ignored {
    count: u64,
    first: String,
}

impl<'a> EventReader<'a> {
    pub(crate) fn new(file: File, options: &'a ProcessOptions, control: &'a Control) -> Self {
        EventReader {
            file,
            limits: options.events,
            options,
            control,
            position: 0,
            read: 0,
            over: false,
            line: Vec::new(),
            too_long: false,
            lines: 0,
            waiting: None,
            told: None,
            ignored: Ignored::default(),
        }
    }

    /// Passes on what the tool says, for as long as this is polled.
    pub(crate) async fn follow(&mut self) {
        let mut rest = SOON;
        loop {
            sleep(rest).await;
            let grew = self.look();
            let interval = self.limits.progress_interval;
            if self.told.is_none_or(|told| told.elapsed() >= interval) {
                self.tell_progress();
            }
            rest = match grew || self.over || self.waiting.is_some() {
                true => SOON,
                false => (rest * 2).min(LATE),
            };
        }
    }

    /// Passes on the rest when the tool has ended: what is in the file now, not what somebody still adds.
    pub(crate) async fn finish(mut self) {
        let end = self.length();
        while self.position < end && self.look() {
            tokio::task::yield_now().await;
        }
        // What the limit has cut is no line.
        if !self.over && (!self.line.is_empty() || self.too_long) {
            self.end_line();
        }
        self.tell_progress();
        self.tell_ignored();
    }

    fn length(&self) -> u64 {
        // The file is open, so that this can't be the tool's doing.
        self.file.metadata().map_or(0, |metadata| metadata.len())
    }

    /// Reads the next piece; false if there was none.
    fn look(&mut self) -> bool {
        let length = self.length();
        if length < self.position {
            // The tool wrote with `>` instead of `>>`: the whole file is new.
            self.position = 0;
            self.line.clear();
            self.too_long = false;
        }
        let room = self.limits.max_bytes.saturating_sub(self.read);
        let end = self.position.saturating_add(room);
        if length > end {
            // It is not to fill the disk with what nobody reads. Whoever appends goes on there.
            self.over = true;
            let _ = self.file.set_len(end);
        }
        let most = length
            .min(end)
            .saturating_sub(self.position)
            .min(PIECE as u64);
        if most == 0 {
            return false;
        }
        let mut piece = Vec::with_capacity(most as usize);
        let read = self.read_at(most, &mut piece);
        self.position += piece.len() as u64;
        self.read += piece.len() as u64;
        self.take(&piece);
        read.is_ok() && !piece.is_empty()
    }

    fn read_at(&mut self, most: u64, piece: &mut Vec<u8>) -> io::Result<usize> {
        self.file.seek(SeekFrom::Start(self.position))?;
        (&self.file).take(most).read_to_end(piece)
    }

    fn take(&mut self, piece: &[u8]) {
        for part in piece.split_inclusive(|byte| *byte == b'\n') {
            let (text, ended) = match part.strip_suffix(b"\n") {
                Some(text) => (text, true),
                None => (part, false),
            };
            let room = self.limits.max_line - self.line.len().min(self.limits.max_line);
            self.too_long |= text.len() > room;
            if !self.too_long {
                self.line.extend_from_slice(text);
            }
            if ended {
                self.end_line();
            }
        }
    }

    fn end_line(&mut self) {
        self.lines += 1;
        let line = std::mem::take(&mut self.line);
        if std::mem::take(&mut self.too_long) {
            let most = self.limits.max_line;
            self.ignore(format!("it is longer than {most} bytes"));
            return;
        }
        let limits = Limits {
            max_bytes: self.limits.max_line,
            ..Limits::default()
        };
        match read_event(&line, &limits) {
            // Two reports in a row are one, unless there is time between them.
            Ok(Some(ToolEvent::Progress(progress))) => self.waiting = Some(progress),
            Ok(Some(event)) => {
                self.tell_progress();
                self.tell(&event);
            }
            Ok(None) => {}
            Err(error) => self.ignore(error.message().to_owned()),
        }
        // The next line needs no new memory.
        self.line = line;
        self.line.clear();
    }

    fn ignore(&mut self, why: String) {
        if self.ignored.count == 0 {
            self.ignored.first = format!("line {}: {why}", self.lines);
        }
        self.ignored.count += 1;
    }

    fn tell(&self, event: &ToolEvent) {
        self.control.event(event, self.options.on_event.as_ref());
    }

    fn tell_progress(&mut self) {
        if let Some(progress) = self.waiting.take() {
            self.told = Some(Instant::now());
            self.tell(&ToolEvent::Progress(progress));
        }
    }

    /// Tells the author of the tool what was wrong, once.
    fn tell_ignored(&self) {
        let warn = |text: String| {
            let message = Message::new(Level::Warning, text).by(HOST);
            self.tell(&ToolEvent::Message(message));
        };
        let Ignored { count, first } = &self.ignored;
        match count {
            0 => {}
            1 => warn(format!("a line of the events file was ignored, {first}")),
            _ => warn(format!(
                "{count} lines of the events file were ignored, the first is {first}"
            )),
        }
        if self.over {
            warn(format!(
                "the tool wrote more than {} bytes of events; the rest was not read",
                self.limits.max_bytes
            ));
        }
    }
}
