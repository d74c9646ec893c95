"""The operator's commands: python -m site_app --help."""

import sys

from site_app.cli.main import main

sys.exit(main())
