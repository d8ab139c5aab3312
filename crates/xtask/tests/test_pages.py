"""README.md and the pages of `docs/`: every fence runs, or is marked as an excerpt. CONTRIBUTING.md has the rules.

A page's fences run in a folder of its own, its commands in one shell, whose output is compared with what is shown.
"""

import functools
import os
import re
import shutil
import signal
import socket
import subprocess

import pytest
from project import APP, DEBUG, ENVIRONMENT, TARGET, pages, parts, read, run

# The maximum length of README.md in lines.
README_LINES = 180
# The time limit for the commands of one page.
LIMIT = 180
# Marks the beginning and the exit status of a command in what the shell writes.
MARK = "@@@"
# Where Python looks below HOME. Clients of MCP start servers without the variables of this process.
SITE = f"""site=$(python3 -m site --user-site); mkdir -p "$site"
echo '{DEBUG / "python"}' >"$site/toolwire.pth"
"""


@pytest.fixture(scope="module", autouse=True)
def places():
    shutil.rmtree(APP / "pages", ignore_errors=True)
    # The tests of the package for Node have installed it; tools of the pages look for it here.
    shutil.copytree(TARGET / "node-test/node_modules/zod", APP / "node_modules/zod", dirs_exist_ok=True)


@pytest.mark.parametrize("page", pages())
def test_a_page_shows_what_runs(page):
    text = read(page)
    assert page != "README.md" or len(text.splitlines()) <= README_LINES
    # The ports on the pages may be taken on this machine.
    for shown in ("8080", "8081"):
        text = text.replace(shown, free_port())
    fences, prose = parts(text)
    for number, line in prose:
        for span in line.split("`")[1::2]:
            check_options(f"{page}:{number}", span)
    # A name of this run's own: sessions of an earlier one may still be known under the same path.
    place = APP / "pages" / f"{page.replace('/', '-')}-{os.getpid()}"
    (place / "home").mkdir(parents=True)
    commands, unused, script = [], {}, [SITE]
    for fence in fences:
        at = f"{page}:{fence.line}"
        is_shell = fence.language in ("sh", "console")
        if fence.language == "text":
            continue
        if fence.name == "excerpt":
            for line in fence.text.splitlines() if is_shell else []:
                check_options(at, line.removeprefix("$ "))
        elif fence.language in ("rust", "rust,no_run") and not fence.name:
            examples = read("crates/toolwire-author/src/lib.rs")
            assert f"../../../{page}" in examples, f"{at}: add the page to the documentation, or mark it `excerpt`"
        elif is_shell and not fence.name:
            unused = {
                name: at for name, at in unused.items() if not name.endswith(".toml") and not uses(fence, name)
            }
            for command in read_commands(fence):
                script += write_step(len(commands), *command[1:])
                commands.append(command)
        else:
            assert fence.name, f"{at}: give it the name of a file, as in `python tool.py`, or mark it `excerpt`"
            # Files are written when their turn comes: a page may change one.
            (place / f"{fence.line}.fence").write_text(fence.text, "utf-8")
            script.append(f"cp {fence.line}.fence {fence.name}; chmod +x {fence.name}\n")
            unused = {name: at for name, at in unused.items() if not uses(fence, name)}
            unused[fence.name] = at
    assert not unused, "no command of the page uses these files"
    if commands:
        script.append("toolwire session abort --all --quiet >/dev/null 2>&1\nkill $(jobs -p) 2>/dev/null\n")
        (place / "page.sh").write_text("".join(script), "utf-8")
        written = run_shell(place)
        wrong = [compare(page, written, index, *command) for index, command in enumerate(commands)]
        assert not any(wrong), "\n".join(filter(None, wrong))


def free_port() -> str:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return str(free.getsockname()[1])


def uses(fence, name) -> bool:
    """A fence names a file, or the module that it is."""
    return name.split(".")[0] in fence.text


@functools.lru_cache(maxsize=None)
def help_of(*words) -> str:
    return run(DEBUG / "toolwire", *words, "--help")


def check_options(at, line):
    """A command of ours in an excerpt or in prose, and its options, exist."""
    words = line.split(" # ")[0].split(" -- ")[0].split()
    if len(words) < 2 or words[0] != "toolwire":
        return
    name = words[1:3] if words[1] in ("session", "profile") else words[1:2]
    described = help_of(*name)
    for word in words[2:]:
        option = word.split("=")[0]
        assert not word.startswith("--") or option in described, f"{at}: `toolwire {' '.join(name)}` has no `{option}`"


