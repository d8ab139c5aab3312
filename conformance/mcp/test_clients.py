"""The SDKs' own clients against `toolwire serve`: what arrives is accepted by their types, unchanged."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
import toolwire as tw
from conftest import NEWEST, TOOLS, TOOLWIRE, carry_out, each_client, environment, serving, toolwire

MANIFEST = str(TOOLS / "toolwire.toml")
NAMES = re.findall(r"(?m)^\[tools\.(\w+)\]", Path(MANIFEST).read_text(encoding="utf-8"))
FOUR_BYTES_MORE_THAN_A_DOUBLE = 1234567890123456789


TOKEN = "a-token-of-these-tests"


class Server:
    """`toolwire serve` as a client reaches it: by its command, or with a token by its URL."""

    def __init__(self, url: "str | None" = None) -> None:
        self.url = url

    def plan(self, only: str) -> dict:
        if self.url:
            return {"url": self.url, "token": TOKEN}
        args = ["serve", "--manifest", MANIFEST]
        # The clients pass on little of their environment.
        path = {"PATH": environment()["PATH"]}
        return {"command": TOOLWIRE, "args": [*args, "--only", only], "env": path}

    def __call__(self, client: str, revision: str, calls: list, only: str = "", **plan) -> dict:
        """Serves the tools that are called, and those in `only`, to a client."""
        only = ",".join([*(call["name"] for call in calls if call["name"] in NAMES), *only.split()])
        return carry_out(client, revision, {"server": self.plan(only), "calls": calls, **plan})


@pytest.fixture(scope="session", params=["stdio", "http"])
def serve(request):
    """A server for many clients over HTTP, one for each client over stdio."""
    if request.param == "stdio":
        yield Server()
    else:
        with serving("--manifest", MANIFEST, TOOLWIRE_HTTP_TOKENS=f"ada:{TOKEN}") as url:
            yield Server(url)


def named(*names: str) -> list:
    return [{"name": name} for name in names]


def results(report: dict) -> list:
    for call in report["calls"]:
        assert "result" in call, f"{call['name']}: {call['error']}"
    return [call["result"] for call in report["calls"]]


def text(result: dict) -> str:
    [block] = result["content"]
    return block["text"]


def said(name: str, *args: str) -> dict:
    """What the tool itself answers."""
    ran = toolwire("run", "--json", "--manifest", MANIFEST, name, *args)
    return json.loads(ran.stdout)


@each_client
def test_tools_are_listed(serve, client, revision):
    report = serve(client, revision, [], only="json_schema_2020_12_tool test_structured_list")
    assert report["revision"] in (revision, None)
    listed = {tool["name"]: tool for tool in report["tools"]}
    [own] = [tool for tool in described("schemas.py") if tool["name"] == "json_schema_2020_12_tool"]
    assert listed["json_schema_2020_12_tool"]["inputSchema"] == own["inputSchema"]
    schema = listed["test_structured_list"]["outputSchema"]
    if revision == NEWEST:
        assert schema == {"type": "array"}
    else:
        assert schema["type"] == "object"
        assert schema["properties"] == {"result": {"type": "array"}}


def described(program: str) -> list:
    ran = toolwire("tools", "--json", str(TOOLS / program))
    return json.loads(ran.stdout)["tools"]


def wire(revision: str, *requests: "tuple[str, dict]") -> list:
    """What `toolwire serve` writes for these requests, before any SDK has read it."""
    about = {"name": "lines", "version": "1"}
    named = "io.modelcontextprotocol/"
    each = {f"{named}protocolVersion": revision, f"{named}clientInfo": about, f"{named}clientCapabilities": {}}
    lines = []
    if revision != NEWEST:
        hello = {"protocolVersion": revision, "capabilities": {}, "clientInfo": about}
        lines += [{"id": "hello", "method": "initialize", "params": hello}, {"method": "notifications/initialized"}]
    for number, (method, params) in enumerate(requests):
        meta = {"_meta": each} if revision == NEWEST else {}
        lines.append({"id": number, "method": method, "params": {**params, **meta}})
    stdin = "".join(json.dumps({"jsonrpc": "2.0", **line}) + "\n" for line in lines)
    ran = toolwire("serve", "--manifest", MANIFEST, stdin=stdin)
    said = {line.get("id"): line.get("result") for line in map(json.loads, ran.stdout.splitlines())}
    assert all(said.get(number) for number in range(len(requests))), ran.stdout + ran.stderr
    return [said[number] for number in range(len(requests))]


def same(sent, kept, client: str) -> bool:
    """Whether a client kept what was sent, as far as its numbers can hold it."""
    if isinstance(sent, dict) and isinstance(kept, dict):
        return sent.keys() == kept.keys() and all(same(sent[name], kept[name], client) for name in sent)
    if isinstance(sent, list) and isinstance(kept, list):
        return len(sent) == len(kept) and all(same(one, other, client) for one, other in zip(sent, kept))
    if isinstance(sent, int) and client.startswith("typescript"):
        return float(sent) == float(kept)
    return sent == kept and isinstance(sent, bool) == isinstance(kept, bool)


CONTENT = [
    "test_simple_text",
    "test_error_handling",
    "test_image_content",
    "test_audio_content",
    "test_embedded_resource",
    "test_multiple_content_types",
    "test_resource_link",
    "test_everything",
    "test_structured_object",
    "test_structured_list",
    "test_numbers",
]


@each_client
def test_what_is_served_is_kept_whole(serve, client, revision):
    """Lists and results arrive as they were sent, and are the tools' own envelopes again at a Toolwire peer."""
    requests = [("tools/call", {"name": name}) for name in CONTENT]
    listed, *sent = wire(revision, ("tools/list", {}), *requests)
    report = serve(client, revision, named(*CONTENT), only=",".join(NAMES))
    tools = {tool["name"]: tool for tool in listed["tools"]}
    kept = {tool["name"]: tool for tool in report["tools"]}
    assert set(kept) == set(tools) == set(NAMES)
    for name in NAMES:
        assert same(tools[name], kept[name], client), f"{name}\nsent {tools[name]}\nkept {kept[name]}"
    for name, one, other in zip(CONTENT, sent, results(report)):
        # That a result is complete is no part of it, and some SDKs leave it out.
        whole = [{**result, "resultType": "complete"} for result in (one, other)]
        assert same(*whole, client), f"{name}\nsent {one}\nkept {other}"
        if name == "test_numbers" and client.startswith("typescript"):
            # The text has more digits than the number beside it now, so it is no repetition to be left out.
            continue
        parsed = tw.mcp.from_result(other)["parsed"]
        own, back = said(name), parsed.envelope.to_dict()
        assert same(own, back, client), f"{name}\nown {own}\nback {back}"


