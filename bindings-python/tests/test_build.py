"""Builders: canonical, valid for every reader, and as Python people call them."""

import base64
import json
import pathlib
import sys
import types

import pytest
import toolwire as tw

MADE = [
    tw.text("hi"),
    tw.text("", annotations={"audience": ["user", "assistant"], "priority": 1, "lastModified": "2025-01-12T15:00:58Z"}),
    tw.resource("file:///a", text="x"),
    tw.resource("file:///a", blob=b"\xff\x00", mime_type="image/png", name="n", title="t", description="d",
                formatted="f", meta={"k": 1}),
    tw.resource_from_bytes("/a/b.rs", b"fn main() {}"),
    tw.image(b"\x89PNG", "image/png"),
    tw.audio(bytearray(b"RIFF"), "audio/wav"),
    tw.resource_link("https://host/x", "x", size=3, mime_type="text/html"),
    tw.question("q", "Sure?", {"type": "boolean"}),
    tw.question("q", "Sure?", {"type": "boolean"}, default=None, meta={}),
]


@pytest.mark.parametrize("block", MADE, ids=repr)
def test_what_is_built_is_valid(block):
    envelope = tw.envelope(block)
    assert tw.validate(bytes(envelope)) is None
    assert envelope.content == [block]
    assert tw.canonicalize(block.json) == str(block).encode()
    assert tw.parse(str(envelope)).envelope == envelope


def test_an_envelope_prints_as_the_answer(capsys):
    print(tw.envelope(tw.text("é"), structured_content={"b": 1, "a": [1.0]}, meta={"x": None}))
    assert capsys.readouterr().out == (
        '{"_meta":{"x":null},"content":[{"text":"é","type":"text"}],"structuredContent":{"b":1,"a":[1]}}\n')


def test_an_empty_envelope():
    assert str(tw.envelope()) == '{"content":[]}'


def test_null_is_written_and_absent_is_left_out():
    assert json.loads(str(tw.envelope(structured_content=None))) == {"content": [], "structuredContent": None}
    assert "default" not in tw.question("q", "?", {}).json
    assert tw.question("q", "?", {}, default=None).question.has_default


def test_flags_status_and_error():
    envelope = tw.envelope(tw.text("x"), is_error=True, error={"transient": True, "trace": ["why"]})
    assert (envelope.is_error, envelope.transient, envelope.trace) == (True, True, ["why"])
    assert tw.envelope(tw.question("q", "?", {}), status="waiting").status == "waiting"


def test_blocks_that_were_read_can_be_sent_on():
    read = tw.parse('{"content":[{"type":"text","x-more":[1.0],"text":"a"}]}').envelope.content
    assert str(tw.envelope(*read)) == '{"content":[{"text":"a","type":"text","x-more":[1]}]}'


@pytest.mark.parametrize(
    ("make", "pointer"),
    [
        (lambda: tw.resource("", text="x"), "/uri"),
        (lambda: tw.resource("file:///a\n", text="x"), "/uri"),
        (lambda: tw.resource_link("", "n"), "/uri"),
        (lambda: tw.resource_link("file:///a", "n", size=-1), "/size"),
        (lambda: tw.question("", "?", {}), "/id"),
        (lambda: tw.question("q", "?", [1]), "/schema"),
        (lambda: tw.text("x", annotations={"priority": 2}), "/annotations/priority"),
        (lambda: tw.text("x", annotations={"priority": float("nan")}), "/annotations/priority"),
        (lambda: tw.text("x", annotations={"audience": ["everybody"]}), None),
        (lambda: tw.text("x", annotations={"lastModified": "yesterday"}), "/annotations/lastModified"),
        (lambda: tw.text("x", annotations=[]), "/annotations"),
        (lambda: tw.text("x", meta=[1]), "/meta"),
        (lambda: tw.envelope(status="paused"), "/status"),
        (lambda: tw.envelope(meta={"computer.jp/status": "running"}, status="running"), "/meta/computer.jp~1status"),
        (lambda: tw.envelope(tw.text("x"), is_error=False, error={}), "/error"),
        (lambda: tw.envelope(structured_content=[10**309]), "/structuredContent/0"),
        (lambda: tw.text("x", meta={"a": [float("inf")]}), "/meta/a/0"),
    ],
)
def test_wrong_arguments_are_refused_with_their_place(make, pointer):
    with pytest.raises(tw.ToolwireError) as caught:
        make()
    assert caught.value.code == "bad_argument", caught.value
    if pointer is not None:
        assert caught.value.pointer == pointer


