"""For authors who stay with FastMCP or the official SDK for Python: what a tool says becomes that SDK's
own result, and a question is asked through it.

    from fastmcp import Context, FastMCP
    from mcp_types import CallToolResult, InputRequiredResult
    import toolwire as tw
    from toolwire import mcp_sdk

    server = FastMCP('files')

    @server.tool
    async def remove(path: str, ctx: Context) -> CallToolResult | InputRequiredResult:
        question = {'id': 'confirm', 'text': f'Remove {path}?', 'schema': {'type': 'boolean'}}
        answers = await mcp_sdk.ask(ctx, question)
        if isinstance(answers, InputRequiredResult):
            return answers
        agreed = answers['confirm'].accepted and answers['confirm'].value
        return mcp_sdk.result(ctx, tw.envelope([tw.text('Removed.' if agreed else 'Kept.')]))

Nothing of an SDK is imported before one of these functions is called.
"""

from ._toolwire import Answer, ToolwireError
from .elicitation import answer_from_elicit_result, can_elicit, to_elicitation
from .mcp import to_result
from .schema import check_answer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ._toolwire import Envelope, Parsed, Question

__all__ = ["ask", "result"]

_NEWEST = "2026-07-28"


def result(ctx: "Any", told: "Envelope | Parsed | str | bytes") -> "Any":
    """What a tool says as a `CallToolResult` for the revision that the client speaks.

    `ctx` is the `Context` of FastMCP or of the official SDK. What MCP has no member for travels in
    `_meta`.
    """
    from mcp_types import CallToolResult

    data = told if isinstance(told, (str, bytes)) else told.json
    mapped = to_result(data, revision=_revision(ctx))["result"]
    return CallToolResult.model_validate(mapped)


async def ask(ctx: "Any", *questions: "Question | dict[str, Any]") -> "Any":
    """Asks the client's user: a dict of answers by the ids of their questions.

    Each answer is accepted with a value that fits its question, opened, declined, cancelled, or unavailable
    where the client can't ask. A client of 2026-07-28 asks and calls again; until then, this gives an
    `InputRequiredResult`, which the tool has to return. All questions of one call of this function are
    answered in one round.

    Raises `ToolwireError` if a question is malformed or declares a secret, and ValueError if the client of
    an older revision accepts with a value that does not fit.
    """
    revision = _revision(ctx)
    session = ctx.session
    declared = getattr(session.client_capabilities, "elicitation", None)
    capability = declared and declared.model_dump(by_alias=True, exclude_none=True)
    if declared is not None and not capability:
        capability = {}
    info = getattr(session.client_params, "client_info", None)
    client = info and (info.title or info.name)
    given = (ctx.input_responses if revision == _NEWEST else None) or {}
    answers = {}
    requests = {}
    for question in questions:
        name = question["id"] if isinstance(question, dict) else question.id
        params = _params(question, revision, client)
        if params is None or not can_elicit(question, capability, revision=revision):
            answers[name] = Answer(state="unavailable", source="policy")
            continue
        requests[name] = params
        if revision != _NEWEST:
            answer, wrong = _read(question, await _send(ctx, params), revision)
            if wrong:
                raise ValueError(f"the answer to `{name}` does not fit: {wrong}")
            answers[name] = answer
        elif name in given:
            answer, wrong = _read(question, given[name], revision)
            if not wrong:
                answers[name] = answer
    if len(answers) == len(questions):
        return answers
    return _required(requests)


def _revision(ctx: "Any") -> "Any":
    """The revision that the client speaks."""
    spoken = ctx.request_context.protocol_version
    known = ("2025-06-18", "2025-11-25", _NEWEST)
    return spoken if spoken in known else known[0]


def _params(question: "Any", revision: "Any", client: "str | None") -> "dict[str, Any] | None":
    """The parameters of `elicitation/create`; None for a page, of which the revision knows nothing (ELI-2)."""
    page = question.get("url") if isinstance(question, dict) else question.url
    elicitation = None
    if page is not None and revision != _NEWEST:
        from uuid import uuid4

        elicitation = str(uuid4())
    try:
        asked = to_elicitation(question, revision=revision, client=client, elicitation_id=elicitation)
        return asked["params"]
    except ToolwireError as error:
        if error.code == "cannot_elicit":
            return None
        raise


async def _send(ctx: "Any", params: "dict[str, Any]") -> "Any":
    """What the client's user makes of a request of an older revision."""
    session, call = ctx.session, ctx.request_id
    if "url" in params:
        return await session.elicit_url(
            params["message"], params["url"], params["elicitationId"], related_request_id=call
        )
    return await session.elicit_form(params["message"], params["requestedSchema"], related_request_id=call)


def _read(question: "Any", replied: "Any", revision: "Any") -> "tuple[Answer, str]":
    """The answer in a result of `elicitation/create`, and why its value does not fit, if so (Q-29)."""
    plain = replied.model_dump(by_alias=True, exclude_none=True)
    answer = answer_from_elicit_result(question, plain, revision=revision)
    if not answer.accepted:
        return answer, ""
    wrong = check_answer(question, answer.value)
    return answer, "; ".join(one["message"] for one in wrong)


def _required(requests: "dict[str, Any]") -> "Any":
    from mcp_types import InputRequiredResult

    asked = {
        name: {"method": "elicitation/create", "params": params} for name, params in requests.items()
    }
    return InputRequiredResult.model_validate({"resultType": "input_required", "inputRequests": asked})
