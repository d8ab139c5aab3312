"""The examples of the pages, and our own, as strict type checkers see them."""

import json
import os
import shutil
import sys
from pathlib import Path

from project import NODE, ROOT, TARGET, pages, parts, read, run

# What is checked beside the pages.
PYTHON = [
    *(ROOT / "bindings-python/tests").glob("typed_*.py"),
    *(ROOT / "examples/python").glob("*.py"),
    ROOT / "examples/assistant/ask_model.py",
    ROOT / "examples/host/ask_a_model.py",
    ROOT / "examples/host/keep_running.py",
    ROOT / "examples/mcp/serve_functions.py",
]
JAVASCRIPT = [
    ROOT / "examples/host/ask-a-model.mjs",
    ROOT / "examples/host/keep-running.mjs",
    ROOT / "examples/mcp/serve-functions.mjs",
]


def collect(place: Path, ending: str, files: list) -> Path:
    """A folder with these files, and with those of the pages that have the ending, each under a name of its own.
    Tests import what they test under its name, and are left out."""
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    origin = "#" if ending == ".py" else "//"
    for page in pages():
        for fence in parts(read(page))[0]:
            if fence.name.endswith(ending) and not fence.name.startswith("test"):
                name = f"page_{len(list(place.iterdir()))}{ending}"
                (place / name).write_text(f"{origin} {page}, {fence.name}\n{fence.text}", "utf-8")
    assert len(list(place.iterdir())) > 2, "no page has such a file"
    for file in files:
        shutil.copy(file, place)
    return place


def fences(page: str, *languages: str) -> list:
    return [fence.text for fence in parts(read(page))[0] if fence.language in languages]


def test_python():
    place = collect(TARGET / "typed", ".py", PYTHON)
    # The fences of this page follow one another.
    (place / "readme_python.py").write_text("\n".join(fences("bindings-python/README.md", "python")), "utf-8")
    run(sys.executable, "-m", "mypy", "--strict", "--warn-unreachable", *place.glob("*.py"), cwd=place, PYTHONPATH="")
    # The strictest that people use. An expression on a line of its own shows what there is.
    settings = {"typeCheckingMode": "strict", "reportUnusedExpression": "none"}
    (place / "pyrightconfig.json").write_text(json.dumps(settings))
    for arguments in (["--pythonpath", sys.executable, "."], ["--verifytypes", "toolwire", "--ignoreexternal"]):
        run(
            *(sys.executable, "-m", "pyright", *arguments),
            cwd=place,
            PYTHONPATH="",
            PYRIGHT_PYTHON_IGNORE_WARNINGS="1",
            PYRIGHT_PYTHON_CACHE_DIR=str(TARGET / "pyright"),
            # It looks for the Python on the path, where no option names one.
            PATH=os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
        )


def test_javascript():
    app = TARGET / "node-test"
    place = collect(app / "readme", ".mjs", JAVASCRIPT)
    for index, fence in enumerate(fences("bindings-node/README.md", "js", "mjs", "ts")):
        (place / f"package-{index}.mts").write_text(fence, "utf-8")
    for project in ("types", "types/readme.json"):
        run(NODE, "node_modules/typescript/bin/tsc", "--project", project, cwd=app)
