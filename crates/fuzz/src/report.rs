//! What is left of a failure: a file that says how to see it again and holds a case to paste.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// A broken law, with all that is needed to break it again.
pub struct Failure {
    /// The law's name.
    pub law: &'static str,
    /// The operation for its regression case.
    pub op: &'static str,
    /// What the law said of the smallest input.
    pub message: String,
    /// The smallest input.
    pub input: Vec<u8>,
    /// The salt from which the law drew its options.
    pub salt: u64,
    /// The seed of the run.
    pub seed: u64,
    /// Which input of the run it came from.
    pub iteration: u64,
}

/// The part of a failure file that `--replay` reads.
#[derive(Serialize, Deserialize)]
pub struct Replay {
    /// The law's name.
    pub law: String,
    /// The input, in base64.
    pub input: String,
    /// The salt, as text: it needs all 64 bits.
    pub salt: String,
}

impl Replay {
    /// Reads a failure file: law, input and salt.
    ///
    /// # Errors
    ///
    /// What is wrong with the file, as text.
    pub fn read(path: &Path) -> Result<(String, Vec<u8>, u64), String> {
        let text =
            std::fs::read(path).map_err(|e| format!("cannot read {}: {e}", path.display()))?;
        let bad =
            |e: &dyn std::fmt::Display| format!("{} is not a failure file: {e}", path.display());
        let replay: Replay = serde_json::from_slice(&text).map_err(|e| bad(&e))?;
        let input = STANDARD.decode(&replay.input).map_err(|e| bad(&e))?;
        let salt = replay.salt.parse().map_err(|e| bad(&e))?;
        Ok((replay.law, input, salt))
    }
}

impl Failure {
    /// The name of its file, the same for the same law and input.
    pub fn file_name(&self) -> String {
        let mut hash = String::new();
        for byte in Sha256::digest(&self.input).iter().take(5) {
            let _ = write!(hash, "{byte:02x}");
        }
        format!("{}-{hash}.json", self.law)
    }

    /// The case to put into the regressions, once somebody has said what is right.
    fn case(&self) -> Value {
        let input = match std::str::from_utf8(&self.input) {
            Ok(text) => json!({ "text": text }),
            Err(_) => json!({ "base64": STANDARD.encode(&self.input) }),
        };
        json!({
            "id": format!("regression-{}", self.file_name().trim_end_matches(".json")),
            "spec": [],
            "about": format!("the law `{}` was broken: say what is right, and why", self.law),
            "op": self.op,
            "input": input,
            "expect": { "result": {} },
        })
    }

    /// Writes the file into `folder` and gives its path.
    ///
    /// # Errors
    ///
    /// Those of writing files.
    pub fn write(&self, folder: &Path) -> std::io::Result<PathBuf> {
        std::fs::create_dir_all(folder)?;
        let path = folder.join(self.file_name());
        let replay = format!("cargo run -p toolwire-fuzz -- --replay {}", path.display());
        let text = json!({
            "law": self.law,
            "message": self.message,
            "input": STANDARD.encode(&self.input),
            "shown": String::from_utf8_lossy(&self.input),
            "salt": self.salt.to_string(),
            "from": format!("seed {}, input {}", self.seed, self.iteration),
            "reproduce": replay,
            "case": self.case(),
        });
        std::fs::write(&path, format!("{text:#}\n"))?;
        Ok(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_can_be_replayed_and_holds_a_case() {
        let folder = std::env::temp_dir().join(format!("toolwire-fuzz-{}", std::process::id()));
        let failure = Failure {
            law: "number",
            op: "canonicalize",
            message: "wrong".to_string(),
            input: b"\xff1".to_vec(),
            salt: u64::MAX,
            seed: 1,
            iteration: 2,
        };
        let path = failure.write(&folder).expect("written");
        let text = std::fs::read_to_string(&path).expect("read");
        let replay = Replay::read(&path);
        std::fs::remove_dir_all(&folder).expect("removed");
        assert_eq!(
            replay,
            Ok(("number".to_string(), b"\xff1".to_vec(), u64::MAX))
        );
        let value: Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(value["case"]["input"]["base64"], "/zE=");
        assert_eq!(value["case"]["op"], "canonicalize");
    }
}
