"""Every promise of the scorecard, tried with real processes: `make trial NAME=attacks`."""
