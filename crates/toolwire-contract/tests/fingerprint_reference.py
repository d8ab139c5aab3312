"""Chapter 27 of the specification once more, written from its text alone, and slow.

Reads a JSON array of texts on stdin, each a tool, and writes an array of their projections, three texts
each; for a tool that is refused, the code.
"""

import json
import re
import sys
import urllib.parse
from decimal import Decimal

ANNOTATIONS = {"title", "description", "examples", "$comment", "deprecated"}
ONE = {
    "additionalItems", "additionalProperties", "contains", "contentSchema", "else", "if", "items", "not",
    "propertyNames", "then", "unevaluatedItems", "unevaluatedProperties",
}
MANY = {"allOf", "anyOf", "items", "oneOf", "prefixItems"}
NAMED = {"dependencies", "dependentRequired", "dependentSchemas", "patternProperties", "properties"}
DIALECTS = {
    "json-schema.org/draft/2020-12/schema": "2020-12",
    "json-schema.org/draft/2019-09/schema": "2019-09",
    "json-schema.org/draft-07/schema": "draft-07",
    "json-schema.org/draft-06/schema": "draft-06",
}


class Number:
    """A number by its text."""

    def __init__(self, text):
        self.text = text


class Refused(Exception):
    pass


def units(text):
    return text.encode("utf-16-be")


def number(text):
    """CANON-9."""
    if re.fullmatch("-?[0-9]+", text):
        return "0" if text == "-0" else text
    canonical = shortest(float(text))
    return canonical if Decimal(canonical) == Decimal(text) else text


def shortest(value):
    """CANON-5."""
    sign, digits, exponent = Decimal(repr(value)).as_tuple()
    d = "".join(map(str, digits)).strip("0")
    if not d:
        return "0"
    sign = "-" if sign else ""
    k, n = len(d), len(digits) + exponent - (len(digits) - len("".join(map(str, digits)).lstrip("0")))
    if k <= n <= 21:
        return sign + d + "0" * (n - k)
    if 0 < n <= 21:
        return sign + d[:n] + "." + d[n:]
    if -6 < n <= 0:
        return sign + "0." + "0" * -n + d
    return sign + d[0] + ("." + d[1:] if k > 1 else "") + "e" + format(n - 1, "+d")


def string(text):
    return json.dumps(text, ensure_ascii=False)


def write(value):
    """FP-10."""
    if isinstance(value, Number):
        return number(value.text)
    if isinstance(value, dict):
        return obj({name: write(member) for name, member in value.items()})
    if isinstance(value, list):
        return "[" + ",".join(map(write, value)) + "]"
    return string(value) if isinstance(value, str) else json.dumps(value)


def obj(members):
    return "{" + ",".join(string(name) + ":" + members[name] for name in sorted(members, key=units)) + "}"


def as_set(texts):
    return "[" + ",".join(sorted(set(texts), key=units)) + "]"


def a_set(array):
    return as_set(map(write, array))


class Survey:
    """All schemas by their paths, and what references lead to."""

    def __init__(self, root, most):
        self.root, self.anchors, self.names = root, {}, []
        self.literal = named = elsewhere = False
        references, seen, waiting = set(), set(), [()]
        while waiting:
            path = waiting.pop()
            if path in seen:
                continue
            seen.add(path)
            if len(seen) > most:
                raise Refused("limit_schemas")
            at = self.value(path)
            for name, value in at.items() if isinstance(at, dict) else ():
                if name in MANY and isinstance(value, list):
                    waiting += [path + (name, str(index)) for index in range(len(value))]
                elif name in ONE:
                    waiting.append(path + (name,))
                elif name in NAMED and isinstance(value, dict):
                    waiting += [path + (name, key) for key in value if not isinstance(value[key], list)]
                elif name in ("$defs", "definitions") and isinstance(value, dict):
                    waiting += [path + (name, key) for key in value]
                    self.names += map(string, value)
                elif name == "$ref" and isinstance(value, str):
                    references.add(value)
                    elsewhere |= not value.startswith("#")
                    target = self.target(value)
                    waiting += [target] if target is not None else []
                elif name in ("$anchor", "$dynamicAnchor") and isinstance(value, str):
                    self.literal |= self.anchors.setdefault(value, path) != path
                    self.names.append(string(value))
                self.literal |= name in ("$dynamicRef", "$recursiveRef") or name == "$id" and path != ()
                named |= name in ("$id", "$dynamicAnchor", "$recursiveAnchor")
        self.literal |= named and elsewhere
        self.targets = {self.target(reference) for reference in references} - {None}

    def value(self, path):
        at = self.root
        for name in path:
            at = at[int(name)] if isinstance(at, list) else at[name]
        return at

    def target(self, reference):
        """FP-22: a path, or None."""
        if not reference.startswith("#"):
            return None
        try:
            fragment = urllib.parse.unquote_to_bytes(reference[1:]).decode()
        except UnicodeDecodeError:
            return None
        if fragment == "":
            return ()
        if fragment[0] != "/":
            return self.anchors.get(fragment)
        path, at = (), self.root
        for name in fragment[1:].split("/"):
            name = name.replace("~1", "/").replace("~0", "~")
            if isinstance(at, dict) and name in at:
                at = at[name]
            elif isinstance(at, list) and re.fullmatch("0|[1-9][0-9]*", name) and int(name) < len(at):
                at = at[int(name)]
            else:
                return None
            path += (name,)
        return path if isinstance(at, (dict, bool)) else None


