"""A Reflex plugin that makes pages static first: HTML with its own part of the style, and React when a visitor means to do something.

It may touch Reflex and nothing else of this project; a site hands in what it needs. See README.md.
"""

FINISHED = "The pages are finished."  # what the plugin says at the end of its part of a build
NOT_BUILT = "The pages are not built:"  # what it says before the sentences that tell why
NOTE = "Note: "  # the beginning of each line that a developer may want to know
