# Generated from schema/api.json. Do not edit: run `cargo xtask codegen`.
"""Questions: how they are presented, which are never asked, and what replaces an answer."""

from __future__ import annotations

from ._toolwire import call as _call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any, Union

    from . import _toolwire as _views
    from . import types as _types

__all__ = [
    "find_secret",
    "prompt",
    "read_question",
    "read_template",
    "refusal",
    "template",
]


def read_question(question: _types.QuestionInput) -> _views.Question:
    """Reads a question in the form that it has in a block.

    Fails with `bad_argument` if it is not a question.

    >>> from toolwire import questions
    >>> questions.read_question({'id': 'sure', 'text': 'Go on?', 'schema': {'type': 'boolean'}})
    <toolwire.Question 'sure' 'Go on?'>
    """
    return _call("read_question", (question,))


def find_secret(question: _types.QuestionInput, context: Iterable[str] | None = None) -> _types.Secret | None:
    """Returns the first sign that a question asks for a secret; None if there is none. `context` holds the texts
    before the question. No list of words stops a tool that lies.

    >>> from toolwire import questions
    >>> question = {'id': 'q', 'text': 'Your API key?', 'schema': {'type': 'string'}}
    >>> sorted(questions.find_secret(question).items())
    [('about', 'secret'), ('pointer', '/text'), ('reason', 'wording'), ('tier', 'suspected')]
    >>> question['text'] = 'Continue'
    >>> questions.find_secret(question, ['Enter your password below.'])['pointer']
    '/context/0'
    """
    return _call("find_secret", (question, context,))


def prompt(question: _types.QuestionInput) -> _types.Prompt:
    """Returns how a question is presented to a person. The members depend on `kind`.

    Fails with `secret_question`, with a pointer into the question, if it declares a secret.

    >>> from toolwire import questions
    >>> question = {'id': 'n', 'text': 'How many?', 'schema': {'type': 'integer', 'minimum': 1}, 'default': 2}
    >>> questions.prompt(question)
    {'kind': 'number', 'integer': True, 'minimum': 1, 'default': 2}
    """
    return _call("prompt", (question,))


def template(question: _types.QuestionInput) -> str:
    """Returns the text that an editor starts with for a question without a simple prompt: the question in
    comments, and an answer to fill in.

    >>> from toolwire import questions
    >>> print(questions.template({'id': 'tags', 'text': 'Which tags?', 'schema': {'type': 'array'}}))
    // Which tags?
    //
    // Write your answer as JSON. Lines that start with // are ignored.
    // Save and close to answer. To cancel, delete everything but comments.
    []
    <BLANKLINE>
    """
    return _call("template", (question,))


def read_template(edited: _types.Output) -> _views.Answer:
    """Reads the answer in an edited template: accepted, or cancelled if only comments are left.

    Fails with the code and the offset of the first mistake if the rest is not strict JSON.

    >>> from toolwire import questions
    >>> questions.read_template('// Which tags?\\n["a"]').value
    ['a']
    >>> questions.read_template('// Which tags?\\n').state
    'cancelled'
    """
    return _call("read_template", (edited,))


def refusal(*, host: str, tool: str | None = None, service: str | None = None, reason: _types.RefusalReason | None = None, about: _types.RefusalAbout | None = None, oauth: str | None = None, url: str | None = None, up_front: str | None = None, app_passwords: str | None = None) -> _views.Envelope:
    """Returns the envelope for a question without an answer: why there is none, the alternatives, the best one
    first, and what to be careful about.

    `host`: The name of the host or client, as people know it.

    `tool`: The tool that wanted an answer.

    `service`: The service that the secret belongs to.

    `reason`: Why there is no answer (default: `refused`).

    `about`: What was wanted (default: `secret`).

    `oauth`: How to sign in with OAuth: a page, a command or a tool.

    `url`: A page where the value can be entered, out of band.

    `up_front`: How to supply the value in advance.

    `app_passwords`: The page where app passwords are created.

    >>> from toolwire import questions
    >>> answer = questions.refusal(host='Ada', tool='login', about='password')
    >>> answer.is_error, answer.content[0].text.split(',')[0]
    (True, 'Ada did not ask you for a password')
    """
    return _call("refusal", (), {"host": host, "tool": tool, "service": service, "reason": reason, "about": about, "oauth": oauth, "url": url, "upFront": up_front, "appPasswords": app_passwords})
