"""Shared code that every other package may import: settings, languages, HTTP, addresses, colors, logs."""

from pathlib import Path

ROOT = Path(__file__).parents[2]  # the folder of the project: the checkout, or what the image has of it
