//! What is measured: files that are made once, the same on every machine.
//!
//! Every document is an envelope that an MCP reader takes too, so that no peer gets off early by
//! refusing it.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use fastrand::Rng;
use serde_json::{Value, json};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// One input of the benchmark.
pub struct Input {
    /// Short name, also that of the file.
    pub name: &'static str,
    /// What it is, for the table.
    pub about: &'static str,
    /// Its bytes; for a log, lines.
    pub bytes: Vec<u8>,
}

impl Input {
    /// Whether it is many documents, a line each.
    pub fn is_log(&self) -> bool {
        self.name == "log"
    }

    /// The documents in it.
    pub fn documents(&self) -> Vec<&[u8]> {
        if self.is_log() {
            self.bytes
                .split(|&b| b == b'\n')
                .filter(|line| !line.is_empty())
                .collect()
        } else {
            vec![&self.bytes]
        }
    }
}

/// A change here makes new files: it is part of the folder's name.
const REVISION: u32 = 3;

/// The folder of the corpus below `target`.
pub fn folder(target: &Path) -> PathBuf {
    target.join(format!("bench-corpus/r{REVISION}"))
}

/// Makes the corpus below `target` unless it is there, and reads it.
///
/// # Errors
///
/// Those of files.
pub fn load(target: &Path) -> io::Result<Vec<Input>> {
    let folder = folder(target);
    fs::create_dir_all(&folder)?;
    let mut inputs = Vec::new();
    for (name, about, make) in RECIPES {
        let extension = if *name == "log" { "ndjson" } else { "json" };
        let path = folder.join(format!("{name}.{extension}"));
        if !path.exists() {
            // A run that was stopped in between leaves no half of a file under the final name.
            let partial = folder.join(format!("{name}.partial"));
            fs::write(&partial, make(&mut Rng::with_seed(58)))?;
            fs::rename(&partial, &path)?;
        }
        inputs.push(Input {
            name,
            about,
            bytes: fs::read(&path)?,
        });
    }
    Ok(inputs)
}

type Recipe = (&'static str, &'static str, fn(&mut Rng) -> Vec<u8>);

const RECIPES: &[Recipe] = &[
    ("text-200", "200 B of text", text_200),
    ("blocks-10", "40 KB, ten blocks", blocks_10),
    ("blocks-2000", "2,000 small blocks", blocks_2000),
    ("text-4m", "4 MB of text with escapes", text_4m),
    ("blob-8m", "8 MB of base64", blob_8m),
    ("unicode-1m", "1 MB that is not ASCII", unicode_1m),
    ("structured-1m", "1 MB of structuredContent", structured_1m),
    ("log", "30 MB of NDJSON", log),
];

fn bytes(value: &Value) -> Vec<u8> {
    value.to_string().into_bytes()
}

fn text(text: &str) -> Value {
    json!({ "type": "text", "text": text })
}

fn text_200(rng: &mut Rng) -> Vec<u8> {
    let mut words = prose(rng, 200);
    let around = bytes(&json!({ "content": [text("")] })).len();
    words.truncate(200 - around);
    // A line feed would be written as two bytes.
    let words = words.replace('\n', " ");
    bytes(&json!({ "content": [text(&words)] }))
}

fn blocks_10(rng: &mut Rng) -> Vec<u8> {
    let blocks: Vec<Value> = (0..10)
        .map(|i| {
            if i % 3 == 0 {
                text(&prose(rng, 3_700))
            } else {
                resource(rng, 3_700)
            }
        })
        .collect();
    bytes(&json!({ "content": blocks }))
}

fn blocks_2000(rng: &mut Rng) -> Vec<u8> {
    let blocks: Vec<Value> = (0..2_000).map(|_| text(&prose(rng, 20))).collect();
    bytes(&json!({ "content": blocks }))
}

fn text_4m(rng: &mut Rng) -> Vec<u8> {
    let mut source = String::new();
    while source.len() < 3_700_000 {
        source.push_str(&code_line(rng));
    }
    bytes(&json!({ "content": [text(&source)] }))
}

fn blob_8m(rng: &mut Rng) -> Vec<u8> {
    let blob: Vec<u8> = (0..6_000_000).map(|_| rng.u8(..)).collect();
    let resource = json!({ "uri": "file:///home/dump.bin", "mimeType": "application/octet-stream", "blob": STANDARD.encode(blob) });
    bytes(&json!({ "content": [{ "type": "resource", "resource": resource }] }))
}

fn unicode_1m(rng: &mut Rng) -> Vec<u8> {
    const SOME: [&str; 6] = [
        "日本語の文章",
        "Ελληνικά",
        "русский текст",
        "한국어",
        "žluťoučký kůň",
        "😀🎉",
    ];
    let mut words = String::new();
    while words.len() < 1_000_000 {
        words.push_str(SOME[rng.usize(..SOME.len())]);
        words.push(' ');
    }
    bytes(&json!({ "content": [text(&words)] }))
}

fn structured_1m(rng: &mut Rng) -> Vec<u8> {
    let mut rows = Vec::new();
    let mut size = 0;
    while size < 1_000_000 {
        let row = row(rng);
        size += row.to_string().len() + 1;
        rows.push(row);
    }
    bytes(&json!({ "content": [text("rows")], "structuredContent": { "rows": rows } }))
}

