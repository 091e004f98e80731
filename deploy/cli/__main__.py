"""`python -m deploy.cli`: the `catwalk` command without an installed script."""

import sys

from deploy.cli.main import main

sys.exit(main())
