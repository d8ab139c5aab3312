//! A program that stays: many calls, one after the other, or a tool that keeps running.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Arc, Weak};
use std::thread;

use toolwire::author::{Caller, Opened, exit_status, open_call};
use toolwire::call::Call;
use toolwire::lines::{HostLine, Trace};
use toolwire::{Envelope, Json};

use crate::context::Origin;
use crate::events::only_heard_by;
use crate::invocation::{self, Lines};
use crate::live::LineCall;

/// The exit status after a result that is an error (AUTH-43).
const FAILED: u8 = 1;

/// A call that is to be answered.
struct Begun {
    line: Arc<LineCall>,
    call: Call,
    trace: Trace,
    session: bool,
}

/// Answers what the host sends, and gives the exit status. Functions run in this thread; another one reads.
pub(crate) fn serve(names: &[&str], answer: impl Fn(Opened, Origin) -> Envelope) -> u8 {
    let Ok(begun) = Lines::begin(1, go_on);
    let Some(lines) = begun else {
        return invocation::NO_ANSWER;
    };
    let (begin, calls) = sync_channel(1);
    let reader = lines.clone();
    let read = move || read(&reader, &begin);
    if let Err(error) = thread::Builder::new()
        .name("toolwire-lines".into())
        .spawn(read)
    {
        invocation::say(&format!("toolwire: no thread can be started: {error}\n"));
        return invocation::NO_ANSWER;
    }
    for Begun {
        line,
        call,
        trace,
        session,
    } in calls
    {
        let caller: Arc<dyn Caller> = line.clone();
        let origin = Origin {
            caller: Some(Arc::clone(&caller)),
            trace: Some(trace),
            live: session.then(|| Arc::clone(&line)),
        };
        let opened = open_call(call, names);
        let answer = only_heard_by(&caller, || answer(opened, origin));
        // A host that has gone needs no result; that is seen by whoever reads.
        let as_it_is = lines.result(line.call, Json::from(&answer));
        if session {
            return match as_it_is {
                Ok(false) => FAILED,
                _ => exit_status(&answer),
            };
        }
    }
    lines.status()
}

/// Reads what the host says, until it says nothing any more, and hands it to its call.
fn read(lines: &Lines, begin: &SyncSender<Begun>) {
    let mut open: BTreeMap<u64, Weak<LineCall>> = BTreeMap::new();
    loop {
        let Ok(line) = lines.next(go_on);
        let of = |call: &u64| open.get(call).and_then(Weak::upgrade);
        match line {
            None => return,
            Some(HostLine::Call {
                call: number,
                document,
                trace,
                session,
            }) => {
                let line = Arc::new(LineCall::new(lines.clone(), number));
                open.retain(|_, line| line.strong_count() > 0);
                open.insert(number, Arc::downgrade(&line));
                let call = *document;
                if begin
                    .send(Begun {
                        line,
                        call,
                        trace,
                        session,
                    })
                    .is_err()
                {
                    return;
                }
            }
            Some(HostLine::Input { call, input }) => {
                if let Some(Err(lost)) = of(&call).map(|line| line.mailbox.input(input)) {
                    lost.say();
                }
            }
            Some(HostLine::Answer { call, id, answer }) => {
                if let Some(line) = of(&call) {
                    line.mailbox.answer(&id, answer);
                }
            }
            Some(HostLine::End { call, reason }) => {
                if let Some(line) = of(&call) {
                    line.mailbox.end(reason);
                }
            }
            Some(_) => {}
        }
    }
}

/// What is waited for here, no signal cuts short.
fn go_on() -> Result<(), Infallible> {
    Ok(())
}
