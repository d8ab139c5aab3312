"""Dates and times as JSON has them (RFC 3339, and ISO 8601 for durations), in every Python alike."""

import datetime

from ._hints import Misfit


def _fitted(text):
    """The text as `fromisoformat` reads it in Python 3.9 too: no `Z`, and six digits of a second."""
    if text[-1:] in ("Z", "z"):
        text = text[:-1] + "+00:00"
    head, point, rest = text.partition(".")
    if not point:
        return text
    digits = len(rest) - len(rest.lstrip("0123456789"))
    return f"{head}.{rest[:digits][:6]:0<6}{rest[digits:]}" if digits else text


def reader(cls, output):
    """What the schema of a class of this kind says, and the function that reads its text."""
    if issubclass(cls, datetime.datetime):
        form, schema, read = "date-time", {"format": "date-time"}, lambda text: cls.fromisoformat(_fitted(text))
    elif issubclass(cls, datetime.date):
        form, schema, read = "date", {"format": "date"}, cls.fromisoformat
    elif issubclass(cls, datetime.time):
        # The format `time` demands an offset, which a time of day seldom has.
        form, schema, read = "time", {"pattern": "^[0-2][0-9]:[0-5][0-9]"}, lambda text: cls.fromisoformat(_fitted(text))
    else:
        # The format knows no fractions of a second, which a timedelta may have.
        form, schema, read = "duration", {} if output else {"format": "duration"}, lambda text: cls(**parts(text))

    def convert(text):
        try:
            return read(text)
        except (ValueError, OverflowError) as problem:
            raise Misfit(([], f"this is no {form}")) from problem

    return schema, convert


def parts(text):
    """The parts of a duration such as `P1DT2H30.5M`. Months and years have no fixed length."""
    sign = -1 if text.startswith("-") else 1
    text = text.lstrip("+-")
    date, _, time = text[1:].partition("T")
    if text[:1] != "P" or not (date or time) or text.endswith("T"):
        raise ValueError(text)
    found = {}
    for part, units in ((date, {"W": "weeks", "D": "days"}), (time, {"H": "hours", "M": "minutes", "S": "seconds"})):
        number = ""
        for letter in part:
            if letter in "0123456789.":
                number += letter
            else:
                if units.get(letter, "") in found or letter not in units:
                    raise ValueError(text)
                found[units[letter]] = sign * float(number)
                number = ""
        if number:
            raise ValueError(text)
    return found


def shown(span):
    """A timedelta as a duration: `PT1M30S`, `P2DT0.5S`."""
    sign = "-" if span < datetime.timedelta(0) else ""
    span = abs(span)
    hours, rest = divmod(span.seconds, 3600)
    minutes, seconds = divmod(rest, 60)
    second = f"{seconds}.{span.microseconds:06}".rstrip("0") if span.microseconds else str(seconds)
    units = [(hours, "H"), (minutes, "M"), (second, "S")]
    # The format leaves out units at both ends, but none in between.
    while units and units[0][0] in (0, "0"):
        units.pop(0)
    while units and units[-1][0] in (0, "0"):
        units.pop()
    time = "".join(f"{value}{unit}" for value, unit in units)
    date = f"{span.days}D" if span.days else ""
    return f"{sign}P{date}" + (f"T{time}" if time else "" if date else "T0S")
