"""What Python people expect of objects: equality, hashes, pickles, copies, short reprs."""

import copy
import pickle

import pytest
import toolwire as tw
from toolwire import _toolwire

SPACED = '{ "content": [ {"type": "text", "text": "caf\\u00e9"} ], "x": 1.0 }'
TIGHT = '{"x":1,"content":[{"text":"café","type":"text"}]}'
LOG = b'{"content":[]}\nplain'


def samples():
    parsed = tw.parse(SPACED)
    question = '{"content":[{"type":"question","question":{"id":"q","text":"?","schema":{}}}]}'
    return [
        parsed,
        parsed.envelope,
        parsed.envelope.content[0],
        tw.parse(question).envelope.content[0].question,
        tw.parse('{"content":[{"type":"x"}]}').diagnostics[0],
        tw.parse("plain"),
        tw.parse("plain").envelope,
        tw.parse("[1]", limits={"max_depth": 5, "max_bytes": 2}),
        tw.receive(b"out", exit_code=2, stderr=b"why"),
        tw.receive(b"log", exit_code=-15, result=SPACED.encode()),
        tw.parse_lines(LOG)[0].parsed,
        tw.parse_lines(LOG)[1],
        tw.Answer({"a": [1.5, None]}, source="assistant"),
        tw.Answer("long " * 100),
        tw.Answer(state="cancelled"),
        tw.wire.read_call('{"tool":{"name":"t","answers":{"q":1},"x":2},"context":{"action":"run"}}'),
        tw.wire.read_call('{"tool":{},"context":{"action":"describe"}}'),
        tw.wire.read_call('{"tool":{"answers":{"q":1}},"context":{"action":"describe"}}').answers["q"],
        tw.questions.read_question({"id": "q", "text": "?", "schema": {}}),
    ]


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize("sample", samples(), ids=repr)
def test_pickling_gives_an_equal_object(sample, protocol):
    again = pickle.loads(pickle.dumps(sample, protocol))
    assert type(again) is type(sample)
    assert again == sample
    assert repr(again) == repr(sample)


@pytest.mark.parametrize("sample", samples(), ids=repr)
def test_copies_are_the_object_itself_where_it_cannot_change(sample):
    assert copy.copy(sample) is sample
    assert copy.deepcopy([sample])[0] is sample


@pytest.mark.parametrize("sample", samples(), ids=repr)
def test_not_equal_to_other_types(sample):
    assert sample != "x"
    assert (sample == None) is False  # noqa: E711
    assert repr(sample).startswith("<toolwire.")
    assert len(repr(sample)) < 200


def test_envelopes_are_equal_by_canonical_bytes():
    one, two = tw.parse(SPACED).envelope, tw.parse(TIGHT).envelope
    assert one == two
    assert hash(one) == hash(two)
    assert len({one, two}) == 1
    assert str(one) != str(two)
    assert tw.canonicalize(one) == tw.canonicalize(two)
    assert tw.digest(one) == tw.digest(two) == tw.digest(SPACED)
    assert one.content[0] == two.content[0]
    assert hash(one.content[0]) == hash(two.content[0])
    assert one != tw.parse('{"content":[]}').envelope


def test_parsed_with_the_same_document_but_other_bytes_are_not_equal():
    assert tw.parse(SPACED) != tw.parse(TIGHT)
    assert tw.parse(SPACED) == tw.parse(SPACED.encode())
    assert tw.parse("x") != tw.receive("x", exit_code=1)


def test_an_envelope_is_written_to_the_letter():
    document = tw.parse(b"\xef\xbb\xbf \n" + SPACED.encode() + b"\n").envelope
    assert str(document) == SPACED
    assert bytes(document) == SPACED.encode()
    assert document.json == SPACED
    assert document.to_dict() == {"content": [{"type": "text", "text": "café"}], "x": 1.0}


def test_from_json_takes_envelopes_only():
    assert tw.Envelope.from_json(SPACED) == tw.parse(TIGHT).envelope
    for text, code in (("[1]", "not_an_envelope"), ("{}", "not_an_envelope"), ("{", "json_truncated")):
        with pytest.raises(tw.ToolwireError) as caught:
            tw.Envelope.from_json(text)
        assert caught.value.code == code


def test_a_pickled_envelope_with_wide_limits_comes_back():
    deep = '{"content":[],"structuredContent":' + "[" * 500 + "]" * 500 + "}"
    envelope = tw.parse(deep, limits={"max_depth": 1000}).envelope
    again = pickle.loads(pickle.dumps(envelope))
    assert str(again) == deep
    assert again == envelope


def test_attributes_cannot_be_set():
    parsed = tw.parse(SPACED)
    for thing, name in ((parsed, "raw"), (parsed.envelope, "content"), (parsed.envelope.content[0], "text")):
        with pytest.raises(AttributeError):
            setattr(thing, name, 1)
        with pytest.raises(AttributeError):
            thing.other = 1


def test_nothing_is_made_by_calling_a_class():
    for kind in (tw.Call, _toolwire.Turn, tw.Parsed, tw.Envelope, tw.Block, tw.Question, tw.Diagnostic, tw.Line):
        with pytest.raises(TypeError):
            kind()


class TestError:
    def caught(self):
        with pytest.raises(tw.ToolwireError) as caught:
            tw.canonicalize("[1e999]")
        return caught.value

    def test_is_a_value_error(self):
        assert isinstance(self.caught(), ValueError)
        assert tw.ToolwireError.__module__ == "toolwire"

    def test_pickles_with_all_it_carries(self):
        error = self.caught()
        again = pickle.loads(pickle.dumps(error))
        assert (again.code, again.pointer, again.offset, again.message) == ("number_range", "", 1, error.message)
        assert again.diagnostics == error.diagnostics
        assert str(again) == str(error)

    def test_can_be_raised_by_others(self):
        error = tw.ToolwireError("no")
        assert (error.code, error.pointer, error.offset, list(error.diagnostics)) == ("bad_argument", "", None, [])
