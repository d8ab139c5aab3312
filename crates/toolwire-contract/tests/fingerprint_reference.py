"""Chapter 27 of the specification once more, written from its text alone, and slow.

Reads a JSON array of texts on stdin, each a tool, and writes an array of their projections, three texts
each; for a tool that is refused, the code.
"""

import json
import re
import sys
import urllib.parse

WORDS = {"title", "description", "examples", "$comment", "deprecated"}
ONE = {
    "additionalItems", "additionalProperties", "contains", "contentSchema", "else", "if", "items", "not",
    "propertyNames", "then", "unevaluatedItems", "unevaluatedProperties",
}
MANY = {"allOf", "anyOf", "items", "oneOf", "prefixItems"}
NAMED = {"dependentSchemas", "patternProperties", "properties", "dependencies"}
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
    """FP-12."""
    significand, _, exponent = text.lower().partition("e")
    sign, significand = ("-", significand[1:]) if significand[0] == "-" else ("", significand)
    whole, _, fraction = significand.partition(".")
    digits = (whole + fraction).lstrip("0")
    n = int(exponent or "0") + len(whole) - (len(whole + fraction) - len(digits))
    d = digits.rstrip("0")
    k = len(d)
    if not d:
        return "0"
    if len(exponent.lstrip("+-").lstrip("0")) > 18:
        raise Refused("number_range")
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


def step(name):
    return "/" + name.replace("~", "~0").replace("/", "~1")


class Schema:
    """One place of a schema: `parts` is its text, with a tuple for each number."""

    def __init__(self, at, parts, words, inside, bare):
        self.at, self.parts, self.words, self.inside, self.bare = at, parts, words, inside, bare


class Normal:
    def __init__(self, root, most):
        self.root, self.most = root, most
        self.places, self.definitions, self.anchors = {}, [], []
        self.literal = self.named = self.elsewhere = False
        self.waiting = [()]
        self.known = {()}
        while self.waiting:
            path = self.waiting.pop()
            self.places[path] = self.look(path, self.value(path))
        names = {}
        for name, path in self.anchors:
            self.literal |= names.setdefault(name, path) != path
        for place in self.places.values():
            if "$ref" in place.inside:
                target = place.inside["$ref"]
                if isinstance(target, str):
                    target = names.get(target)
                if target is None:
                    del place.inside["$ref"]
                    place.parts["$ref"] = string(place.at["$ref"])
                    place.bare = False
                else:
                    place.inside["$ref"] = target
                    place.parts["$ref"] = target
        self.literal |= self.elsewhere and self.named

    def value(self, path):
        at = self.root
        for name in path:
            at = at[int(name)] if isinstance(at, list) else at[name]
        return at

    def open(self, path):
        if path not in self.known:
            self.known.add(path)
            self.waiting.append(path)
        if len(self.known) > self.most:
            raise Refused("limit_schemas")
        return path

    def look(self, path, at):
        if at is True:
            at = {}
        if at is False:
            return Schema(at, {"not": None}, {}, {}, False)
        if not isinstance(at, dict):
            return Schema(at, write(at), {}, {}, False)
        parts, words, inside = {}, {}, {}
        for name, value in at.items():
            number = (lambda value, *more: inside.setdefault("".join(map(step, more)), self.open(path + more)))
            if name in WORDS:
                words[name] = write(value)
            elif name == "$schema" and path == ():
                pass
            elif name == "$ref" and isinstance(value, str):
                inside["$ref"] = self.target(value)
                parts["$ref"] = ()
            elif name == "$ref":
                parts[name] = "[" + write(value) + "]"
            elif name in ("$defs", "definitions") and isinstance(value, dict):
                for key in value:
                    self.definitions.append((path, key, self.open(path + (name, key))))
            elif name == "$anchor" and isinstance(value, str):
                self.anchors.append((value, path))
            elif name in MANY and isinstance(value, list):
                parts[name] = [number(v, name, str(i)) for i, v in enumerate(value)]
            elif name in ONE:
                parts[name] = number(value, name)
            elif name in NAMED and isinstance(value, dict):
                parts[name] = {
                    key: a_set(v) if name == "dependencies" and isinstance(v, list) else number(v, name, key)
                    for key, v in value.items()
                }
            elif name == "dependentRequired" and isinstance(value, dict):
                parts[name] = obj({k: a_set(v) if isinstance(v, list) else write(v) for k, v in value.items()})
            elif name in ("enum", "required") and isinstance(value, list):
                parts[name] = a_set(value)
            elif name == "type" and isinstance(value, list):
                texts = set(map(write, value))
                parts[name] = texts.pop() if len(texts) == 1 else a_set(value)
            else:
                self.literal |= name in ("$dynamicRef", "$recursiveRef") or name == "$id" and path != ()
                self.named |= name in ("$id", "$dynamicAnchor", "$recursiveAnchor")
                if name == "$dynamicAnchor" and isinstance(value, str):
                    self.anchors.append((value, path))
                parts[name] = write(value)
        return Schema(at, parts, words, inside, set(parts) == {"$ref"} and "$ref" in inside)

    def target(self, reference):
        """FP-22: a path, the name of an anchor, or None."""
        if not reference.startswith("#"):
            self.elsewhere = True
            return None
        fragment = urllib.parse.unquote_to_bytes(reference[1:])
        try:
            fragment = fragment.decode()
        except UnicodeDecodeError:
            return None
        if fragment == "":
            return ()
        if fragment[0] != "/":
            return fragment
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
        return self.open(path) if isinstance(at, (dict, bool)) else None

    def reached(self):
        reached, waiting = {()}, [()]
        while waiting:
            for to in self.places[waiting.pop()].inside.values():
                if to not in reached:
                    reached.add(to)
                    waiting.append(to)
        return reached


