"""Shared by all trials: sites, engines and programs to start, visitors, load, and how a promise is tried and recorded."""
