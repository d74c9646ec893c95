"""What every endpoint of the API works with: its context, its limits, its errors."""
