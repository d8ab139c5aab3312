//! Going on after a break: what an earlier run has done is passed over.

use std::collections::VecDeque;
use std::path::Path;

use super::end::Counts;
use super::journal::{Journal, State};
use super::records::{Record, Records};
use super::{Work, unknown};
use crate::exit::Result;
use crate::run::router::Router;
use crate::run::session::Session;

/// A run that goes on with an earlier one.
pub struct Again<'a> {
    pub session: &'a Session,
    pub router: &'a Router,
    pub path: &'a Path,
}

impl Again<'_> {
    /// Reads the records of the earlier run and passes over those that are done. The others come first now.
    pub(super) async fn pass_over(
        &self,
        work: &Work<'_>,
        journal: &mut Journal,
        records: &mut Records,
        counts: &mut Counts,
    ) -> Result<VecDeque<Record>> {
        let mut left = VecDeque::new();
        let mut unknown = Vec::new();
        let mut noted = 0;
        while noted < journal.len() {
            let record = self.session.unless_ended(records.next()).await?;
            let Some(record) = record.transpose()? else {
                let last = journal.last();
                return Err(journal.other_input(&format!("it ends before line {last}")));
            };
            if record.number > journal.last() {
                return Err(journal.other_input("it lacks some of the lines"));
            }
            let state = journal.state(&record)?;
            noted += usize::from(state.is_some());
            match state {
                Some(State::Ended) => counts.passed += 1,
                Some(State::Begun) => {
                    unknown.push(record.number);
                    left.push_back(record);
                }
                Some(State::Refused) | None => left.push_back(record),
            }
        }
        let path = self.path.display().to_string();
        let deciding = unknown::decide(&unknown, work.args.unknown, self.router, &path);
        let decided = self.session.unless_ended(deciding).await??;
        for (number, repeat) in unknown.into_iter().zip(decided) {
            if !repeat {
                journal.pass_over(number)?;
                counts.passed += 1;
                left.retain(|record| record.number != number);
            }
        }
        Ok(left)
    }
}
