"""JSON Schemas from type hints, and JSON values turned into what the hints say.

A tool is a process, so this module imports nothing: a hint of a module that is not loaded cannot
exist, and what is loaded stands in ``sys.modules``.
"""

import sys

from ._hints import NONE, PLAIN, Misfit, NoSchema, Scope, as_base, bare, bound, resolve, shown, told
from ._toolwire import ToolwireError, call

# A plan is a pair: the schema of a hint, and the function that turns a JSON value which fits the
# schema into the value of the hint, or None where they are the same.


def _bytes(text):
    from binascii import Error, a2b_base64

    try:
        return a2b_base64(text)
    except Error as problem:
        raise Misfit(([], "this is no base64")) from problem


class Maker:
    """Makes the plans of one schema document: `defs` is its `$defs`.

    `output` says that the schema is of what a tool returns, `docs` that descriptions are wanted.
    """

    def __init__(self, output=False, docs=False):
        self.output = output
        self.docs = docs
        self.defs = {}
        self._done = {}
        self._open = {}

    def document(self, schema):
        """The whole schema, with its definitions."""
        return {**schema, "$defs": self.defs} if self.defs else schema

    def plan(self, hint, scope):
        named = hint
        hint = bound(resolve(hint, scope), scope)
        if hint is None:
            hint = NONE
        if isinstance(hint, type) and hint in PLAIN:
            schema, convert = PLAIN[hint]
            return dict(schema), convert
        if named is not hint and bare(hint) == "Union" and not hint.__parameters__:
            # An alias may hold itself, as a text.
            return self.once(hint, identifier(named), lambda: self.form(hint, scope))
        return self.form(hint, scope)

    def form(self, hint, scope):
        metadata = getattr(hint, "__metadata__", None)
        if type(metadata) is tuple:
            from ._annotated import annotate, is_for_pydantic

            if any(is_for_pydantic(meta) for meta in metadata):
                return self.adapted(hint)
            schema, convert = self.plan(hint.__origin__, scope)
            return annotate(schema, convert, metadata)
        form = bare(hint)
        if form in ("Union", "Optional", "Literal") and not getattr(hint, "__args__", ()):
            raise NoSchema(self.advice(hint))
        if form == "Union":
            return self.union(hint.__args__, scope)
        if form in ("Any", "object"):
            return {}, None
        if form == "Literal":
            return self.literal(hint.__args__)
        if form in ("Required", "NotRequired", "ReadOnly", "Final") and hasattr(hint, "__args__"):
            return self.plan(hint.__args__[0], scope)
        if form == "LiteralString":
            return {"type": "string"}, None
        if form == "TypeVar":
            return self.variable(hint, scope)
        if form == "NewType":
            return self.plan(hint.__supertype__, scope)
        if form == "TypeAliasType":
            alias = getattr(hint, "__origin__", hint)
            inner = Scope.of(alias, hint)
            return self.once(hint, alias.__name__, lambda: self.plan(alias.__value__, inner))
        origin = getattr(hint, "__origin__", hint)
        if isinstance(origin, type):
            return self.of_class(origin, hint, scope)
        raise NoSchema(self.advice(hint))

    def advice(self, hint):
        return (
            f"the hint `{shown(hint)}` has no JSON Schema; give str, int, float, bool, None, list, dict, "
            "Literal, Enum, TypedDict, a dataclass, or a pydantic model"
        )

    # -- classes ------------------------------------------------------------------------------

    def of_class(self, cls, hint, scope):
        arguments = getattr(hint, "__args__", ()) if hint is not cls else ()
        if cls is object:
            return {}, None
        if issubclass(cls, tuple) and hasattr(cls, "_fields"):
            return self.named_tuple(cls, hint)
        if cls in (tuple,):
            return self.tuple(arguments, scope)
        if loaded("enum", cls, "Enum"):
            return self.enum(cls)
        if hasattr(cls, "model_json_schema") and hasattr(cls, "model_validate"):
            return self.pydantic(hint, cls.model_json_schema, cls.model_validate)
        if hasattr(cls, "__dataclass_fields__"):
            return self.once(hint, cls.__name__, lambda: self.dataclass(cls, hint))
        if hasattr(cls, "__required_keys__") and issubclass(cls, dict):
            return self.once(hint, cls.__name__, lambda: self.typed_dict(cls, hint))
        kind = collection(cls)
        if kind == "object":
            return self.mapping(arguments, scope)
        if kind == "array":
            return self.items(cls, arguments, scope)
        plan = written(cls, self.output)
        if plan:
            return plan
        for base in (bool, int, float, str):
            if issubclass(cls, base):
                return dict(PLAIN[base][0]), guarded(cls)
        if "pydantic" in sys.modules:
            return self.adapted(hint)
        raise NoSchema(self.advice(hint))

    def once(self, hint, name, build):
        """The plan of a class. One that holds itself becomes a definition, and its inside refers to it."""
        try:
            hash(hint)
            key = hint
        except TypeError:
            # `Annotated` with a dict in it.
            key = id(hint)
        if key in self._done:
            return self._done[key][0]
        entry = self._open.get(key)
        if entry is not None:
            entry["name"] = entry["name"] or self.fresh(name)
            inner = entry["plan"]
            return {"$ref": "#/$defs/" + entry["name"]}, lambda value: inner[1](value) if inner[1] else value
        entry = self._open[key] = {"name": None, "plan": [None, None]}
        try:
            schema, convert = build()
        finally:
            del self._open[key]
        entry["plan"][:] = schema, convert
        if entry["name"]:
            self.defs[entry["name"]] = schema
            schema = {"$ref": "#/$defs/" + entry["name"]}
        # The hint is kept, so that its identity stays its own.
        self._done[key] = (schema, convert), hint
        return schema, convert

    def fresh(self, name):
        taken = self.taken()
        number = 2
        given = name
        while name in taken:
            name = f"{given}_{number}"
            number += 1
        return name

    def taken(self):
        return {*self.defs, *(entry["name"] for entry in self._open.values())}

    def members(self, cls, fields, make):
        """The plan of an object: `fields` are (name, hint, scope, required, extra members of the schema)."""
        properties = {}
        required = []
        converts = {}
        described = self.described(cls)
        for name, hint, scope, needed, extra in fields:
            try:
                schema, convert = self.plan(hint, scope)
            except NoSchema as problem:
                raise NoSchema(f"`{cls.__name__}.{name}`: {problem}") from None
            if name in described[1] and "description" not in schema:
                schema = {**schema, "description": described[1][name]}
            properties[name] = {**schema, **extra}
            if needed:
                required.append(name)
            if convert:
                converts[name] = convert
        whole = {"type": "object", "properties": properties}
        if not self.output:
            # What is misspelt would be dropped in silence (AUTH-73).
            whole["additionalProperties"] = False
        if required:
            whole["required"] = required
        if described[0]:
            whole["description"] = described[0]
        return whole, make(converts)

    def described(self, cls):
        """What the class's own docstring says of it and of its members."""
        doc = cls.__dict__.get("__doc__") if self.docs else None
        # Dataclasses and named tuples without a docstring get a signature for one.
        if type(doc) is not str or doc.startswith(cls.__name__ + "("):
            return "", {}
        from ._doc import read

        return read(doc)

    def dataclass(self, cls, hint):
        fields = []
        taken = []
        for field in cls.__dataclass_fields__.values():
            kind = field._field_type.name
            if kind == "_FIELD_CLASSVAR":
                continue
            if kind == "_FIELD_INITVAR" and self.output or not (field.init or self.output):
                continue
            factory = field.default_factory
            missing = type(factory).__name__ == "_MISSING_TYPE"
            default = type(field.default).__name__ != "_MISSING_TYPE"
            extra = {}
            if default and not self.output:
                extra = default_of(field.default)
            if type(field.metadata.get("description")) is str:
                extra["description"] = field.metadata["description"]
            own = owner(cls, field.name)
            scope = Scope.of(own, as_base(hint, own) or own)
            inner = resolve(field.type, scope)
            if kind == "_FIELD_INITVAR":
                inner = getattr(inner, "type", inner)
            taken.append(field.name)
            fields.append((field.name, inner, scope, self.output or missing and not default, extra))
        return self.members(cls, fields, lambda converts: record(cls, taken, converts))

    def typed_dict(self, cls, hint):
        fields = list(self.keys(cls, hint))
        others = others_of(cls)
        rest = None if others is None else self.plan(others, Scope.of(cls, hint))
        schema, convert = self.members(cls, fields, lambda converts: inside(converts) if converts else None)
        if rest is not None:
            schema["additionalProperties"] = rest[0] or True
        if rest and rest[1]:
            names = {name for name, *_ in fields}
            return schema, beside(names, convert or dict, rest[1])
        return schema, convert

    def keys(self, cls, hint):
        for name, key in annotations(cls).items():
            # A key may be hinted in a class above.
            above = (getattr(base, "__origin__", base) for base in getattr(cls, "__orig_bases__", ()))
            keyed = (base for base in above if name in annotations(base) and hasattr(base, "__required_keys__"))
            own = next(keyed, cls)
            scope = Scope.of(own, as_base(hint, own) or own)
            key = resolve(key, scope)
            needed = name in cls.__required_keys__
            inner = key
            while True:
                form = bare(inner)
                if form in ("Required", "NotRequired"):
                    # With annotations as text, the class could not see these words.
                    needed = form == "Required"
                elif type(getattr(inner, "__metadata__", None)) is not tuple and form != "ReadOnly":
                    break
                inner = resolve(getattr(inner, "__args__", (None,))[0], scope)
            yield name, key, scope, needed, {}

    def named_tuple(self, cls, hint):
        hints = annotations(cls)
        defaults = cls._field_defaults
        fields = []
        for name in cls._fields:
            extra = default_of(defaults[name]) if name in defaults and not self.output else {}
            needed = self.output or name not in defaults
            fields.append((name, hints.get(name, object), Scope.of(cls, hint), needed, extra))
        return self.once(
            hint,
            cls.__name__,
            lambda: self.members(cls, fields, lambda converts: record(cls, cls._fields, converts)),
        )

    def enum(self, cls):
        enum = sys.modules["enum"]
        if issubclass(cls, enum.Flag):
            return {"type": "integer", "minimum": 0}, guarded(cls)
        return self.choices([member.value for member in cls], list(cls), f"the enum `{cls.__name__}`")

    def literal(self, members):
        members = [each for each in members]
        values = [each.value if hasattr(type(each), "__members__") else each for each in members]
        schema, convert = self.choices(values, members, "the Literal")
        if len(members) == 1:
            schema["const"] = schema.pop("enum")[0]
        return schema, convert

    def choices(self, values, members, what):
        kinds = []
        for value in values:
            base = next((base for base in (NONE, bool, int, float, str) if isinstance(value, base)), None)
            if base is None:
                raise NoSchema(f"{what} holds {told(value)}, which has no JSON form; give it a str or a number")
            if PLAIN[base][0]["type"] not in kinds:
                kinds.append(PLAIN[base][0]["type"])
        values = [plain_scalar(value) for value in values]
        schema = {"enum": values}
        if len(kinds) == 1:
            schema["type"] = kinds[0]

        def convert(given):
            for value, member in zip(values, members):
                if value == given and isinstance(value, bool) == isinstance(given, bool):
                    return member
            raise Misfit(([], "this is none of the choices"))

        return schema, convert

    # -- containers ---------------------------------------------------------------------------

    def mapping(self, arguments, scope):
        if not arguments:
            return dict(PLAIN[dict][0]), None
        key = resolve(arguments[0], scope)
        key_plan = self.plan(key, scope)
        if key_plan[0] and key_plan[0].get("type") != "string":
            raise NoSchema(f"the keys of a JSON object are strings, but the hint says `{shown(key)}`; give `str`")
        schema, convert = self.plan(arguments[1], scope)
        whole = {"type": "object", "additionalProperties": schema or True}
        if key_plan[0] not in ({}, {"type": "string"}):
            whole["propertyNames"] = key_plan[0]
        if not convert and not key_plan[1]:
            return whole, None

        def each(value):
            return {
                (key_plan[1](name) if key_plan[1] else name): (stepped(convert, name, item) if convert else item)
                for name, item in value.items()
            }

        return whole, each

    def items(self, cls, arguments, scope):
        schema, convert = self.plan(arguments[0], scope) if arguments else ({}, None)
        whole = {"type": "array", "items": schema}
        gather = list
        unique = issubclass(cls, (set, frozenset)) or cls.__name__ in ("Set", "MutableSet")
        if unique:
            whole["uniqueItems"] = True
            gather = frozenset if issubclass(cls, frozenset) else set
        if not convert:
            return whole, guarded(gather) if unique else None
        return whole, lambda value: gather([stepped(convert, at, item) for at, item in enumerate(value)])

    def tuple(self, arguments, scope):
        if not arguments or len(arguments) == 2 and arguments[1] is Ellipsis:
            schema, convert = self.items(list, arguments[:1], scope)
            return schema, (lambda value: tuple(convert(value))) if convert else tuple
        if arguments == ((),):
            arguments = ()
        plans = [self.plan(each, scope) for each in arguments]
        size = len(plans)
        schema = {
            "type": "array",
            "prefixItems": [schema for schema, _ in plans],
            "minItems": size,
            "maxItems": size,
        }

        def each(value):
            return tuple(
                stepped(convert, at, item) if convert else item
                for at, ((_, convert), item) in enumerate(zip(plans, value))
            )

        return schema, each

    def union(self, members, scope):
        plans = []
        for member in members:
            plan = self.plan(member, scope)
            if plan[0] not in [schema for schema, _ in plans]:
                plans.append(plan)
        if len(plans) == 1:
            return plans[0]
        schema = {} if any(schema == {} for schema, _ in plans) else {"anyOf": [schema for schema, _ in plans]}
        if not any(convert for _, convert in plans):
            return schema, None

        def choose(value):
            """The first member that takes the value."""
            problem = None
            for inner, convert in plans:
                if inner and call("check_value", (self.document(inner), value)):
                    continue
                try:
                    return convert(value) if convert else value
                except Misfit as misfit:
                    problem = problem or misfit
            raise problem or Misfit(([], "this is none of what may be given"))

        return schema, choose

    def variable(self, hint, scope):
        if hint in scope.variables:
            inner, where = scope.variables[hint]
            return self.plan(inner, where)
        if hint.__constraints__:
            return self.union(hint.__constraints__, scope)
        return self.plan(hint.__bound__, scope) if hint.__bound__ is not None else ({}, None)

    # -- pydantic, where the author uses it ------------------------------------------------------

    def pydantic(self, hint, schema_of, validate):
        # pydantic's own exceptions, without importing it for them.
        try:
            if self.output:
                schema = schema_of(mode="serialization")
            else:
                from ._pydantic import reading

                schema = call("close_schema", (reading(schema_of),))
        except Exception as problem:
            raise NoSchema(f"the hint `{shown(hint)}` has no JSON Schema: {problem}") from problem
        names = {}
        definitions = schema.pop("$defs", {})
        for name in definitions:
            if name in self.taken() and self.defs.get(name) != definitions[name]:
                names["#/$defs/" + name] = self.fresh(name)
        for name, inner in definitions.items():
            place = names.get("#/$defs/" + name, name)
            self.defs[place] = renamed(inner, names)

        def convert(value):
            try:
                return validate(value)
            except ValueError as problem:
                raise refused(problem) from problem

        return renamed(schema, names), convert

    def adapted(self, hint):
        adapter = sys.modules["pydantic"].TypeAdapter
        try:
            adapter = adapter(hint)
        except Exception as problem:
            raise NoSchema(self.advice(hint)) from problem
        return self.pydantic(hint, adapter.json_schema, adapter.validate_python)