@each_client
def test_content_arrives(serve, client, revision):
    calls = named("test_simple_text", "test_error_handling", "test_everything")
    simple, failed, everything = results(serve(client, revision, calls))
    assert text(simple) == "This is a simple text response for testing.\n"
    assert failed["isError"] is True
    assert text(failed) == "This tool intentionally returns an error for testing\n"

    own = said("test_everything")
    *plain, extras = everything["content"]
    *own_plain, own_extras = own["content"]
    assert plain == own_plain
    assert everything["structuredContent"] == own["structuredContent"]
    assert everything["_meta"].items() >= own["_meta"].items()
    # What MCP has no place for is in `_meta`, beside what the tool had there.
    kept = own_extras["resource"]
    assert extras["resource"]["text"] == kept["text"]
    assert extras["_meta"]["example.org/line"] == 7
    moved = json.dumps(everything["_meta"])
    for lost in (own_extras["formatted"], kept["name"], kept["title"]):
        assert json.dumps(lost) in moved


@each_client
def test_structured_content_arrives(serve, client, revision):
    calls = named("test_structured_object", "test_structured_list", "test_numbers")
    an_object, a_list, numbers = results(serve(client, revision, calls))
    assert an_object["structuredContent"] == said("test_structured_object")["structuredContent"]
    # Clients that show text only have it too.
    assert json.loads(text(an_object)) == an_object["structuredContent"]
    own = [1, "two", None]
    assert a_list["structuredContent"] == (own if revision == NEWEST else {"result": own})
    assert json.loads(text(a_list)) == own
    # The text keeps every digit, even for a client in JavaScript.
    assert json.loads(text(numbers)) == {"id": FOUR_BYTES_MORE_THAN_A_DOUBLE}
    if not client.startswith("typescript"):
        assert numbers["structuredContent"] == {"id": FOUR_BYTES_MORE_THAN_A_DOUBLE}


@each_client
def test_progress_and_messages_arrive(serve, client, revision):
    calls = named("test_tool_with_progress", "test_tool_with_logging")
    report = serve(client, revision, calls, logLevel="info")
    results(report)
    progress = [(each["progress"], each["total"]) for each in report["calls"][0]["progress"]]
    # Where the machine is busy, what is overtaken may be left out, but nothing else.
    assert progress[-1] == (100, 100)
    assert progress == [each for each in ((0, 100), (50, 100), (100, 100)) if each in progress]
    # In the newest revision a client asks for messages request by request; two of the SDKs do.
    if revision != NEWEST or client in ("python", "fastmcp"):
        assert [each["data"] for each in report["logs"]] == [
            "Tool execution started",
            "Tool processing data",
            "Tool execution completed",
        ]


ASKED = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}


@each_client
def test_a_form_is_accepted(serve, client, revision):
    answers = [{"action": "accept", "content": {"name": "Ada"}}]
    calls = named("test_input_required_result_elicitation")
    report = serve(client, revision, calls, elicitation=True, answers=answers)
    assert [text(result) for result in results(report)] == ["Hello, Ada!"]
    [asked] = report["elicitations"]
    assert asked["message"] == "What is your name?"
    assert asked["requestedSchema"] == ASKED


FORMS = ["test_elicitation_sep1034_defaults", "test_elicitation_sep1330_enums", "test_confirm"]


