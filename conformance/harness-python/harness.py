"""The Python package behind the conformance protocol (spec/08-conformance.md)."""

import base64
import hashlib
import json
import re
import sys

import toolwire as tw

OPS = ("parse receive validate canonicalize digest format explain identify normalize_uri summarize "
       "read_envelope build read_call describe find_secret prompt read_template refusal parse_arguments").split()
FIELDS = "index type text uri name title description mimeType formatted size audience priority lastModified".split()
BINARY = ["blob", "bytes", "data", "stderr", "result"]
FINDING = ["code", "severity", "pointer", "offset", "raw"]


def snake(name):
    return re.sub("[A-Z]", lambda capital: "_" + capital[0].lower(), name)


def camel(name):
    return re.sub("_(.)", lambda letter: letter[1].upper(), name)


def arguments(options):
    """JSON options as keyword arguments; whatever is in base64 becomes bytes."""
    return {snake(name): base64.b64decode(value) if name in BINARY else value for name, value in options.items()}


def reading(parsed):
    return {
        "verdict": parsed.verdict, "isError": parsed.is_error, "status": parsed.status,
        "transient": parsed.transient, "trace": parsed.trace, "document": str(parsed.envelope),
        "structuredContent": parsed.structured_content_json,
        "rawSha256": hashlib.sha256(parsed.raw).hexdigest() if parsed.is_raw else None,
        "blocks": [block(each) for each in parsed.envelope.content],
        "diagnostics": [{name: getattr(found, name) for name in FINDING} for found in parsed.diagnostics],
    }


def block(block):
    answer = {name: getattr(block, snake(name)) for name in FIELDS}
    if block.bytes is not None:
        answer["bytes"] = base64.b64encode(block.bytes).decode()
    if asked := block.question:
        answer["question"] = {"id": asked.id, "text": asked.text, "schema": asked.schema_json, "default": asked.default_json}
    return answer


def call(call):
    names = "name action root arguments options".split()
    answers = [{"id": id, "state": each.state, "source": each.source, "value": each.value}
               for id, each in call.answers.items()]
    return {**{name: getattr(call, name) for name in names}, "answers": answers, "text": str(call),
            "meta": call.to_meta_json()}


def run(op, data, options):
    options = arguments(options)
    limits = arguments(options.pop("limits", {}))
    if op == "build":
        *blocks, last = [(getattr(tw, call["fn"]), arguments(call["args"])) for call in options["calls"]]
        return {"text": str(last[0](*[make(**args) for make, args in blocks], **last[1]))}
    if op == "read_envelope":
        return {"text": tw.canonicalize(tw.Envelope.from_json(data)).decode()}
    if op == "read_call":
        return call(tw.read_call(data, **options, **limits))
    if op == "describe":
        tools = tw.read_description(data, **limits)
        return {} if tools is None else {"tools": tools, "text": str(tw.describe(tools))}
    if op in ("find_secret", "prompt"):
        return getattr(tw, op)(data) or {}
    if op == "read_template":
        return {"value": tw.read_template(data.decode()).value_json}
    if op == "refusal":
        return {"text": str(tw.refusal(**options))}
    if op == "parse_arguments":
        given = tw.parse_arguments(options["words"], data)
        return {"text": tw.canonicalize(json.dumps(given)).decode()}
    if op in ("format", "explain", "identify"):
        data, limits = tw.parse(data, **limits), {}
    answer = getattr(tw, op)(data.decode() if op == "normalize_uri" else data, **options, **limits)
    if isinstance(answer, tw.Parsed):
        return reading(answer)
    if isinstance(answer, tw.Summary):
        return json.loads(answer.to_json())
    if isinstance(answer, list):
        return {"identities": [json.loads(each.to_json()) for each in answer]}
    text = answer.decode() if isinstance(answer, bytes) else answer
    return {} if text is None else {{"digest": "digest", "normalize_uri": "uri"}.get(op, "text"): text}


def shorten(value):
    if isinstance(value, str) and len(value.encode()) > 4096:
        return {"sha256": hashlib.sha256(value.encode()).hexdigest(), "bytes": len(value.encode())}
    if isinstance(value, list):
        return {"items": len(value)} if len(value) > 1000 else [shorten(each) for each in value]
    return {name: shorten(each) for name, each in value.items()} if isinstance(value, dict) else value


for request in map(json.loads, sys.stdin):
    if request["cmd"] == "stop":
        break
    answer = {"protocol": 1, "ops": OPS, "lacks": ["check_answer", "exchange", "author", "ask", "tidy_schema", "project_schema"]}
    answer["implementation"] = {"name": "toolwire", "language": "python", "version": tw.__version__}
    if request["cmd"] == "run":
        try:
            answer = {"result": shorten(run(request["op"], base64.b64decode(request["input"]), request["options"]))}
        except tw.ToolwireError as error:
            answer = {"error": {"code": error.code, "pointer": error.pointer, "offset": error.offset}}
        except Exception as error:
            # Python refuses an unknown or a missing keyword by itself, which stands for the refusal of API-3.
            name = re.search("(?:unexpected|required) keyword(?:-only)? argument:? '(.+)'", str(error))
            code = "bad_argument" if request["op"] == "build" else "bad_option"
            answer = {"error": {"code": code, "pointer": "/" + camel(name[1])}} if name else {"errored": repr(error)}
    print(json.dumps({"seq": request["seq"], **answer}), flush=True)