def test_a_resource_has_one_body():
    for bodies in ({}, {"text": "a", "blob": b"a"}):
        with pytest.raises(tw.ToolwireError) as caught:
            tw.resource("file:///a", **bodies)
        assert caught.value.code == "bad_argument"


def test_half_of_a_surrogate_pair_is_refused():
    for make in (lambda: tw.text("a\ud800"), lambda: tw.resource("file:///a", text="\udfff"),
                 lambda: tw.error("\ud800"), lambda: tw.text("x", meta={"k": "\ud800"})):
        with pytest.raises(tw.ToolwireError) as caught:
            make()
        assert caught.value.code == "bad_argument"


PATH = pathlib.PurePosixPath("/a/b.txt")


@pytest.mark.parametrize(
    ("make", "pointer", "message"),
    [
        (lambda: tw.text(3), "/text", "`text` is a str, not `int`"),
        (lambda: tw.text(None), "/text", "`text` is a str, not `None`"),
        (lambda: tw.text(b"x"), "/text", "`text` is a str, not `bytes`; give `value.decode()`"),
        (lambda: tw.resource(3, text="x"), "/uri", "`uri` is a str, not `int`"),
        (lambda: tw.resource(PATH, text="x"), "/uri",
         "`uri` is a str, not `PurePosixPath`; `file_uri(path)` gives a file's URI, "
         "and `resource_from_file(path)` its content too"),
        (lambda: tw.resource("a:b", text="x", mime_type=1), "/mimeType", "`mime_type` is a str, not `int`"),
        (lambda: tw.resource("a:b", text="x", name=PATH), "/name", "`name` is a str, not `PurePosixPath`; give `str(path)`"),
        (lambda: tw.resource("a:b", blob=[1]), "/blob", "`blob` is bytes or another bytes-like object, not `list`"),
        (lambda: tw.resource("a:b", blob="YQ=="), "/blob",
         "`blob` is bytes or another bytes-like object, not `str`; "
         "give `text.encode()`, or of base64 what `base64.b64decode` gives"),
        (lambda: tw.resource("a:b", blob=PATH), "/blob",
         "`blob` is bytes or another bytes-like object, not `PurePosixPath`; give `path.read_bytes()`"),
        (lambda: tw.resource_from_bytes("/a", "x"), "/bytes", "`bytes` is bytes or"),
        (lambda: tw.resource_from_bytes(7, b"x"), "/path", "`path` is a str, not `int`"),
        (lambda: tw.resource_from_file(7), "/path", "`path` is a str or an os.PathLike of str, not `int`"),
        (lambda: tw.resource_from_file(b"/a"), "/path",
         "`path` is a str or an os.PathLike of str, not `bytes`; give `os.fsdecode(path)`"),
        (lambda: tw.resource_from_file("\ud800"), "/path", "a string holds half of a surrogate pair"),
        (lambda: tw.file_uri(None), "/path", "`path` is a str or an os.PathLike of str, not `None`"),
        (lambda: tw.image(PATH, "image/png"), "/data", "`data` is bytes or another bytes-like object, not `PurePosixPath`"),
        (lambda: tw.image("text", "image/png"), "/data", "`data` is bytes or another bytes-like object, not `str`"),
        (lambda: tw.audio(b"x", None), "/mimeType", "`mime_type` is a str, not `None`"),
        (lambda: tw.question(1, "?", {}), "/id", "`id` is a str, not `int`"),
        (lambda: tw.envelope(is_error="no"), "/isError", "`isError` is true or false, not `\"no\"`"),
        (lambda: tw.envelope(status=1), "/status", "`status` is a str, not `int`"),
        (lambda: tw.error(3), "/message", "`message` is a str or an exception, not `int`"),
        (lambda: tw.error(ValueError), "/message", "`message` is a str or an exception, not `type`"),
        (lambda: tw.error("x", transient="yes"), "/transient", "`transient` is true or false, not `\"yes\"`"),
        (lambda: tw.error("x", trace=["a", 1]), "/trace/1", None),
    ],
)
def test_a_value_of_another_type_is_refused_with_what_was_expected(make, pointer, message):
    with pytest.raises(tw.ToolwireError) as caught:
        make()
    assert (caught.value.code, caught.value.pointer) == ("bad_argument", pointer)
    if message is not None:
        assert caught.value.message.startswith(message)


