"""Shared by all trials: sites, engines and programs to start, visitors, load, and how a promise is tried and recorded.

`tests/trials/attacks`, `tests/trials/scale`, `tests/trials/bench` and `tests/trials/browsers` use it; it knows none of them.
"""
