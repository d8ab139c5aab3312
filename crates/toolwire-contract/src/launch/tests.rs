//! What no case can show: messages, conversions of commands, and what is joined.

use toolwire::{Code, Json};

use super::*;
use crate::lock::Launched;

fn message(uri: &str) -> String {
    match parse_launch_uri(uri) {
        Ok(launch) => panic!("{uri} was read as {launch:?}"),
        Err(error) => {
            assert_eq!(error.code(), Code::BadLaunchUri, "{uri}");
            error.message().to_owned()
        }
    }
}

fn words(text: &str) -> Vec<String> {
    text.split(' ').map(str::to_owned).collect()
}

#[test]
fn a_refusal_says_what_to_write() {
    for (uri, way) in [
        (
            "mcp://biomcp?launcher=uvx&package=biomcp-python&tool=search",
            "`mcp+uvx://package/command`",
        ),
        ("mcp://biomcp?tool=search", "a profile is `@biomcp`"),
        ("mcp+uv://a", "did you mean `mcp+uvx://`?"),
        ("mcp+npxx://a", "did you mean `mcp+npx://`?"),
        ("mcp+uvx:a", "`mcp+uvx://package/command`"),
        ("https://example.org/mcp", "`mcp+https://`"),
        ("mcp+uvx://a?comand=run", "did you mean `command=`?"),
        ("mcp+exec://a?gene=BRAF", "add `tool=NAME`"),
        ("mcp+https://example.org/?v=1", "`query=`"),
        ("mcp+exec://a?tool=t&launcher=npx", "`arg.launcher=`"),
        ("mcp+exec://a?tool=t&tool=u", "`arg.tool=`"),
        ("mcp+exec://a?tool", "`tool=…`"),
        ("mcp+exec://a?tool=a b", "`%20`"),
        ("mcp+exec://a#tools", "`%23`"),
        ("mcp+exec://a?tool=a%2", "`%25`"),
        ("mcp+python://server.py", "`./server.py`"),
        ("mcp+python://-c", "`./-c`"),
        ("mcp+python://C:/a.py", "`:///C:/a.py`"),
        ("mcp+python://C:\\a.py", "`/C:/dir/file`"),
        ("mcp+python://~/a.py", "from `/` on"),
        ("mcp+node://./dir/", "add the name of the file"),
        (
            "mcp+uvx://git+https://example.org/a",
            "`mcp+exec://uvx?command=--from&command=…`",
        ),
        ("mcp+uvx://python", "`mcp+python://./file.py`"),
        (
            "mcp+npx://github:a/b",
            "`mcp+exec://npx?command=-y&command=…`",
        ),
        ("mcp+npx://a?with=b", "`mcp+npx://package/command?with=…`"),
        (
            "mcp+docker://a?cwd=/x",
            "`mcp+exec://docker?command=run&command=…`",
        ),
        ("mcp+uvx://a?header=X", "`env=NAME`"),
        ("mcp+https://example.org/?env=X", "`header=NAME`"),
        ("mcp+exec://a?tool=t&a=\u{202e}b", "U+202E"),
        ("mcp+exec://a?tool=t&a=\u{202e}b", "`%E2%80%AE`"),
    ] {
        let message = message(uri);
        assert!(message.contains(way), "{uri}\n  {message}");
        assert!(!message.ends_with('.'), "{message}");
    }
}

#[test]
fn no_value_is_shown() {
    for uri in [
        "mcp+exec://a?env=TOKEN=hunter2",
        "mcp+exec://a?env=hunter2%20x=1",
        "mcp+exec://a?env=TOKEN:hunter2",
        "mcp+https://example.org/?header=Authorization:hunter2",
        "mcp+https://example.org/?header=Authorization:%20Bearer%20hunter2",
        "mcp+https://example.org/?header=X-Key=hunter2",
        "mcp+https://me:hunter2@example.org/",
        "mcp+https://hunter2@example.org/",
    ] {
        let error = parse_launch_uri(uri).unwrap_err();
        assert_eq!(error.code(), Code::ValueInLaunchUri, "{uri}");
        assert!(!error.message().contains("hunter2"), "{}", error.message());
    }
}

#[test]
fn a_refusal_is_safe_on_a_terminal() {
    for uri in [
        "mcp+\u{1b}]0;x\u{7}://a",
        "mcp+exec://a?tool=t&%1b[2J=1",
        "mcp+uvx://%1b[2J",
        "mcp://a%0a?launcher=\u{9b}x",
        "mcp+python://%E2%80%AEyp.a",
        "mcp+exec://a?list=%1b[31m",
    ] {
        let error = parse_launch_uri(uri).unwrap_err();
        let hidden = error.message().chars().find(|c| toolwire::is_hidden(*c));
        assert_eq!(hidden, None, "{:?}", error.message());
        assert!(error.message().len() < 600);
    }
    let long = message(&format!("mcp+python://{}", "x".repeat(10_000)));
    assert!(long.len() < 300, "{long}");
}

#[test]
fn a_command_has_the_launcher_that_gives_it_again() {
    for (command, uri) in [
        ("uvx mcp-server-git", "mcp+uvx://mcp-server-git"),
        (
            "uvx mcp-server-git@latest -v",
            "mcp+uvx://mcp-server-git@latest?command=-v",
        ),
        ("uvx mcp-server-git@1.0.2", "mcp+uvx://mcp-server-git@1.0.2"),
        (
            "uvx --from mcp[cli]==1.9 mcp run",
            "mcp+uvx://mcp[cli]@1.9?command=run",
        ),
        ("uvx --from mcp>=1 mcp", "mcp+uvx://mcp%3E=1"),
        (
            "uvx --with a --with b[c]>1 --from d e",
            "mcp+uvx://d/e?with=a&with=b%5Bc%5D%3E1",
        ),
        ("uvx --from d d", "mcp+uvx://d/d"),
        (
            "npx -y @a/b@1.0.0 /tmp",
            "mcp+npx://@a/b@1.0.0?command=/tmp",
        ),
        (
            "npx -y --package=a --package=b c -d",
            "mcp+npx://a/c?command=-d&with=b",
        ),
        ("python ./a.py x", "mcp+python://./a.py?command=x"),
        ("python C:/a.py", "mcp+python:///C:/a.py"),
        ("node //server/share/a.js", "mcp+node:////server/share/a.js"),
        (
            "docker run -i --rm -e A -e B mcp/fetch:1 x",
            "mcp+docker://mcp/fetch:1?command=x&env=A&env=B",
        ),
        // What has no launcher of its own.
        (
            "uvx --python 3.12 a",
            "mcp+exec://uvx?command=--python&command=3.12&command=a",
        ),
        (
            "uvx --from=a b",
            "mcp+exec://uvx?command=--from=a&command=b",
        ),
        ("uvx --from a==1 a", "mcp+uvx://a@1/a"),
        (
            "uvx git+https://a/b",
            "mcp+exec://uvx?command=git%2Bhttps://a/b",
        ),
        ("uvx", "mcp+exec://uvx"),
        ("uvx --from", "mcp+exec://uvx?command=--from"),
        ("npx a", "mcp+exec://npx?command=a"),
        ("npx -y a/b", "mcp+exec://npx?command=-y&command=a/b"),
        (
            "npx -y --package=a b;c",
            "mcp+exec://npx?command=-y&command=--package=a&command=b;c",
        ),
        ("python a.py", "mcp+exec://python?command=a.py"),
        ("python -m a", "mcp+exec://python?command=-m&command=a"),
        ("python3 ./a.py", "mcp+exec://python3?command=./a.py"),
        (
            "docker run --rm -i a",
            "mcp+exec://docker?command=run&command=--rm&command=-i&command=a",
        ),
        ("docker run -i --rm -e A=1 a", "mcp+docker://a"),
        ("/usr/bin/x --y", "mcp+exec:///usr/bin/x?command=--y"),
    ] {
        let words = words(command);
        let launch = Launch::from_command(&words).unwrap();
        assert_eq!(launch.command().as_ref(), Some(&words), "{command}");
        match format_launch_uri(&launch) {
            Ok(written) => assert_eq!(written, uri),
            // The value of a variable has no place in a URI, in whatever way it comes.
            Err(error) => assert_eq!(
                (error.code(), uri),
                (Code::ValueInLaunchUri, "mcp+docker://a")
            ),
        }
    }
    let windows = words("C:\\tools\\x.exe \\y");
    let launch = Launch::from_command(&windows).unwrap();
    assert_eq!(launch.command(), Some(words("C:/tools/x.exe \\y")));
    assert_eq!(
        format_launch_uri(&launch).unwrap(),
        "mcp+exec:///C:/tools/x.exe?command=%5Cy"
    );
    let share = Launch::from_command(&words("\\\\server\\share\\x.exe")).unwrap();
    assert_eq!(
        format_launch_uri(&share).unwrap(),
        "mcp+exec:////server/share/x.exe"
    );
    assert_eq!(Launch::from_command(&[]), None);
}

