"""Builds each form from its lead kind and its view: `form` has a state for each kind, `markup` the elements, `views` a module for each kind,
`booking` the steps of booking a call.
"""
