"""The command that comes with the package. What it does is tested with the command's own tests."""

import importlib.metadata
import os
import pathlib
import subprocess
import sys
import sysconfig

import pytest

import toolwire as tw


def run(*args):
    return subprocess.run([sys.executable, "-I", "-m", "toolwire", *args], capture_output=True, text=True, check=False)


def test_the_module_is_the_command():
    done = run("--version")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"toolwire {tw.__version__}\n", "")


def test_it_is_called_toolwire_and_its_exit_code_arrives():
    done = run("parse", "--no-such-option")
    assert done.returncode == 2
    assert "Usage: toolwire parse" in done.stderr


def test_the_package_has_a_script_of_that_name():
    [script] = importlib.metadata.distribution("toolwire").entry_points
    assert (script.group, script.name, script.value) == ("console_scripts", "toolwire", "toolwire._command:main")


SCRIPT = pathlib.Path(sysconfig.get_path("scripts"), "toolwire")


@pytest.mark.skipif(not SCRIPT.is_file(), reason="the script is not installed")
@pytest.mark.parametrize("command", [[sys.executable, "-m", "toolwire"], [str(SCRIPT)]])
def test_a_session_is_started_without_the_script_on_the_path(tmp_path, command):
    tmp_path.chmod(0o700)
    environment = {**os.environ, "PATH": "/usr/bin:/bin", "XDG_RUNTIME_DIR": str(tmp_path), "TOOLWIRE_SESSION_IDLE": "5s"}

    def session(*args):
        words = [*command, "session", *args]
        return subprocess.run(words, capture_output=True, text=True, check=False, cwd=tmp_path, env=environment)

    done = session("spawn", "a", "--pipe", "--", "cat")
    assert done.returncode == 0, done.stderr
    assert session("abort", "a").returncode == 0
