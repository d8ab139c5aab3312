"""`toolwire/mcp-sdk` and its page, with the types of the SDKs for TypeScript."""

import re
import subprocess

from conftest import APP, HERE, NODE


def test_the_types_of_the_sdks_fit():
    page = (HERE / "../../bindings-node/README.md").read_text("utf-8")
    fences = re.findall(r"^```typescript\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert fences
    for index, fence in enumerate(fences):
        (APP / f"types/readme-{index}.mts").write_text(fence, "utf-8")
    tsc = [NODE, "node_modules/typescript/bin/tsc", "--project", "types"]
    checked = subprocess.run(tsc, cwd=APP, capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout
