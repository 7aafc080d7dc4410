"""`python -m apprenti` is the command line."""

import os
import sys

if not sys.flags.safe_path and sys.path[:1] in ([""], [os.path.abspath("")]):  # noqa: PTH100  (pathlib would be imported)
    del sys.path[0]  # the folder one works in, which `-m` puts first: nothing of it is imported from here on

from apprenti.cli.main import main

sys.exit(main())
