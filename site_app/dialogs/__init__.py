"""The dialogs that a page can open, with a skeleton of each while its form is fetched.

It may touch forms, states, components and content.
"""
