"""React components for choosing a time and for a booked meeting."""
