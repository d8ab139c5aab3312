"""Contracts of tools; what the functions find is shown by the conformance cases."""

import collections
import json

import pytest

import toolwire as tw

TOOL = {"name": "find", "inputSchema": {"type": "object", "properties": {"q": {"type": "string"}}}}
LESS = {"name": "find", "inputSchema": {"type": "object", "properties": {}}}
EMPTY = {"lockVersion": 1, "sources": {}}


def test_a_document_is_a_mapping_its_text_or_the_bytes_of_that():
    text = json.dumps(TOOL)
    ways = [TOOL, collections.UserDict(TOOL), text, text.encode(), bytearray(text.encode())]
    first, *others = [tw.contract.fingerprint(way) for way in ways]
    assert all(other == first for other in others)
    diffs = [tw.contract.diff_tools(old, new)["verdict"] for old in (TOOL, [TOOL], (TOOL,), {"tools": [TOOL]}, f"[{text}]", bytearray(text.encode())) for new in (LESS, [LESS])]
    assert set(diffs) == {"breaking"}


def test_text_keeps_all_digits():
    text = '{"name":"a","inputSchema":{"properties":{"n":{"maximum":0.12345678901234567890123}}}}'
    assert "0.12345678901234567890123" in tw.contract.project_tool(text)["contract"]
    assert tw.contract.fingerprint(text) != tw.contract.fingerprint(json.loads(text))
    big = {"name": "a", "inputSchema": {"maximum": 12345678901234567891}}
    assert "12345678901234567891" in tw.contract.project_tool(big)["contract"]
    lock = tw.contract.update_lock(EMPTY, "s", f'{{"tools":[{text}]}}')
    assert "0.12345678901234567890123" in tw.contract.write_lock(lock)
    assert tw.contract.check_lock(lock, f'{{"sources":{{"s":{{"tools":[{text}]}}}}}}')["verdict"] == "same"


def test_facts_of_a_launch_are_safety():
    plain = tw.contract.fingerprint(TOOL)
    launched = tw.contract.fingerprint(TOOL, launch=tw.contract.parse_launch_uri("mcp+uvx://biomcp-python")["facts"])
    assert [name for name in plain if plain[name] != launched[name]] == ["safety"]


def test_open_takes_schemas_to_the_letter():
    assert tw.contract.diff_tools(TOOL, LESS)["verdict"] == "breaking"
    assert tw.contract.diff_tools(TOOL, LESS, open=True)["verdict"] == "compatible"
    assert tw.contract.diff_tools(TOOL, LESS, open=None, budget=None)["verdict"] == "breaking"


def test_a_launch_uri_goes_there_and_back():
    uri = "mcp+https://example.com/mcp?header=Authorization"
    read = tw.contract.parse_launch_uri(uri)
    assert read["command"] is None and read["version"] is None
    assert tw.contract.format_launch_uri(read["launch"]) == tw.contract.format_launch_uri(json.dumps(read["launch"])) == uri
    word = tw.contract.parse_profile_word("@biomcp/search?gene=BRAF")
    assert tw.contract.format_profile_word(word["word"]) == word["text"]


def test_a_lock_is_made_read_and_checked():
    now = {"tools": [TOOL], "instructions": "Ask first.", "launch": {"transport": "stdio"}}
    text = tw.contract.update_lock(EMPTY, "finder", now)
    read = tw.contract.read_lock(text)
    lock = read["lock"]
    assert read["diagnostics"] == [] and tw.contract.write_lock(lock) == tw.contract.write_lock(text.encode()) == text
    assert tw.contract.check_lock(lock, {"sources": {"finder": now}})["verdict"] == "same"
    report = tw.contract.check_lock(lock, {"sources": {"finder": {**now, "tools": [LESS]}}})
    assert (report["verdict"], report["sources"][0]["tools"][0]["name"]) == ("breaking", "find")
    offline = tw.contract.check_lock(text, {"sources": {"finder": {"launch": now["launch"]}}}, offline=True)
    assert offline["sources"][0]["notVerified"] == 1
    (warning,) = tw.contract.read_lock('{"lockVersion": 1, "sources": {}, "mine": 1}')["diagnostics"]
    assert (warning.code, warning.pointer) == ("unknown_lock_member", "/mine")