def test_a_call_that_does_not_fit_is_pythons_own_error():
    for make in (lambda: tw.text(), lambda: tw.text("x", mime="y"), lambda: tw.image(b"x")):
        with pytest.raises(TypeError):
            make()


class TestBlocks:
    TWO = '{"content":[{"text":"a","type":"text"},{"text":"b","type":"text"}]}'

    def test_any_iterable_of_blocks(self):
        a, b = tw.text("a"), tw.text("b")
        for blocks in ([a, b], (a, b), iter([a, b]), (block for block in [a, b]), {1: a, 2: b}.values()):
            assert str(tw.envelope(blocks)) == self.TWO
        assert str(tw.envelope(a, b)) == self.TWO
        assert str(tw.envelope([])) == '{"content":[]}'

    def test_blocks_in_the_json_shape(self):
        a = {"type": "text", "text": "a"}
        assert str(tw.envelope(a, tw.text("b"))) == str(tw.envelope([a, tw.text("b")])) == self.TWO
        assert str(tw.envelope(types.MappingProxyType(a))) == '{"content":[{"text":"a","type":"text"}]}'
        assert str(tw.envelope(*[block.to_dict() for block in MADE[:8]])) == str(tw.envelope(MADE[:8]))

    @pytest.mark.parametrize(
        ("blocks", "pointer", "message"),
        [
            ([b"text"], "/content/0", "not of `bytes`"),
            ([None], "/content/0", "not of `None`"),
            ([tw.text("a"), [tw.text("b")]], "/content/1", "not of `list`; unpack it with `*`"),
            ([[tw.text("a"), 7]], "/content/1", "not of `int`"),
            ([tw.envelope()], "/content/0", "not of `Envelope`; its blocks are `*value.content`"),
            ([tw.parse("x")], "/content/0", "not of `Parsed`; its blocks are `*value.envelope.content`"),
            ([{"type": "text"}], "/content/0/text", ""),
            ([tw.text("a"), {"type": "chart"}], "/content/1/type", ""),
            ([{"type": "text", "text": {1}}], "/content/0/text", "a value of type `set` has no JSON form"),
        ],
    )
    def test_what_is_no_block(self, blocks, pointer, message):
        with pytest.raises(tw.ToolwireError) as caught:
            tw.envelope(*blocks)
        assert (caught.value.code, caught.value.pointer) == ("bad_argument", pointer)
        assert message in caught.value.message

    def test_an_iterator_that_fails_raises_its_own_error(self):
        def blocks():
            yield tw.text("a")
            raise LookupError("broken")

        with pytest.raises(LookupError, match="broken"):
            tw.envelope(blocks())