# -- helpers --------------------------------------------------------------------------------------


def identifier(named):
    """The name of a definition after the text that refers to it."""
    text = named if type(named) is str else getattr(named, "__forward_arg__", "")
    return text if text.isidentifier() else "Value"


def loaded(module, cls, *names):
    """Whether the class is one of those of a module, which is not loaded if nobody uses it."""
    module = sys.modules.get(module)
    return module is not None and issubclass(cls, tuple(getattr(module, name) for name in names))


def owner(cls, name):
    """The class that a member comes from: its hints are read where that class stands."""
    for base in cls.__mro__:
        if name in annotations(base):
            return base
    return cls


def annotations(cls):
    if sys.version_info >= (3, 14):
        return getattr(cls, "__annotations__", {})
    return cls.__dict__.get("__annotations__", {})


def collection(cls):
    """`object` or `array` for containers: builtin ones, and the abstract ones of collections.abc."""
    if cls.__module__ in ("collections.abc", "_collections_abc"):
        if cls.__name__ in ("Mapping", "MutableMapping"):
            return "object"
        if cls.__name__ in ("Sequence", "MutableSequence", "Iterable", "Collection", "Set", "MutableSet"):
            return "array"
        return None
    if cls in (list, set, frozenset):
        return "array"
    if cls is dict:
        return "object"
    return None


