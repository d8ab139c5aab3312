"""What a tool says back: typed results that every host and language reads the same way.

Write an answer:

>>> import toolwire as tw
>>> print(tw.envelope(tw.text('3 files checked'), structured_content={'files': 3}))
{"content":[{"text":"3 files checked","type":"text"}],"structuredContent":{"files":3}}

Read one, whatever it is:

>>> parsed = tw.parse('not an envelope')
>>> parsed.verdict, parsed.envelope.content[0].text
('raw', 'not an envelope')
"""

# Nothing else is imported here: a tool is a process, so import time is part of every call.
from ._toolwire import (
    Answer,
    Block,
    Call,
    Diagnostic,
    Envelope,
    Identity,
    Line,
    Parsed,
    Question,
    Summary,
    ToolwireError,
    __version__,
    audio,
    canonicalize,
    describe,
    digest,
    envelope,
    error,
    explain,
    file_uri,
    find_secret,
    format,
    identify,
    image,
    normalize_uri,
    parse,
    parse_arguments,
    parse_lines,
    prompt,
    question,
    read_call,
    read_description,
    read_question,
    read_template,
    receive,
    refusal,
    resource,
    resource_from_bytes,
    resource_from_file,
    resource_link,
    summarize,
    template,
    text,
    validate,
)

__all__ = [
    "Answer",
    "Block",
    "Call",
    "Diagnostic",
    "Envelope",
    "Identity",
    "Line",
    "Parsed",
    "Question",
    "Summary",
    "ToolwireError",
    "__version__",
    "audio",
    "canonicalize",
    "describe",
    "digest",
    "envelope",
    "error",
    "explain",
    "file_uri",
    "find_secret",
    "format",
    "identify",
    "image",
    "normalize_uri",
    "parse",
    "parse_arguments",
    "parse_lines",
    "prompt",
    "question",
    "read_call",
    "read_description",
    "read_question",
    "read_template",
    "receive",
    "refusal",
    "resource",
    "resource_from_bytes",
    "resource_from_file",
    "resource_link",
    "summarize",
    "template",
    "text",
    "validate",
]
