//! The operations of chapter 29.

use serde_json::{Value, json};
use toolwire::{Error, Json};
use toolwire_contract::launch::{
    Launch, ProfileWord, format_launch_uri, format_profile_word, parse_launch_uri,
    parse_profile_word,
};

use crate::integers::value_of;

pub const NAMES: [&str; 4] = [
    "parse_launch_uri",
    "format_launch_uri",
    "parse_profile_word",
    "format_profile_word",
];

/// Runs one of them.
pub fn run(name: &str, input: &[u8]) -> Result<Value, Error> {
    let text = String::from_utf8_lossy(input);
    Ok(match name {
        "parse_launch_uri" => {
            let launch = parse_launch_uri(&text)?;
            let facts = launch.facts();
            json!({
                "launch": value_of(launch.to_json().as_str()),
                "uri": format_launch_uri(&launch)?,
                "command": launch.command(),
                "facts": value_of(facts.safety().as_str()),
                "version": facts.asked_version().map(|(text, exact)| json!({"text": text, "exact": exact})),
            })
        }
        "format_launch_uri" => {
            json!({"uri": format_launch_uri(&Launch::from_json(&Json::new(&text)?)?)?})
        }
        "parse_profile_word" => {
            let word = parse_profile_word(&text)?;
            json!({"word": value_of(word.to_json().as_str()), "text": format_profile_word(&word)?})
        }
        _ => json!({"text": format_profile_word(&ProfileWord::from_json(&Json::new(&text)?)?)?}),
    })
}
