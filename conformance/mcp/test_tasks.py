"""Tasks between `toolwire run` and `toolwire serve --http`: followed, cancelled, left and gone on with."""

import re
import signal
import subprocess
import sys
import time

import pytest
from conftest import TOOLS, TOOLWIRE, environment, serving, toolwire

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix")
AT_ONCE = ("--manifest", str(TOOLS / "tasks.toml"), "--task-after", "1ms")


def begin(*words: str) -> "tuple[subprocess.Popen, str]":
    """A call that has become a task, and the task's id."""
    called = subprocess.Popen(
        [TOOLWIRE, "run", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
    )
    assert called.stderr
    line = called.stderr.readline()
    told = re.search(r"goes on as the task (\S+)", line)
    assert told, line
    return called, told[1]


def test_a_task_is_followed_to_its_end_and_its_questions_are_answered():
    with serving(*AT_ONCE) as url:
        computed = toolwire("run", url, "slow_compute", "seconds=1", "label=x")
        assert (computed.returncode, computed.stdout) == (0, "computed x\n")
        deleted = toolwire(
            "run", "--answer", 'confirm={"confirm": true}', url, "confirm_delete", "filename=a"
        )
        assert (deleted.returncode, deleted.stdout) == (0, "deleted: True\n")
        failed = toolwire("run", url, "failing_job")
        assert failed.returncode == 1
        assert "The job failed." in failed.stdout


def test_ctrl_c_cancels_the_task():
    with serving(*AT_ONCE) as url:
        called, task = begin(url, "slow_compute", "seconds=600")
        called.send_signal(signal.SIGINT)
        _, said = called.communicate(timeout=60)
        assert called.returncode == 130
        assert "--task" not in said
        # It may take a moment until the tool has ended.
        for _ in range(300):
            ended = toolwire("run", "--task", task, url)
            if "cancelled" in ended.stdout:
                break
            time.sleep(0.1)
        assert ended.returncode == 1
        assert "cancelled the task" in ended.stdout


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_an_interrupted_call_is_gone_on_with_by_the_id_of_its_task(number):
    with serving(*AT_ONCE) as url:
        called, task = begin(url, "slow_compute", "seconds=5", "label=on")
        called.send_signal(number)
        _, said = called.communicate(timeout=60)
        assert called.returncode in (128 + number, -number)
        if number != signal.SIGKILL:
            assert said.splitlines()[-1].endswith(f"`toolwire run --task {task} {url}` gets its result")
        went_on = toolwire("run", "--task", task, url)
        assert (went_on.returncode, went_on.stdout) == (0, "computed on\n")


def test_a_task_takes_no_tool_and_an_unknown_one_is_an_error():
    with serving(*AT_ONCE) as url:
        refused = toolwire("run", "--task", "x", url, "greet")
        assert refused.returncode == 2
        assert "it takes no tool: leave `greet` out" in refused.stderr
        # Other servers may give ids that look like options.
        unlucky = toolwire("run", "--task", "-w_Bu", url)
        assert unlucky.returncode == 1
        unknown = toolwire("run", "--task", "x", url)
        assert unknown.returncode == 1
        assert "there is no such task" in unknown.stdout


def test_a_stateless_server_offers_none():
    with serving("--stateless", *AT_ONCE) as url:
        listed = toolwire("tools", url)
        assert "slow_compute" in listed.stdout
        assert "failing_job" not in listed.stdout, "it needs tasks"
        computed = toolwire("run", url, "slow_compute", "seconds=1", "label=x")
        assert (computed.returncode, computed.stdout, computed.stderr) == (0, "computed x\n", "")
