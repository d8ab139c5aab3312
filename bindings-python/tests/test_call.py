"""Calls, descriptions, words as arguments, questions: what the conformance cases cannot say of Python."""

import pytest
import toolwire as tw

DOCUMENT = {
    "tool": {
        "name": "rename",
        "arguments": {"path": "a"},
        "answers": {"confirm": True, "again": None},
        "options": {"retries": 2},
        "dev.toolwire/answers": {"confirm": {"state": "accepted", "source": "user"}, "notify": {"state": "declined"}},
    },
    "context": {"action": "run", "root": "/project"},
}
QUESTION = {"id": "sure", "text": "Go on?", "schema": {"type": "boolean"}, "default": None}
TOOL = {"name": "now", "inputSchema": {"type": "object"}, "description": "Tell the time."}


def refused(function, *args, **keywords):
    with pytest.raises(tw.ToolwireError) as caught:
        function(*args, **keywords)
    return caught.value.code, caught.value.pointer


class TestCall:
    def test_every_member(self):
        call = tw.wire.read_call(DOCUMENT)
        assert (call.name, call.action, call.root) == ("rename", "run", "/project")
        assert (call.arguments, call.member_json("arguments")) == ({"path": "a"}, '{"path":"a"}')
        assert call.options == {"retries": 2}
        assert list(call.answers) == ["again", "confirm", "notify"]
        again, confirm, notify = call.answers.values()
        assert (again.accepted, again.value, again.member_json("value"), again.source) == (True, None, "null", None)
        assert (confirm.state, confirm.source, confirm.value) == ("accepted", "user", True)
        assert (notify.accepted, notify.state, notify.source, notify.member_json("value")) == (False, "declined", None, None)

    @pytest.mark.parametrize("kind", [str, bytes, bytearray, memoryview, dict])
    def test_text_bytes_and_dicts(self, kind):
        text = str(tw.wire.read_call(DOCUMENT))
        data = DOCUMENT if kind is dict else text if kind is str else kind(text.encode())
        assert tw.wire.read_call(data).json == text == bytes(tw.wire.read_call(data)).decode()

    def test_the_meta_of_a_request(self):
        call = tw.wire.read_call(DOCUMENT)
        assert tw.wire.read_call(call.member_json("meta"), carrier="meta") == call
        assert refused(tw.wire.read_call, DOCUMENT, carrier="mail") == ("bad_option", "/carrier")

    def test_what_is_no_call(self):
        assert refused(tw.wire.read_call, {"tool": {}}) == ("bad_call", "/context")
        assert refused(tw.wire.read_call, b"\xff") == ("invalid_utf8", "")
        assert refused(tw.wire.read_call, 7) == ("bad_argument", "/data")
        assert refused(tw.wire.read_call, {"tool": {"name": float("nan")}}) == ("bad_argument", "/tool/name")
        assert refused(tw.wire.read_call, DOCUMENT, limits={"max_depth": 2}) == ("limit_depth", "")

    def test_each_reading_of_a_dict_is_the_callers_own(self):
        call = tw.wire.read_call(DOCUMENT)
        call.arguments["path"] = "b"
        assert call.arguments == {"path": "a"}


class TestAnswer:
    def test_values_and_states(self):
        assert tw.Answer([1, None]).value == [1, None]
        assert (tw.Answer(None).accepted, tw.Answer(None).member_json("value")) == (True, "null")
        assert tw.Answer("x", source="policy").source == "policy"
        assert tw.Answer(True, state="accepted") == tw.Answer(True)
        for state in ("declined", "cancelled", "unavailable"):
            answer = tw.Answer(state=state)
            assert (answer.state, answer.accepted, answer.value, answer.source) == (state, False, None, "user")

    def test_what_is_no_answer(self):
        assert refused(tw.Answer) == ("bad_argument", "/value")
        assert refused(tw.Answer, state="accepted") == ("bad_argument", "/value")
        assert refused(tw.Answer, 1, state="declined") == ("bad_argument", "/value")
        assert refused(tw.Answer, state="no") == ("bad_argument", "/state")
        assert refused(tw.Answer, 1, source="me") == ("bad_argument", "/source")
        assert refused(tw.Answer, {"a": {1, 2}}) == ("bad_argument", "/value/a")

    def test_equal_values_are_equal_however_they_are_written(self):
        one, two = tw.questions.read_template('{"b":1.0,"a":2}'), tw.questions.read_template('{"a":2,"b":1}')
        assert one == two
        assert hash(one) == hash(two)
        assert one.member_json("value") != two.member_json("value")
        assert tw.Answer(True) != tw.Answer(True, source="assistant")


