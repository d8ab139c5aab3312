"""Reading: what goes in, what comes out, and that nothing a tool wrote makes it fail."""

import array
import json
import pathlib
import pickle
import signal
import sys
import threading
import time

import pytest
import toolwire as tw

ONE = b'{"content":[{"type":"text","text":"hello"}]}'


@pytest.mark.parametrize("data", [ONE, bytearray(ONE), memoryview(ONE), ONE.decode(), array.array("B", ONE)])
def test_every_kind_of_input_reads_the_same(data):
    parsed = tw.parse(data)
    assert parsed.verdict == "valid"
    assert parsed.raw == ONE
    assert str(parsed.envelope) == ONE.decode()
    assert [block.text for block in parsed.envelope.content] == ["hello"]


def test_bytes_are_not_copied():
    assert tw.parse(ONE).raw is ONE


def test_a_bytearray_may_change_afterwards():
    data = bytearray(ONE)
    parsed = tw.parse(data)
    data[:] = b"x" * len(data)
    assert parsed.envelope.content[0].text == "hello"


def test_a_view_with_gaps_is_read_as_its_bytes():
    gaps = bytes(byte for one in ONE for byte in (one, 0))
    assert tw.parse(memoryview(gaps)[::2]).verdict == "valid"


@pytest.mark.parametrize(
    ("data", "given"),
    [
        (None, "`None`"),
        (3, "`int`"),
        ([ONE], "`list`"),
        ({"content": []}, "`dict`; give `json.dumps(value)`"),
        (pathlib.PurePosixPath("/a"), "`PurePosixPath`; give `path.read_bytes()`"),
    ],
)
def test_other_objects_are_refused(data, given):
    functions = (tw.parse, tw.validate, tw.canonicalize, tw.digest, tw.format, tw.explain, tw.identify, tw.parse_lines,
                 tw.summarize, tw.Envelope.from_json)
    for function in functions:
        with pytest.raises(tw.ToolwireError) as caught:
            function(data)
        assert (caught.value.code, caught.value.pointer) == ("bad_argument", "/data")
        assert caught.value.message == f"`data` is bytes, another bytes-like object or str, not {given}"


def test_what_was_read_can_be_judged_and_written_again():
    parsed = tw.parse('{"content":[ {"type":"text", "text":"a"}]}')
    assert tw.validate(parsed) is tw.validate(parsed.envelope) is None
    with pytest.raises(tw.ToolwireError) as caught:
        tw.validate(tw.parse("plain"))
    assert caught.value.code == "plain_text"
    canonical = b'{"content":[{"text":"a","type":"text"}]}'
    assert tw.canonicalize(parsed) == tw.canonicalize(parsed.envelope) == canonical
    [block] = parsed.envelope.content
    assert tw.canonicalize(block) == b'{"text":"a","type":"text"}'
    assert tw.digest(block) == tw.digest('{"type":"text","text":"a"}')
    assert tw.digest(parsed) == tw.digest(canonical)


def test_half_of_a_surrogate_pair_in_a_str_is_invalid_utf8_at_its_first_byte():
    parsed = tw.parse('{"content":[{"type":"text","text":"\ud800"}]}')
    assert [(it.code, it.offset) for it in parsed.diagnostics] == [("invalid_utf8", 35)]
    assert parsed.raw[35:38] == b"\xed\xa0\x80"
    with pytest.raises(tw.ToolwireError) as caught:
        tw.canonicalize('"\udfff"')
    assert (caught.value.code, caught.value.offset) == ("invalid_utf8", 1)


# What Python's own json module lets through, and must not pass here.
@pytest.mark.parametrize(
    ("text", "code", "offset"),
    [
        ('{"content":[],"n":NaN}', "non_finite", 18),
        ('{"content":[],"n":-Infinity}', "non_finite", 18),
        ('{"content":[],"n":1e400}', "number_range", 18),
        ('{"content":[],"s":"\\ud800"}', "lone_surrogate", None),
        ('{"content":[],"a":1,"a":2}', "duplicate_name", 20),
    ],
)
def test_stricter_than_the_json_module(text, code, offset):
    json.loads(text)
    parsed = tw.parse(text)
    assert parsed.is_raw
    assert parsed.envelope.content[0].text == text
    [found] = parsed.diagnostics
    assert (found.code, found.severity) == (code, "error")
    if offset is not None:
        assert found.offset == offset


