"""Every SITE_* variable: `table` has names, defaults, meanings and rules, `rules` the checks of values, `values` how they are written.

`sources` reads them.
"""

from site_app.core.settings.sources import ENV_FILE, environment, load, read_env, settings, settings_or_exit, with_files
from site_app.core.settings.table import LISTED, REFUSED, Settings, samples
from site_app.core.settings.values import BrokenSetting, as_text, masked, quoted, value_of, variable
