"""What all trials share: sites, engines and programs to start, visitors, load, and how a promise is tried and recorded.

`tests/faults`, `tests/scale`, `tests/bench` and `tests/engines` use it; it knows none of them.
"""