def test_raw_text_is_an_envelope_with_one_block():
    parsed = tw.parse("three\nplain\nlines")
    assert (parsed.verdict, parsed.is_raw, parsed.is_error) == ("raw", True, False)
    assert [it.code for it in parsed.diagnostics] == ["plain_text"]
    assert json.loads(str(parsed.envelope)) == {"content": [{"type": "text", "text": "three\nplain\nlines"}]}


def test_bytes_that_are_not_utf8_stay_reachable():
    parsed = tw.parse(b"caf\xe9")
    assert parsed.raw == b"caf\xe9"
    assert parsed.envelope.content[0].text == "caf\ufffd"


def test_skipped_blocks_keep_their_text_and_the_others_their_place():
    parsed = tw.parse('{"content":[{"type":"chart", "x": 1},{"type":"text","text":"b"},7]}')
    assert parsed.verdict == "warnings"
    assert parsed.skipped == [{"index": 0, "json": '{"type":"chart", "x": 1}'}, {"index": 2, "json": "7"}]
    assert parsed.envelope.skipped == parsed.skipped
    [block] = parsed.envelope.content
    assert (block.index, block.pointer, block.text) == (1, "/content/1", "b")
    first, second = parsed.diagnostics
    assert (first.code, first.pointer, first.raw) == ("unknown_block_type", "/content/0/type", '{"type":"chart", "x": 1}')
    assert (second.code, second.pointer) == ("block_not_object", "/content/2")
    assert first.help and first.rule.startswith("READ-")


def test_many_blocks_are_found_at_once():
    document = b'{"content":[' + b",".join([b'{"type":"text","text":"x"}'] * 50_000) + b"]}"
    started = time.perf_counter()
    blocks = tw.parse(document).envelope.content
    assert len(blocks) == 50_000
    assert blocks[-1].index == 49_999
    assert time.perf_counter() - started < 5


def test_fields_of_every_kind_of_block():
    parsed = tw.parse(
        json.dumps(
            {
                "content": [
                    {"type": "text", "text": "a", "annotations": {"audience": ["user"], "priority": 0.5,
                     "lastModified": "2025-01-12T15:00:58Z"}, "_meta": {"k": [1]}},
                    {"type": "resource", "formatted": "!", "resource": {"uri": "file:///b", "mimeType": "text/plain",
                     "blob": "aGk=", "name": "n", "title": "t", "description": "d"}},
                    {"type": "image", "data": "aGk=", "mimeType": "image/png"},
                    {"type": "audio", "data": "aGk=", "mimeType": "audio/wav"},
                    {"type": "resource_link", "uri": "file:///c", "name": "c", "size": 12},
                    {"type": "question", "question": {"id": "q", "text": "?", "schema": {"type": "boolean"}, "default": None}},
                ],
                "_meta": {"computer.jp/status": "waiting"},
            }
        )
    )
    assert parsed.verdict == "valid", parsed.diagnostics
    text, resource, image, audio, link, question = parsed.envelope.content
    assert (text.type, text.text, text.audience, text.priority, text.last_modified, text.meta) == (
        "text", "a", ["user"], 0.5, "2025-01-12T15:00:58Z", {"k": [1]})
    assert (resource.uri, resource.mime_type, resource.bytes, resource.text, resource.formatted) == (
        "file:///b", "text/plain", b"hi", None, "!")
    assert (resource.name, resource.title, resource.description, resource.content_bytes) == ("n", "t", "d", b"hi")
    assert (image.bytes, image.mime_type, audio.bytes) == (b"hi", "image/png", b"hi")
    assert (link.uri, link.name, link.size, link.bytes) == ("file:///c", "c", 12, None)
    assert question.text is None
    asked = question.question
    assert (asked.id, asked.text, asked.schema, asked.default, asked.has_default) == (
        "q", "?", {"type": "boolean"}, None, True)
    assert (asked.member_json("schema"), asked.member_json("default")) == ('{"type": "boolean"}', "null")
    assert text.question is None
    assert parsed.status == parsed.envelope.status == "waiting"
    assert parsed.envelope.meta == {"computer.jp/status": "waiting"}


