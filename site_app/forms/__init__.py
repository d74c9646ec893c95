"""Builds each form from its lead kind and its view; `views` has a module for each kind, `booking` the steps of booking a call.

May import states, content, contracts and components, and everything below them.
"""
