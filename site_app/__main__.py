"""The operator's commands: python -m site_app --help."""

import sys

from site_app.cli.printing import complain
from site_app.core.i18n.markdown import BrokenText
from site_app.core.settings import BrokenSetting

try:
    from site_app.cli.main import main  # imports the site, which reads its settings and its texts
except (BrokenSetting, BrokenText) as error:
    complain(str(error))
    sys.exit(1)

sys.exit(main())