def test_structured_content_null_is_apart_from_absent():
    null = tw.parse('{"content":[],"structuredContent":null}').envelope
    absent = tw.parse('{"content":[]}').envelope
    assert null.structured_content is absent.structured_content is None
    assert (null.has_structured_content, absent.has_structured_content) == (True, False)
    assert (null.member_json("structured_content"), absent.member_json("structured_content")) == ("null", None)


def test_an_error_with_its_trace():
    parsed = tw.parse(
        '{"content":[],"isError":true,"_meta":{"computer.jp/error":{"transient":true,"trace":["a","b"]}}}')
    assert (parsed.is_error, parsed.transient, parsed.trace) == (True, True, ["a", "b"])
    assert (parsed.envelope.is_error, parsed.envelope.transient, parsed.envelope.trace) == (True, True, ["a", "b"])


def test_the_report_is_json():
    report = json.loads(tw.parse('{"content":[7]}').json)
    assert report["verdict"] == "raw"
    assert [it["code"] for it in report["diagnostics"]] == ["untyped_content"]


@pytest.mark.parametrize(
    ("limit", "text", "code"),
    [
        ({"max_bytes": 14}, '{"content":[] }', "limit_bytes"),
        ({"max_depth": 1}, '{"content":[]}', "limit_depth"),
        ({"max_values": 1}, '{"content":[]}', "limit_values"),
        ({"max_blocks": 0}, '{"content":[{"type":"text","text":""}]}', "limit_blocks"),
    ],
)
def test_each_limit(limit, text, code):
    assert tw.parse(text).verdict == "valid"
    assert [it.code for it in tw.parse(text, limits=limit).diagnostics] == [code]
    assert tw.parse_lines(text, limits=limit)[0].parsed.is_raw
    assert tw.summarize(text, limits=limit)["raw"] == 1
    assert code in tw.explain(text, limits=limit) and code not in tw.explain(text)
    assert tw.identify(text, limits=limit) == []
    assert tw.format(text, limits=limit) == text != tw.format(text)
    with pytest.raises(tw.ToolwireError) as caught:
        tw.validate(text, limits=limit)
    assert caught.value.code == code


@pytest.mark.parametrize("value", [-1, 1.5, "9", True, 10**30])
def test_a_limit_that_is_none_is_refused(value):
    for function in (tw.parse, tw.format, tw.explain, tw.identify):
        with pytest.raises(tw.ToolwireError) as caught:
            function(b"", limits={"max_depth": value})
        assert (caught.value.code, caught.value.pointer) == ("bad_option", "/maxDepth")


def test_limits_hold_where_something_is_read():
    resource = '{"content":[{"type":"resource","resource":{"uri":"a:b","text":"x"}}]}'
    assert len(tw.identify(resource)) == 1
    assert tw.identify(resource, limits={"max_blocks": 0}) == tw.identify(resource, limits={"max_bytes": 9}) == []
    assert len(tw.identify(tw.parse(resource), limits={"max_blocks": 0})) == 1


def test_diagnostics_are_cut_and_say_so():
    parsed = tw.parse('{"content":[{"type":"a"},{"type":"b"},{"type":"c"}]}', limits={"max_diagnostics": 1})
    assert parsed.diagnostics[-1].code == "diagnostics_truncated"


def test_validate_raises_the_first_and_has_all():
    assert tw.validate(ONE) is None
    with pytest.raises(tw.ToolwireError) as caught:
        tw.validate('{"content":[{"type":"text"},{"type":"x"}]}')
    error = caught.value
    assert (error.code, error.pointer, error.offset) == ("missing_field", "/content/0/text", 12)
    assert [it.code for it in error.diagnostics] == ["missing_field", "unknown_block_type"]
    assert "missing_field" in str(error)
    assert "12" in str(error)
    assert error.message in str(error)