/// Lines as tools write them: most are short answers, many carry structured content (and, as MCP
/// asks for, the same JSON as text), some hold files, a few hold a lot.
fn log(rng: &mut Rng) -> Vec<u8> {
    let mut out = Vec::new();
    while out.len() < 30_000_000 {
        let line = match rng.u8(..100) {
            0..=39 => {
                let size = rng.usize(40..400);
                json!({ "content": [text(&prose(rng, size))] })
            }
            40..=64 => {
                let count = rng.usize(1..8);
                let rows: Vec<Value> = (0..count).map(|_| row(rng)).collect();
                let structured = json!({ "rows": rows, "total": count });
                let same = structured.to_string();
                json!({ "content": [text(&same)], "structuredContent": structured, "isError": false })
            }
            65..=74 => {
                let size = rng.usize(200..4_000);
                json!({ "content": [resource(rng, size)] })
            }
            75..=82 => {
                let trace = json!([
                    "io error: No such file or directory (os error 2)",
                    prose(rng, 60)
                ]);
                json!({
                    "content": [text(&format!("File not found: {}", path(rng)))],
                    "isError": true,
                    "_meta": { "computer.jp/error": { "transient": rng.bool(), "trace": trace } },
                })
            }
            83..=89 => {
                // The hits of a search, a few lines each.
                let count = rng.usize(2..10);
                let blocks: Vec<Value> = (0..count).map(|_| resource(rng, 150)).collect();
                json!({ "content": blocks })
            }
            90..=94 => {
                let count = rng.usize(1..12);
                let blocks: Vec<Value> = (0..count).map(|_| link(rng)).collect();
                json!({ "content": blocks })
            }
            95..=97 => {
                let blob: Vec<u8> = (0..rng.usize(300..5_000)).map(|_| rng.u8(..)).collect();
                json!({ "content": [{ "type": "image", "data": STANDARD.encode(blob), "mimeType": "image/png" }] })
            }
            _ => {
                let size = rng.usize(5_000..30_000);
                json!({ "content": [resource(rng, size)] })
            }
        };
        out.extend_from_slice(line.to_string().as_bytes());
        out.push(b'\n');
    }
    out
}

fn link(rng: &mut Rng) -> Value {
    let path = path(rng);
    json!({
        "type": "resource_link",
        "uri": format!("file:///home/{path}"),
        "name": path,
        "mimeType": "text/rust",
        "size": rng.u32(..100_000),
    })
}

fn resource(rng: &mut Rng, size: usize) -> Value {
    let mut source = String::new();
    while source.len() < size {
        source.push_str(&code_line(rng));
    }
    json!({
        "type": "resource",
        "resource": { "uri": format!("file:///home/{}", path(rng)), "mimeType": "text/rust", "text": source },
        "annotations": { "audience": ["assistant"], "priority": 0.5 },
    })
}

fn row(rng: &mut Rng) -> Value {
    json!({
        "id": rng.u32(..1_000_000),
        "path": path(rng),
        "score": (rng.f64() * 1e6).round() / 1e4,
        "ratio": rng.f64(),
        "ok": rng.bool(),
        "tags": [word(rng), word(rng)],
        "owner": { "name": word(rng), "mail": null },
    })
}

fn word(rng: &mut Rng) -> &'static str {
    const WORDS: [&str; 24] = [
        "the", "file", "result", "value", "of", "found", "test", "passed", "warning", "parse",
        "module", "in", "line", "with", "no", "error", "build", "cargo", "and", "change", "naïve",
        "größer", "it", "done",
    ];
    WORDS[rng.usize(..WORDS.len())]
}

/// Some words, at least `size` bytes of them.
pub fn prose(rng: &mut Rng, size: usize) -> String {
    let mut words = String::new();
    while words.len() < size {
        words.push_str(word(rng));
        words.push_str([" ", " ", " ", " ", " ", ", ", ". ", "\n"][rng.usize(..8)]);
    }
    // Plain ASCII in short texts lets a size be exact.
    if size <= 200 {
        words.replace("naïve", "naive").replace("größer", "wider")
    } else {
        words
    }
}

fn path(rng: &mut Rng) -> String {
    format!("{}/src/{}_{}.rs", word(rng), word(rng), rng.u16(..1000))
}

fn code_line(rng: &mut Rng) -> String {
    let (a, b) = (word(rng), word(rng));
    match rng.u8(..6) {
        0 => format!("fn {a}_{b}(input: &str) -> Result<String, Error> {{\n"),
        1 => format!("    let {a} = {b}.get(\"{a}\").unwrap_or_default();\n"),
        2 => format!("    println!(\"{a}: {{}}\\n\", {b});\n"),
        3 => format!("    // {a} {b}: see the notes of the module\n"),
        4 => format!("\tif {a}.len() > {} {{ return Err({b}); }}\n", rng.u16(..)),
        _ => "}\n\n".to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recipes_give_what_they_say() {
        let made = |name: &str| {
            let recipe = RECIPES.iter().find(|r| r.0 == name).expect("a recipe");
            recipe.2(&mut Rng::with_seed(58))
        };
        assert_eq!(made("text-200").len(), 200);
        assert!(
            (38_000..44_000).contains(&made("blocks-10").len()),
            "{}",
            made("blocks-10").len()
        );
        let log = made("log");
        let lines = log.split(|&b| b == b'\n').filter(|l| !l.is_empty()).count();
        assert!(
            (1_300..1_500).contains(&(log.len() / lines)),
            "{} a line",
            log.len() / lines
        );
    }
}
