"""A Reflex plugin that makes pages static first: HTML with its own part of the style, and React when a visitor means to do something.

It may touch Reflex and nothing else of this project; a site hands in what it needs. See README.md.
"""

FINISHED = "The pages are finished."  # what the plugin says at the end of its part of a build
