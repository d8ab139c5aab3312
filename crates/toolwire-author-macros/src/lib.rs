//! The attributes of [`toolwire-author`](https://docs.rs/toolwire-author), which re-exports them.

use proc_macro::{Delimiter, Group, TokenStream, TokenTree};

/// A type that is read: the arguments of a tool, or the answer to a form. It derives serde's
/// `Deserialize` and schemars' `JsonSchema`, as they are in this crate. Its properties keep the order of the fields,
/// which `JsonSchema` alone sorts by name.
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
/// schemars' `JsonSchema`, as they are in this crate. Its properties keep the order of the fields.
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
    out.extend(in_order(item));
    out
}

/// The item with the place of each field in the schema of its property (AUTH-60): schemars sorts properties by name.
fn in_order(item: TokenStream) -> TokenStream {
    let mut is_struct = false;
    let trees = item.into_iter().map(|tree| match tree {
        TokenTree::Group(fields) if is_struct && fields.delimiter() == Delimiter::Brace => {
            let mut marked = Group::new(Delimiter::Brace, marked(fields.stream()));
            marked.set_span(fields.span());
            TokenTree::Group(marked)
        }
        tree => {
            is_struct |= tree.to_string() == "struct";
            tree
        }
    });
    trees.collect()
}

fn marked(fields: TokenStream) -> TokenStream {
    let mut out = TokenStream::new();
    let (mut place, mut depth, mut before) = (0, 0, ' ');
    let mut field: Vec<TokenTree> = Vec::new();
    let mut all = fields.into_iter().peekable();
    while let Some(tree) = all.next() {
        let sign = match &tree {
            TokenTree::Punct(sign) => sign.as_char(),
            _ => ' ',
        };
        match sign {
            '<' => depth += 1,
            '>' if before != '-' => depth -= 1,
            _ => {}
        }
        before = sign;
        field.push(tree);
        if (sign == ',' && depth == 0) || all.peek().is_none() {
            if has_property(&field) {
                let mark = format!("#[schemars(extend(\"dev.toolwire/order\" = {place}))]");
                out.extend(mark.parse::<TokenStream>().unwrap_or_default());
            }
            place += 1;
            out.extend(field.drain(..));
        }
    }
    out
}

/// Whether a field is a property of its own: one that is left out or flattened is none.
fn has_property(field: &[TokenTree]) -> bool {
    let attributes = field.windows(2).filter_map(|pair| match pair {
        [TokenTree::Punct(sign), TokenTree::Group(attribute)] if sign.as_char() == '#' => {
            Some(attribute.to_string())
        }
        _ => None,
    });
    let of_serde =
        |attribute: &String| attribute.contains("serde") || attribute.contains("schemars");
    attributes
        .filter(of_serde)
        .all(|attribute| !attribute.contains("flatten") && !attribute.contains("skip"))
}
