"""The Python package behind the conformance protocol (spec/08-conformance.md)."""

import base64
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys

import toolwire as tw
from toolwire import _toolwire as native, providers

OPS = ("parse receive validate canonicalize digest format identify normalize_uri summarize "
       "read_envelope build read_call describe find_secret prompt read_template refusal parse_arguments "
       "check_answer exchange author ask tidy_schema project_schema read_legacy unwrap_outcome to_result from_result "
       "to_tool from_tool call_to_meta call_from_meta to_elicitation answer_from_elicit_result from_elicitation "
       "answer_to_elicit_result to_input_required without_elicitation can_elicit required_capabilities tool read_event session read_command action_schema lint_schema find_marker read_line terminal_input "
       "fingerprint project_tool jn_hash diff_tools parse_launch_uri format_launch_uri parse_profile_word format_profile_word "
       "read_lock check_lock find_hidden read_profile write_profile compare_profile "
       "to_message to_turn to_tools from_call").split()
SCRIPTS = ["host_run", "host_list", "host_lines", "host_session"]
TOOLS = pathlib.Path(__file__).parent.parent / "tools" / "parity.py"
FIELDS = "index type text uri name title description mimeType formatted size audience priority lastModified".split()
BINARY = ["blob", "bytes", "data", "stderr", "result"]
FINDING = ["code", "severity", "pointer", "offset", "raw"]


MAX_SAFE = 2 ** 53 - 1


def integers(value):
    """An integer past 2^53 on the line of the protocol (CONF-12)."""
    if list(value) == ["integer"] and re.fullmatch(r"-?[1-9]\d*", str(value["integer"])):
        return int(value["integer"])
    return value


def text_of(value):
    """The text of a JSON value as the package writes it."""
    return tw.envelope([], structured_content=value).member_json("structured_content")


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
        "structuredContent": parsed.member_json("structured_content"),
        "rawSha256": hashlib.sha256(parsed.raw).hexdigest() if parsed.is_raw else None,
        "blocks": [block(each) for each in parsed.envelope.content],
        "diagnostics": [{name: getattr(found, name) for name in FINDING} for found in parsed.diagnostics],
    }


def block(block):
    answer = {name: getattr(block, snake(name)) for name in FIELDS}
    if block.bytes is not None:
        answer["bytes"] = base64.b64encode(block.bytes).decode()
    if asked := block.question:
        answer["question"] = {"id": asked.id, "text": asked.text, "schema": asked.member_json("schema"),
                              "default": asked.member_json("default"), "url": asked.url}
    return answer


def call(call):
    names = "name action root arguments options".split()
    answers = [{"id": id, "state": each.state, "source": each.source, "value": each.value}
               for id, each in call.answers.items()]
    return {**{name: getattr(call, name) for name in names}, "answers": answers, "text": str(call),
            "meta": call.member_json("meta")}


def answer_to(id, answer):
    told = {"id": id, "state": answer.state, "source": answer.source}
    return {**told, "value": answer.value} if answer.accepted else told


def author(document, options):
    turn = native.Turn.open(document, options.get("names", []))
    if isinstance(turn, tw.Envelope):
        return {"text": str(turn), "exit": int(turn.is_error)}
    asked = []
    for step in options.get("steps", []):
        if "emit" in step:
            turn.emit(step["emit"])
            continue
        question = step.get("ask") or step.get("ask_again") or step["require"]
        ask = native.Ask(question["kind"], question["args"])
        if "require" in step:
            turn.require(question["id"], ask)
        else:
            answer = (turn.ask if "ask" in step else turn.ask_again)(question["id"], ask)
            asked.append(answer and {name: value for name, value in answer_to("", answer).items() if name != "id"})
    if "fail" in options:
        answer = turn.fail(options["fail"])
    elif "tools" in options:
        answer = turn.describe(options["tools"], options.get("problems", {}))
    else:
        kind, value = [options.get("finish", {}).get(name) for name in ("kind", "value")]
        answer = turn.finish(kind or "nothing", value)
    return {"asked": asked, "text": str(answer), "exit": int(answer.is_error)}


