"""The command that comes with the package. What it does is tested with the command's own tests."""

import importlib.metadata
import subprocess
import sys

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
