"""The functions of contracts, as a strict type checker sees them. It is checked, and not run."""

from __future__ import annotations

import toolwire as tw

TOOL = {"name": "find", "inputSchema": {"type": "object"}}


def compared(old: list[dict[str, object]], new: str) -> list[str]:
    diff = tw.diff_tools(old, new, open=True)
    return [change["message"] for change in diff["changes"] if change["verdict"] == "breaking"]


def launched(uri: str) -> str:
    read = tw.parse_launch_uri(uri)
    words: list[str] = read["command"] or []
    exact = read["version"] is not None and read["version"]["exact"]
    print(words, exact, tw.format_launch_uri(read["launch"]))
    return tw.fingerprint(TOOL, launch=read["facts"])["safety"]


def locked(data: bytes) -> bool:
    lock, diagnostics = tw.read_lock(data)
    print([one.code for one in diagnostics], tw.write_lock(tw.update_lock(lock, "a", {"tools": [TOOL]})))
    return tw.check_lock(lock, {"sources": {}}, offline=True)["verified"]


def converted(entry: str) -> dict[str, str]:
    uri: str = tw.convert_server(entry, "mcpServers", "launch-uri", name="a")["text"]
    # One that there is not.
    tw.convert_server(entry, "emacs", "launch-uri")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    files = tw.write_profile({"server": uri, "command": "a"})
    gone = [one["what"] == "gone" for one in tw.compare_profile(files["_meta.json"], [TOOL])]
    print(gone, tw.read_profile_files(files)["tools"], tw.find_hidden(uri)[0].get("says"), tw.jn_hash([TOOL]))
    return files
