"""The scorecard's promises, tested with real processes: `make trial NAME=attacks`."""
