"""Collects the tools of published MCP servers in two versions each, and writes down what changed.

    python3 crates/xtask/tools/published/collect.py --work FOLDER [SERVER ...]

`servers.json` beside this file says which servers, which versions and which pairs of them. Each version
is installed into a folder below FOLDER, which has to lie outside the repository, started over stdio with
a small environment and without a network, and asked for its tools. The files go to
`conformance/published/`; its README describes them.

Needs Python 3.11, and for packages of npm also node and npm, which are used as they are configured here.
A list that was fetched stays in FOLDER/lists and is not fetched again: remove it there to ask anew.
"""

import argparse
import json
import os
import pathlib
import queue
import re
import shutil
import subprocess
import sys
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
REPOSITORY = HERE.parents[3]
PUBLISHED = REPOSITORY / "conformance" / "published"

# `pip --uploaded-prior-to` lets an old server have the libraries of its time.
PIP = "pip==26.3"
INSTALL_SECONDS = 900
ANSWER_SECONDS = 120
PAGES = 50


class Failed(Exception):
    """A server could not be installed, started or asked."""


# --- JSON whose numbers stay as they were written ---------------------------------------------------


class Number(str):
    """A number as its digits stood in the text."""


def read(text):
    def members(pairs):
        made = dict(pairs)
        if len(made) != len(pairs):
            raise Failed("a name stands twice in an object")
        return made

    return json.loads(text, parse_int=Number, parse_float=Number, object_pairs_hook=members)


def quoted(text):
    """A JSON string in which what a reader can't see is escaped."""

    def escaped(found):
        return json.dumps(found.group())[1:-1]

    plain = json.dumps(text, ensure_ascii=False)
    return re.sub(r"[^\x20-\x7e]", lambda m: m.group() if m.group().isprintable() else escaped(m), plain)


def pretty(value, indent=0):
    """Two spaces a level; short lists of words on one line."""
    if isinstance(value, Number):
        return str(value)
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, dict) and value:
        inner = [f"{quoted(name)}: {pretty(value[name], indent + 2)}" for name in value]
        return block("{", inner, "}", indent)
    if isinstance(value, list) and value:
        inner = [pretty(item, indent + 2) for item in value]
        line = "[" + ", ".join(inner) + "]"
        if len(line) <= 100 and not any(isinstance(item, (dict, list)) for item in value):
            return line
        return block("[", inner, "]", indent)
    return json.dumps(value)


def block(before, inner, after, indent):
    pad = "\n" + " " * indent
    return before + pad + "  " + (f",{pad}  ").join(inner) + pad + after


# --- Installing -------------------------------------------------------------------------------------


def command(arguments, **more):
    done = subprocess.run(arguments, capture_output=True, text=True, timeout=INSTALL_SECONDS, **more)
    if done.returncode:
        raise Failed(f"{' '.join(map(str, arguments[:4]))} …: {done.stderr.strip()[-1500:]}")
    return done.stdout


def installer(work):
    """The Python of a virtual environment that holds nothing but pip."""
    python = work / "pip" / "bin" / "python"
    if not python.exists():
        command([sys.executable, "-m", "venv", str(work / "pip")])
        command([python, "-m", "pip", "install", "--quiet", PIP])
    return python


def install(work, server, version, folder):
    """Installs one version; returns where its programs are, and what the environment needs for them."""
    package, how = server["package"], server["versions"][version]
    if server["registry"] == "npm":
        # A folder with a manifest of its own, so that npm looks no further up.
        (folder / "package.json").write_text('{"private": true}')
        options = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-save"]
        command(["npm", "install", *options, f"{package}@{version}", *how.get("with", [])], cwd=folder)
        return folder / "node_modules" / ".bin", {}
    arguments = [installer(work), "-m", "pip", "install", "--quiet", "--no-compile", "--target", folder]
    if "before" in how:
        arguments += ["--uploaded-prior-to", how["before"] + "T00:00:00Z"]
    arguments += ["--only-binary", ":all:"]
    for name in server.get("built", []):
        arguments += ["--no-binary", name]
    command([*arguments, f"{package}=={version}", *how.get("with", [])])
    return folder / "bin", {"PYTHONPATH": str(folder)}


# --- Asking -----------------------------------------------------------------------------------------


def alone():
    """The words before a command that take its network away, where this system can do that."""
    words = ["unshare", "--net", "--map-root-user"]
    probe = shutil.which("unshare") and subprocess.run([*words, "true"], capture_output=True)
    if not probe or probe.returncode:
        raise Failed("this system can't take the network from a program (`unshare --net`)")
    up = "ip link set lo up 2>/dev/null; exec \"$@\""
    return [*words, "sh", "-c", up, "sh"]


