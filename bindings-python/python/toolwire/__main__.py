"""`python -m toolwire` is the command `toolwire`."""

import sys

from ._command import main

sys.exit(main())
