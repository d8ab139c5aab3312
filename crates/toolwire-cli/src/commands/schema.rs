//! `toolwire schema`: the schemas of a tool.

use toolwire::Json;
use toolwire::call::ToolDescription;
use toolwire::json::{Document, Kind, Node, ObjectWriter, string};

use super::explore::surplus_word;
use super::observe::{Observed, callable, observe};
use crate::args::{SchemaArgs, parted};
use crate::call::expected::Expected;
use crate::exit::{Failure, Outcome, Result};
use crate::output::Out;
use crate::structured::compact;
use crate::{call, run, source};

pub fn run(args: &SchemaArgs, out: &mut Out) -> Result<Outcome> {
    let (word, rest) = parted(&args.words, &args.command);
    if let Some(surplus) = rest.get(1) {
        return Err(surplus_word("schema", surplus));
    }
    let named = rest.first().map(|word| run::text(word)).transpose()?;
    let source = source::find(word, &args.command, &args.server.source, "schema")?;
    let expected = Expected::of(&source, &args.expect)?;
    let named = named.or_else(|| source.tool().map(str::to_owned));
    let label = source.label.clone();
    let seen = match observe(source, &args.server, out)? {
        Observed::Seen(seen) => seen,
        Observed::Ended(outcome) => return Ok(outcome),
    };
    let listed = seen.listed;
    if let Some(expected) = expected {
        expected.tell(&callable(&listed), out)?;
    }
    let tool = call::pick(&listed, named.as_deref(), &label, "")?;
    match (args.json, args.output) {
        (true, _) => out.json(&schemas(&tool))?,
        (false, false) => write(&tool.input_schema, out)?,
        (false, true) => {
            let schema = tool
                .output_schema
                .as_ref()
                .ok_or_else(|| Failure::Refused(format!("`{}` has no output schema", tool.name)))?;
            write(schema, out)?;
        }
    }
    Ok(Outcome::Success)
}

fn schemas(tool: &ToolDescription) -> String {
    let mut json = ObjectWriter::new();
    json.text("name", &tool.name)
        .json("inputSchema", compact(tool.input_schema.as_str()));
    if let Some(schema) = &tool.output_schema {
        json.json("outputSchema", compact(schema.as_str()));
    }
    json.end()
}

pub fn write(schema: &Json, out: &mut Out) -> Result<()> {
    let document = Document::new(schema.as_str()).map_err(|error| Failure::refused(&error))?;
    let mut text = String::new();
    pretty(document.root(), 0, &mut text);
    for line in text.lines() {
        out.json(line)?;
    }
    Ok(())
}

/// A value with its members in lines of their own, in their order and each digit kept.
fn pretty(node: Node<'_>, depth: usize, text: &mut String) {
    let line = |text: &mut String, depth: usize| {
        text.push('\n');
        text.push_str(&"  ".repeat(depth));
    };
    match node.kind() {
        Kind::Object if !node.is_empty() => {
            text.push('{');
            for (index, (name, value)) in node.members().enumerate() {
                if index > 0 {
                    text.push(',');
                }
                line(text, depth + 1);
                text.push_str(&string(&name));
                text.push_str(": ");
                pretty(value, depth + 1, text);
            }
            line(text, depth);
            text.push('}');
        }
        Kind::Array if !node.is_empty() => {
            text.push('[');
            for (index, value) in node.elements().enumerate() {
                if index > 0 {
                    text.push(',');
                }
                line(text, depth + 1);
                pretty(value, depth + 1, text);
            }
            line(text, depth);
            text.push(']');
        }
        Kind::Object => text.push_str("{}"),
        Kind::Array => text.push_str("[]"),
        _ => text.push_str(node.raw()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_keep_their_order_and_numbers_their_digits() {
        let json = r#"{"z":[1.10,{"a":"\u2028"}],"a":{},"b":[ ],"n":12345678901234567890}"#;
        let document = Document::new(json).unwrap();
        let mut text = String::new();
        pretty(document.root(), 0, &mut text);
        assert_eq!(
            text,
            "{\n  \"z\": [\n    1.10,\n    {\n      \"a\": \"\\u2028\"\n    }\n  ],\n  \"a\": {},\n  \
             \"b\": [],\n  \"n\": 12345678901234567890\n}"
        );
    }
}
