"""One run of a tool's program: reads the call, calls the function, writes the answer."""

import sys

from ._context import Stop, ToolError
from ._hints import Misfit
from ._stdout import accept, called_by_lines, complain, flush
from ._toolwire import Block, Envelope, Invocation, ToolwireError, call


def run(tools, names):
    if called_by_lines():
        from ._lines import run as run_lines

        return run_lines(tools, names)
    invocation = accept()
    if invocation is None:
        raise SystemExit(Invocation.help(sys.argv[0] or "the program", [tool.describe() for tool in tools]))
    answer = turn = invocation.open(names)
    if not isinstance(turn, Envelope):
        try:
            answer = respond(turn, tools, names, lambda kind: kind._of(turn), finished)
        except KeyboardInterrupt:
            # Whoever interrupts it wants no answer.
            raise
        except BaseException as problem:
            answer = failed(turn, problem)
    flush()
    raise SystemExit(invocation.end(answer))


def respond(turn, tools, names, make, finished):
    """The answer of a tool. `make` gives what its function knows of the call, and `finished` what it comes to in
    the end."""
    begun = begin(turn, tools, names, make)
    if isinstance(begun, Envelope):
        return begun
    result, signature, context = begun
    return end(turn, finished(result, context), signature)


def begin(turn, tools, names, make):
    """The answer, if there is nothing to call; else what the function gave, its signature and its context."""
    if turn.action == "describe":
        return described(turn, [tool for tool in tools if turn.name in (None, tool.name)])
    tool = tools[names.index(turn.name)]
    signature = tool._signature
    given = turn.arguments
    arguments = signature.certain(given)
    if arguments is None:
        arguments, mismatches = checked(signature, given)
        if mismatches:
            told = [{"pointer": pointer, "message": message} for pointer, message in mismatches]
            return turn.fail({"tool": tool.name, "mismatches": told})
    if turn.action == "format_arguments":
        return formatted(turn, tool, arguments, make)
    context = make(signature.kind)
    return signature.call(tool._function, arguments, context), signature, context


def described(turn, tools):
    """The tools; one that can't be described keeps no other from that."""
    told, problems = [], {}
    for tool in tools:
        try:
            document = tool.describe()
            turn.check_tool(document)
            told.append(document)
        except Exception as problem:
            if turn.name is not None:
                raise
            problems[tool.name] = str(problem)
            complain(f"toolwire: the tool `{tool.name}` can't be described: {problem}\n")
    return turn.describe(told, problems)


def end(turn, found, signature):
    """The answer with what the function has come to; nothing is said of the kind of a preview."""
    output = None if signature is None or type(found) in (Envelope, Block) else signature.output()
    return finish(turn, found, output)


def checked(signature, arguments):
    """The arguments as the hints say, and where they do not fit."""
    schema, converts = signature.input()
    found = call("check_value", (call("tidy_input", (schema,)), arguments))
    mismatches = [(one["pointer"], one["message"]) for one in found]
    if not mismatches:
        try:
            arguments = signature.convert(arguments, converts)
        except Misfit as misfit:
            mismatches = misfit.pointers()
    return arguments, mismatches


def finish(turn, found, output):
    """The answer with what the function returned, or with why that is none."""
    kind, value = returned(found, output)
    try:
        return turn.finish(kind, value)
    except ToolwireError as problem:
        # The pointer begins with the argument's name.
        place = problem.pointer.partition("/value")[2]
        answer = turn.fail({"returned": {"message": problem.message, "pointer": place}})
        complain(f"{answer.content[-1].text}\n")
        return answer


def formatted(turn, tool, arguments, make):
    if tool._format is None:
        return turn.finish("nothing")
    function, signature = tool._format
    values = {**tool._signature.defaults, **arguments}
    if signature.rest is None:
        values = {name: value for name, value in values.items() if name in signature.names}
    values.pop(tool._signature.context, None)
    context = make(signature.kind)
    return signature.call(function, values, context), None, context


def finished(result, context):
    """What a function gives in the end: a coroutine is awaited; what a generator yields is emitted, and
    what it returns comes after that."""
    kind = type(result)
    if hasattr(kind, "__await__") or hasattr(kind, "__anext__"):
        import asyncio

        return asyncio.run(awaited(result, context))
    if hasattr(kind, "__next__"):
        while True:
            try:
                block = next(result)
            except StopIteration as end:
                return end.value
            context.emit(block)
    return result


async def awaited(result, context):
    if hasattr(type(result), "__await__"):
        return finished(await result, context)
    async for block in result:
        emitted = context.emit(block)
        if emitted is not None:
            await emitted
    return None


def returned(value, output):
    """The kind and the value of what a function returned; `output` is its schema, if it has one."""
    if isinstance(value, Envelope):
        return "envelope", value
    if isinstance(value, Block):
        return "blocks", [value]
    if isinstance(value, (list, tuple)) and (any(isinstance(each, Block) for each in value) or not (value or output)):
        return "blocks", value
    if output is None and isinstance(value, str):
        return "text", value if type(value) is str else named(value)
    if output is None and isinstance(value, (bytes, bytearray)):
        return "text", decoded(value)
    wrapped = output is not None and call("tidy_output", (output,))["wrapped"]
    if value is None and not wrapped:
        return "nothing", None
    from ._plain import plain

    return "wrapped" if wrapped else "value", plain(value)


def named(value):
    from ._plain import name

    return name(value)


def decoded(value):
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        raise ValueError(
            "the tool returned bytes that are no text; give them as `toolwire.resource_from_bytes(path, data)` "
            "or `toolwire.image(data, mime_type)`"
        ) from None


def failed(turn, problem):
    """The answer of a tool that ended by an exception."""
    from ._failure import chain, scalar

    # While a question is pending, the core lets nothing else into the answer.
    if is_stop(problem):
        return turn.finish("nothing")
    if isinstance(problem, SystemExit):
        code = problem.code
        if code is None or code == 0:
            return turn.finish("nothing")
        if isinstance(code, int):
            return turn.fail({"exited": int(code)})
        words = scalar(str(code))
        complain(words + "\n")
        return turn.fail({"message": words})
    # What the author expects to go wrong needs no traceback (AUTH-36).
    if not isinstance(problem, ToolError):
        show(problem)
    return turn.fail(chain(problem))


def is_stop(problem):
    """Whether it says nothing but that the tool has asked: in several tasks at once, perhaps."""
    if isinstance(problem, Exception):
        return False
    held = getattr(problem, "exceptions", None)
    return all(is_stop(each) for each in held) if type(held) is tuple else isinstance(problem, Stop)


def show(exception):
    """The traceback on stderr, from the author's own code on."""
    trace = exception.__traceback__
    while trace is not None and trace.tb_frame.f_globals.get("__package__") in (__package__, "asyncio"):
        trace = trace.tb_next
    try:
        sys.excepthook(type(exception), exception.with_traceback(trace), trace)
        sys.stderr.flush()
    except Exception:
        # There may be no stderr; the answer says what went wrong.
        pass
