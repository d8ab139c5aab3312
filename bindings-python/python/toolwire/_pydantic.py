"""What pydantic knows of a model and does not write into its JSON Schema."""


def reading(schema_of):
    """The schema of what a model is read from. A model that ignores other members, and says so, says it there."""
    from pydantic.json_schema import GenerateJsonSchema

    class Generator(GenerateJsonSchema):
        def model_schema(self, schema):
            found = super().model_schema(schema)
            if getattr(schema.get("cls"), "model_config", {}).get("extra") == "ignore":
                found.setdefault("additionalProperties", True)
            return found

    return schema_of(mode="validation", schema_generator=Generator)
