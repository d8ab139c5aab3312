//! Envelopes and blocks, and what goes wrong in them.

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE};

use super::vocabulary::words;
use super::{Generator, Members, uri};

impl Generator<'_> {
    pub(super) fn envelope(&mut self) {
        let mut members = Members::default();
        self.put("{");
        let mut parts = [0, 1, 2, 3, 4];
        self.rng.shuffle(&mut parts);
        for part in parts {
            match part {
                0 => {
                    if self.flawed() {
                        continue;
                    }
                    self.member(&mut members, "content");
                    if self.flawed() {
                        self.value(3)
                    } else {
                        self.blocks()
                    }
                }
                1 if self.rng.u8(..3) == 0 => {
                    self.member(&mut members, "structuredContent");
                    self.value(2);
                }
                2 if self.rng.u8(..3) == 0 => {
                    self.member(&mut members, "isError");
                    if self.flawed() {
                        self.value(5);
                    } else {
                        self.boolean();
                    }
                }
                3 if self.rng.u8(..3) == 0 => {
                    self.member(&mut members, "_meta");
                    if self.flawed() {
                        self.value(3)
                    } else {
                        self.meta()
                    }
                }
                4 => self.extra(&mut members),
                _ => {}
            }
        }
        self.end(&members);
    }

    fn meta(&mut self) {
        let mut members = Members::default();
        self.put("{");
        if self.rng.bool() {
            let status = self.pick(words("statuses"));
            self.text_member(&mut members, "computer.jp/status", status);
        }
        if self.rng.bool() {
            self.member(&mut members, "computer.jp/error");
            if self.flawed() {
                self.value(4);
            } else {
                let mut error = Members::default();
                self.put("{");
                self.member(&mut error, "transient");
                self.boolean();
                self.member(&mut error, "trace");
                self.put("[");
                for i in 0..self.rng.usize(..4) {
                    self.comma(i);
                    let text = self.text();
                    if self.flawed() {
                        self.value(5)
                    } else {
                        self.string(&text)
                    }
                }
                self.put("]");
                self.end(&error);
            }
        }
        self.extra(&mut members);
        self.end(&members);
    }

    fn blocks(&mut self) {
        self.put("[");
        let count = if self.rng.u8(..40) == 0 {
            self.rng.usize(..300)
        } else {
            self.rng.usize(..6)
        };
        for i in 0..count {
            self.comma(i);
            self.space();
            if self.flawed() {
                self.value(4)
            } else {
                self.block()
            }
        }
        self.space();
        self.put("]");
    }

    fn block(&mut self) {
        let mut members = Members::default();
        let kind = if self.flawed() {
            "video"
        } else {
            self.pick(words("types"))
        };
        self.put("{");
        // The type may stand first or last.
        let first = self.rng.bool();
        if first {
            self.text_member(&mut members, "type", kind);
        }
        match kind {
            "text" => {
                let text = self.text();
                self.text_member(&mut members, "text", &text);
            }
            "resource" => {
                self.member(&mut members, "resource");
                if self.flawed() {
                    self.value(4)
                } else {
                    self.resource()
                }
                if self.rng.u8(..5) == 0 {
                    let text = self.text();
                    self.text_member(&mut members, "formatted", &text);
                }
            }
            "question" => {
                self.member(&mut members, "question");
                if self.flawed() {
                    self.value(4)
                } else {
                    self.question()
                }
            }
            "resource_link" => {
                let (uri, name) = (uri(self.rng), self.text());
                self.text_member(&mut members, "uri", &uri);
                self.text_member(&mut members, "name", &name);
                if self.rng.bool() {
                    self.member(&mut members, "size");
                    self.number();
                }
                self.mime(&mut members);
            }
            _ => {
                let data = self.base64();
                self.text_member(&mut members, "data", &data);
                self.mime(&mut members);
            }
        }
        if !first {
            self.text_member(&mut members, "type", kind);
        }
        if self.rng.u8(..4) == 0 {
            self.member(&mut members, "annotations");
            if self.flawed() {
                self.value(4)
            } else {
                self.annotations()
            }
        }
        self.extra(&mut members);
        self.end(&members);
    }

    fn mime(&mut self, members: &mut Members) {
        let mime = if self.rng.u8(..8) == 0 {
            self.text()
        } else {
            self.pick(words("mimes")).to_string()
        };
        self.text_member(members, "mimeType", &mime);
    }

    fn resource(&mut self) {
        let mut members = Members::default();
        self.put("{");
        let uri = uri(self.rng);
        self.text_member(&mut members, "uri", &uri);
        if self.rng.bool() {
            self.mime(&mut members);
        }
        let blob = self.rng.u8(..3) == 0;
        if !blob || self.flawed() {
            let text = self.text();
            self.text_member(&mut members, "text", &text);
        }
        if blob {
            let data = self.base64();
            self.text_member(&mut members, "blob", &data);
        }
        for name in ["name", "title", "description"] {
            if self.rng.u8(..6) == 0 {
                let text = self.text();
                self.text_member(&mut members, name, &text);
            }
        }
        if self.rng.u8(..8) == 0 {
            self.member(&mut members, "annotations");
            self.annotations();
        }
        self.extra(&mut members);
        self.end(&members);
    }

    fn question(&mut self) {
        let mut members = Members::default();
        self.put("{");
        let id = if self.rng.bool() {
            "confirm".to_string()
        } else {
            self.text()
        };
        self.text_member(&mut members, "id", &id);
        let text = self.text();
        self.text_member(&mut members, "text", &text);
        self.member(&mut members, "schema");
        if self.flawed() {
            self.value(4);
        } else {
            let schema = self.pick(&[
                "{}",
                r#"{"type":"boolean"}"#,
                r#"{"type":"string","enum":["a","b"]}"#,
            ]);
            self.put(schema);
        }
        if self.rng.bool() {
            self.member(&mut members, "default");
            self.value(4);
        }
        self.end(&members);
    }

    fn annotations(&mut self) {
        let mut members = Members::default();
        self.put("{");
        if self.rng.bool() {
            self.member(&mut members, "priority");
            self.number();
        }
        if self.rng.bool() {
            let time = self.pick(words("times"));
            self.text_member(&mut members, "lastModified", time);
        }
        if self.rng.bool() {
            self.member(&mut members, "audience");
            let audience = self.pick(&[
                r#"["user"]"#,
                r#"["assistant"]"#,
                r#"["user","assistant"]"#,
                "[]",
                r#"["dog"]"#,
                "[1]",
            ]);
            self.put(audience);
        }
        self.extra(&mut members);
        self.end(&members);
    }

    fn base64(&mut self) -> String {
        let bytes: Vec<u8> = (0..self.rng.usize(..40)).map(|_| self.rng.u8(..)).collect();
        let mut text = match self.rng.u8(..8) {
            0 => STANDARD_NO_PAD.encode(&bytes),
            1 => URL_SAFE.encode(&bytes),
            _ => STANDARD.encode(&bytes),
        };
        if self.rng.u8(..10) == 0 {
            let at = self.rng.usize(..=text.len());
            let noise = self.pick(&["\n", " ", "=", "!", "-", "A", "é", "\r\n", "=="]);
            text.insert_str(at, noise);
        }
        text
    }
}