class Peer:
    """A server behind stdin and stdout, one JSON-RPC message a line."""

    def __init__(self, arguments, environment, folder):
        self.log = open(folder / "stderr.log", "w+b")
        self.process = subprocess.Popen(
            arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log, env=environment, cwd=folder
        )
        self.lines = queue.Queue()
        threading.Thread(target=self.pump, daemon=True).start()
        self.last = 0

    def pump(self):
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put(None)

    def send(self, **message):
        line = json.dumps({"jsonrpc": "2.0", **message}) + "\n"
        try:
            self.process.stdin.write(line.encode())
            self.process.stdin.flush()
        except BrokenPipeError:
            pass  # The reader tells the same, with what the server said.

    def ask(self, method, **params):
        self.last += 1
        self.send(id=self.last, method=method, params=params)
        end = time.monotonic() + ANSWER_SECONDS
        while True:
            try:
                line = self.lines.get(timeout=max(0.1, end - time.monotonic()))
            except queue.Empty:
                raise Failed(f"no answer to `{method}` in {ANSWER_SECONDS} s\n{self.said()}") from None
            if line is None:
                raise Failed(f"the server ended before it answered `{method}`\n{self.said()}")
            try:
                message = read(line)
            except ValueError:
                continue  # Some servers print a greeting.
            if not isinstance(message, dict) or "id" not in message:
                continue
            if "method" in message:
                self.refuse(message)
            elif message["id"] == Number(self.last):
                if "error" in message:
                    raise Failed(f"`{method}`: {message['error']}")
                return message["result"]

    def refuse(self, request):
        ident = request["id"]
        if isinstance(ident, Number):
            ident = int(ident)
        if request["method"] == "ping":
            self.send(id=ident, result={})
        else:
            self.send(id=ident, error={"code": -32601, "message": "this client only lists tools"})

    def said(self):
        self.log.seek(0)
        return self.log.read()[-1500:].decode(errors="replace")

    def close(self):
        self.process.stdin.close()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.log.close()


def ask(server, version, programs, environment, folder):
    """The tools that the server lists."""
    home = folder / "home"
    home.mkdir()
    given = {**server.get("env", {}), **server["versions"][version].get("env", {})}
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "TMPDIR": str(home),
        "LANG": "C.UTF-8",
        # Some servers write a set of words as a default, in another order each time.
        "PYTHONHASHSEED": "0",
        **environment,
        **{name: value.replace("{home}", str(home)) for name, value in given.items()},
    }
    words = server["versions"][version].get("run", server["run"])
    words = [word.replace("{home}", str(home)) for word in words]
    peer = Peer([*alone(), str(programs / words[0]), *words[1:]], environment, home)
    try:
        client = {"name": "toolwire-collector", "version": "1"}
        peer.ask("initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo=client)
        peer.send(method="notifications/initialized")
        tools, more = [], {}
        for _ in range(PAGES):
            page = peer.ask("tools/list", **more)
            tools += page["tools"]
            if not page.get("nextCursor"):
                return tools
            more = {"cursor": page["nextCursor"]}
        raise Failed(f"more than {PAGES} pages of tools")
    finally:
        peer.close()


def fetch(work, server, version):
    """The list of one version, from FOLDER/lists or from the server itself."""
    kept = work / "lists" / f"{server['server']}@{version}.json"
    if not kept.exists():
        folder = work / "installed" / kept.stem
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        try:
            programs, environment = install(work, server, version, folder)
            tools = ask(server, version, programs, environment, folder)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        kept.parent.mkdir(exist_ok=True)
        kept.write_text(pretty(tools) + "\n", "utf-8")
    return read(kept.read_text("utf-8"))


# --- Writing ----------------------------------------------------------------------------------------


def changed(old, new, only):
    """A row for each tool that is not the same in both lists, in the order of the new one."""
    old = {tool["name"]: tool for tool in old}
    new = {tool["name"]: tool for tool in new}
    names = [*new, *(name for name in old if name not in new)]
    rows = [{"name": name, "old": old.get(name), "new": new.get(name)} for name in names]
    return [row for row in rows if row["old"] != row["new"] and (not only or row["name"] in only)]


def judged(rows, file):
    """The rows with the verdicts that a person gave to the same tools before."""
    if file.exists():
        before = {row["name"]: row for row in read(file.read_text("utf-8"))["tools"]}
        for row in rows:
            same = before.get(row["name"])
            if same and same["old"] == row["old"] and same["new"] == row["new"]:
                row.update({member: same[member] for member in ("expected", "why") if member in same})
    for row in rows:
        # The verdict is read before the two long definitions.
        for member in ("old", "new"):
            row[member] = row.pop(member)
    return rows


def write(work, server, pair):
    old, new = pair["old"], pair["new"]
    before, after = fetch(work, server, old), fetch(work, server, new)
    file = PUBLISHED / f"{server['server']}-{old}-{new}.json"
    rows = changed(before, after, pair.get("only"))
    made = {
        "server": server["server"],
        "registry": server["registry"],
        "package": server["package"],
        "licence": server["licence"],
        "source": server["source"],
        "old": old,
        "new": new,
        "tools": judged(rows, file),
    }
    if not rows:
        raise Failed("nothing changed: take this pair out of servers.json")
    file.write_text(pretty(made) + "\n", "utf-8")
    print(f"{file.name}: {len(rows)} of {len(after)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--work", type=pathlib.Path, required=True, help="a folder outside the repository")
    parser.add_argument("server", nargs="*", help="only these")
    options = parser.parse_args()
    work = options.work.resolve()
    if work.is_relative_to(REPOSITORY):
        parser.error("`--work` has to lie outside the repository")
    work.mkdir(parents=True, exist_ok=True)
    servers = json.loads((HERE / "servers.json").read_text("utf-8"))
    unknown = set(options.server) - {server["server"] for server in servers}
    if unknown:
        parser.error(f"not in servers.json: {', '.join(sorted(unknown))}")
    failed = 0
    for server in servers:
        if options.server and server["server"] not in options.server:
            continue
        for pair in server["pairs"]:
            try:
                write(work, server, pair)
            except (Failed, OSError, subprocess.TimeoutExpired) as error:
                failed += 1
                print(f"{server['server']} {pair['old']} {pair['new']}: {error}", file=sys.stderr)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
