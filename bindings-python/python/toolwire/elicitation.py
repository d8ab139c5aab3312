# Generated from schema/api.json. Do not edit: run `cargo xtask codegen`.
"""Questions and answers as the elicitation of MCP."""

from __future__ import annotations

from ._toolwire import call as _call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any, Union

    from . import _toolwire as _views
    from . import types as _types

__all__ = [
    "answer_from_elicit_result",
    "answer_to_elicit_result",
    "can_elicit",
    "from_elicitation",
    "required_capabilities",
    "to_elicitation",
    "to_input_required",
    "without_elicitation",
]


def to_elicitation(question: _types.QuestionInput, *, revision: _types.McpRevision | None, context: Iterable[str] | None = None, client: str | None = None, elicitation_id: str | None = None, tool: str | None = None, service: str | None = None, oauth: str | None = None, url: str | None = None, up_front: str | None = None, app_passwords: str | None = None) -> _types.ToElicitation:
    """Returns a question as the `params` of MCP's `elicitation/create`, with a report of what became of its
    members. `answer_from_elicit_result` reads what the client returns. A question that seems to ask for a
    secret gets a warning, which names the client and lists the alternatives.

    Fails with `secret_question` if the question declares a secret, and with `cannot_elicit` if the revision has
    no such request.

    `revision`: The revision that the client speaks.

    `context`: The texts before the question, by which it may be suspected of asking for a secret.

    `client`: The name that the client gives itself.

    `elicitation_id`: The id of a page that is to be opened, which 2025-11-25 needs.

    `tool`: The tool that asks.

    `service`: The service that the secret belongs to.

    `oauth`: How to sign in with OAuth: a page, a command or a tool.

    `url`: A page where the value can be entered, out of band.

    `up_front`: How to supply the value in advance.

    `app_passwords`: The page where app passwords are created.

    >>> from toolwire import elicitation
    >>> question = {'id': 'n', 'text': 'How many?', 'schema': {'type': 'integer'}}
    >>> asked = elicitation.to_elicitation(question, revision='2025-06-18')
    >>> asked['params']['requestedSchema']
    {'type': 'object', 'properties': {'answer': {'type': 'integer'}}, 'required': ['answer']}
    >>> asked['report'][-1]['pointer']
    '/text'
    """
    return _call("to_elicitation", (question,), {"revision": revision, "context": context, "client": client, "elicitationId": elicitation_id, "tool": tool, "service": service, "oauth": oauth, "url": url, "upFront": up_front, "appPasswords": app_passwords})


def from_elicitation(params: _types.Document, *, id: str) -> _types.FromElicitation:
    """Returns the question that an MCP server asks with these `params` of `elicitation/create`. Its answer, which
    `answer_to_elicit_result` sends back, is an object, unless the form is what a question of one value becomes.

    Fails with `bad_elicitation` if the params are malformed.

    `id`: The id of the question.

    >>> from toolwire import elicitation
    >>> schema = {'type': 'object', 'properties': {'name': {'type': 'string'}}}
    >>> elicitation.from_elicitation({'message': 'Who?', 'requestedSchema': schema}, id='who')['question']
    <toolwire.Question 'who' 'Who?'>
    """
    return _call("from_elicitation", (params,), {"id": id})


def answer_from_elicit_result(question: _types.QuestionInput, result: _types.Document, *, revision: _types.McpRevision) -> _views.Answer:
    """Returns the answer to a question that `to_elicitation` asked, from what the client returned. The value has
    the form of the question's schema, but `check_answer` has still to check it.

    Fails with `bad_elicitation` if the result is malformed.

    `revision`: The revision that the client speaks.

    >>> from toolwire import elicitation
    >>> question = {'id': 'n', 'text': 'How many?', 'schema': {'type': 'integer'}}
    >>> result = {'action': 'accept', 'content': {'answer': 7}}
    >>> elicitation.answer_from_elicit_result(question, result, revision='2025-06-18').value
    7
    """
    return _call("answer_from_elicit_result", (question, result,), {"revision": revision})


