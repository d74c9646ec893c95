"""Builds the site with another Reflex, in a copy beside it, and says what broke. `make canary`."""
