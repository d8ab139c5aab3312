"""What a tool's function takes and gives: its schemas, and calling it with JSON's values."""

from ._context import Called, Context
from ._hints import NONE, PLAIN, Misfit, NoSchema, Scope, Unresolved, bare, resolve, told
from ._toolwire import Block, Envelope

VARARGS, VARKEYWORDS = 4, 8
# A coroutine, or an async generator.
ASYNC = 0x80 | 0x200
# What a return hint may say beside data: these travel as blocks, or not at all.
NO_DATA = (Envelope, Block)
STREAMS = ("Iterator", "Generator", "AsyncIterator", "AsyncGenerator")
# The values of JSON that fit the simplest hints without any doubt.
EXACT = {
    str: (str,),
    int: (int,),
    float: (float, int),
    bool: (bool,),
    dict: (dict,),
    list: (list,),
    tuple: (list,),
    NONE: (NONE,),
}
# Schemas that say no more than what is seen anyway.
EMPTY = ({}, PLAIN[dict][0], PLAIN[list][0])


class Lazy:
    """A maker of schemas that is imported for the first hint that needs it."""

    def __init__(self, **options):
        self.options = options
        self.maker = None

    def __getattr__(self, name):
        if self.maker is None:
            from ._schema import Maker

            self.maker = Maker(**self.options)
        return getattr(self.maker, name)

    def document(self, schema):
        return schema if self.maker is None else self.maker.document(schema)


