"""Every example tool does what it is there for; what is there in several languages answers with the same bytes."""

import http.server
import json
import subprocess
import threading

import pytest
from project import APP, DEBUG, ENVIRONMENT, NODE, PYTHON, ROOT, run

FILE = "examples/README.md"


def python(name, *arguments, **more):
    return run(PYTHON, ROOT / "examples/python" / name, *arguments, check=False, **more)


def node(name, *arguments, **more):
    return run(NODE, APP / name, *arguments, check=False, **more)


def rust(name, *arguments, **more):
    return run(DEBUG / name, *arguments, check=False, **more)


def shell(name, *arguments):
    return run("sh", ROOT / "examples/shell" / name, *arguments, check=False)


def toolwire(*arguments, **more):
    return run(DEBUG / "toolwire", *arguments, check=False, **more)


@pytest.mark.parametrize(
    ("verdict", "tool", "name", "arguments"),
    [
        ("valid", python, "read_file.py", [FILE]),
        ("valid", python, "read_file.py", ["no-such-file"]),
        ("valid", python, "todo.py", ["crates"]),
        ("valid", python, "todo.py", ["no-such-folder"]),
        ("valid", node, "read-file.mjs", ["no-such-file"]),
        ("valid", node, "links.mjs", ["README.md", FILE]),
        ("valid", rust, "read-file", ["no-such-file"]),
        ("valid", rust, "count-lines", ["crates"]),
        ("raw", shell, "recent-changes.sh", ["2"]),
        ("raw", shell, "by-hand.sh", ["README.md"]),
    ],
)
def test_an_answer_is_read_as_what_it_is(verdict, tool, name, arguments):
    answer = tool(name, *arguments)
    assert answer
    assert json.loads(toolwire("parse", "--json", given=answer))["verdict"] == verdict


@pytest.mark.parametrize("arguments", [[FILE], [FILE, "3-7"], [FILE, "7-3"], [FILE, "all"]])
def test_read_file_is_the_same_in_three_languages(arguments):
    answer = python("read_file.py", *arguments)
    assert answer
    assert node("read-file.mjs", *arguments) == rust("read-file", *arguments) == answer


def call(action="run", name=None, **tool):
    return json.dumps({"tool": {**({"name": name} if name else {}), **tool}, "context": {"action": action}})


# What a host calls `commit` with, in this order, and what is in the answer; the fourth is made when a file is staged.
MEND = {"message": "Mend"}
CALLS = [
    (call("describe"), '"outputSchema":{"properties":{"committed"'),
    (call("format_arguments", "commit", arguments=MEND), "git -C . commit -m “Mend”"),
    (call(name="commit"), "nothing is staged"),
    (call(name="commit"), '"id":"message"'),
    (call(name="commit", **{"dev.toolwire/answers": {"message": {"state": "declined"}}}), '"id":"message"'),
    (call(name="commit", answers=MEND), '"id":"confirm"'),
    (call(name="commit", answers={**MEND, "confirm": False}), '"committed":false'),
    (call(name="commit", arguments={"mesage": "Mend"}), "`mesage` is not expected"),
    (call(name="comit"), "there is only `commit`"),
    (call(name="commit", arguments=MEND, answers={"confirm": True}), '"committed":true'),
]


def new_repository(place):
    """A repository with a file that is not staged."""
    place.mkdir()
    run("git", "init", "--quiet", cwd=place)
    (place / "a.txt").write_text("a fence\n")
    return place


def test_commit_is_the_same_in_three_languages(tmp_path):
    said = []
    for program in ([PYTHON, ROOT / "examples/python/commit.py"], [NODE, APP / "commit.mjs"], [DEBUG / "commit"]):
        place = new_repository(tmp_path / str(len(said)))
        answers = []
        for index, (line, _) in enumerate(CALLS):
            if index == 3:
                run("git", "add", "a.txt", cwd=place)
            answers.append(run(*program, check=False, cwd=place, given=line, TOOLWIRE_CALL="stdin"))
        said.append(answers)
    for answer, (line, part) in zip(said[0], CALLS):
        assert part in answer, line
    assert said[0] == said[1] == said[2]


@pytest.mark.parametrize(
    "program",
    [ROOT / "examples/python/commit.py", APP / "commit.mjs", DEBUG / "commit", ROOT / "examples/shell/commit.sh"],
    ids=str,
)
def test_commit_as_a_host_runs_it(program, tmp_path):
    repository = new_repository(tmp_path / "repository")
    run("git", "add", "a.txt", cwd=repository)
    answers = ["--answer", "message=Mend the fence", "--answer", "confirm=true"]
    answer = toolwire("run", *answers, program, cwd=repository)
    assert "1 file changed" in answer and "Committed as" in answer
    assert run("git", "log", "--format=%s", cwd=repository) == "Mend the fence\n"


