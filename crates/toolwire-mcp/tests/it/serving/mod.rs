//! `server`: real programs, asked by a client of raw lines.

mod calls;
mod client;
mod functions;
mod handles;
mod kept;
mod lists;
mod offers;
mod own;
mod pages;
mod questions;
mod says;
mod states;
mod tasks;
mod warm;
