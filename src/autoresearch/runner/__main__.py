"""Entry of the archive and of ``python -m autoresearch.runner``."""

import sys

from autoresearch.runner.main import main

sys.exit(main())
