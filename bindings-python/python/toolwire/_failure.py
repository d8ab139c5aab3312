"""An exception as the core is told of it: its chain, with the names and codes of each link (AUTH-30)."""

import sys

MOST = 100


def chain(exception):
    """The links, the outermost first: of a group what it holds, then what a traceback shows above it."""
    links = []
    seen = []
    waiting = [exception]
    while waiting and len(links) < MOST:
        link = waiting.pop()
        if any(link is earlier for earlier in seen):
            continue
        seen.append(link)
        links.append({"message": message(link), "names": names(link)})
        waiting.extend(reversed(behind(link)))
    transient = get(exception, "transient")
    # An author who knows better says so (AUTH-33).
    return {"chain": links, "transient": transient} if isinstance(transient, bool) else {"chain": links}


def get(thing, name):
    """An attribute, or None. Looking at an exception must not fail because of what is in it."""
    try:
        return getattr(thing, name, None)
    except Exception:
        return None


def behind(exception):
    """What an exception came from, the nearest first."""
    held = get(exception, "exceptions")
    found = list(held[:MOST]) if type(held) in (list, tuple) else []
    cause = exception.__cause__
    if cause is None and not exception.__suppress_context__:
        cause = exception.__context__
    return [link for link in [*found, cause] if isinstance(link, BaseException)]


def message(exception):
    """What it says, with its notes."""
    try:
        said = str(exception)
    except Exception:
        said = ""
    notes = get(exception, "__notes__")
    if type(notes) is list:
        said = "\n".join([said] + [note for note in notes[:MOST] if type(note) is str])
    return scalar(said)


def scalar(text):
    """The text without halves of surrogate pairs, which JSON cannot carry."""
    return "".join("\ufffd" if "\ud800" <= letter <= "\udfff" else letter for letter in text)


def names(exception):
    """The names of its classes, then its codes: what the core's table of transient errors knows."""
    found = [cls.__name__ for cls in type(exception).__mro__ if cls is not object]
    number = get(exception, "errno")
    if type(number) is int and isinstance(exception, OSError):
        found += code_names(exception, number)
    for source in (exception, get(exception, "response")):
        for attribute in ("status_code", "status", "code"):
            status = get(source, attribute)
            # `http.HTTPStatus` is an int too.
            if isinstance(status, int):
                found.append(f"http:{int(status)}")
    word = get(exception, "sqlite_errorname")
    if type(word) is str:
        found.append(word)
    return [scalar(name) for name in found]


def code_names(exception, number):
    # The numbers of resolvers are another table than those of the system.
    socket = sys.modules.get("socket")
    if socket and isinstance(exception, socket.gaierror):
        return [name for name in dir(socket) if name.startswith("EAI_") and getattr(socket, name) == number]
    from errno import errorcode

    return [errorcode[number]] if number in errorcode else []
