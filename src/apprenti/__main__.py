"""`python -m apprenti` is the command line."""

import sys

from apprenti.cli.main import main

sys.exit(main())
