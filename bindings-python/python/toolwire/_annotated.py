"""What `Annotated` says beside a type: descriptions, and constraints as keywords of JSON Schema."""

from ._hints import Misfit, NoSchema

LENGTHS = {"string": "Length", "array": "Items", "object": "Properties"}
LIMITS = (
    ("gt", "exclusiveMinimum"),
    ("ge", "minimum"),
    ("lt", "exclusiveMaximum"),
    ("le", "maximum"),
    ("multiple_of", "multipleOf"),
)


def annotate(schema, convert, metadata):
    """The plan with what `Annotated` says beside the type."""
    schema = dict(schema)
    for meta in metadata:
        if type(meta) is str:
            schema["description"] = meta
        elif type(meta) is dict:
            schema.update(meta)
        elif type(meta).__name__ == "Predicate" and callable(getattr(meta, "func", None)):
            convert = tested(convert, meta.func)
        elif not isinstance(meta, type):
            constrain(schema, meta)
    return schema, convert


def tested(convert, holds):
    """A conversion whose value has to pass a test of the author's."""

    def both(value):
        value = convert(value) if convert else value
        if not holds(value):
            raise Misfit(([], f"`{getattr(holds, '__name__', 'the test of the hint')}` does not hold"))
        return value

    return both


# What pydantic does to a text beside checking it.
CHANGES = ("strip_whitespace", "to_upper", "to_lower")


def is_for_pydantic(meta):
    """Whether only pydantic can do what this says: a validator, a change of the value."""
    if type(meta).__name__ == "FieldInfo":
        alias = getattr(meta, "validation_alias", None) or getattr(meta, "alias", None)
        if alias is not None:
            raise NoSchema(f"an alias names a field of a model, and no parameter; call the parameter `{alias}`")
        return any(is_for_pydantic(each) for each in meta.metadata)
    if isinstance(meta, type) or not type(meta).__module__.startswith(("pydantic", "annotated_types")):
        return hasattr(meta, "__get_pydantic_core_schema__")
    if hasattr(meta, "__get_pydantic_core_schema__") or type(meta).__name__ == "Strict":
        return True
    return any(getattr(meta, change, None) for change in CHANGES)


def constrain(schema, meta):
    """The constraints of annotated_types and of pydantic's Field, by the names of their attributes."""
    inner = getattr(meta, "metadata", None)
    if type(inner) in (list, tuple):
        for each in inner:
            constrain(schema, each)
    for attribute in ("description", "documentation"):
        if type(getattr(meta, attribute, None)) is str:
            schema["description"] = getattr(meta, attribute)
    for attribute, keyword in LIMITS:
        limit = getattr(meta, attribute, None)
        if type(limit) in (int, float):
            schema[keyword] = limit
    kind = LENGTHS.get(schema.get("type"))
    for attribute, keyword in (("min_length", "min"), ("max_length", "max")):
        length = getattr(meta, attribute, None)
        if kind and type(length) is int and not (keyword == "min" and length == 0):
            schema[keyword + kind] = length
    if type(getattr(meta, "pattern", None)) is str:
        schema["pattern"] = meta.pattern
    if type(getattr(meta, "examples", None)) is list:
        schema["examples"] = meta.examples
