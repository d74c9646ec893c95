"""Shared by all endpoints of the API: context, limits, errors."""