class TestDescribe:
    def test_there_and_back(self):
        answer = tw.wire.describe(tool for tool in [TOOL])
        assert tw.wire.read_description(answer) == tw.wire.read_description(str(answer)) == [TOOL]
        assert tw.wire.read_description(tw.wire.describe([])) == []

    def test_no_description(self):
        assert tw.wire.read_description("plain words") is None
        assert tw.wire.read_description(tw.error("no")) is None
        assert tw.wire.read_description(tw.envelope(structured_content={"tools": []})) is None

    def test_wrong_tools(self):
        tools = "/structuredContent/tools"
        assert refused(tw.wire.describe, [TOOL, {**TOOL, "name": ""}]) == ("bad_description", f"{tools}/1/name")
        assert refused(tw.wire.describe, [TOOL, TOOL]) == ("bad_description", f"{tools}/1/name")
        assert refused(tw.wire.describe, [TOOL, {"name": {1}}]) == ("bad_argument", "/tools/1/name")
        assert refused(tw.wire.describe, [7]) == ("bad_description", f"{tools}/0")
        assert refused(tw.wire.describe, TOOL) == refused(tw.wire.describe, "x") == ("bad_argument", "/tools")


class TestArguments:
    SCHEMA = {"type": "object", "required": ["path"], "properties": {"path": {"type": "string"}, "n": {"type": "number"}}}

    def test_typed_by_the_schema(self):
        assert tw.wire.parse_arguments(iter(["path=1", "n=1.5", "tags=[1]"]), self.SCHEMA) == {
            "path": "1", "n": 1.5, "tags": [1],
        }

    def test_refused(self):
        assert refused(tw.wire.parse_arguments, [], self.SCHEMA) == ("bad_argument", "/path")
        assert refused(tw.wire.parse_arguments, ["path=a", "n=x"], self.SCHEMA) == ("bad_argument", "/n")
        assert refused(tw.wire.parse_arguments, "path=a", self.SCHEMA) == ("bad_argument", "/words")
        assert refused(tw.wire.parse_arguments, ["path=a", b"n=1"], self.SCHEMA) == ("bad_argument", "/words/1")
        assert refused(tw.wire.parse_arguments, [], None) == ("bad_argument", "/schema")
        assert refused(tw.wire.parse_arguments, [], '{"a":1,"a":2}') == ("duplicate_name", "")


class TestQuestions:
    def test_from_a_dict_from_text_and_from_a_block(self):
        block = tw.question("sure", "Go on?", {"type": "boolean"}, default=None)
        for given in (QUESTION, tw.questions.read_question(QUESTION), block.question, '\ufeff {"id":"sure","text":"Go on?",'
                      '"schema":{"type":"boolean"},"default":null}\n'):
            question = tw.questions.read_question(given)
            assert (question.id, question.text, question.schema) == ("sure", "Go on?", {"type": "boolean"})
            assert (question.has_default, question.default) == (True, None)
            assert tw.questions.prompt(given) == {"kind": "boolean"}
            assert tw.questions.find_secret(given) is None
            assert tw.questions.template(given).startswith("// Go on?\n")

    def test_what_is_no_question(self):
        assert refused(tw.questions.read_question, {**QUESTION, "id": ""}) == ("bad_argument", "/id")
        assert refused(tw.questions.prompt, {"id": "q", "text": "?"}) == ("bad_argument", "/schema")
        assert refused(tw.questions.template, [QUESTION]) == ("bad_argument", "/question")
        assert refused(tw.questions.find_secret, b"\xff") == ("invalid_utf8", "")

    def test_secrets(self):
        question = {"id": "q", "text": "?", "schema": {"type": "string", "format": "password"}}
        assert tw.questions.find_secret(question) == {
            "pointer": "/schema/format", "reason": "format", "about": "password", "tier": "declared",
        }
        assert refused(tw.questions.prompt, question) == ("secret_question", "/schema/format")

    def test_templates(self):
        assert tw.questions.read_template('// a\n{"b": 1}').value == {"b": 1}
        assert tw.questions.read_template("null").accepted
        assert refused(tw.questions.read_template, "// a\n[1,]") == ("json_syntax", "")
        assert tw.questions.read_template(b"[]").value == []

    def test_refusals(self):
        answer = tw.questions.refusal(host="Ada", reason="cancelled", about="input")
        assert answer.is_error
        assert "Ada" in answer.content[0].text
        assert refused(tw.questions.refusal, host="") == ("bad_option", "/host")
        assert refused(tw.questions.refusal, host="Ada", about="x") == ("bad_option", "/about")
        assert refused(tw.questions.refusal, host=None) == ("bad_option", "/host")
        with pytest.raises(TypeError):
            tw.questions.refusal()