def question(name: str) -> dict:
    """What a tool asks, as it writes it itself."""
    call = {"tool": {"name": name, "arguments": {}}, "context": {"action": "run"}}
    ran = subprocess.run(
        [sys.executable, str(TOOLS / "questions.py")],
        input=json.dumps(call),
        capture_output=True,
        text=True,
        timeout=60,
        env={**environment(), "TOOLWIRE_CALL": "stdin"},
    )
    [block] = [block for block in json.loads(ran.stdout)["content"] if block["type"] == "question"]
    return block["question"]


@each_client
def test_a_question_is_kept_whole(serve, client, revision):
    answers = [{"action": "cancel"}] * len(FORMS)
    report = serve(client, revision, named(*FORMS), elicitation=True, answers=answers)
    for name, asked in zip(FORMS, report["elicitations"], strict=True):
        sent = tw.elicitation.to_elicitation(question(name), revision=revision)["params"]
        # A request has a token for progress of its own.
        assert asked.pop("_meta", {}).keys() <= {"progressToken"}
        # A form is what is asked if nothing else is said.
        whole = [{"mode": "form", **params} for params in (sent, asked)]
        assert same(*whole, client), f"{name}\nsent {sent}\nkept {asked}"


@each_client
@pytest.mark.parametrize(
    ("answer", "state"),
    [
        ({"action": "accept", "content": {"answer": True}}, "yes"),
        ({"action": "accept", "content": {"answer": False}}, "no"),
        ({"action": "decline"}, "declined"),
        ({"action": "cancel"}, "cancelled"),
    ],
    ids=["yes", "no", "decline", "cancel"],
)
def test_a_question_is_answered(serve, client, revision, answer, state):
    calls = named("test_confirm")
    report = serve(client, revision, calls, elicitation=True, answers=[answer])
    [result] = results(report)
    if answer["action"] == "accept":
        assert text(result) == state
        assert not result.get("isError")
    else:
        assert result["isError"] is True
        assert state in text(result)
    assert len(report["elicitations"]) == 1


@each_client
def test_questions_follow_one_another(serve, client, revision):
    answers = [
        {"action": "accept", "content": {"name": "Ada"}},
        {"action": "accept", "content": {"color": "red"}},
    ]
    calls = named("test_input_required_result_multi_round")
    report = serve(client, revision, calls, elicitation=True, answers=answers)
    assert [text(result) for result in results(report)] == ["Ada likes red."]
    assert [asked["message"] for asked in report["elicitations"]] == [
        "Step 1: What is your name?",
        "Step 2: What is your favorite color?",
    ]


ACCEPT, DECLINE = {"action": "accept"}, {"action": "decline"}
PAGE = {"mode": "url", "message": "Sign in.", "url": "https://example.com/login"}


@each_client
def test_a_page_is_opened(serve, client, revision):
    calls = named("test_page", "test_page_pending", "test_page_pending")
    report = serve(client, revision, calls, elicitation=True, answers=[ACCEPT, ACCEPT, DECLINE, DECLINE])
    opened, pending, again = report["calls"]
    asked = report["elicitations"]
    if revision == "2025-06-18":
        # It has no pages.
        assert not asked
        assert all(call["result"]["isError"] for call in report["calls"])
        return
    assert all(each.items() >= PAGE.items() for each in asked)
    assert text(opened["result"]) == "opened"
    if revision == NEWEST:
        # The page is asked for as often as the tool asks.
        assert len(asked) == 4
        assert pending["result"]["isError"] and again["result"]["isError"]
        return
    assert len(asked) == 2
    ids = [each["elicitationId"] for each in asked]
    required = {"elicitations": [{**PAGE, "elicitationId": ids[1]}]}
    for call in (pending, again):
        assert call["error"]["code"] == -32042
        assert call["error"]["data"] == required
    # Over HTTP, it comes by the stream of the session, which may not be open yet.
    if client.startswith(("typescript", "rmcp")) and not serve.url:
        assert report["completed"] == [{"elicitationId": ids[0]}]


@each_client
def test_a_client_without_elicitation_is_told(serve, client, revision):
    [call] = serve(client, revision, named("test_confirm"))["calls"]
    if revision == NEWEST:
        # There is no other way to answer, so the client is told what it would need.
        assert call["error"]["code"] == -32021
        assert call["error"]["data"]["requiredCapabilities"] == {"elicitation": {"form": {}}}
    else:
        assert call["result"]["isError"] is True
        assert "no way to ask" in text(call["result"])


@each_client
def test_mistakes_are_refused(serve, client, revision):
    wrong = [{"name": "no_such_tool"}, {"name": "test_elicitation", "arguments": {"message": 7}}]
    unknown, mistaken = serve(client, revision, wrong)["calls"]
    assert unknown["error"]["code"] == -32602
    assert "no_such_tool" in unknown["error"]["message"]
    answered = mistaken.get("error", {}).get("message") or text(mistaken["result"])
    assert "message" in answered


def test_the_token_of_these_tests_is_needed(serve):
    if not serve.url:
        pytest.skip("a client that starts the server needs no token")
    ran = toolwire("tools", serve.url)
    assert ran.returncode == 5
    assert "401" in ran.stderr
