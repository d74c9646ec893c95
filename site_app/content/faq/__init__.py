"""The questions and answers of the FAQ, by category."""
