//! The formats that came before envelopes (chapter 17).

use toolwire::legacy::{self, Legacy};
use toolwire::{Error, Parsed};

use crate::readers::ReadOptions;
use crate::reply::{Reply, mapped};

pub(crate) fn read_legacy(document: &[u8], options: &ReadOptions) -> Result<Option<Reply>, Error> {
    Ok(legacy::read_legacy(document, &options.limits)?.map(reply))
}

pub(crate) fn unwrap_outcome(result: &Parsed<'_>, _: &ReadOptions) -> Option<Reply> {
    legacy::unwrap_outcome(result).map(reply)
}

fn reply(legacy: Legacy) -> Reply {
    let members = [
        ("format", Reply::Text(legacy.format.as_str().to_owned())),
        ("parsed", Reply::Parsed(Box::new(legacy.parsed))),
    ];
    mapped(members, &legacy.report)
}