def exchange(document, options, limits):
    outputs, replies = iter(options.pop("outputs", [])), options.pop("replies", {})
    refusals = options.get("refusals")
    if isinstance(refusals, dict):
        options["refusals"] = {id: arguments(ways) for id, ways in refusals.items()}
    exchange = tw.wire.Exchange(tw.wire.read_call(document, limits=limits), **options)
    calls, asked = [], []
    while (step := exchange.step()) is not None:
        if isinstance(step, str):
            output = next(outputs, None)
            if output is None:
                break
            calls.append(step)
            exchange.handle_result(tw.parse(output, limits=limits))
            continue
        before = sum(each["id"] == step.id for each in asked)
        if before >= len(replies.get(step.id, [])):
            break
        asked.append({
            "id": step.id, "prompt": step.prompt["kind"], "context": len(step.context), "shown": step.shown,
            "default": step.member_json("default"), "mismatches": [one["pointer"] for one in step.mismatches], "round": step.round,
            "secret": step.secret, "warning": step.warning,
        })
        exchange.handle_answer(step.id, tw.Answer(**replies[step.id][before]))
    result = exchange.finish()
    return {
        "calls": calls, "asked": asked, "rounds": result["rounds"], "end": result["end"],
        "answers": [answer_to(id, answer) for id, answer in result["answers"].items()],
        "diagnostics": [{name: getattr(found, name) for name in FINDING[:4]} for found in result["diagnostics"]],
        "verdict": result["parsed"].verdict, "document": str(result["parsed"].envelope),
    }


def check_answer(question, answer=None):
    found = tw.schema.check_question(question)
    if answer is not None or any(each.code == "bad_schema" for each in found):
        answer = "null" if answer is None else answer
        # The value to the letter, as it stands in a document.
        answer = tw.questions.read_template(answer).value
        mismatches = tw.schema.check_answer(question, answer)
    else:
        mismatches = []
    return {
        "mismatches": [{"pointer": one["pointer"]} for one in mismatches],
        "diagnostics": [{name: getattr(each, name) for name in FINDING[:4]} for each in found],
    }


def project(schema, given=None, **options):
    result = tw.schema.project_schema(schema, **options)
    if given is not None:
        result["value"] = text_of(tw.schema.unwrap_value(schema, given, **options))
    return result


def session(id="staging", events=(), **options):
    """What comes of each event, without the wording of refusals."""
    machine = tw.wire.SessionMachine(id, **options)
    # Without blanks, as the blocks of all languages are counted.
    events = [json.dumps(event, ensure_ascii=False, separators=(",", ":")) for event in events]
    outcomes = [machine.handle(event) for event in events]
    for refusal in filter(None, (outcome.get("refusal") for outcome in outcomes)):
        del refusal["message"]
        for mismatch in refusal.get("mismatches", ()):
            del mismatch["message"]
    return {"outcomes": outcomes, "question": machine.question and machine.question.id}


def without_reasons(result):
    """A report without its wording."""
    for entry in result["report"]:
        del entry["reason"]
    return result


def legacy(read):
    if read is None:
        return {}
    read["document"] = str(read.pop("parsed").envelope)
    return without_reasons(read)


def tidy(schema, role="schema", closed=False):
    if closed:
        schema = native.call("close_schema", (schema,))
    if role == "output":
        tidied = native.call("tidy_output", (schema,))
        return {"text": text_of(tidied["schema"]), "wrapped": tidied["wrapped"]}
    return {"text": text_of(native.call("tidy_input" if role == "input" else "tidy_schema", (schema,)))}


def elicitation(op, data, options):
    """The operations of chapter 16; none if it is another one."""
    function = getattr(tw.elicitation, op, None)
    if op in ("to_input_required", "required_capabilities", "without_elicitation"):
        data = json.loads(data)
    if op == "answer_from_elicit_result":
        answer = answer_to("", function(options.pop("question"), data, **options))
        return {name: value for name, value in answer.items() if name != "id"}
    if op == "from_elicitation":
        result = function(data, **options)
        asked = result["question"]
        question = {"id": asked.id, "text": asked.text, "schema": asked.schema, "default": asked.default, "url": asked.url}
        return {**result, "question": question}
    if op == "answer_to_elicit_result":
        return {"result": function(data, tw.Answer(**options.pop("answer")), **options)}
    if op == "without_elicitation":
        refusals = {id: arguments(ways) for id, ways in options.pop("refusals", {}).items()}
        result = function(data, refusals=refusals, **options)
        envelope = result["envelope"]
        return {"text": envelope.content[0].text, "isError": envelope.is_error, "hasWay": result["hasWay"]}
    if op == "can_elicit":
        return {"can": function(data, **options)}
    if op == "required_capabilities":
        return {"required": function(data)}
    return function and function(data, **options)