def test_validate_calls_plain_text_by_its_code():
    with pytest.raises(tw.ToolwireError) as caught:
        tw.validate("hello")
    assert caught.value.code == "plain_text"


def test_canonical_bytes_and_digest():
    assert tw.canonicalize(b'{"b":-0.0,"a":1e21,"\\u20ac":"\\u000a"}') == '{"a":1e+21,"b":0,"€":"\\n"}'.encode()
    assert tw.digest(b"[1.0]") == tw.digest("[1]")
    assert tw.digest("[1]").startswith("sha256:")


LONG = b'{"content":[' + b",".join([b'{"type":"text","text":"hello"}'] * 100_000) + b"]}"


@pytest.mark.parametrize(
    ("function", "data"),
    [
        (tw.parse, LONG),
        (tw.validate, LONG),
        (tw.canonicalize, LONG),
        (tw.digest, LONG),
        (tw.summarize, (ONE + b"\n") * 100_000),
        (tw.parse_lines, (ONE + b"\n") * 100_000),
        (tw.receive, LONG),
    ],
    ids=lambda it: getattr(it, "__name__", "data"),
)
def test_other_threads_run_while_much_is_read(function, data):
    counted = 0
    done = threading.Event()

    def count():
        nonlocal counted
        while not done.is_set():
            counted += 1
            time.sleep(0)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1000)  # so this thread loses the lock only where the call gives it away
    counter = threading.Thread(target=count)
    try:
        counter.start()
        for _ in range(20):
            before = counted
            function(data)
            during = counted - before
            if during:
                break
    finally:
        done.set()
        sys.setswitchinterval(interval)
        counter.join()
    assert during


