//! URIs, paths and what people write for them.

use fastrand::Rng;

/// A URI or what people write for one: drives, UNC, back slashes, escapes, dot segments, fragments.
pub fn uri(rng: &mut Rng) -> String {
    const STARTS: &[&str] = &[
        "file:///",
        "file://localhost/",
        "file://LOCALHOST/",
        "file:/",
        "file:",
        "FILE:///",
        "file://host/",
        "file:////",
        "file:///C:/",
        "file:///c|/",
        "file:///C%3A/",
        "file://C:/",
        "C:\\",
        "c:/",
        "C:",
        "\\\\server\\share\\",
        "//host/",
        "/",
        "./",
        "../",
        "",
        "~/",
        "https://Example.COM/",
        "http://user@host:80/",
        "https://[::1]:443/",
        "HTTP://a:0080",
        "https://host",
        "urn:isbn:",
        "data:text/plain,",
        "mailto:",
        "git+ssh://h/",
        "x:",
        "custom://A/",
        "file://",
        "https://ex%41mple.com/",
        "http://host:/",
        "\\\\?\\C:\\",
        "\\\\.\\pipe\\",
        "file:///%43:/",
        "http://",
        "file:///%2e%2e/",
    ];
    const SEGMENTS: &[&str] = &[
        "a",
        "src",
        "main.rs",
        ".",
        "..",
        "...",
        "",
        "%2e",
        "%2E%2e",
        ".%2e",
        "%41",
        "%7e",
        "~",
        "%2F",
        "%5c",
        "%00",
        "%zz",
        "%",
        "%4",
        "a b",
        "é",
        "漢",
        "%C3%A9",
        "%c3%a9",
        "%ff",
        "C:",
        "c|",
        "%25",
        "%252e",
        "a;b",
        "a:b",
        "@",
        "a,b=c",
        "+",
        "*",
        "[x]",
        "{x}",
        "\"",
        "<",
        "^",
        "|",
        "localhost",
        "AUX",
        "a.",
        " ",
        "\u{202e}",
        "\u{1F600}",
        "\t",
        "\u{7f}",
    ];
    let mut uri = STARTS[rng.usize(..STARTS.len())].to_string();
    for i in 0..rng.usize(..6) {
        if i > 0 {
            uri.push_str(["/", "/", "/", "\\", "//"][rng.usize(..5)]);
        }
        uri.push_str(SEGMENTS[rng.usize(..SEGMENTS.len())]);
        if rng.u8(..12) == 0 {
            uri.push(rng.char(' '..='~'));
        }
    }
    if rng.u8(..6) == 0 {
        uri.push_str(["?", "?q=%41&b=/../", "?%2f", "?a?b", "?é"][rng.usize(..5)]);
    }
    if rng.u8(..4) == 0 {
        uri.push_str(["#L10-20", "#", "#%41", "#a#b", "#/../x", "#é", "#L1 "][rng.usize(..7)]);
    }
    uri
}

/// A root that relative forms are resolved against.
pub fn root(rng: &mut Rng) -> String {
    const ROOTS: &[&str] = &[
        "file:///home",
        "file:///home/",
        "/home/dir",
        "C:\\work",
        "file:///C:/work",
        "\\\\server\\share\\dir",
        "file://host/dir",
        "file:///home/../x/",
        "/",
        "file:///w%20x",
    ];
    ROOTS[rng.usize(..ROOTS.len())].to_string()
}
