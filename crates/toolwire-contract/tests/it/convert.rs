//! Servers in other forms: what is written, and what became of each part.

use std::collections::BTreeMap;

use serde::Deserialize;
use toolwire::{Error, Json};
use toolwire_contract::convert::{ConvertOptions, Converted, convert_server};

/// A server in one form, and what becomes of it in another: a result, or an error.
#[derive(Deserialize)]
struct Row {
    about: String,
    input: String,
    from: String,
    to: String,
    name: Option<String>,
    folder: Option<String>,
    result: Option<Expected>,
    error: Option<Refusal>,
}

#[derive(Deserialize)]
struct Expected {
    entry: Json,
    members: Json,
    text: String,
    report: BTreeMap<String, String>,
}

#[derive(Debug, Deserialize, PartialEq)]
struct Refusal {
    code: String,
    pointer: String,
}

#[test]
fn each_form_has_what_it_can_say_and_the_rest_is_reported() {
    let rows: Vec<Row> = Json::new(include_str!("convert.json"))
        .and_then(|rows| rows.to_value())
        .unwrap();
    assert!(rows.len() > 60, "only {} rows", rows.len());
    for row in rows {
        let about = &row.about;
        match (convert(&row), row.result) {
            (Ok(found), Some(expected)) => {
                assert_eq!(found.entry.to_json(), expected.entry, "{about}");
                assert_eq!(found.members, expected.members, "{about}");
                assert_eq!(found.text, expected.text, "{about}");
                let entries = found.report.entries.into_iter();
                let report: BTreeMap<_, _> = entries
                    .map(|entry| (entry.pointer, entry.fate.as_str().to_owned()))
                    .collect();
                assert_eq!(report, expected.report, "{about}");
            }
            (found, _) => {
                let error = found.err().map(|error| Refusal {
                    code: error.code().as_str().to_owned(),
                    pointer: error.pointer().to_owned(),
                });
                assert_eq!(error, row.error, "{about}");
            }
        }
    }
}

fn convert(row: &Row) -> Result<Converted, Error> {
    let options = ConvertOptions {
        name: row.name.clone(),
        folder: row.folder.clone(),
    };
    convert_server(&row.input, row.from.parse()?, row.to.parse()?, &options)
}
