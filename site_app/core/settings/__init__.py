"""Every SITE_* variable: `table` has names, defaults, meanings and rules, `rules` the checks of values, `reading` reads them."""

from site_app.core.settings.reading import (
    ENV_FILE,
    BrokenSetting,
    as_text,
    environment,
    load,
    masked,
    read_env,
    settings,
    settings_or_exit,
    variable,
)
from site_app.core.settings.table import NAMED, REFUSED, Settings, samples