class Form:
    def __init__(self, survey):
        self.survey, self.entries, self.definitions = survey, [()], []
        self.schemas, self.annotations = [], []
        for path in self.entries:
            self.schemas.append(self.entry(path))
        for path in self.entries:
            self.annotations.append(self.annotated(path))

    def number(self, path):
        if path not in self.entries:
            self.entries.append(path)
        return str(self.entries.index(path))

    def inner(self, path):
        return obj({"$ref": self.number(path)}) if path in self.survey.targets else self.entry(path)

    def entry(self, path):
        at = self.survey.value(path)
        if isinstance(at, bool):
            return "{}" if at else '{"not":{}}'
        if not isinstance(at, dict):
            return write(at)
        parts = {}
        # Numbers are given in the order of the names.
        for name in sorted(at, key=units):
            value = at[name]
            if name in ANNOTATIONS or name == "$schema" and path == ():
                continue
            if name in ("$defs", "definitions") and isinstance(value, dict):
                self.definitions += [path + (name, key) for key in value]
            elif name == "$anchor" and isinstance(value, str):
                continue
            elif name == "$ref" and isinstance(value, str):
                target = self.survey.target(value)
                parts[name] = string(value) if target is None else self.number(target)
            elif name == "$ref":
                parts[name] = "[" + write(value) + "]"
            elif name in MANY and isinstance(value, list):
                parts[name] = "[" + ",".join(self.inner(path + (name, str(i))) for i in range(len(value))) + "]"
            elif name in ONE:
                parts[name] = self.inner(path + (name,))
            elif name in NAMED and isinstance(value, dict):
                parts[name] = obj({
                    key: a_set(value[key]) if isinstance(value[key], list) else self.inner(path + (name, key))
                    for key in sorted(value, key=units)
                })
            elif name in ("enum", "required", "type") and isinstance(value, list):
                texts = set(map(write, value))
                parts[name] = texts.pop() if name == "type" and len(texts) == 1 else as_set(texts)
            else:
                parts[name] = write(value)
        return obj(parts)

    def annotated(self, path):
        at = self.survey.value(path)
        found = {}
        for name, value in at.items() if isinstance(at, dict) else ():
            if name in ANNOTATIONS:
                found[name] = write(value)
                continue
            text = "{}"
            if name in MANY and isinstance(value, list):
                all = [self.inner_annotated(path + (name, str(index))) for index in range(len(value))]
                if set(all) - {"{}"}:
                    text = "[" + ",".join(all) + "]"
            elif name in ONE:
                text = self.inner_annotated(path + (name,))
            elif name in NAMED and isinstance(value, dict):
                inner = {key: self.inner_annotated(path + (name, key)) for key in value}
                text = obj({key: text for key, text in inner.items() if text != "{}"})
            if text != "{}":
                found[name] = text
        return obj(found)

    def inner_annotated(self, path):
        return "{}" if path in self.survey.targets else self.annotated(path)

    def text(self):
        members = {}
        if self.survey.names:
            members["names"] = as_set(self.survey.names)
        if set(self.annotations) - {"{}"}:
            members["schemas"] = "[" + ",".join(self.annotations) + "]"
        unused = [write(self.survey.value(path)) for path in self.definitions if path not in self.entries]
        if unused:
            members["unused"] = as_set(unused)
        return obj(members) if members else None


def normal_form(root, most):
    if not isinstance(root, (dict, bool)):
        raise Refused("bad_tool")
    dialect = "2020-12"
    if isinstance(root, dict) and "$schema" in root:
        uri = root["$schema"]
        found = isinstance(uri, str) and re.fullmatch("https?://(.*?)#?", uri, re.S)
        dialect = DIALECTS.get(found[1]) if found else None
    if dialect is None:
        return obj({"literal": write(root)}), None
    survey = Survey(root, most)
    if survey.literal:
        return obj({"dialect": string(dialect), "literal": write(root)}), None
    form = Form(survey)
    schemas = "[" + ",".join(form.schemas) + "]"
    return obj({"dialect": string(dialect), "schemas": schemas}), form.text()


def project(tool, most=100_000):
    if not isinstance(tool, dict):
        raise Refused("bad_tool")
    tool = {name: value for name, value in tool.items() if value is not None}
    name = tool.get("name")
    if not isinstance(name, str) or "inputSchema" not in tool:
        raise Refused("bad_tool")
    contract = {"contract": "1", "name": string(name)}
    text, safety = {"text": "1"}, {"safety": "1"}
    for member, schema in (("input", "inputSchema"), ("output", "outputSchema")):
        if schema in tool:
            contract[member], spoken = normal_form(tool[schema], most)
            if spoken is not None:
                text[member] = spoken
    for member in ("title", "description", "icons"):
        if member in tool:
            text[member] = write(tool[member])
    hints = tool.get("annotations", {})
    if isinstance(hints, dict):
        hints = {name: value for name, value in hints.items() if value is not None}
        if "title" in hints:
            text["annotations"] = obj({"title": write(hints.pop("title"))})
    for member, value in (("annotations", hints), ("execution", tool.get("execution", {})), ("meta", tool.get("_meta", {}))):
        if value != {}:
            safety[member] = write(value)
    known = {"name", "title", "description", "icons", "inputSchema", "outputSchema", "annotations", "execution", "_meta"}
    other = {name: value for name, value in tool.items() if name not in known}
    if other:
        safety["other"] = write(other)
    return [obj(contract), obj(text), obj(safety)]


def main():
    answers = []
    for text in json.load(sys.stdin):
        try:
            tool = json.loads(text, parse_int=Number, parse_float=Number)
            answers.append(project(tool))
        except Refused as refused:
            answers.append(refused.args[0])
    json.dump(answers, sys.stdout)


if __name__ == "__main__":
    main()
