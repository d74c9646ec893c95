"""Short messages at the foot of a page: README.md says how one gets there."""

from components.messages.snackbar import Snackbar, icon_paths
