"""A page each, as a list of sections, and the table of them. It may touch forms, states, components and content.

The table is a module of its own: here, a function and the module of the same name would replace each other.
"""
