"""What a type hint is: hints that are text are evaluated where they stand, and forms told apart.

Nothing is imported here unless a hint needs it.
"""

import sys

NONE = type(None)
UNION = type(int | str) if sys.version_info >= (3, 10) else None


class NoSchema(Exception):
    """A hint that no JSON value can follow, and what to write instead."""


class Misfit(Exception):
    """A value that fits the schema and still is none: each place as steps from inside out, and why."""

    def __init__(self, *places):
        super().__init__(*places)
        self.places = [(list(steps), message) for steps, message in places]

    def under(self, step):
        for steps, _ in self.places:
            steps.append(step)
        return self

    def pointers(self):
        """The places as JSON Pointers."""
        return [("".join(map(escaped, reversed(steps))), message) for steps, message in self.places]


def escaped(step):
    return "/" + str(step).replace("~", "~0").replace("/", "~1")


def integer(value):
    """JSON has one number: `1.0` is an integer too."""
    return int(value) if type(value) is float else value


# The plans of the simplest hints: a schema, which is copied, and the function that converts, or None.
PLAIN = {
    str: ({"type": "string"}, None),
    int: ({"type": "integer"}, integer),
    float: ({"type": "number"}, float),
    bool: ({"type": "boolean"}, None),
    NONE: ({"type": "null"}, None),
    dict: ({"type": "object", "additionalProperties": True}, None),
    list: ({"type": "array", "items": {}}, None),
    tuple: ({"type": "array", "items": {}}, tuple),
}


class Unresolved(Exception):
    """A hint that is text and cannot be evaluated."""


class Scope:
    """Where the names in a hint are looked up, and what its type variables stand for."""

    __slots__ = ("globals", "locals", "members", "variables")

    def __init__(self, globals, locals=None, variables=None, members=None):
        self.globals = globals
        self.locals = locals or {}
        self.variables = variables or {}
        # The names within a class come last: a field `date` is not what `date` means in its own hint.
        self.members = members or {}

    @classmethod
    def of(cls, owner, hint, around=None):
        """The scope of the members of a class, or of a type alias, that is hinted as `hint`."""
        module = sys.modules.get(owner.__module__)
        names = {parameter.__name__: parameter for parameter in getattr(owner, "__type_params__", ())}
        if isinstance(owner, type):
            # A class in a function is no global, but it knows itself.
            names[owner.__name__] = owner
        origin = getattr(hint, "__origin__", None)
        parameters = getattr(origin, "__parameters__", None) or getattr(origin, "__type_params__", ())
        where = around or cls(vars(module) if module else {})
        variables = {
            parameter: (argument, where) for parameter, argument in zip(parameters, getattr(hint, "__args__", ()))
        }
        return cls(vars(module) if module else {}, names, variables, getattr(owner, "__dict__", None))


def bound(hint, scope):
    """A hint with what its type variables stand for."""
    parameters = getattr(hint, "__parameters__", ()) if scope.variables else ()
    if type(parameters) is not tuple or not any(each in scope.variables for each in parameters):
        return hint
    arguments = (resolve(*scope.variables[each]) if each in scope.variables else each for each in parameters)
    return hint[tuple(arguments)]


def as_base(hint, base):
    """The hint of a class as that of a class above it: of `Ints(Box[int])`, `Box[int]` for `Box`; None if there is
    no such class above it."""
    cls = getattr(hint, "__origin__", hint)
    if cls is base:
        return hint
    for above in cls.__dict__.get("__orig_bases__", cls.__bases__):
        if isinstance(getattr(above, "__origin__", above), type):
            found = as_base(bound(above, Scope.of(cls, hint)), base)
            if found is not None:
                return found
    return None


def resolve(hint, scope):
    """The hint itself, whatever layers of text are around it."""
    for _ in range(16):
        text = hint if type(hint) is str else getattr(hint, "__forward_arg__", None)
        if type(text) is not str:
            return hint
        module = sys.modules.get(getattr(hint, "__forward_module__", None))
        # What a TypedDict has from another module is read there.
        hint = evaluate(text, Scope(vars(module), scope.locals, members=scope.members) if module else scope)
    raise Unresolved("the hint is text within text")


def evaluate(text, scope):
    try:
        try:
            return eval(text, scope.globals, scope.locals)
        except NameError:
            return eval(text, scope.globals, {**scope.members, **scope.locals})
    except NameError as problem:
        name = getattr(problem, "name", None) or str(problem).split("'")[1]
        raise Unresolved(
            f"the name `{name}` of the hint `{text}` is not known when the program runs; import it outside "
            "of `if TYPE_CHECKING:`"
        ) from None
    except TypeError as problem:
        if UNION is None and "|" in text:
            return eval(older(text), {**scope.globals, "__typing": _typing()}, scope.locals)
        raise Unresolved(f"the hint `{text}` can't be evaluated: {problem}") from None
    except (SyntaxError, AttributeError, UnicodeError) as problem:
        raise Unresolved(f"the hint {told(text)} can't be evaluated: {problem}") from None


def _typing():
    import typing

    return typing


def older(text):
    """`X | Y` as Python 3.9 can evaluate it."""
    import ast

    class Rewriter(ast.NodeTransformer):
        def visit_BinOp(self, node):
            self.generic_visit(node)
            if not isinstance(node.op, ast.BitOr):
                return node
            union = ast.Attribute(ast.Name("__typing", ast.Load()), "Union", ast.Load())
            both = ast.Tuple([node.left, node.right], ast.Load())
            return ast.Subscript(union, both, ast.Load())

    tree = ast.fix_missing_locations(Rewriter().visit(ast.parse(text.strip(), mode="eval")))
    return compile(tree, "<hint>", "eval")


def bare(hint):
    """The word for a form of `typing`, or None for classes and what is built of them."""
    if UNION is not None and isinstance(hint, UNION):
        return "Union"
    kind = type(hint).__name__
    if kind in ("TypeVar", "TypeAliasType"):
        return kind
    if hasattr(hint, "__supertype__"):
        return "NewType"
    typing = sys.modules.get("typing")
    if typing is not None and hint is typing.Any:
        return "Any"
    origin = getattr(hint, "__origin__", hint)
    if type(origin).__name__ == "TypeAliasType":
        return "TypeAliasType"
    if isinstance(origin, type):
        return None
    name = getattr(origin, "_name", None)
    return name if type(name) is str else None


def shown(hint):
    """A hint as its author wrote it, more or less."""
    if isinstance(hint, type) and not hasattr(hint, "__args__"):
        return hint.__qualname__ if hint.__module__ == "builtins" else f"{hint.__module__}.{hint.__qualname__}"
    return told(hint)


def told(value):
    """A value in a message: short, and whatever its `repr` does."""
    try:
        text = repr(value)
    # A number of 5,000 digits, a list as deep as that, a `__repr__` that fails.
    except Exception:
        text = f"a `{type(value).__name__}`"
    return text if len(text) <= 200 else f"{text[:199]}…"
