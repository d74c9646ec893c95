"""Finds English in what should be Thai or Chinese."""
