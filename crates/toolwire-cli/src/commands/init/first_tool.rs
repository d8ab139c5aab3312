//! The first tool that somebody writes, in a language of choice.

use super::entry::Entry;
use super::help_text::{Help, Parameter};
use crate::args::Language;

const PYTHON: &str = r#"#!/usr/bin/env python3
import toolwire as tw


@tw.tool(name="NAME")
def greet(name: str) -> str:
    """Greet somebody."""
    return f"Hello, {name}!"


tw.main()
"#;

const NODE: &str = r#"#!/usr/bin/env node
import * as tw from 'toolwire';

tw.tool(
  { name: 'NAME', description: 'Greet somebody.', input: { properties: { name: { type: 'string' } }, required: ['name'] } },
  ({ name }) => `Hello, ${name}!`,
);
await tw.main();
"#;

const SH: &str = r#"#!/bin/sh
# Greet somebody.
printf 'Hello, %s!\n' "$1"
"#;

impl Language {
    pub const ALL: [Language; 3] = [Language::Python, Language::Node, Language::Sh];

    pub fn as_str(self) -> &'static str {
        match self {
            Language::Python => "python",
            Language::Node => "node",
            Language::Sh => "sh",
        }
    }

    /// The file of a tool with this name.
    pub fn file(self, name: &str) -> String {
        let extension = match self {
            Language::Python => "py",
            Language::Node => "mjs",
            Language::Sh => "sh",
        };
        format!("{name}.{extension}")
    }

    /// What is written into the file.
    pub fn text(self, name: &str) -> String {
        let template = match self {
            Language::Python => PYTHON,
            Language::Node => NODE,
            Language::Sh => SH,
        };
        template.replace("NAME", name)
    }

    /// What its tools need, if they do not run.
    pub fn needs(self) -> &'static str {
        match self {
            Language::Python => {
                "a tool in Python needs Python 3.9 or newer and the package `toolwire`: run `pip install toolwire`"
            }
            Language::Node => {
                "a tool in Node needs Node 20 or newer and the package `toolwire`: run `npm install toolwire`"
            }
            Language::Sh => "a tool in shell needs `sh`",
        }
    }

    /// The table of the tool in the manifest, whose program has this path there.
    pub fn entry(self, name: &str, program: &str) -> Entry {
        let mut entry = match self {
            Language::Python | Language::Node => Entry::of_tool(name, program, None),
            // It knows nothing of calls, so the manifest says what it takes.
            Language::Sh => {
                let help = Help {
                    description: Some("Greet somebody.".to_owned()),
                    positionals: vec![Parameter {
                        name: "name".to_owned(),
                        required: true,
                        ..Parameter::default()
                    }],
                    ..Help::default()
                };
                Entry::of_help(name, &[program.to_owned()], &help)
            }
        };
        entry.example = vec!["name=Ada".to_owned()];
        entry
    }
}
