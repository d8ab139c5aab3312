"""What `Annotated` says beside a type: descriptions, and constraints as keywords of JSON Schema."""

LENGTHS = {"string": "Length", "array": "Items", "object": "Properties"}
LIMITS = (
    ("gt", "exclusiveMinimum"),
    ("ge", "minimum"),
    ("lt", "exclusiveMaximum"),
    ("le", "maximum"),
    ("multiple_of", "multipleOf"),
)


def annotate(schema, metadata):
    """The schema with what `Annotated` says beside the type."""
    schema = dict(schema)
    for meta in metadata:
        if type(meta) is str:
            schema["description"] = meta
        elif type(meta) is dict:
            schema.update(meta)
        elif not isinstance(meta, type):
            constrain(schema, meta)
    return schema


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
