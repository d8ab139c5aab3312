"""The Python half of the benchmark: everybody in this process, in turns.

Called by toolwire-bench with the folder of the corpus, the schema, the probes, the rounds and the
milliseconds of a turn; prints one JSON object a line.
"""

import base64
import json
import pathlib
import statistics
import sys
import time
from importlib.metadata import version
from typing import Any, Literal, Union

import jsonschema
import mcp.types
import msgspec
import orjson
import rfc8785

import toolwire

corpus, schema_path, probes_path = map(pathlib.Path, sys.argv[1:4])
ROUNDS, TURN = int(sys.argv[4]), float(sys.argv[5]) / 1000


# The same shapes as in the protocol, as somebody would write them who wants msgspec's speed.
class Annotations(msgspec.Struct):
    audience: Union[list[Literal["user", "assistant"]], msgspec.UnsetType] = msgspec.UNSET
    priority: Union[float, msgspec.UnsetType] = msgspec.UNSET
    lastModified: Union[str, msgspec.UnsetType] = msgspec.UNSET


class Text(msgspec.Struct, tag_field="type", tag="text"):
    text: str
    annotations: Union[Annotations, msgspec.UnsetType] = msgspec.UNSET


class Contents(msgspec.Struct):
    uri: str
    mimeType: Union[str, msgspec.UnsetType] = msgspec.UNSET
    text: Union[str, msgspec.UnsetType] = msgspec.UNSET
    blob: Union[str, msgspec.UnsetType] = msgspec.UNSET


class Resource(msgspec.Struct, tag_field="type", tag="resource"):
    resource: Contents
    annotations: Union[Annotations, msgspec.UnsetType] = msgspec.UNSET


class Image(msgspec.Struct, tag_field="type", tag="image"):
    data: str
    mimeType: str


class Audio(msgspec.Struct, tag_field="type", tag="audio"):
    data: str
    mimeType: str


class ResourceLink(msgspec.Struct, tag_field="type", tag="resource_link"):
    uri: str
    name: str
    size: Union[int, msgspec.UnsetType] = msgspec.UNSET


class CallToolResult(msgspec.Struct):
    content: list[Union[Text, Resource, Image, Audio, ResourceLink]]
    structuredContent: Any = None
    isError: bool = False
    meta: Union[dict[str, Any], msgspec.UnsetType] = msgspec.field(default=msgspec.UNSET, name="_meta")


msgspec_decode = msgspec.json.Decoder(CallToolResult).decode
validator = jsonschema.Draft202012Validator(json.loads(schema_path.read_bytes()))


def without_error(function):
    """A judge that takes what the function takes."""

    def judge(text):
        try:
            function(text)
        except Exception:
            return False
        return True

    return judge


# What is measured: the plain call, whose result is made and thrown away.
VERDICT = {
    "toolwire": toolwire.parse,
    "mcp.types": mcp.types.CallToolResult.model_validate_json,
    "msgspec": msgspec_decode,
    "orjson": orjson.loads,
    "json": json.loads,
    "orjson + jsonschema": lambda text: validator.is_valid(orjson.loads(text)),
}
# Whether the result says that the text is right; most peers say it by raising nothing.
JUDGES = {peer: without_error(call) for peer, call in VERDICT.items()} | {
    "toolwire": lambda text: toolwire.parse(text).verdict == "valid",
    "orjson + jsonschema": lambda text: without_error(orjson.loads)(text) and validator.is_valid(orjson.loads(text)),
}
CANONICAL = {
    "toolwire": toolwire.canonicalize,
    "rfc8785": lambda text: rfc8785.dumps(json.loads(text)),
}


def say(**what):
    print(json.dumps(what), flush=True)


def over(documents, one):
    """Runs over all documents once."""

    def run():
        for document in documents:
            one(document)

    return run


def race(task, name, count, runs):
    """Everybody runs in every round; the first run warms up and tells how often to repeat."""
    repeats, rounds = {}, {}
    for peer, run in runs.items():
        begun = time.process_time()
        run()
        once = max(time.process_time() - begun, 1e-7)
        repeats[peer] = max(1, round(TURN / once))
        # Whoever takes seconds a turn has less noise, and need not hold up everybody for minutes.
        rounds[peer] = ROUNDS if once < 2 else max(3, ROUNDS // 4)
    times = {peer: [] for peer in runs}
    peers = list(runs)
    for turn in range(ROUNDS):
        for peer in peers[turn % len(peers) :] + peers[: turn % len(peers)]:
            if len(times[peer]) == rounds[peer]:
                continue
            run = runs[peer]
            begun = time.process_time()
            for _ in range(repeats[peer]):
                run()
            times[peer].append((time.process_time() - begun) / repeats[peer] / count)
    for peer, each in times.items():
        micros = statistics.median_low(each) * 1e6
        say(language="Python", task=task, input=name, peer=peer, micros=micros)


say(
    versions=[f"Python {sys.version.split()[0]}"]
    + [f"{name} {version(name)}" for name in ("mcp", "pydantic", "msgspec", "orjson", "rfc8785", "jsonschema")]
)
for peer, judge in JUDGES.items():
    probes = json.loads(probes_path.read_bytes())
    say(peer=f"Python: {peer}", takes=[bool(judge(base64.b64decode(probe["text"]))) for probe in probes])
for path in sorted(corpus.glob("*.*json")):
    data = path.read_bytes()
    documents = data.splitlines() if path.suffix == ".ndjson" else [data]
    for document in documents[:2000]:
        for peer, judge in JUDGES.items():
            assert judge(document), f"{peer} refuses a document of {path.name}"
        assert toolwire.canonicalize(document) == rfc8785.dumps(json.loads(document)), path.name
    verdict = {peer: over(documents, one) for peer, one in VERDICT.items()}
    if path.suffix == ".ndjson":
        verdict["toolwire batch"] = lambda: toolwire.summarize(data)
    race("verdict", path.stem, len(documents), verdict)
    race("canonical", path.stem, len(documents), {peer: over(documents, one) for peer, one in CANONICAL.items()})
