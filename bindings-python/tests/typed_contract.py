"""The functions of contracts, as a strict type checker sees them. It is checked, and not run."""

from __future__ import annotations

import toolwire as tw

TOOL = {"name": "find", "inputSchema": {"type": "object"}}


def compared(old: list[dict[str, object]], new: str) -> list[str]:
    diff = tw.contract.diff_tools(old, new, open=True)
    return [change["message"] for change in diff["changes"] if change["verdict"] == "breaking"]


def launched(uri: str) -> str:
    read = tw.contract.parse_launch_uri(uri)
    words: list[str] = read["command"] or []
    exact = read["version"] is not None and read["version"]["exact"]
    print(words, exact, tw.contract.format_launch_uri(read["launch"]))
    return tw.contract.fingerprint(TOOL, launch=read["facts"])["safety"]


def locked(data: bytes) -> bool:
    read = tw.contract.read_lock(data)
    print([one.code for one in read["diagnostics"]], tw.contract.update_lock(read["lock"], "a", {"tools": [TOOL]}))
    return tw.contract.check_lock(read["lock"], {"sources": {}}, offline=True)["verified"]


def converted(entry: str) -> dict[str, str]:
    uri: str = tw.contract.convert_server(entry, "mcpServers", "launch-uri", name="a")["text"]
    # One that there is not.
    tw.contract.convert_server(entry, "emacs", "launch-uri")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    files = tw.contract.write_profile({"server": uri, "command": "a"})
    gone = [one["what"] == "gone" for one in tw.contract.compare_profile(files["_meta.json"], [TOOL])]
    print(gone, tw.contract.read_profile_files(files)["tools"], tw.contract.find_hidden(uri)[0].get("says"), tw.contract.jn_hash([TOOL]))
    return files