class TestFiles:
    def test_text_and_binary(self, tmp_path):
        source = tmp_path / "main é.rs"
        source.write_text("fn main() {}\n", encoding="utf-8")
        block = tw.resource_from_file(source)
        assert block.text == "fn main() {}\n"
        assert block.uri == tw.normalize_uri(source.as_uri())
        assert tw.resource_from_file(str(source)) == block
        picture = tmp_path / "a.png"
        picture.write_bytes(b"\x89PNG\x00")
        block = tw.resource_from_file(picture)
        assert (block.bytes, block.mime_type, block.text) == (b"\x89PNG\x00", "image/png", None)

    def test_a_relative_path_is_the_file_in_this_folder(self, tmp_path, monkeypatch):
        (tmp_path / "a.txt").write_text("x")
        monkeypatch.chdir(tmp_path)
        assert tw.resource_from_file("a.txt").uri == tw.normalize_uri((tmp_path / "a.txt").as_uri())

    def test_another_uri_and_type(self, tmp_path):
        (tmp_path / "a.txt").write_text("x")
        block = tw.resource_from_file(tmp_path / "a.txt", uri="repo:a.txt", mime_type="text/x-rust", name="n")
        assert (block.uri, block.mime_type, block.name) == ("repo:a.txt", "text/x-rust", "n")
        (tmp_path / "b.rs").write_text("x")
        assert tw.resource_from_file(tmp_path / "b.rs", uri="repo:b").mime_type == "text/rust"

    def test_paths_may_be_objects(self):
        path = pathlib.PurePosixPath("/a b/c.rs")
        assert tw.resource_from_bytes(path, b"x") == tw.resource_from_bytes("/a b/c.rs", b"x")
        assert tw.resource_from_bytes(path, b"x").uri == "file:///a%20b/c.rs"

    def test_the_uri_of_a_path(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        path = tmp_path / "100% #1?.txt"
        assert tw.file_uri(path) == tw.file_uri(str(path)) == tw.normalize_uri(path.as_uri())
        assert tw.file_uri(path.name) == tw.file_uri(pathlib.Path("sub", "..", path.name)) == tw.file_uri(path)
        # Absolute on the other system.
        assert (tw.file_uri("C:\\a b.txt"), tw.file_uri("/a b.txt")) == ("file:///C:/a%20b.txt", "file:///a%20b.txt")
        assert tw.file_uri("file:x").startswith("file:///")
        path.write_text("x")
        assert tw.resource_from_file(path.name).uri == tw.file_uri(path.name)
        with pytest.raises(tw.ToolwireError) as caught:
            tw.file_uri("")
        assert caught.value.code == "bad_uri"

    def test_no_such_file(self, tmp_path):
        with pytest.raises(FileNotFoundError) as caught:
            tw.resource_from_file(tmp_path / "none")
        assert caught.value.filename == str(tmp_path / "none")
        with pytest.raises(OSError, match="irectory"):
            tw.resource_from_file(tmp_path)

    def test_a_nul_makes_it_a_blob(self):
        assert tw.resource_from_bytes("/a", b"a\x00").bytes == b"a\x00"
        assert tw.resource_from_bytes("/a", memoryview(b"abc")).text == "abc"

    def test_large_files_come_through(self, tmp_path):
        body = bytes(range(256)) * 10_000
        (tmp_path / "big.bin").write_bytes(body)
        block = tw.resource_from_file(pathlib.Path(tmp_path / "big.bin"))
        assert block.bytes == body
        assert json.loads(str(block))["resource"]["blob"] == base64.b64encode(body).decode()


class TestErrors:
    def test_from_a_message(self):
        envelope = tw.error("no such file", transient=True, trace=["os error 2"])
        assert (envelope.is_error, envelope.transient, envelope.trace) == (True, True, ["os error 2"])
        assert envelope.content[0].text == "no such file"
        assert str(tw.error("x")) == '{"content":[{"text":"x","type":"text"}],"isError":true}'

    def test_from_an_exception_with_its_causes(self):
        try:
            try:
                try:
                    {}["key"]
                except KeyError as inner:
                    raise OSError(2, "No such file or directory") from inner
            except OSError:
                raise ValueError("cannot read the settings")
        except ValueError as error:
            envelope = tw.error(error)
        assert envelope.content[0].text == "cannot read the settings"
        # The message alone, but for a KeyError, of which it is nothing but the key.
        assert envelope.trace == ["[Errno 2] No such file or directory", "KeyError: 'key'"]
        assert not envelope.transient

    def test_from_none_ends_the_chain(self):
        try:
            try:
                raise KeyError("hidden")
            except KeyError:
                raise ValueError("shown") from None
        except ValueError as error:
            assert tw.error(error).trace == []

    def test_a_chain_that_bites_its_tail_ends(self):
        first, second = ValueError("first"), ValueError("second")
        first.__cause__, second.__cause__ = second, first
        assert tw.error(first).trace == ["second"]

    def test_an_exception_without_a_message(self):
        assert tw.error(TimeoutError()).content[0].text == "TimeoutError"
        assert tw.error(KeyError("k")).content[0].text == "KeyError: 'k'"

    def test_text_and_trace_tell_of_an_exception_alike(self):
        for inner in (ValueError("bad config"), TimeoutError(), KeyError("k"), OSError(2, "no", "a.txt")):
            outer = RuntimeError("x")
            outer.__cause__ = inner
            assert tw.error(outer).trace == [tw.error(inner).content[0].text]

    def test_the_exceptions_of_a_group_are_causes(self):
        # A class of our own has what groups have, also where Python has none yet.
        class Group(Exception):
            def __init__(self, message, exceptions):
                super().__init__(message)
                self.exceptions = exceptions

        first, second, last = ValueError("first"), Group("second", [ValueError("third"), TypeError("fourth")]), KeyError("k")
        first.__cause__ = OSError("behind the first")
        whole = Group("many", (first, second, first, "no exception"))
        whole.__cause__ = last
        assert tw.error(whole).trace == [
            "first", "behind the first", "second", "third", "fourth", "KeyError: 'k'"]
        second.exceptions.append(whole)
        last.__context__ = first
        assert len(tw.error(whole).trace) == 6

    @pytest.mark.skipif(sys.version_info < (3, 11), reason="groups and notes are of Python 3.11")
    def test_pythons_own_groups_and_notes(self):
        error = ValueError("bad port")
        error.add_note("in settings.toml")
        error.add_note("line 3")
        group = ExceptionGroup("2 checks failed", [error, TimeoutError()])  # noqa: F821
        group.add_note("run 7")
        envelope = tw.error(group)
        assert envelope.content[0].text == "2 checks failed (2 sub-exceptions)\nrun 7"
        assert envelope.trace == ["bad port\nin settings.toml\nline 3", "TimeoutError"]

    def test_notes_of_any_kind_do_no_harm(self):
        error = ValueError("x")
        for notes, text in ((["a", 3, "b"], "x\na\nb"), (7, "x"), (None, "x"), (["\ud800"], "x\n")):
            error.__notes__ = notes
            assert tw.error(error).content[0].text.startswith(text)

    def test_a_chain_without_an_end_is_cut(self):
        def chain(length):
            error = ValueError(str(length))
            error.__cause__ = chain(length - 1) if length else None
            return error

        assert tw.error(chain(300)).trace == [str(299 - n) for n in range(100)]
        wide = ValueError("x")
        wide.exceptions = [ValueError(str(n)) for n in range(10_000)]
        assert tw.error(wide).trace == [str(n) for n in range(100)]

    def test_a_trace_that_is_given_stands(self):
        error = ValueError("x")
        error.__cause__ = ValueError("y")
        assert tw.error(error, trace=["z"]).trace == ["z"]

    def test_an_exception_whose_text_has_no_utf8(self):
        envelope = tw.error(OSError("bad name \udcff"))
        assert tw.validate(bytes(envelope)) is None
        assert envelope.content[0].text.startswith("bad name ")

    def test_an_exception_that_cannot_be_printed(self):
        class Rude(Exception):
            def __str__(self):
                raise RuntimeError("no")

        assert tw.error(Rude()).content[0].text == "Rude"
