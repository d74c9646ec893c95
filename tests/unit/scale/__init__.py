"""Of the trial of several processes, what needs no engine."""
