"""Every SITE_* variable: its name, default, meaning and rule in `table`, what it must be in `rules`, how it is read in `reading`."""

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