def read_commands(fence):
    """The commands of a fence, each with its line and what is shown below it: that of each `$ ` with its `> `, or the
    whole of `sh`."""
    if fence.language == "sh":
        return [(fence.line, fence.text, [])]
    commands = []
    for number, line in enumerate(fence.text.splitlines(), fence.line):
        if line.startswith("$ "):
            commands.append((number, line[2:], []))
        elif line.startswith("> ") and not commands[-1][2]:
            number, typed, shown = commands[-1]
            commands[-1] = (number, f"{typed}\n{line[2:]}", shown)
        elif commands:
            commands[-1][2].append(line.rstrip())
    return commands


def prompts(shown):
    """What a person types at the prompts that are shown: a text to wait for, and the keys."""
    for line in shown:
        if line.startswith("✓ "):
            text = line[2:]
            yield "›", {"Yes": "y", "No": "n"}.get(text, f"--enter '{text}'")
        elif "[y/N] " in line:
            yield "[y/N]", f"--enter {line.split('[y/N] ')[1]}"


def write_step(index, typed, shown):
    yield f"printf '\\n%s\\n' '{MARK}begin {index}'\n"
    asked = list(prompts(shown))
    # A shell ignores what stands behind `#`; here it would hide what follows.
    bare = typed.split("  # ")[0].rstrip()
    if bare.endswith("&"):
        yield f"{{ {bare[:-1]}; }} >{index}.log 2>&1 &\n"
        yield f"until [ -s {index}.log ]; do sleep 0.1; done; cat {index}.log\n"
    elif asked:
        yield f"cat >{index}.sh <<'{MARK}'\n{typed}\n{MARK}\n"
        yield f"toolwire session spawn page --pty --size 200x50 --quiet --until '{asked[0][0]}' "
        yield f"-- sh {index}.sh >{index}.log\n"
        for (_, keys), then in zip(asked, [*asked[1:], None]):
            until = f"--until '{then[0]}'" if then else ""
            yield f"toolwire session apply page --quiet {until} {keys} >>{index}.log\n"
        yield "toolwire session wait page --timeout 20s >/dev/null\n"
        yield f"toolwire session fetch page --quiet >>{index}.log; cat {index}.log\n"
    else:
        yield f"{typed}\n"
    yield f"printf '\\n%s\\n' \"{MARK}$?\"\n"


def run_shell(place) -> str:
    folders = ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME")
    environment = {name: value for name, value in ENVIRONMENT.items() if name not in folders}
    environment.update(HOME=str(place / "home"), COLUMNS="100")
    # A file, not a pipe: what stays in the background would keep it open.
    with open(place / "page.out", "w+b") as output:
        pipes = {"stdin": subprocess.DEVNULL, "stdout": output, "stderr": output}
        shell = subprocess.Popen(["sh", "page.sh"], cwd=place, env=environment, start_new_session=True, **pipes)
        try:
            shell.wait(LIMIT)
        except subprocess.TimeoutExpired:
            os.killpg(shell.pid, signal.SIGKILL)
            raise
        finally:
            output.seek(0)
            written = output.read().decode(errors="replace")
            if shell.returncode is None:
                print(written)
    return written


def compare(page, written, index, line, typed, shown):
    """Why a command has not written what the page shows, or not succeeded if the page shows nothing."""
    found = re.search(rf"\n{MARK}begin {index}\n(.*?)\n{MARK}(.*?)\n", written, re.DOTALL)
    if not found:
        return f"{page}:{line}: `{typed}` was not run:\n{written}"
    text, status = found.groups()
    # A session writes what is typed at a prompt on a line of its own.
    text = text.replace("[y/N]\n ", "[y/N]\n").replace("[y/N]\n", "[y/N] ").rstrip()
    lines = [line.rstrip() for line in text.splitlines()]
    while shown and not shown[-1]:
        shown.pop()
    if not shown:
        fits = status == "0"
    elif list(prompts(shown)):
        # A prompt draws more than what stays.
        rest = iter(lines)
        fits = all(any(re.fullmatch(pattern(wanted), line) for line in rest) for wanted in shown)
    else:
        # `…` stands for any text, and on a line of its own for any lines.
        whole = "".join(r"(.*\n)*" if wanted == "…" else pattern(wanted) + r"\n" for wanted in shown)
        fits = re.fullmatch(whole, "".join(f"{line}\n" for line in lines))
    return None if fits else f"{page}:{line}: `{typed}` ended with {status} and wrote:\n{text}"


def pattern(shown) -> str:
    return ".*".join(map(re.escape, shown.split("…")))