EVERYTHING = ("everything",)


def entries(labels, alias, root):
    """FP-26: `labels` has a function of each vertex, from a numbering to a text, and its successors."""

    def past(vertex):
        seen = []
        while vertex in alias:
            if vertex in seen:
                return min(seen[seen.index(vertex):])
            seen.append(vertex)
            vertex = alias[vertex]
        return vertex

    classes = {vertex: 0 for vertex in labels}
    while True:
        texts = {vertex: text(lambda to: classes[past(to)]) for vertex, (text, _) in labels.items()}
        numbers = {text: number for number, text in enumerate(sorted(set(texts.values())))}
        finer = {vertex: numbers[texts[vertex]] for vertex in labels}
        # Texts hold the classes of the round before, so the partition only ever gets finer.
        if len(numbers) == len(set(classes.values())):
            break
        classes = finer
    order, numbers, out = [past(root)], {classes[past(root)]: 0}, []
    for vertex in order:

        def place(to):
            to = past(to)
            if classes[to] not in numbers:
                numbers[classes[to]] = len(order)
                order.append(to)
            return numbers[classes[to]]

        out.append(labels[vertex][0](place))
    return "[" + ",".join(out) + "]"


def contract_entry(schema):
    def text(place):
        def part(value):
            if value is None:
                return str(place(EVERYTHING))
            if isinstance(value, tuple):
                return str(place(value))
            if isinstance(value, list):
                return "[" + ",".join(map(part, value)) + "]"
            if isinstance(value, dict):
                # In the order in which they are written.
                return obj({name: part(value[name]) for name in sorted(value, key=units)})
            return value

        parts = schema.parts
        if isinstance(parts, str):
            return parts
        return obj({name: part(parts[name]) for name in sorted(parts, key=units)})

    return text


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
    normal = Normal(root, most)
    if normal.literal:
        return obj({"dialect": string(dialect), "literal": write(root)}), None
    labels = {path: (contract_entry(place), None) for path, place in normal.places.items()}
    labels[EVERYTHING] = (lambda place: "{}", None)
    alias = {path: place.inside["$ref"] for path, place in normal.places.items() if place.bare}
    contract = obj({"dialect": string(dialect), "schemas": entries(labels, alias, ())})
    return contract, words(normal)


def words(normal):
    reached = normal.reached()
    names = [string(name) for path, name, _ in normal.definitions if path in reached]
    names += [string(name) for name, path in normal.anchors if path in reached]
    unused = [write(normal.value(to)) for path, _, to in normal.definitions if path in reached and to not in reached]
    spoken = {path for path, place in normal.places.items() if place.words}
    while True:
        more = {p for p, place in normal.places.items() if spoken & set(place.inside.values())} - spoken
        if not more:
            break
        spoken |= more
    labels, alias = {}, {}
    for path in spoken:
        place = normal.places[path]
        inside = {("/$ref" if p == "$ref" else p): to for p, to in place.inside.items() if to in spoken}

        def text(number, place=place, inside=inside):
            members = {}
            if inside:
                members["in"] = obj({p: str(number(inside[p])) for p in sorted(inside, key=units)})
            if place.words:
                members["words"] = obj(place.words)
            return obj(members)

        labels[path] = (text, None)
        if not place.words and set(inside) == {"/$ref"}:
            alias[path] = inside["/$ref"]
    members = {}
    if names:
        members["names"] = as_set(names)
    if () in spoken:
        members["schemas"] = entries(labels, alias, ())
    if unused:
        members["unused"] = as_set(unused)
    return obj(members) if members else None


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
