"""The tool of `toolwire-author`'s page in a project of its own: with that one dependency, as `cargo add` gives it."""

import os
import shutil
import subprocess

from project import DEBUG, ENVIRONMENT, ROOT, TARGET, parts, read, run

MANIFEST = """[workspace]

[package]
name = "alone-rename"
edition = "2024"

[dependencies]
toolwire-author = {{ path = '{path}' }}

{profiles}"""


def test_the_tool_of_the_page_needs_no_other_dependency():
    fences, _ = parts(read("crates/toolwire-author/README.md"))
    program = next(fence.text for fence in fences if fence.language.startswith("rust"))
    project = TARGET / "alone"
    (project / "src").mkdir(parents=True, exist_ok=True)
    (project / "src/main.rs").write_text(program, "utf-8")
    # As the workspace is built, and with its versions, so that cargo finds what is built.
    workspace = read("Cargo.toml")
    profiles = workspace[workspace.index("[profile.") :]
    manifest = MANIFEST.format(path=ROOT / "crates/toolwire-author", profiles=profiles)
    (project / "Cargo.toml").write_text(manifest, "utf-8")
    shutil.copy(ROOT / "Cargo.lock", project)
    options = ["--manifest-path", project / "Cargo.toml", "--target-dir", TARGET]
    run(os.environ.get("CARGO", "cargo"), "build", "--quiet", "--offline", *options)
    described = subprocess.run(
        [DEBUG / "alone-rename"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        env={**ENVIRONMENT, "TOOLWIRE_CALL": "file"},
    )
    assert "rename  Rename a file." in described.stderr
    assert "rename path=… to=…" in described.stderr
