"""The Reflex states, one concern each: the open dialog, loaded lists, the booked meeting. Those of forms are in site_app/forms/form.py,
because open pages name that module.
"""
