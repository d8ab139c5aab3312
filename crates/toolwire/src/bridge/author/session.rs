//! What a tool that keeps running says, piece by piece: each is checked when it is said, because it is on its way
//! before the tool ends.

use super::{Ask, Opened, Turn, others, question_block};
use crate::block::Question;
use crate::protocol::build::check_block;
use crate::protocol::call::Call;
use crate::{Block, Code, Error};

/// Begins a turn with a call that is read already, as [`open`](super::open) does with its document.
///
/// # Examples
///
/// ```
/// use toolwire::Json;
/// use toolwire::author::{Opened, open_call};
/// use toolwire::call::{Action, Call};
///
/// let turn = open_call(Call::new("now", Json::empty_object()), &["now"]).turn().expect("a call of `now`");
/// assert_eq!(turn.call().action, Action::Run);
/// assert!(matches!(open_call(Call::new("then", Json::empty_object()), &["now"]), Opened::Answered(_)));
/// ```
#[must_use]
pub fn open_call<S: AsRef<str>>(call: Call, names: &[S]) -> Opened {
    if let Some(name) = &call.name
        && !names.iter().any(|known| known.as_ref() == name)
    {
        return Opened::failed(format!("there is no tool `{name}`{}", others(names)));
    }
    Opened::Turn(Turn::new(call))
}

/// Checks a block that a tool emits (AUTH-10).
///
/// # Errors
///
/// `bad_argument` if a reader would skip the block or warn of it, and for a question, which is asked.
///
/// # Examples
///
/// ```
/// use toolwire::{Block, author::check_emitted};
///
/// assert!(check_emitted(&Block::from_json(r#"{"type":"text","text":"ok"}"#)?).is_ok());
/// assert!(check_emitted(&Block::from_json(r#"{"type":"video"}"#)?).is_err());
/// # Ok::<(), toolwire::Error>(())
/// ```
pub fn check_emitted(block: &Block) -> Result<(), Error> {
    if matches!(block, Block::Question(_)) {
        let message = "a question is asked, not emitted";
        return Err(Error::new(Code::BadArgument, "", None, message));
    }
    check_block(&block.to_json())
}

/// The question that a tool asks under an id.
///
/// # Errors
///
/// `bad_argument`, as for the builder of questions.
///
/// # Examples
///
/// ```
/// use toolwire::author::{Ask, question_of};
///
/// let ask = Ask::from_json("boolean", r#"{"text":"Go on?"}"#)?;
/// assert_eq!(question_of("confirm", &ask)?.text, "Go on?");
/// assert!(question_of("", &ask).is_err());
/// # Ok::<(), toolwire::Error>(())
/// ```
pub fn question_of(id: &str, ask: &Ask) -> Result<Question, Error> {
    Ok(question_block(id, ask)?.question)
}
