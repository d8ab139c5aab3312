"""Builders: canonical, valid for every reader, and as Python people call them."""

import base64
import json
import pathlib

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
def test_what_is_built_is_canonical_and_valid(block):
    envelope = tw.envelope(block)
    assert tw.validate(bytes(envelope)) is None
    assert tw.canonicalize(bytes(envelope)) == bytes(envelope)
    assert envelope.content == [block]
    assert tw.canonicalize(block.to_json()) == str(block).encode()
    assert tw.parse(str(envelope)).envelope == envelope


def test_an_envelope_prints_as_the_answer(capsys):
    print(tw.envelope(tw.text("é"), structured_content={"b": 1, "a": [1.0]}, meta={"x": None}))
    assert capsys.readouterr().out == (
        '{"_meta":{"x":null},"content":[{"text":"é","type":"text"}],"structuredContent":{"a":[1],"b":1}}\n')


def test_an_empty_envelope():
    assert str(tw.envelope()) == '{"content":[]}'


def test_null_is_written_and_absent_is_left_out():
    assert json.loads(str(tw.envelope(structured_content=None))) == {"content": [], "structuredContent": None}
    assert "default" not in tw.question("q", "?", {}).to_json()
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
        (lambda: tw.envelope(structured_content=[2**60 + 1]), "/structuredContent/0"),
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


def test_wrong_python_types_are_type_errors():
    for make in (lambda: tw.text(3), lambda: tw.text(b"x"), lambda: tw.image("text", "image/png"),
                 lambda: tw.envelope("text"), lambda: tw.resource("file:///a", blob="text"), lambda: tw.error(3)):
        with pytest.raises(TypeError):
            make()


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
        assert (block.data, block.mime_type, block.text) == (b"\x89PNG\x00", "image/png", None)

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

    def test_no_such_file(self, tmp_path):
        with pytest.raises(FileNotFoundError) as caught:
            tw.resource_from_file(tmp_path / "none")
        assert caught.value.filename == str(tmp_path / "none")
        with pytest.raises(OSError, match="irectory"):
            tw.resource_from_file(tmp_path)

    def test_a_nul_makes_it_a_blob(self):
        assert tw.resource_from_bytes("/a", b"a\x00").data == b"a\x00"
        assert tw.resource_from_bytes("/a", memoryview(b"abc")).text == "abc"

    def test_large_files_come_through(self, tmp_path):
        body = bytes(range(256)) * 10_000
        (tmp_path / "big.bin").write_bytes(body)
        block = tw.resource_from_file(pathlib.Path(tmp_path / "big.bin"))
        assert block.data == body
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
        assert envelope.trace == ["FileNotFoundError: [Errno 2] No such file or directory", "KeyError: 'key'"]
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
        assert tw.error(first).trace == ["ValueError: second"]

    def test_an_exception_without_a_message(self):
        assert tw.error(TimeoutError()).content[0].text == "TimeoutError"
        assert tw.error(KeyError("k")).content[0].text == "KeyError: 'k'"

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