def mcp(op, data, options, limits):
    if op == "call_from_meta":
        return {"text": str(tw.mcp.call_from_meta(**options, meta=data or None))}
    if op == "call_to_meta":
        meta = tw.mcp.call_to_meta(data)
        return {"text": meta and text_of(meta)}
    limited = {"limits": limits} if op.endswith("result") else {}
    result = without_reasons(getattr(tw.mcp, op)(data, **options, **limited))
    if op == "from_result":
        parsed = result.pop("parsed")
        result |= {"verdict": parsed.verdict, "document": str(parsed.envelope)}
    result.pop("result", None)
    return {"text": text_of(result.pop("tool")), **result} if "tool" in result else result


def contract(op, data, options):
    """The operations of chapters 27 to 31 and 33; none if it is another one."""
    text = data.decode(errors="replace")
    if op in ("fingerprint", "project_tool", "jn_hash"):
        found = getattr(tw.contract, op)(data, **options)
        return {"hash": found} if op == "jn_hash" else found
    if op == "diff_tools":
        both = member_texts(text)
        return differences(tw.contract.diff_tools(both["old"], both["new"], **options))
    if op == "parse_launch_uri":
        return tw.contract.parse_launch_uri(text)
    if op == "format_launch_uri":
        return {"uri": tw.contract.format_launch_uri(data)}
    if op == "parse_profile_word":
        return tw.contract.parse_profile_word(text)
    if op == "format_profile_word":
        return {"text": tw.contract.format_profile_word(data)}
    if op == "find_hidden":
        return {"findings": tw.contract.find_hidden(text), "text": tw.contract.show_hidden(text)}
    if op == "read_lock":
        return lock(data, **options)
    if op == "check_lock":
        return {"report": checked(tw.contract.check_lock(data, **options))}
    if op == "read_profile":
        return profile(data, **options)
    if op == "write_profile":
        return {"files": tw.contract.write_profile(data, options.get("before"))}
    if op == "compare_profile":
        return {"changed": [{"tool": one.get("tool"), "what": one["what"]} for one in tw.contract.compare_profile(data, **options)]}
    return None


def member_texts(text):
    """The texts of an object's members, with all digits of their numbers."""
    between, decode, found = re.compile(r"[\s,:]*"), json.JSONDecoder().raw_decode, {}
    at = text.index("{") + 1
    while text[at := between.match(text, at).end()] != "}":
        name, at = decode(text, at)
        start = between.match(text, at).end()
        _, at = decode(text, start)
        found[name] = text[start:at]
    return found


def differences(diff):
    """Without what is not contract: wording, and which witness was found."""
    for change in diff["changes"]:
        for wording in ("message", "advice"):
            change.pop(wording, None)
        if "witness" in change:
            change["witness"] = next(iter(change["witness"]))
    return diff


def lock(data, update=None):
    found = tw.contract.read_lock(data)["diagnostics"]
    text = tw.contract.write_lock(data) if update is None else tw.contract.update_lock(data, update["name"], update["now"])
    return {"text": text, "diagnostics": [json.loads(each.json) for each in found]}


def checked(report):
    """Without the wording of changes."""
    for source in report["sources"]:
        for tool in source["tools"]:
            tool["changes"] = [{name: change[name] for name in ("tool", "place", "what", "verdict")} for change in tool["changes"]]
    return report


def profile(data, files=False):
    read = tw.contract.read_profile_files(data) if files else tw.contract.read_profile(data)
    tools = [{"name": tool["name"], "tool": tool["tool"], "inputSchema": tool.get("inputSchemaText")} for tool in read["tools"]]
    tested = {name: len(trials) for name, trials in read["testedWith"].items()}
    told = {name: read[name] for name in ("text", "schemaValidation")}
    return {**told, "launcher": read["launcherText"], "tools": tools, "testedWith": tested}


def provider(op, data, options):
    if op == "to_message":
        made = providers.to_message(data, options.pop("call"), **options)
    elif op == "to_turn":
        made = providers.to_turn(**json.loads(data), **options)
    else:
        made = getattr(providers, op)(data.decode(), **options)
    for report in [*made.get("reports", []), made.get("report", [])]:
        for entry in report:
            del entry["reason"]
    if op == "from_call":
        made["refusal"] = made["refusal"] is not None
    return made


