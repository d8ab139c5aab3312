"""Turns and asks: what Python adds to what the core does with them."""

import json
import threading

import pytest
import toolwire as tw
from toolwire import _toolwire
from toolwire._toolwire import Ask, Turn


def call(**tool):
    return json.dumps({"tool": {"name": "t", **tool}, "context": {"action": "run"}})


def opened(**tool):
    turn = Turn.open(call(**tool), ["t"])
    assert isinstance(turn, Turn)
    return turn


def refused(function, *args, **keywords):
    with pytest.raises(tw.ToolwireError) as caught:
        function(*args, **keywords)
    return caught.value.code, caught.value.pointer


class TestAsk:
    def test_null_is_a_default(self):
        assert not Ask("boolean", {"text": "?"}).has_default
        ask = Ask("select", {"text": "?", "choices": (None, 1), "default": None})
        assert (ask.has_default, ask.default, ask.schema) == (True, None, {"enum": [None, 1]})
        assert ask.json == '{"default":null,"schema":{"enum":[null,1]},"text":"?"}'

    def test_refused(self):
        assert refused(Ask, "boolean", {"text": 1}) == ("bad_argument", "/text")
        assert refused(Ask, "select", {"text": "?", "choices": ["a", {"a"}]}) == ("bad_argument", "/choices/1")
        assert refused(Ask, "string", {"text": "?", "minLength": -1}) == ("bad_argument", "/minLength")
        assert refused(Ask, "picture", {"text": "?"}) == ("bad_argument", "")


class TestTurn:
    def test_asking(self):
        turn = opened(answers={"a": [1]}, **{"dev.toolwire/answers": {"b": {"state": "declined", "source": "user"}}})
        ask = Ask("form", {"text": "?", "schema": {}})
        assert (turn.ask("a", ask).value, turn.ask("b", ask).state, turn.is_pending) == ([1], "declined", False)
        assert turn.ask("c", ask) is None
        turn.require("b", ask)
        assert turn.is_pending
        asked = [block.question.id for block in turn.finish("text", "unseen").content]
        assert asked == ["c", "b"]
        assert refused(turn.require, "a", ask) == ("bad_argument", "/id")
        assert refused(turn.ask, "", ask) == ("bad_argument", "/id")
        assert refused(turn.ask, "d", {"text": "?"}) == ("bad_argument", "/ask")

    def test_what_comes_back_where_there_is_nothing_to_do(self):
        for document in ("", "[]", b"\xff", call(name="u"), '{"tool":{},"context":{"action":"walk"}}'):
            answer = Turn.open(document, ["t"])
            assert isinstance(answer, tw.Envelope)
            assert answer.is_error
        assert Turn.open(memoryview(call().encode()), ("t",)).name == "t"

    @pytest.mark.parametrize(("kind", "value", "expected"), [
        ("nothing", None, {"content": []}),
        ("text", "x", {"content": [{"type": "text", "text": "x"}]}),
        ("blocks", iter(["a", tw.text("b"), {"type": "text", "text": "c"}]),
         {"content": [{"type": "text", "text": letter} for letter in "abc"]}),
        ("envelope", tw.error("no"), {"content": [{"type": "text", "text": "no"}], "isError": True}),
        ("value", {"a": (1, 2)}, {"content": [], "structuredContent": {"a": [1, 2]}}),
        ("value", None, {"content": [], "structuredContent": {"result": None}}),
        ("wrapped", {}, {"content": [], "structuredContent": {"result": {}}}),
    ])
    def test_finishing(self, kind, value, expected):
        assert opened().finish(kind, value).to_dict() == expected

    def test_what_cannot_be_returned(self):
        turn = opened()
        assert refused(turn.finish, "value", {"a": {1}}) == ("bad_argument", "/value/a")
        assert refused(turn.finish, "text", 7) == ("bad_argument", "")
        assert refused(turn.finish, "blocks", ["a", 7]) == ("bad_argument", "/value/1")
        assert refused(turn.finish, "envelope", "x") == ("not_an_envelope", "")
        assert refused(turn.finish, "picture", 1)[0] == "bad_argument"
        assert refused(turn.emit, tw.question("q", "?", {}))[0] == "bad_argument"
        assert refused(turn.emit, 7) == ("bad_argument", "/block")
        with pytest.raises(TypeError):
            turn.finish("blocks", 7)
        assert str(turn.finish("nothing")) == '{"content":[]}'

    def test_describing(self):
        tools = [{"name": name, "inputSchema": _toolwire.call("tidy_input", ({},))} for name in ("s", "t")]
        document = '{"tool":{},"context":{"action":"describe"}}'
        assert tw.wire.read_description(Turn.open(document, ["s", "t"]).describe(tools)) == tools
        document = '{"tool":{"name":"t"},"context":{"action":"describe"}}'
        assert tw.wire.read_description(Turn.open(document, ["s", "t"]).describe(tools)) == tools[1:]
        assert refused(opened().describe, [{"name": "t", "inputSchema": []}]) == ("bad_description", "/0/inputSchema")
        [told] = tw.wire.read_description(opened().describe([{"name": "t", "description": "A.\n    B.", "title": None}]))
        assert told == {"name": "t", "description": "A.\nB.", "inputSchema": _toolwire.call("tidy_input", ({},))}

    def test_many_threads_may_emit(self):
        turn = opened()
        threads = [threading.Thread(target=lambda: [turn.emit("x") for _ in range(200)]) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(turn.finish("nothing").content) == 800


class TestFailing:
    def test_the_three_forms(self):
        told = opened().fail({"message": "no such file", "trace": ["why"], "transient": True})
        assert (told.content[0].text, told.trace, told.transient, told.is_error) == ("no such file", ["why"], True, True)
        chain = [{"message": "the page can't be read", "names": ["Mine"]}, {"message": "busy", "names": ["http:503"]}]
        answer = opened().fail({"chain": chain})
        assert (answer.trace, answer.transient) == (["http:503: busy"], True)
        mismatches = [{"pointer": "/a", "message": "`a` is missing"}]
        assert "`t`" in opened().fail({"tool": "t", "mismatches": mismatches}).content[0].text

    def test_what_is_no_failure(self):
        assert refused(opened().fail, {"chain": []}) == ("bad_argument", "/chain")
        assert refused(opened().fail, {"message": {1}}) == ("bad_argument", "/message")