class Signature:
    """The parameters of a function. `refuse` makes an error that names the function."""

    def __init__(self, function, locals=None):
        inner = function
        given, named = 0, set()
        while True:
            # What `functools.partial` gives is no argument any more; `wraps` may hide it.
            if type(inner).__name__ == "partial" and hasattr(inner, "keywords"):
                given, named, inner = given + len(inner.args), named | set(inner.keywords), inner.func
            elif hasattr(inner, "__wrapped__"):
                inner = inner.__wrapped__
            else:
                break
        # A wrapper may wait for what is async inside.
        code = getattr(function, "__code__", None) or getattr(inner, "__code__", None)
        self.is_async = code is not None and bool(code.co_flags & ASYNC)
        code = getattr(inner, "__code__", None)
        if code is None:
            raise TypeError(f"{told(function)} is no function; a tool is a function written in Python")
        self.function = inner
        self.name = inner.__name__
        self.scope = Scope(inner.__globals__, locals)
        count = code.co_argcount + code.co_kwonlyargcount
        first = given + (1 if hasattr(inner, "__self__") else 0)
        names = tuple(name for name in code.co_varnames[first:count] if name not in named)
        self.positional = code.co_varnames[first : code.co_posonlyargcount]
        if code.co_flags & VARARGS:
            raise self.refuse(
                f"`*{code.co_varnames[count]}` has no name for its arguments; give a list as a parameter"
            )
        self.rest = code.co_varnames[count] if code.co_flags & VARKEYWORDS else None
        usual = inner.__defaults__ or ()
        self.defaults = dict(zip(code.co_varnames[code.co_argcount - len(usual) : code.co_argcount], usual))
        self.defaults.update(inner.__kwdefaults__ or {})
        self.names = names
        self._hints = None
        self._context = None

    def refuse(self, message):
        return TypeError(f"{self.name}(): {message}")

    @property
    def hints(self):
        if self._hints is None:
            try:
                # From Python 3.14 on, this is where the hints are evaluated.
                self._hints = self.function.__annotations__
            except NameError as problem:
                raise self.refuse(f"a hint can't be evaluated: {problem}") from None
        return self._hints

    def hint(self, name):
        """The hint of a parameter, or of `return`; None if it has none."""
        try:
            return resolve(self.hints[name], self.scope)
        except KeyError:
            return None
        except Unresolved as problem:
            raise self.refuse(f"{self.called(name)}: {problem}") from None

    @staticmethod
    def called(name):
        return "what it returns" if name == "return" else f"the parameter `{name}`"

    @property
    def context(self):
        """The parameter that gets the context, or `""`."""
        if self._context is None:
            found = [name for name in self.names if self.is_context(name)]
            if len(found) > 1:
                raise self.refuse(f"both `{found[0]}` and `{found[1]}` are the context of the call; one is enough")
            self._context = found[0] if found else ""
        return self._context

    @property
    def kind(self):
        """What the function gets to know its call by: Context, Session or SyncSession."""
        return self.kind_of(self.context) if self.context else Context

    @property
    def is_session(self):
        """Whether the function can keep running, and be told things."""
        return self.kind is not Context

    def is_context(self, name):
        return self.kind_of(name) is not None

    def kind_of(self, name):
        """The kind of context that this parameter is; None if it is an argument."""
        if name not in self.hints:
            return Context if name == "ctx" else None
        for member in self.members(name, self.hint(name)):
            if isinstance(member, type) and issubclass(member, Called):
                if member.__name__ in ("Session", "SyncSession") and (member.__name__ == "Session") != self.is_async:
                    fits = "a plain function takes a `SyncSession`, and an async one a `Session`"
                    raise self.refuse(f"the parameter `{name}` is a `{member.__name__}`: {fits}")
                return member
        return None

    def members(self, name, hint):
        """What a hint allows: the members of a union, or the hint alone."""
        if bare(hint) != "Union":
            return [hint]
        try:
            return [resolve(member, self.scope) for member in getattr(hint, "__args__", ())]
        except Unresolved as problem:
            raise self.refuse(f"{self.called(name)}: {problem}") from None

    def plan(self, name, maker):
        if name not in self.hints:
            return {}, None
        hint = self.hint(name)
        if isinstance(hint, type) and hint in PLAIN:
            schema, convert = PLAIN[hint]
            return dict(schema), convert
        try:
            return maker.plan(hint, self.scope)
        except (NoSchema, Unresolved) as problem:
            raise self.refuse(f"{self.called(name)}: {problem}") from problem.__cause__

    def input(self, docs=None):
        """The schema of the arguments, and how each one is converted.

        `docs` are the descriptions of the parameters, if descriptions are wanted.
        """
        maker = Lazy(docs=docs is not None)
        properties = {}
        required = []
        converts = {}
        for name in self.names:
            if name == self.context:
                continue
            schema, convert = self.plan(name, maker)
            if docs is not None:
                schema = dict(schema)
                if name in docs and "description" not in schema:
                    schema["description"] = docs[name]
                if name in self.defaults:
                    from ._schema import default_of

                    schema.update(default_of(self.default(name)))
            properties[name] = schema
            if name not in self.defaults:
                required.append(name)
            if convert:
                converts[name] = convert
        whole = {"type": "object", "properties": properties}
        if required:
            whole["required"] = required
        if self.rest:
            schema, converts[self.rest] = self.plan(self.rest, maker)
            whole["additionalProperties"] = schema
        return maker.document(whole), converts

    def default(self, name):
        value = self.defaults[name]
        if type(value).__name__ == "FieldInfo":
            raise self.refuse(f"{self.called(name)}: write `Annotated[..., Field(...)] = default`")
        return value

    def certain(self, arguments):
        """The arguments as the hints say, if they fit without any doubt; else None.

        This spares most calls the making of a schema and of its validator, which take longer than all
        the rest of a simple run.
        """
        for name in self.names:
            if name not in self.defaults and name not in arguments and name != self.context:
                return None
        values = {}
        for name, value in arguments.items():
            if name not in self.names or name == self.context:
                return None
            if name in self.hints:
                hint = self.optional(name, self.hint(name))
                if value is None and hint is not self.hint(name):
                    hint = NONE
                if not isinstance(hint, type) or type(value) not in EXACT.get(hint, ()):
                    return None
                convert = PLAIN[hint][1]
                value = convert(value) if convert else value
            values[name] = value
        return values

    def optional(self, name, hint):
        """What stands beside None in a hint of two."""
        members = self.members(name, hint)
        if len(members) == 2 and NONE in members:
            return members[members[0] is NONE]
        return hint

    def convert(self, arguments, converts):
        """The arguments as the hints say; or raises Misfit with every one that does not fit."""
        values = {}
        misfits = []
        for name, value in arguments.items():
            convert = converts.get(name if name in self.names else self.rest)
            try:
                values[name] = convert(value) if convert else value
            except Misfit as misfit:
                misfits.append(misfit.under(name))
        if misfits:
            raise Misfit(*(place for misfit in misfits for place in misfit.places))
        return values

    def call(self, function, values, context):
        if self.context:
            values = {**values, self.context: context}
        if not self.positional:
            return function(**values)
        first = [values[name] if name in values else self.defaults[name] for name in self.positional]
        return function(*first, **{name: value for name, value in values.items() if name not in self.positional})

    def output(self, docs=False):
        """The schema of what the function returns, or None where that is no data."""
        if "return" not in self.hints:
            return None
        hint = self.hint("return")
        if bare(hint) in ("Never", "NoReturn", "Any") or hint is None:
            return None
        data = [member for member in self.members("return", hint) if not self.is_no_data(member)]
        kinds = [core(member) for member in data]
        # A text is a block. With data beside it, nothing can be said of what comes.
        if str in kinds or bytes in kinds or all(kind in (type(None), object) for kind in kinds):
            return None
        maker = Lazy(output=True, docs=docs)
        try:
            schema = maker.union(data, self.scope)[0]
        except (NoSchema, Unresolved) as problem:
            raise self.refuse(f"what it returns: {problem}") from problem.__cause__
        return None if schema in EMPTY else maker.document(schema)

    def is_no_data(self, hint):
        """Whether values of this hint travel as blocks, or are the envelope."""
        if hint in NO_DATA:
            return True
        origin = getattr(hint, "__origin__", None)
        if getattr(origin, "__name__", "") in STREAMS:
            return True
        # A list of blocks, with texts among them perhaps.
        inner = getattr(hint, "__args__", ())
        if not isinstance(origin, type) or issubclass(origin, dict):
            return False
        inner = [resolve(each, self.scope) for each in inner if each is not Ellipsis]
        return any(member in NO_DATA for each in inner for member in self.members("return", each))


def core(hint):
    """The hint without what `Annotated` says of it."""
    while type(getattr(hint, "__metadata__", None)) is tuple:
        hint = hint.__origin__
    return hint


def local_names(frame):
    """The names around a function that is defined within another one; the module's are found anyway."""
    return dict(frame.f_locals) if frame.f_locals is not frame.f_globals else None