def answer_to_elicit_result(params: _types.Document, answer: _views.Answer, *, revision: _types.McpRevision) -> dict[str, Any]:
    """Returns the answer to the `params` of `elicitation/create` as an MCP server gets it. Fields that were left
    out get the server's defaults.

    `revision`: The revision that the client speaks.

    >>> import toolwire
    >>> schema = {'type': 'object', 'properties': {'name': {'type': 'string'}}}
    >>> params = {'message': 'Who?', 'requestedSchema': schema}
    >>> answer = toolwire.Answer({'name': 'Ada'})
    >>> toolwire.elicitation.answer_to_elicit_result(params, answer, revision='2026-07-28')
    {'action': 'accept', 'content': {'name': 'Ada'}}
    """
    return _call("answer_to_elicit_result", (params, answer,), {"revision": revision})


def to_input_required(questions: Iterable[_types.QuestionInput], *, state: str | None = None, context: Iterable[str] | None = None, client: str | None = None, tool: str | None = None, service: str | None = None, oauth: str | None = None, url: str | None = None, up_front: str | None = None, app_passwords: str | None = None) -> _types.ToInputRequired:
    """Returns the result with which a server of 2026-07-28 asks its client: one request for each question, under
    its id. The pointers of the report begin with the places of the questions.

    Fails as `to_elicitation` does, and with `bad_argument` if two questions have the same id.

    `state`: The `requestState` that the client returns. A server seals it, since a client can send anything.

    `context`: The texts before the questions, by which they may be suspected of asking for secrets.

    `client`: The name that the client gives itself.

    `tool`: The tool that asks.

    `service`: The service that the secret belongs to.

    `oauth`: How to sign in with OAuth: a page, a command or a tool.

    `url`: A page where the value can be entered, out of band.

    `up_front`: How to supply the value in advance.

    `app_passwords`: The page where app passwords are created.

    >>> from toolwire import elicitation
    >>> question = {'id': 'ok', 'text': 'Go on?', 'schema': {'type': 'boolean'}}
    >>> asked = elicitation.to_input_required([question], state='sealed')
    >>> asked['result']['resultType'], list(asked['result']['inputRequests']), asked['report'][0]['pointer']
    ('input_required', ['ok'], '/0/id')
    """
    return _call("to_input_required", (questions,), {"state": state, "context": context, "client": client, "tool": tool, "service": service, "oauth": oauth, "url": url, "upFront": up_front, "appPasswords": app_passwords})


def without_elicitation(questions: Iterable[_types.QuestionInput], *, client: str | None = None, tool: str | None = None, refusals: dict[str, _types.Alternatives] | None = None) -> _types.WithoutElicitation:
    """Returns the envelope for a client that cannot ask its user these questions.

    `client`: The name that the client gives itself.

    `tool`: The tool that asks.

    `refusals`: What people can do instead, by the ids of the questions.

    >>> from toolwire import elicitation
    >>> question = {'id': 'branch', 'text': 'Which branch?', 'schema': {'type': 'string'}}
    >>> ways = {'branch': {'up_front': 'the argument `branch`'}}
    >>> without = elicitation.without_elicitation([question], client='Ada', refusals=ways)
    >>> without['envelope'].content[0].text.split(',')[0], without['hasWay']
    ('Ada has no way to ask you for an answer here', True)
    """
    return _call("without_elicitation", (questions,), {"client": client, "tool": tool, "refusals": refusals})


def can_elicit(question: _types.QuestionInput, elicitation: Any | None = None, *, revision: _types.McpRevision) -> bool:
    """Whether an MCP client can be asked a question. `elicitation` is the member of that name in the client's
    capabilities, or None if it has none.

    `revision`: The revision that the client speaks.

    >>> from toolwire import elicitation
    >>> question = {'id': 'ok', 'text': 'Go on?', 'schema': {'type': 'boolean'}}
    >>> elicitation.can_elicit(question, {}, revision='2026-07-28')
    True
    >>> elicitation.can_elicit(question, None, revision='2026-07-28')
    False
    """
    return _call("can_elicit", (question, elicitation,), {"revision": revision})


def required_capabilities(questions: Iterable[_types.QuestionInput]) -> dict[str, Any]:
    """Returns the capabilities that an MCP client needs to be asked these questions.

    >>> from toolwire import elicitation
    >>> elicitation.required_capabilities([{'id': 'ok', 'text': 'Go on?', 'schema': {'type': 'boolean'}}])
    {'elicitation': {'form': {}}}
    """
    return _call("required_capabilities", (questions,))
