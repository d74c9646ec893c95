"""The Reflex states, one concern each: the open dialog, loaded lists, the reply to a form.

May import the client, contracts and content; imports no component and no page.
"""
