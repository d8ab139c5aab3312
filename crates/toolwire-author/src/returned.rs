//! The types that a tool's function can return.

use schemars::JsonSchema;
use serde::Serialize;
use toolwire::author::{Failure, Returned};
use toolwire::schema::tidy_output;
use toolwire::{Block, Envelope, Json};

use crate::IntoFailure;
use crate::schema::output_schema_of;

/// The types that a tool's function can return (AUTH-11): nothing, text, a block, several blocks, an envelope,
/// or a value in [`Structured`]; and a `Result` of these, whose error implements [`IntoFailure`]. The
/// compiler infers `M`.
///
/// ```
/// use toolwire_author::{Context, ContextError, Tool};
///
/// fn nothing(_: Empty, ctx: &Context) -> Result<(), ContextError> {
///     ctx.emit("done")
/// }
///
/// #[derive(serde::Deserialize, schemars::JsonSchema)]
/// struct Empty {}
///
/// let tool = Tool::new("nothing", nothing);
/// let tool = Tool::new("noon", |_: Empty, _: &Context| "It is noon.");
/// ```
pub trait IntoReturned<M = ()> {
    /// Converts it to the form from which the answer is made.
    ///
    /// # Errors
    ///
    /// The failure of the function, or that the value cannot be written as JSON.
    fn into_returned(self) -> Result<Returned, Failure>;

    /// The schema of `structuredContent`, if there is one.
    #[must_use]
    fn output_schema() -> Option<Json> {
        None
    }
}

impl IntoReturned for () {
    fn into_returned(self) -> Result<Returned, Failure> {
        Ok(Returned::Nothing)
    }
}

impl IntoReturned for String {
    fn into_returned(self) -> Result<Returned, Failure> {
        Ok(Returned::Text(self))
    }
}

impl IntoReturned for &str {
    fn into_returned(self) -> Result<Returned, Failure> {
        Ok(Returned::Text(self.to_owned()))
    }
}

impl IntoReturned for Block {
    fn into_returned(self) -> Result<Returned, Failure> {
        Ok(Returned::Blocks(vec![self]))
    }
}

impl IntoReturned for Vec<Block> {
    fn into_returned(self) -> Result<Returned, Failure> {
        Ok(Returned::Blocks(self))
    }
}

impl IntoReturned for Envelope {
    fn into_returned(self) -> Result<Returned, Failure> {
        Ok(Returned::Envelope(Box::new(self)))
    }
}

/// A result, whose error is of the kind `M`.
#[doc(hidden)]
pub struct Fallible<M>(M);

impl<T: IntoReturned, E: IntoFailure<M>, M> IntoReturned<Fallible<M>> for Result<T, E> {
    fn into_returned(self) -> Result<Returned, Failure> {
        self.map_err(IntoFailure::into_failure)?.into_returned()
    }

    fn output_schema() -> Option<Json> {
        T::output_schema()
    }
}

/// A value that becomes `structuredContent`. Its type becomes the output schema. A value that is not an object
/// is wrapped as `{"result": value}`, and its schema accordingly.
///
/// ```
/// use schemars::JsonSchema;
/// use serde::{Deserialize, Serialize};
/// use toolwire_author::{Context, Error, Structured};
///
/// #[derive(Deserialize, JsonSchema)]
/// struct Count {
///     path: String,
/// }
///
/// #[derive(Serialize, JsonSchema)]
/// struct Counted {
///     lines: usize,
/// }
///
/// fn count(args: Count, _: &Context) -> Result<Structured<Counted>, Error> {
///     let lines = std::fs::read_to_string(&args.path)?.lines().count();
///     Ok(Structured(Counted { lines }))
/// }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Structured<T>(pub T);

impl<T: Serialize + JsonSchema> IntoReturned for Structured<T> {
    fn into_returned(self) -> Result<Returned, Failure> {
        let value = Json::from_value(&self.0).map_err(|error| Failure::no_answer(&error))?;
        let (_, wrapped) = tidy_output(&output_schema_of::<T>());
        Ok(match wrapped {
            true => Returned::Wrapped(value),
            false => Returned::Value(value),
        })
    }

    fn output_schema() -> Option<Json> {
        Some(output_schema_of::<T>())
    }
}
