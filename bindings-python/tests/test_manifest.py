"""The tools of a folder, with real programs."""

import asyncio
import inspect
import os
import subprocess
import sys
import textwrap
import time

import pytest
import toolwire as tw

PROGRAM = """
import toolwire as tw

@tw.tool(title="Of the program")
def rename(path: str, to: str, ctx: tw.Context) -> str:
    "Rename a file."
    if not ctx.answer("confirm", tw.boolean(f"Rename {path} to {to}?", default=False)):
        return f"Left {path} as it was."
    return f"Renamed {path} to {to}."

tw.main()
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "files.py").write_text(PROGRAM)
    monkeypatch.delenv("TOOLWIRE_TRUSTED_MANIFESTS", raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return tmp_path


def write(folder, text):
    python = f'command = ["{sys.executable}", "{folder}/files.py"]'
    (folder / "toolwire.toml").write_text(textwrap.dedent(text).replace("PYTHON", python))
    return folder / "toolwire.toml"


MANIFEST = """
[tools.rename]
PYTHON
arguments = { to = "b" }
timeout = "60s"

[tools.move]
PYTHON
tool = "rename"
title = "Move"
questions = { confirm = { value = true } }

[tools.show]
description = "Say something."
command = ["printf", "%s|", "{text}", ["-n", "{count}"]]
parameters = { text = { type = "string" }, count = { type = "integer", optional = true } }
"""


def run_async(manifest, *args, **keywords):
    return asyncio.run(manifest.run(*args, **keywords))


def run_sync(manifest, *args, **keywords):
    return manifest.run_sync(*args, **keywords)


both = pytest.mark.parametrize("run", [run_async, run_sync], ids=["run", "run_sync"])


def text(result):
    return result.parsed.envelope.content[0].text


def fails(code, function, *args, **keywords):
    with pytest.raises(tw.HostError) as caught:
        function(*args, **keywords)
    assert caught.value.code == code, caught.value
    assert str(caught.value) == caught.value.message
    return caught.value.message


@both
class TestRunning:
    def test_a_tool_by_its_name(self, folder, run):
        manifest = tw.load_manifest(write(folder, MANIFEST))
        asked = []

        def answerer(question):
            asked.append((question.id, question.who))
            return True

        result = run(manifest, "rename", {"path": "a"}, answerer=answerer)
        assert (text(result), result.rounds) == ("Renamed a to b.", 2)
        result = run(manifest, "rename", {"path": "a", "to": "c"})
        assert (result.is_error, result.answers["confirm"].state) == (True, "unavailable")
        result = run(manifest, "move", {"path": "a", "to": "b"}, answerer=answerer)
        assert (text(result), result.answers["confirm"].source) == ("Renamed a to b.", "policy")
        result = run(manifest, "show", {"text": "$HOME; it's"})
        assert (text(result), result.exit_code) == ("$HOME; it's|", 0)
        assert asked == [("confirm", None)]

    def test_what_does_not_fit_is_answered_and_nothing_runs(self, folder, run):
        manifest = tw.load_manifest(write(folder, MANIFEST))
        result = run(manifest, "show", {"txt": "a"})
        assert result.is_error and result.exit_code is None
        assert "`/txt`" in text(result) and "did you mean `text`?" in text(result)
        message = fails("unknown_tool", run, manifest, "shw")
        assert "did you mean `show`?" in message

    def test_what_is_given_here_comes_first(self, folder, run):
        manifest = tw.load_manifest(write(folder, """
            [tools.slow]
            command = ["sleep", "60"]
            plain = true
            timeout = "1h"
            [tools.where]
            command = ["sh", "-c", "pwd; echo $A-$B-$SECRET"]
            plain = true
            cwd = "/"
            env = { A = "a", B = "b" }
            """))
        assert run(manifest, "slow", timeout=0.1).stopped == "timeout"
        os.environ["SECRET"] = "s"
        try:
            assert text(run(manifest, "where")) == "/\na-b-\n"
            assert text(run(manifest, "where", inherit=["standard", "SECRET"])) == "/\na-b-s\n"
            assert text(run(manifest, "where", env={"B": "c"}, cwd="/usr")) == "/usr\na-c-\n"
        finally:
            del os.environ["SECRET"]
        manifest = tw.load_manifest(write(folder, MANIFEST))
        assert text(run(manifest, "move", {"path": "a", "to": "b"}, given={"confirm": False})) == "Left a as it was."

    def test_a_model_does_not_answer_for_a_person(self, folder, run):
        manifest = tw.load_manifest(write(folder, "[tools.rename]\nPYTHON\nquestions.confirm = 'user'\n"))
        seen = []

        def by(source):
            def answerer(question):
                seen.append(question.who)
                return tw.Answer(True, source=source)

            return run(manifest, "rename", {"path": "a", "to": "b"}, answerer=answerer)

        assert by("assistant").answers["confirm"].state == "unavailable"
        assert text(by("user")) == "Renamed a to b."
        assert seen == ["user", "user"]


class TestListing:
    def test_the_descriptions(self, folder):
        manifest = tw.load_manifest(write(folder, MANIFEST))
        tools = asyncio.run(manifest.list_tools())
        assert tools == manifest.list_tools_sync()
        assert [tool["name"] for tool in tools] == manifest.names == ["move", "rename", "show"]
        move, rename, show = tools
        assert (move["title"], move["description"]) == ("Move", "Rename a file.")
        assert (rename["title"], rename["inputSchema"]["required"]) == ("Of the program", ["path", "to"])
        assert (show["description"], show["inputSchema"]["required"]) == ("Say something.", ["text"])
        assert repr(manifest) == f"<toolwire.Manifest {manifest.path}: move, rename, show>"

    def test_a_program_that_does_not_describe_itself_hides_no_other(self, folder):
        broken = "[tools.a]\ncommand = ['sh', '-c', 'echo no license >&2; exit 3']\ndescribe = true\n"
        unasked = "[tools.b]\ncommand = ['sh', '-c', 'echo ran > ran']\n"
        plain = "[tools.c]\ncommand = 'true'\nplain = true\n"
        listed = tw.load_manifest(write(folder, broken + unasked + plain)).list_tools_sync()
        assert [tool["name"] for tool in listed] == ["c"]
        assert list(listed.problems) == ["a", "b"]
        assert "no license" in listed.problems["a"]
        assert "`parameters`" in listed.problems["b"]
        assert not (folder / "ran").exists()

    def test_a_list_is_cancelled_with_its_task(self, folder):
        manifest = tw.load_manifest(write(folder, "[tools.a]\ncommand = ['sleep', '60']\ndescribe = true\n"))

        async def impatient():
            await asyncio.wait_for(manifest.list_tools(), 0.2)

        started = time.monotonic()
        with pytest.raises(asyncio.TimeoutError):
            asyncio.run(impatient())
        assert time.monotonic() - started < 20


class TestReading:
    def test_a_mistake_has_its_place(self, folder):
        file = write(folder, "[tools.a]\ncommand = 'git log'\n")
        message = fails("bad_manifest", tw.load_manifest, file)
        assert message.startswith(f"{file}:2:1: `tools.a.command`: ") and '["git", "log"]' in message
        fails("manifest_not_found", tw.load_manifest, folder / "absent.toml")
        with pytest.raises(tw.ToolwireError) as caught:
            tw.load_manifest(7)
        assert (caught.value.code, caught.value.pointer) == ("bad_argument", "/path")

    def test_the_nearest_is_found_and_not_one_that_others_could_write(self, folder, monkeypatch):
        deep = folder / "a" / "b"
        deep.mkdir(parents=True)
        monkeypatch.chdir(deep)
        file = write(folder, MANIFEST)
        assert os.path.realpath(tw.load_manifest().path) == os.path.realpath(file)
        if os.name == "posix":
            file.chmod(0o666)
            message = fails("untrusted_manifest", tw.load_manifest)
            assert "everybody can write it" in message and "toolwire trust" in message
            assert tw.load_manifest(file).names == ["move", "rename", "show"]
            monkeypatch.setenv("TOOLWIRE_TRUSTED_MANIFESTS", str(folder))
            assert tw.load_manifest().names == ["move", "rename", "show"]

    def test_nothing_is_found(self, folder):
        code = "import os, toolwire as tw\nos.chdir('/')\ntry: tw.load_manifest()\nexcept tw.HostError as e: print(e.code)"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False, text=True)
        assert done.stdout in ("manifest_not_found\n", ""), done


def test_the_two_forms_take_what_run_takes():
    forms = [tw.run, tw.Manifest.run, tw.Manifest.run_sync]
    names = [set(inspect.signature(form).parameters) - {"self", "program"} for form in forms]
    assert names[0] == names[1] == names[2]
