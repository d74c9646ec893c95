"""Builds each form from its lead kind and its view; `form` has a state for each kind, `views` a module, `booking` the steps of booking a call."""
