"""Shared code below site and provider: settings, languages, HTTP, metrics, logs, figures of the business, the table of services, colors."""

from pathlib import Path

ROOT = Path(__file__).parents[2]  # the folder of the project: the checkout, or what the image has of it
