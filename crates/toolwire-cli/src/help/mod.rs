//! The end of each help text: examples, which the tests run, and exit codes.

mod contracts;
mod outputs;
mod profile;
mod session;
mod sources;
mod tools;

pub use contracts::*;
pub use outputs::*;
pub use profile::*;
pub use session::*;
pub use sources::*;
pub use tools::*;

pub const TOP: &str = "\
Examples:
  toolwire tools ./tool.py             its tools and their arguments
  toolwire run --answer confirm=true ./tool.py rename path=a to=b
  my-tool | toolwire explain           how a host reads it, and what to fix
  my-tool | toolwire format            what a model gets to see
  toolwire validate --lines calls.ndjson

Exit codes:
  0  success; the envelope is valid
  1  the input is not valid or was refused, or the result of the tool is an error
  2  the command line is wrong
  3  an envelope with warnings (parse, explain)
  4  raw text (parse, explain)
  5  a file could not be read, a program could not be started, or the output could not be written
  129, 130, 143  ended by SIGHUP, Ctrl-C or SIGTERM;
                 by another signal: 128 plus its number";
