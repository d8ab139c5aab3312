"""Says which Python this is, and which version of a package it has."""
import json
import sys

name = sys.implementation.name
names = {"cpython": "python"}
said = {"interpreter": "%s %d.%d" % (names.get(name, name), sys.version_info[0], sys.version_info[1])}
if len(sys.argv) > 1:
    from importlib.metadata import PackageNotFoundError, version

    try:
        said["version"] = version(sys.argv[1])
    except PackageNotFoundError:
        pass
print(json.dumps(said))