#[test]
fn the_facts_of_a_command_do_not_depend_on_its_spelling() {
    let facts = |command: &str| {
        let facts = Launched::of_command(&words(command)).unwrap();
        let version = facts.asked_version().map(|(text, _)| text.to_owned());
        (facts.safety().as_str().to_owned(), version)
    };
    for (command, usual) in [
        ("npx a@1.0.0", "npx -y a@1.0.0"),
        ("npx --yes --quiet a@1.0.0 -v", "npx -y a@1.0.0"),
        ("npx -y -p a@1 b", "npx -y --package=a@1 b"),
        ("npx -y --package a@1 -- b", "npx -y --package=a@1 b"),
        ("npm exec -- a", "npx -y a"),
        ("/usr/bin/npx -y a", "npx -y a"),
        ("C:\\node\\npx.cmd -y a", "npx -y a"),
        ("uvx --python 3.12 a", "uvx a"),
        ("uvx -p=3.12 --from=b>1 a", "uvx --from b>1 a"),
        ("uvx --from b a", "uv tool run --from b a"),
        ("uvx --from b@1.2 a", "uvx --from b==1.2 a"),
        ("uvx --from a@1.2 a", "uvx a@1.2"),
        ("uvx -w c a", "uvx --with c a"),
        ("python3.12 a.py", "python ./a.py"),
        ("C:\\python.exe .\\a.py", "python ./a.py"),
        ("node dir\\a.js", "node ./dir/a.js"),
        ("docker run --rm -i a:1", "docker run -i --rm a:1"),
        (
            "docker run -it --name x -v /:/y -eA --env=B --privileged a:1 --z",
            "docker run -i --rm a:1",
        ),
        ("docker container run -e A a:1", "docker run -i --rm a:1"),
    ] {
        assert_eq!(facts(command), facts(usual), "{command}");
        assert!(
            !facts(command).0.contains("exec"),
            "{command}: {:?}",
            facts(command)
        );
    }
    for command in [
        "uvx --index-url https://example.org a",
        "uvx --from git+https://example.org/a b",
        "uvx --from",
        "npx --registry=https://example.org a",
        "npx -c x",
        "npx",
        "python3 -m a",
        "docker run",
        "docker run -e",
        "docker exec a",
        "server --npx",
    ] {
        assert!(
            facts(command).0.contains(r#""launcher":"exec""#),
            "{command}"
        );
        assert_eq!(facts(command).1, None, "{command}");
    }
}

#[test]
fn a_relative_path_is_joined_as_text() {
    for (folder, path, joined) in [
        ("/srv", "./a.py", "/srv/a.py"),
        ("/srv/", "././a.py", "/srv/a.py"),
        ("/", "./a.py", "/a.py"),
        ("/srv", "../a.py", "/srv/../a.py"),
        ("/srv", "./../a.py", "/srv/../a.py"),
        ("/srv", ".//a.py", "/srv/a.py"),
        ("/srv", "/a.py", "/a.py"),
        ("/a\\b", "./c", "/a\\b/c"),
        ("C:\\a", "./b.py", "C:/a/b.py"),
        ("C:\\", "./b.py", "C:/b.py"),
        ("\\\\server\\share\\a", "./b.py", "//server/share/a/b.py"),
        ("/srv", "C:/b.py", "C:/b.py"),
        ("/srv", ".", "/srv"),
        ("/srv", "./", "/srv"),
        ("/srv", "..", "/srv/.."),
        ("/srv", "name", "name"),
    ] {
        assert_eq!(path::join(folder, path), joined, "{folder} {path}");
    }
    let launch = parse_launch_uri("mcp+exec://./x?cwd=..&tool=t").unwrap();
    let launch = launch.resolved("/srv/a");
    assert_eq!(
        format_launch_uri(&launch).unwrap(),
        "mcp+exec:///srv/a/x?cwd=/srv/a/..&tool=t"
    );
    let remote = parse_launch_uri("mcp+https://example.org/").unwrap();
    assert_eq!(remote.resolved("/srv"), remote);
}

#[test]
fn what_no_uri_says_is_not_written() {
    let good = parse_launch_uri("mcp+uvx://a/b?with=c&command=d&env=E&cwd=./f&tool=t&x=1").unwrap();
    assert!(format_launch_uri(&good).is_ok());
    type Break = fn(&mut Launch);
    let breaks: [(Break, &str); 10] = [
        (|it| it.env.push("E".into()), "/env"),
        (|it| it.env.push("A=1".into()), "/env"),
        (|it| it.cwd = Some("a\\b".into()), "/cwd"),
        (|it| it.cwd = Some("/C:/a".into()), ""),
        (|it| it.words.push("a\0".into()), "/words"),
        (|it| it.headers.push("X".into()), "/headers"),
        (|it| it.target = "a==1.0".into(), ""),
        (|it| it.target = "a/b".into(), "/command"),
        (|it| *it = Launch::new(Launcher::Node, "a.js"), "/file"),
        (|it| *it = Launch::new(Launcher::Exec, "/C:/x"), ""),
    ];
    for (index, (change, pointer)) in breaks.into_iter().enumerate() {
        let mut bad = good.clone();
        change(&mut bad);
        let error = format_launch_uri(&bad).expect_err(&index.to_string());
        assert_eq!(
            (error.pointer(), error.offset()),
            (pointer, None),
            "{index}: {error}"
        );
    }
    for url in [
        "ftp://a/",
        "HTTPS://a/",
        "https://a/#b",
        "https://a b/",
        "a",
    ] {
        let launch = Launch::new(Launcher::Http, url);
        assert!(format_launch_uri(&launch).is_err(), "{url}");
    }
    for name in ["", "--x", "a=b", "a\u{200b}"] {
        let request = Some(Request::Tool {
            name: "t".into(),
            arguments: vec![Argument {
                name: name.into(),
                text: "1".into(),
            }],
        });
        let bad = Launch {
            request,
            ..good.clone()
        };
        assert!(format_launch_uri(&bad).is_err(), "{name}");
    }
}

#[test]
fn the_json_form_is_strict() {
    for json in [
        "[]",
        "{}",
        r#"{"launcher":"uv"}"#,
        r#"{"launcher":"uvx"}"#,
        r#"{"launcher":"uvx","target":"a"}"#,
        r#"{"launcher":"uvx","target":"a","package":"b"}"#,
        r#"{"launcher":"uvx","package":{"name":"a"}}"#,
        r#"{"launcher":"uvx","package":"a","with":[1]}"#,
        r#"{"launcher":"uvx","package":"a","with":null}"#,
        r#"{"launcher":"uvx","package":"a","cwd":null}"#,
        r#"{"launcher":"uvx","package":"a","file":"b"}"#,
        r#"{"launcher":"uvx","package":"a","a/b~":1}"#,
        r#"{"launcher":"http","url":"https://a/","arguments":[{"name":"a","text":"b"}]}"#,
        r#"{"launcher":"http","url":"https://a/","list":"tool"}"#,
        r#"{"launcher":"http","url":"https://a/","list":"tools","tool":"a"}"#,
        r#"{"launcher":"http","url":"https://a/","tool":"a","arguments":[{"name":"a"}]}"#,
        r#"{"launcher":"http","url":"https://a/","tool":"a","arguments":[{"name":"a","text":"b","x":1}]}"#,
    ] {
        let error = Launch::from_json(&Json::new(json).unwrap()).unwrap_err();
        assert!(
            matches!(error.code(), Code::BadArgument | Code::DuplicateName),
            "{json}: {error}"
        );
    }
}