def written(cls, output):
    """The plan of a class whose values are written as text, or None."""
    if cls in (bytes, bytearray):
        return {"type": "string", "contentEncoding": "base64"}, lambda text: cls(_bytes(text))
    if loaded("datetime", cls, "date", "time", "timedelta"):
        from ._time import reader

        schema, convert = reader(cls, output)
        return {"type": "string", **schema}, convert
    for module, name, form in (
        ("uuid", "UUID", "uuid"),
        ("pathlib", "PurePath", "path"),
        ("decimal", "Decimal", "decimal"),
    ):
        if loaded(module, cls, name):
            return {"type": "string", "format": form}, guarded(cls, form)
    return None


def guarded(make, form=None):
    """A constructor whose refusal is a misfit."""

    def convert(value):
        try:
            return make(value)
        except (ValueError, TypeError, ArithmeticError) as problem:
            message = f"this is no {form}" if form else str(problem) or "this is not allowed"
            raise Misfit(([], message)) from problem

    return convert


def stepped(convert, step, value):
    try:
        return convert(value)
    except Misfit as misfit:
        raise misfit.under(step) from misfit.__cause__


def inside(converts):
    """Converts members of an object, and keeps the others."""

    def convert(value):
        return {
            name: stepped(converts[name], name, item) if name in converts else item for name, item in value.items()
        }

    return convert


