//! The attributes of [`toolwire-author`](https://docs.rs/toolwire-author), which re-exports them.

use proc_macro::TokenStream;

/// A type that is read: the arguments of a tool, or the answer to a form. It derives serde's
/// `Deserialize` and schemars' `JsonSchema`, as they are in this crate.
///
/// ```ignore
/// use toolwire_author::arguments;
///
/// /// Rename a file.
/// #[arguments]
/// struct Rename {
///     /// The file.
///     path: String,
///     #[serde(default)]
///     force: bool,
/// }
/// ```
#[proc_macro_attribute]
pub fn arguments(options: TokenStream, item: TokenStream) -> TokenStream {
    derived("arguments", "Deserialize", options, item)
}

/// A type that is written: what a tool returns as `Structured`. It derives serde's `Serialize` and
/// schemars' `JsonSchema`, as they are in this crate.
///
/// ```ignore
/// use toolwire_author::output;
///
/// #[output]
/// struct Counted {
///     lines: usize,
/// }
/// ```
#[proc_macro_attribute]
pub fn output(options: TokenStream, item: TokenStream) -> TokenStream {
    derived("output", "Serialize", options, item)
}

/// The item with the derives in front of it. They are told where their crates are, so that an author
/// need not depend on them.
fn derived(name: &str, side: &str, options: TokenStream, item: TokenStream) -> TokenStream {
    if !options.is_empty() {
        let message = format!("compile_error!(\"`#[{name}]` takes no options\");");
        return message.parse().unwrap_or_default();
    }
    let attributes = format!(
        "#[derive(::toolwire_author::serde::{side}, ::toolwire_author::schemars::JsonSchema)]
         #[serde(crate = \"::toolwire_author::serde\")]
         #[schemars(crate = \"::toolwire_author::schemars\")]"
    );
    let mut out: TokenStream = attributes.parse().unwrap_or_default();
    out.extend(item);
    out
}
