"""The folder of the project: the checkout, or what the image has of it."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
