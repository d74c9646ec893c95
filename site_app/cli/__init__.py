"""The commands of the project: `site` and `python -m site_app`."""
