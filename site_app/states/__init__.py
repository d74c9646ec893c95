"""Reflex's states, one concern each: what is open, what is loading, what a form was answered.

It may touch the client, contracts and content; it knows no component and no page.
"""