def test_a_profile_is_written_as_files_and_read_again():
    profile = '{"command": "biomcp", // what is started\n "tools": {"search": {"parameters": {"gene": {"type": "string", "required": true}}}}}'
    files = tw.contract.write_profile(profile)
    read = tw.contract.read_profile_files(files)
    assert read["tools"][0]["inputSchema"] == tw.contract.read_profile(profile)["tools"][0]["inputSchema"]
    assert json.loads(read["tools"][0]["inputSchemaText"]) == read["tools"][0]["inputSchema"]
    assert tw.contract.write_profile(read["text"], files) == files
    assert [one["what"] for one in tw.contract.compare_profile(profile, [])] == ["gone"]


def test_a_secret_does_not_come_along():
    entry = {"command": "uvx", "args": ["biomcp-python"], "env": {"API_KEY": "s3cr3t"}}
    converted = tw.contract.convert_server(entry, "mcpServers", "launch-uri", name="bio")
    assert "s3cr3t" not in json.dumps(converted) and "env=API_KEY" in converted["text"]
    assert {"pointer", "fate", "reason"} == set(converted["report"][0])


@pytest.mark.parametrize(
    ("misuse", "code", "pointer"),
    [
        (lambda: tw.contract.fingerprint({}), "bad_tool", None),
        (lambda: tw.contract.fingerprint(TOOL, max_schemas=-1), "bad_option", "/maxSchemas"),
        (lambda: tw.contract.fingerprint(TOOL, max_schemas=0), "limit_schemas", None),
        (lambda: tw.contract.fingerprint(TOOL, launch="uvx"), "bad_option", "/launch"),
        (lambda: tw.contract.fingerprint(1), "bad_argument", "/tool"),
        (lambda: tw.contract.jn_hash([{"name": "a", "inputSchema": True}]), "no_jn_hash", None),
        (lambda: tw.contract.jn_hash([object()]), "bad_argument", "/tools/0"),
        (lambda: tw.contract.diff_tools(TOOL, LESS, open="yes"), "bad_option", "/open"),
        (lambda: tw.contract.diff_tools(TOOL, LESS, budget=1.5), "bad_option", "/budget"),
        (lambda: tw.contract.diff_tools(TOOL, {1: 2}), "bad_argument", None),
        (lambda: tw.contract.parse_launch_uri(b"mcp+uvx://a"), "bad_argument", "/uri"),
        (lambda: tw.contract.parse_launch_uri("mcp+uvx://--help"), "bad_launch_uri", None),
        (lambda: tw.contract.find_hidden("\ud800"), "bad_argument", "/text"),
        (lambda: tw.contract.read_lock('{"lockVersion": 2, "sources": {}}'), "newer_lock", "/lockVersion"),
        (lambda: tw.contract.check_lock(EMPTY, {"sources": {}}, offline=1), "bad_option", "/offline"),
        (lambda: tw.contract.read_profile(1), "bad_argument", "/profile"),
        (lambda: tw.contract.read_profile_files({"_meta.json": 1}), "bad_argument", "/_meta.json"),
        (lambda: tw.contract.convert_server("{}", "mcpServers", "emacs"), "bad_option", "/to"),
        (lambda: tw.contract.convert_server("{}", "", "zed"), "bad_option", "/from"),
        (lambda: tw.contract.convert_server("{}", "mcpServers", "zed", name=1), "bad_option", "/name"),
    ],
)
def test_what_is_wrong_is_named(misuse, code, pointer):
    with pytest.raises(tw.ToolwireError) as caught:
        misuse()
    assert caught.value.code == code
    assert pointer is None or caught.value.pointer == pointer