def beside(names, convert, convert_other):
    """Converts an object whose members of other names are all of one type."""

    def both(value):
        converts = {name: convert_other for name in value if name not in names}
        return inside(converts)(convert(value))

    return both


def others_of(cls):
    """The hint of the members that a TypedDict has beside its own (PEP 728); None where it takes none."""
    others = getattr(cls, "__extra_items__", None)
    if others is not None and "NoExtraItems" not in type(others).__name__ and bare(others) not in ("Never", "NoReturn"):
        return others
    # `closed=False` is said aloud only where nothing said is None.
    silent = (getattr(type(cls).__new__, "__kwdefaults__", None) or {}).get("closed", False) is None
    return object if silent and getattr(cls, "__closed__", None) is False else None


def record(cls, names, converts):
    """Makes an instance of a class with named members. Further members are passed over."""
    convert_members = inside(converts)

    def convert(value):
        given = convert_members({name: value[name] for name in names if name in value})
        try:
            return cls(**given)
        except (ValueError, AssertionError) as problem:
            raise refused(problem) from problem

    return convert


def refused(problem):
    """The misfit that a class says by an exception; pydantic's tells of several places."""
    errors = getattr(problem, "errors", None)
    if not callable(errors):
        return Misfit(([], str(problem) or "this is not allowed"))
    return Misfit(*((list(each["loc"])[::-1], lowered(each["msg"])) for each in errors()))


def default_of(value):
    """`default`, if the value has a JSON form."""
    from ._plain import plain

    default = plain(value)
    try:
        # Every value fits this schema, but for one that is none.
        call("check_value", ({}, default))
    except ToolwireError:
        return {}
    return {"default": default}


def plain_scalar(value):
    """A str or a number without the class that it may have beside."""
    for base in (bool, int, float, str):
        if isinstance(value, base):
            return base(value) if base is not str else str.__str__(value)
    return value


def renamed(node, names):
    """A schema with other names for some of its definitions."""
    if not names:
        return node
    if type(node) is dict:
        return {
            key: "#/$defs/" + names[item] if key == "$ref" and item in names else renamed(item, names)
            for key, item in node.items()
        }
    return [renamed(item, names) for item in node] if type(node) is list else node


def lowered(message):
    return message[:1].lower() + message[1:]