def run(op, data, options):
    options = arguments(options)
    limits = arguments(options.pop("limits", {}))
    if (answer := elicitation(op, data, options)) is not None:
        return answer
    if (answer := contract(op, data, options)) is not None:
        return answer
    if op == "build":
        *blocks, last = [(getattr(tw, call["fn"]), arguments(call["args"])) for call in options["calls"]]
        return {"text": str(last[0](*[make(**args) for make, args in blocks], **last[1]))}
    if op == "read_envelope":
        return {"text": tw.canonicalize(tw.Envelope.from_json(data)).decode()}
    if op == "author":
        return author(data, options)
    if op == "ask":
        return {"text": native.Ask(options["kind"], data).json}
    if op == "tidy_schema":
        return tidy(data, **options)
    if op == "project_schema":
        return project(data, **options)
    if op in ("to_message", "to_turn", "to_tools", "from_call"):
        return provider(op, data, options)
    if op in ("to_result", "from_result", "to_tool", "from_tool", "call_to_meta", "call_from_meta"):
        return mcp(op, data, options, limits)
    if op in ("read_legacy", "unwrap_outcome"):
        return legacy(getattr(tw.legacy, op)(data, limits=limits))
    if op == "check_answer":
        return check_answer(data, **options)
    if op == "session":
        return session(**options)
    if op == "read_command":
        return {"text": text_of(json.loads(json.dumps(tw.wire.read_command(data, options["tool"]), sort_keys=True)))}
    if op == "action_schema":
        return {"schema": tw.wire.action_schema(data, **options)}
    if op == "lint_schema":
        return {"diagnostics": [{name: getattr(each, name) for name in FINDING[:4]} for each in tw.schema.lint_schema(data, **options)]}
    if op == "find_marker":
        return {"marker": tw.wire.find_marker(data)}
    if op == "read_line":
        return {"text": tw.wire.read_line(data, options["from"])}
    if op == "terminal_input":
        return tw.wire.terminal_input(json.loads(data), **options)
    if op == "exchange":
        return exchange(data, options, limits)
    if op == "read_call":
        return call(tw.wire.read_call(data, **options, limits=limits))
    if op == "describe":
        tools = tw.wire.read_description(data, limits=limits)
        return {} if tools is None else {"tools": tools, "text": str(tw.wire.describe(tools))}
    if op in ("find_secret", "prompt"):
        return getattr(tw.questions, op)(data, **options) or {}
    if op == "read_template":
        return {"value": tw.questions.read_template(data.decode()).member_json("value")}
    if op == "tool":
        ran = subprocess.run([sys.executable, TOOLS], input=data, stdout=subprocess.PIPE, env={**os.environ, "TOOLWIRE_CALL": "stdin"})
        return {"text": ran.stdout.decode().rstrip("\n"), "exit": ran.returncode}
    if op == "read_event":
        event = tw.wire.read_event(data)
        return {} if event is None else {"text": event.json}
    if op == "refusal":
        return {"text": str(tw.questions.refusal(**options))}
    if op == "parse_arguments":
        given = tw.wire.parse_arguments(options["words"], data)
        return {"text": text_of(given)}
    if op in ("format", "identify"):
        data, limits = tw.parse(data, limits=limits), {}
    answer = getattr(tw, op)(data.decode() if op == "normalize_uri" else data, **options, **({"limits": limits} if limits else {}))
    if isinstance(answer, tw.Parsed):
        return reading(answer)
    if isinstance(answer, dict):
        return answer
    if isinstance(answer, list):
        return {"identities": answer}
    text = answer.decode() if isinstance(answer, bytes) else answer
    return {} if text is None else {{"digest": "digest", "normalize_uri": "uri"}.get(op, "text"): text}


def shorten(value):
    if isinstance(value, str) and len(value.encode()) > 4096:
        return {"sha256": hashlib.sha256(value.encode()).hexdigest(), "bytes": len(value.encode())}
    if isinstance(value, list):
        return {"items": len(value)} if len(value) > 1000 else [shorten(each) for each in value]
    if type(value) is int and abs(value) > MAX_SAFE:
        return {"integer": str(value)}
    return {name: shorten(each) for name, each in value.items()} if isinstance(value, dict) else value


for request in (json.loads(line, object_hook=integers) for line in sys.stdin):
    if request["cmd"] == "stop":
        break
    # The host is that of Rust, whose harness runs the scripts.
    answer = {"protocol": 1, "ops": OPS, "lacks": SCRIPTS, "program": [sys.executable, str(TOOLS)]}
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
