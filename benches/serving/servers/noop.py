"""A tool that does nothing, served by `toolwire serve`."""

import toolwire as tw


@tw.tool
def noop() -> str:
    """Do nothing."""
    return "ok"


tw.main()
