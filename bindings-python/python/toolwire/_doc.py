"""What a docstring says: the text itself, and of each parameter. Google's, NumPy's and reST's forms."""

PARAMETERS = {
    "args",
    "arguments",
    "parameters",
    "params",
    "keyword args",
    "keyword arguments",
    "other parameters",
    "attributes",
    "members",
}
# What concerns the program that calls, not the one that uses the tool.
OTHERS = {"returns", "return", "yields", "yield", "raises", "raise", "except", "exceptions", "warns", "receives"}
FIELDS = ("param", "parameter", "arg", "argument", "key", "keyword", "ivar", "var", "cvar")


def clean(doc):
    """The lines without the indentation that the code gave them, as `inspect.cleandoc` does it."""
    lines = doc.expandtabs().splitlines()
    margins = [len(line) - len(line.lstrip()) for line in lines[1:] if line.strip()]
    margin = min(margins, default=0)
    return [line.strip() if at == 0 else line[margin:].rstrip() for at, line in enumerate(lines)]


def read(doc):
    """The description, and the descriptions of the parameters by their names."""
    lines = clean(doc)
    kept = []
    found = {}
    at = 0
    while at < len(lines):
        line = lines[at]
        title = line.strip().lower()
        if title.endswith(":") and title[:-1] in PARAMETERS | OTHERS:
            at, block = indented(lines, at + 1, margin(line))
            if title[:-1] in PARAMETERS:
                google(block, found)
        elif title in PARAMETERS | OTHERS and underlined(lines, at + 1):
            at, block = numpy_block(lines, at + 2)
            if title in PARAMETERS:
                numpy(block, found)
        elif line.startswith((":", "@")) and field(line):
            words, text = field(line)
            at, block = indented(lines, at + 1, 0, blank=False)
            if words[0] in FIELDS and len(words) > 1:
                found[words[-1].lstrip("*")] = joined([text, *block])
        else:
            kept.append(line)
            at += 1
    return "\n".join(squeezed(kept)), {name: text for name, text in found.items() if text}


def margin(line):
    return len(line) - len(line.lstrip())


def underlined(lines, at):
    return at < len(lines) and len(lines[at].strip()) > 2 and not lines[at].strip().strip("-")


def indented(lines, at, least, blank=True):
    """The lines that stand deeper than a title, and where they end."""
    block = []
    while at < len(lines) and (margin(lines[at]) > least if lines[at].strip() else blank):
        block.append(lines[at])
        at += 1
    return at, block


def numpy_block(lines, at):
    """The lines up to the next title that is underlined."""
    block = []
    while at < len(lines) and not underlined(lines, at + 1):
        block.append(lines[at])
        at += 1
    return at, block


def entries(block):
    """A section's entries: the line of each, and what is indented below it."""
    written = [line for line in block if line.strip()]
    least = min((margin(line) for line in written), default=0)
    found = []
    for line in block:
        if line.strip() and margin(line) == least:
            found.append((line.strip(), []))
        elif found:
            found[-1][1].append(line)
    return found


def google(block, found):
    for line, below in entries(block):
        head, colon, text = split(line)
        name = head.split("(")[0].strip().strip("`").lstrip("*")
        if colon and name.isidentifier():
            found[name] = joined([text, *below])


def split(line):
    """At the first colon that is outside of brackets: a type may hold one."""
    depth = 0
    for at, letter in enumerate(line):
        depth += (letter in "([{") - (letter in ")]}")
        if letter == ":" and depth == 0:
            return line[:at], ":", line[at + 1 :]
    return line, "", ""


def numpy(block, found):
    for line, below in entries(block):
        for name in line.partition(" :")[0].partition(":")[0].split(","):
            name = name.strip().strip("`").lstrip("*")
            if name.isidentifier():
                found[name] = joined(below)


def field(line):
    """The words and the text of `:param str path: The text`."""
    head, colon, text = line[1:].partition(":")
    words = head.split()
    known = words and (words[0] in FIELDS or words[0] in OTHERS or words[0] in ("type", "rtype", "vartype"))
    return (words, text) if colon and known else None


def joined(lines):
    """Lines as one, with paragraphs kept apart."""
    paragraphs = [[]]
    for line in lines:
        if line.strip():
            paragraphs[-1].append(line.strip())
        elif paragraphs[-1]:
            paragraphs.append([])
    return "\n\n".join(" ".join(paragraph) for paragraph in paragraphs if paragraph)


def squeezed(lines):
    """Without empty lines at both ends, and with one at most between others."""
    found = []
    for line in lines:
        if line.strip() or (found and found[-1]):
            found.append(line)
    while found and not found[-1]:
        found.pop()
    return found