COUNTDOWNS = [[NODE, APP / "countdown.mjs"], [DEBUG / "countdown"]]


@pytest.mark.parametrize(
    "line", [call("describe"), call(name="countdown", arguments={"from": 2, "step": 0}, answers={"launch": True})]
)
def test_countdown_called_once_is_the_same_in_two_languages(line):
    one, other = (run(*words, check=False, given=line, TOOLWIRE_CALL="stdin") for words in COUNTDOWNS)
    assert one == other != ""


def launched(words):
    """What a session of `countdown` says after its greeting, if its question is answered."""
    hello = {"type": "hello", "toolwire": 1, "versions": [1], "maxLine": 67108864}
    document = json.loads(call(name="countdown", arguments={"from": 3, "step": 0}))
    begin = {"type": "call", "call": 1, "document": document, "session": True}
    accepted = {"state": "accepted", "source": "user", "value": True}
    answer = {"type": "answer", "call": 1, "id": "launch", "answer": accepted}
    environment = {**ENVIRONMENT, "TOOLWIRE_CALL": "lines"}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "encoding": "utf-8", "env": environment}
    with subprocess.Popen([str(word) for word in words], **pipes) as tool:
        tool.stdin.write(f"{json.dumps(hello)}\n{json.dumps(begin)}\n")
        tool.stdin.flush()
        # The first line is the greeting, in which each language says how many calls it takes.
        tool.stdout.readline()
        said = []
        for line in tool.stdout:
            said.append(line)
            if json.loads(line)["type"] == "question":
                tool.stdin.write(f"{json.dumps(answer)}\n")
                tool.stdin.flush()
    return "".join(said)


def test_a_session_of_countdown_is_the_same_in_two_languages():
    one, other = map(launched, COUNTDOWNS)
    assert '"text":"Lift-off."' in one
    assert one == other


def test_search():
    search = ["run", "--root", ROOT]
    found = toolwire(*search, "--format", "json", DEBUG / "search", "pattern=^# Examples$", "path=examples")
    for part in ("One place:", "/examples/README.md#L1-3", r'"text":"# Examples\n'):
        assert part in found
    assert "unclosed group" in toolwire(*search, DEBUG / "search", "pattern=(")


def test_query(tmp_path):
    people = tmp_path / "people.csv"
    people.write_text('name,city,age\nAda,London,36\nGrace,"New York",85\nAlan,London,41\n')

    def query(sql, *more, file=people):
        return toolwire("run", *more, ROOT / "examples/python/query.py", f"file={file}", f"sql={sql}")

    ages = query("select city, avg(age) as age from people group by city", "--format", "json")
    assert "| London | 38.5 |" in ages
    assert '"structuredContent":{"columns":["city","age"],"rows":[["London",38.5],["New York",85' in ages
    first = query("select * from people", "--args", '{"limit":1}')
    assert "| Ada | London | 36 |" in first and "There are more than 1 rows." in first
    assert "not authorized" in query("delete from people")
    assert "no such column" in query("select salary from people")
    assert "neither a CSV file nor an SQLite database" in query("select 1", file=__file__)


class Pages(http.server.BaseHTTPRequestHandler):
    ANSWERS = {
        "/page": (200, {"content-type": "text/html; charset=utf-8"}, b"<h1>Hello</h1>"),
        "/picture": (200, {"content-type": "image/png"}, b"\x89PNG\0"),
        "/busy": (503, {"retry-after": "7"}, b""),
        "/large": (200, {}, b"a" * 1_000_001),
    }

    def do_GET(self):
        if self.path == "/cut":
            return
        status, headers, body = self.ANSWERS.get(self.path, (404, {}, b""))
        self.send_response(status)
        for name, value in {**headers, "content-length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def url():
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Pages) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.mark.parametrize(
    ("path", "parts", "absent"),
    [
        ("page", ['"mimeType":"text/html"', '"text":"<h1>Hello</h1>"'], "isError"),
        ("picture", ['"blob":', '"mimeType":"image/png"'], "isError"),
        ("busy", ["503", '"transient":true', "tried again after 7"], '"transient":false'),
        ("cut", ['"transient":true', '"isError":true'], '"transient":false'),
        ("large", ["more than 1000000 bytes"], "aaaa"),
        ("nothing", ["404"], "transient"),
    ],
)
def test_fetch(url, path, parts, absent):
    answer = toolwire("run", "--format", "json", APP / "fetch.mjs", f"url={url}/{path}")
    for part in parts:
        assert part in answer
    assert absent not in answer
