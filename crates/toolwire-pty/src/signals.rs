//! Signals, as a person reads them.

/// How a signal has ended a program, for a person.
pub(crate) fn ended_by(signal: i32) -> String {
    let name = match signal {
        1 => "SIGHUP",
        2 => "SIGINT, as by ctrl-c",
        3 => "SIGQUIT",
        6 => "SIGABRT",
        9 => "SIGKILL",
        11 => "SIGSEGV",
        13 => "SIGPIPE",
        15 => "SIGTERM",
        _ => return format!("it was ended by signal {signal}"),
    };
    format!("it was ended by {name}")
}
