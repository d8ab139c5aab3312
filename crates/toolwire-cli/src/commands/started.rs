//! Asks a launcher or an interpreter what it has started, once it has.

use std::time::Duration;

use toolwire_contract::lock::Launched;
use toolwire_host::{ProcessOptions, run_until};
use toolwire_source::{Inquiry, Reached, Source};

use crate::args::ServerArgs;
use crate::call::Reach;
use crate::exit::{Failure, Result};
use crate::output::Out;
use crate::run::{Session, block_on, of_source};

/// How long it may take, unless it is said how long a server may.
const LONGEST: Duration = Duration::from_secs(60);

/// The most bytes of the answer.
const MOST: usize = 64 * 1024;

/// Adds to what is known of a launch what was really started. What nobody says is left out; it fails only if this
/// process was told to end meanwhile.
pub fn add(launched: &mut Launched, source: Source, args: &ServerArgs, out: &Out) -> Result<()> {
    match asked(&source, args, out) {
        Ok(Some((inquiry, said))) => inquiry.read(&said, launched),
        Err(failure @ Failure::Ended(_)) => return Err(failure),
        Ok(None) | Err(_) => {}
    }
    Ok(())
}

/// What is asked, and what was said.
fn asked(source: &Source, args: &ServerArgs, out: &Out) -> Result<Option<(Inquiry, Vec<u8>)>> {
    // In the folder and with the variables of the source itself.
    let (target, _reach) = match (&source.reached, source.is_tool(args.process.cwd.as_deref())) {
        (Reached::Http { .. }, _) => return Ok(None),
        (_, true) => (of_source(source.clone(), &[], false)?.0, None),
        (_, false) => {
            let reach = Reach::prepare(source.clone(), args)?;
            (reach.target(), Some(reach))
        }
    };
    block_on(async {
        let session = Session::new(&target, &args.of_program(), out.when)?;
        let Some(inquiry) = source.inquiry(&session.options) else {
            return Ok(None);
        };
        let options = ProcessOptions {
            stdin: inquiry.stdin().to_vec(),
            timeout: Some(args.reach.connect_timeout.unwrap_or(LONGEST)),
            max_output: MOST,
            result_channel: false,
            ..session.options.clone()
        };
        let reply = run_until(inquiry.command(), &options, session.signals.nth(1)).await;
        match session.signals.outcome() {
            Some(outcome) => Err(Failure::Ended(Some(outcome))),
            None => Ok(reply.ok().map(|reply| (inquiry, reply.report.stdout))),
        }
    })
}
