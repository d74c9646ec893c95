"""The library of parts: words and handlers go in, markup comes out.

It may touch Reflex and its own parts; it knows no state, no content and nothing of this site.
"""
