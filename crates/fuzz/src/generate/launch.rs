//! Launch URIs and profile words, right ones and such as people write.

use fastrand::Rng;

/// A launch URI or a profile word, mostly one that can be read.
pub fn launch(rng: &mut Rng) -> String {
    const STARTS: &[&str] = &[
        "mcp+uvx://",
        "mcp+npx://",
        "mcp+python://",
        "mcp+node://",
        "mcp+docker://",
        "mcp+exec://",
        "mcp+https://",
        "mcp+http://",
        "MCP+UVX://",
        "mcp+sh://",
        "mcp://",
        "mcp+uvx:",
        "@",
        "",
    ];
    const PLACES: &[&str] = &[
        "biomcp-python/biomcp",
        "biomcp-python",
        "mcp[cli]==1.9.0/mcp",
        "a[b,c]>=1,<2",
        "@upstash/context7-mcp@latest",
        "@scope/name@^1.2/command",
        "server-filesystem@2025.1.1",
        "/C:/tools/server.py",
        "/home/me/a%20b.js",
        "./server.py",
        "../server.js",
        "~/server.py",
        "server.py",
        "C:\\tools\\server.py",
        "//host/share/server.py",
        "ghcr.io/github/github-mcp-server:v1",
        "mcp/fetch@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
        "localhost:5000/image",
        "example.org/mcp",
        "example.org:8080/mcp?v=2&tool=mine",
        "user@example.org/mcp",
        "[::1]:80/",
        "git",
        "/usr/bin/git",
        "-x",
        "--from",
        "%2D%2Dhelp",
        "a/-b",
        "",
        ".",
        "a/b/c",
        "%00",
        "\u{e9}",
        "biomcp",
        "biomcp/search",
    ];
    const KEYS: &[&str] = &[
        "command",
        "with",
        "env",
        "header",
        "cwd",
        "query",
        "tool",
        "list",
        "resource",
        "arg.tool",
        "arg.",
        "arg.a.b",
        "arg.command",
        "gene",
        "limit",
        "launcher",
        "%74ool",
        "x%3Dy",
        "",
        "\u{e9}",
        "a+b",
    ];
    const VALUES: &[&str] = &[
        "",
        "run",
        "search",
        "tools",
        "resources",
        "prompts",
        "BRAF",
        "a b",
        "a+b",
        "a%20b",
        "%26%3D%23",
        "--flag",
        "-",
        "TOKEN",
        "X-Key",
        "A=b",
        "file:///a?b=c%23d",
        "./data",
        "C:/data",
        "%",
        "%zz",
        "%ff",
        "%E9",
        "numpy==2",
        "1.0",
        "\"x\"",
        "[1,2]",
        "#",
        "a#b",
        "\u{1f600}",
        "v=2",
    ];
    let pick = |rng: &mut Rng, from: &[&'static str]| from[rng.usize(..from.len())];
    let mut text = format!("{}{}", pick(rng, STARTS), pick(rng, PLACES));
    for index in 0..rng.usize(..5) {
        let between = match (index, rng.u8(..20)) {
            (_, 0) => "?",
            (0, _) => "?",
            (_, 1) => "&&",
            _ => "&",
        };
        text.push_str(between);
        text.push_str(pick(rng, KEYS));
        if rng.u8(..20) > 0 {
            text.push('=');
        }
        text.push_str(pick(rng, VALUES));
    }
    if rng.u8(..20) == 0 {
        text.push_str("#fragment");
    }
    text
}
