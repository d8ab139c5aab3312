#!/usr/bin/env python3
"""Ask a CSV file or an SQLite database in SQL, and get rows that a program can read.

    toolwire run examples/python/query.py file=people.csv sql='select city, count(*) from people group by city'

A CSV file is one table, named after the file. Nothing can be changed: the database is opened for
reading, and whatever else SQL could do is denied.
"""

import csv
import os
import re
import sqlite3
from dataclasses import dataclass
from typing import Annotated, Any, List, Union

import toolwire as tw

# What a query may do: read tables and call functions.
ALLOWED = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE}


@dataclass
class Rows:
    columns: List[str]
    rows: List[List[Union[str, int, float, None]]]
    complete: Annotated[bool, "Whether there are no more rows."]


@tw.tool(read_only=True, open_world=False)
def query(ctx: tw.Context, file: str, sql: str, limit: Annotated[int, {"minimum": 1, "maximum": 10000}] = 100) -> Rows:
    """Query a CSV file or an SQLite database with SQL.

    Args:
        file: The file; relative to the root of the workspace.
        sql: One SELECT. The table of a CSV file has the name of the file, without its extension.
        limit: The greatest number of rows.
    """
    path = os.path.join(ctx.root or "", file)
    database = from_csv(path) if path.lower().endswith((".csv", ".tsv")) else from_sqlite(path)
    try:
        database.set_authorizer(authorize)
        cursor = database.execute(sql)
        columns = [column[0] for column in cursor.description or []]
        found = cursor.fetchmany(limit + 1)
    finally:
        database.close()
    rows = [[plain(value) for value in row] for row in found[:limit]]
    ctx.emit(table(columns, rows))
    if len(found) > limit:
        ctx.emit(f"There are more than {limit} rows.")
    return Rows(columns, rows, complete=len(found) <= limit)


def from_sqlite(path: str) -> sqlite3.Connection:
    with open(path, "rb") as file:
        if file.read(16) != b"SQLite format 3\0":
            raise ValueError(f"`{path}` is neither a CSV file nor an SQLite database")
    return sqlite3.connect(f"file:{path.replace('?', '%3f').replace('#', '%23')}?mode=ro", uri=True)


def from_csv(path: str) -> sqlite3.Connection:
    name = re.sub(r"\W", "_", os.path.splitext(os.path.basename(path))[0])
    with open(path, newline="", encoding="utf-8-sig") as file:
        reader = csv.reader(file, delimiter="\t" if path.lower().endswith(".tsv") else ",")
        header = next(reader, None)
        if not header:
            raise ValueError(f"`{path}` has no columns")
        database = sqlite3.connect(":memory:")
        columns = ", ".join(quoted(column) for column in header)
        database.execute(f"create table {quoted(name)} ({columns})")
        marks = ", ".join("?" * len(header))
        for row in reader:
            filled = [number(value) for value in row[: len(header)]] + [None] * (len(header) - len(row))
            database.execute(f"insert into {quoted(name)} values ({marks})", filled)
    return database


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def number(text: str) -> Union[str, int, float, None]:
    """What a cell means: numbers are compared as numbers, and an empty cell is NULL."""
    if re.fullmatch(r"-?(0|[1-9]\d{0,17})", text):
        return int(text)
    if re.fullmatch(r"-?(0|[1-9]\d*)\.\d+", text):
        return float(text)
    return text or None


def plain(value: Any) -> Any:
    return f"({len(value)} bytes)" if isinstance(value, bytes) else value


def authorize(action: int, *_: Any) -> int:
    return sqlite3.SQLITE_OK if action in ALLOWED else sqlite3.SQLITE_DENY


def cell(value: Any) -> str:
    return "" if value is None else str(value).replace("|", "\\|").replace("\n", " ")


def table(columns: List[str], rows: List[List[Any]]) -> str:
    """The rows for a person and a model, in Markdown."""
    lines: List[List[Any]] = [columns, ["---"] * len(columns), *rows]
    return "\n".join("| " + " | ".join(map(cell, line)) + " |" for line in lines)


tw.main()
