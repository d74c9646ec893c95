"""Builds each form from its lead kind and its view; `views` has a module for each kind.

May import states, components, content, the client and lead kinds; a form does not depend on other forms.
"""