def test_one_reading_is_shared_by_threads():
    parsed = tw.parse(b'{"content":[' + b",".join([b'{"type":"text","text":"x"}'] * 200) + b"]}")
    failures = []

    def use():
        try:
            for _ in range(20):
                assert len(parsed.envelope.content) == 200
                assert hash(parsed.envelope) == hash(parsed.envelope)
                assert tw.format(parsed).count("x") == 200
        except BaseException as failure:
            failures.append(failure)

    threads = [threading.Thread(target=use) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def test_lines_and_summary():
    log = b'{"content":[]}\r\n\n  \n{"content":[{"type":"x"}]}\nplain'
    lines = tw.parse_lines(log)
    assert [(it.number, it.offset, it.parsed.verdict) for it in lines] == [
        (1, 0, "valid"), (4, 20, "warnings"), (5, 47, "raw")]
    assert lines[2].parsed.raw == b"plain"
    assert lines[1].parsed.diagnostics[0].code == "unknown_block_type"
    summary = tw.summarize(log)
    counts = {"lines": 3, "valid": 1, "warnings": 1, "raw": 1, "errors": 0, "transient": 0}
    assert summary == {**counts, "byCode": {"unknown_block_type": 1, "plain_text": 1}}
    failed = tw.summarize(b'{"content":[],"isError":true}\n{"content":[],"isError":true,"_meta":'
                          b'{"computer.jp/error":{"transient":true}}}\nplain\n')
    assert (failed["errors"], failed["transient"]) == (2, 1)


def test_lines_outlive_the_log_and_the_list():
    line = tw.parse_lines(bytes(bytearray(ONE + b"\n")))[0]
    envelope = line.parsed.envelope
    del line
    assert envelope.content[0].text == "hello"


class TestReceive:
    def test_success(self):
        parsed = tw.receive(ONE, exit_code=0, stderr=b"noise")
        assert (parsed.verdict, parsed.is_error) == ("valid", False)

    def test_an_exit_status_makes_it_an_error(self):
        parsed = tw.receive(ONE, exit_code=3)
        assert parsed.is_error
        assert parsed.envelope.is_error
        assert parsed.diagnostics[-1].code == "nonzero_exit"
        assert parsed.raw == ONE

    def test_no_envelope_and_a_signal(self):
        parsed = tw.receive(b"partly", signal=9, stderr="Killed\n")
        assert parsed.is_error
        assert parsed.trace[-1] == "Killed"

    def test_what_subprocess_gives_for_a_signal(self):
        assert tw.receive(b"x", exit_code=-9) == tw.receive(b"x", signal=9)
        windows = tw.receive(b"x", exit_code=0xC0000005)  # An access violation.
        assert windows.trace == ["the tool exited with status 3221225477"]
        assert tw.receive(b"x", exit_code=-128).trace == ["the tool exited with status -128"]

    def test_the_result_channel_is_the_answer(self):
        parsed = tw.receive(b"log log log", result=ONE)
        assert parsed.envelope.content[0].text == "hello"
        assert tw.receive(ONE, result=b"").envelope.content[0].text == "hello"

    def test_a_signal_by_its_name(self):
        assert tw.receive(b"x", signal="SIGTERM") == tw.receive(b"x", signal=15)
        assert tw.receive(b"x", signal=signal.SIGTERM) == tw.receive(b"x", signal=15)

    @pytest.mark.parametrize(
        ("options", "pointer", "message"),
        [
            ({"signal": "SIGNONE"}, "/signal", "`signal` must be the number or the name of a signal, such as `SIGTERM`, not `'SIGNONE'`"),
            ({"signal": 1.5}, "/signal", "`signal` is the number or the name of a signal, such as `SIGTERM`, not `float`"),
            ({"signal": True}, "/signal", "not `True`"),
            ({"signal": 0}, "/signal", "not `0`"),
            ({"signal": -9}, "/signal", "not `-9`"),
            ({"signal": 2**31}, "/signal", "not `2147483648`"),
            ({"exit_code": "1"}, "/exitCode", "`exit_code` must be a whole number of at most 64 bits, not `'1'`"),
            ({"exit_code": 1.0}, "/exitCode", "not `float`"),
            ({"exit_code": True}, "/exitCode", "not `True`"),
            ({"exit_code": 2**63}, "/exitCode", "not `9223372036854775808`"),
            ({"exit_code": 2**32}, "/exitCode", "must be from -2147483648 to 4294967295, not `4294967296`"),
            ({"signal": 128}, "/signal", "not `128`"),
            ({"stderr": 3}, "/stderr", "`stderr` is bytes, another bytes-like object or str, not `int`"),
            ({"result": pathlib.PurePosixPath("/r")}, "/result", "give `path.read_bytes()`"),
        ],
    )
    def test_wrong_options(self, options, pointer, message):
        with pytest.raises(tw.ToolwireError) as caught:
            tw.receive(ONE, **options)
        assert (caught.value.code, caught.value.pointer) == ("bad_option", pointer)
        assert message in caught.value.message
        with pytest.raises(tw.ToolwireError) as caught:
            tw.receive(None)
        assert (caught.value.code, caught.value.pointer) == ("bad_argument", "/stdout")

    def test_not_both_ends(self):
        with pytest.raises(tw.ToolwireError) as caught:
            tw.receive(ONE, exit_code=0, signal=9)
        assert (caught.value.code, caught.value.pointer) == ("bad_option", "/signal")


class TestIdentify:
    ANSWER = '{"content":[{"type":"resource","resource":{"uri":"file:///a/./b","text":"hi"}}]}'

    def test_receipts(self):
        [new] = tw.identify(self.ANSWER)
        assert (new["uri"], new["size"], new["status"], "mimeType" in new, "previous" in new) == ("file:///a/b", 2, "new", False, False)
        assert tw.identify(self.ANSWER, known=[new])[0]["status"] == "repeat"
        assert tw.identify(self.ANSWER, known=[(new["uri"], new["digest"])])[0]["status"] == "repeat"
        assert tw.identify(self.ANSWER, known=iter([{"uri": new["uri"], "digest": new["digest"]}]))[0]["status"] == "repeat"
        other = tw.digest("[]")
        [changed] = tw.identify(self.ANSWER, known=[(new["uri"], other)])
        assert (changed["status"], changed["previous"]) == ("changed", other)

    def test_text_and_blob_of_the_same_bytes(self):
        blob = self.ANSWER.replace('"text":"hi"', '"blob":"aGk="')
        assert tw.identify(blob)[0]["digest"] == tw.identify(self.ANSWER)[0]["digest"]

    def test_what_is_known_is_judged(self):
        with pytest.raises(tw.ToolwireError) as caught:
            tw.identify(self.ANSWER, known=[("file:///a", "md5:1")])
        assert (caught.value.code, caught.value.pointer) == ("bad_option", "/known/0/digest")
        for known, pointer in (("text", "/known"), (7, "/known"), (["file:///a"], "/known/0"), ([("a", 1)], "/known/0/digest")):
            with pytest.raises(tw.ToolwireError) as caught:
                tw.identify(self.ANSWER, known=known)
            assert (caught.value.code, caught.value.pointer) == ("bad_option", pointer)

    def test_uris(self):
        assert tw.normalize_uri("C:\\dir\\x.txt") == "file:///C:/dir/x.txt"
        assert tw.normalize_uri("a.txt", root="/project") == "file:///project/a.txt"
        with pytest.raises(tw.ToolwireError) as caught:
            tw.normalize_uri("")
        assert caught.value.code == "bad_uri"
        with pytest.raises(tw.ToolwireError) as caught:
            tw.normalize_uri("file:///\ud800")
        assert (caught.value.code, caught.value.pointer) == ("bad_argument", "/uri")

    def test_paths(self):
        root = pathlib.PurePosixPath("/project")
        assert tw.normalize_uri("a.txt", root=root) == "file:///project/a.txt"
        relative = '{"content":[{"type":"resource","resource":{"uri":"a.txt","text":"hi"}}]}'
        assert [it["uri"] for it in tw.identify(relative, root=root)] == ["file:///project/a.txt"]
        with pytest.raises(tw.ToolwireError) as caught:
            tw.normalize_uri(root)
        assert (caught.value.code, caught.value.pointer) == ("bad_argument", "/uri")
        assert caught.value.message == (
            "`uri` is a str, not `PurePosixPath`; `file_uri(path)` gives a file's URI, "
            "and `resource_from_file(path)` its content too")
        for call in (lambda: tw.normalize_uri("a", root=3), lambda: tw.identify(relative, root=3)):
            with pytest.raises(tw.ToolwireError) as caught:
                call()
            assert (caught.value.code, caught.value.pointer) == ("bad_option", "/root")


class TestShow:
    def test_format_takes_what_was_read_or_an_output(self):
        parsed = tw.parse(ONE)
        assert tw.format(ONE) == tw.format(parsed) == tw.format(parsed.envelope) == "hello"

    @pytest.mark.parametrize(
        ("options", "pointer"),
        [({"style": "html"}, "/style"), ({"max_bytes": -1}, "/maxBytes"), ({"target": 3}, "/target"),
         ({"audience": "all"}, "/audience"), ({"header": "yes"}, "/header"), ({"nonce": float("nan")}, "/nonce")],
    )
    def test_wrong_options(self, options, pointer):
        with pytest.raises(tw.ToolwireError) as caught:
            tw.format(ONE, **options)
        assert (caught.value.code, caught.value.pointer) == ("bad_option", pointer)

    def test_wrong_colour(self):
        with pytest.raises(tw.ToolwireError) as caught:
            tw.explain(ONE, color="red")
        assert (caught.value.code, caught.value.pointer) == ("bad_option", "/color")

    def test_an_unknown_option_is_pythons_own_error(self):
        with pytest.raises(TypeError, match="unexpected keyword"):
            tw.format(ONE, sytle="xml")

    def test_explain_names_the_rule(self):
        assert "READ-12" in tw.explain('{"content":[],"content":[]}')
        assert "\x1b[" in tw.explain("plain", color=True)
        assert "\x1b[" not in tw.explain("plain")
