"""What the build is made of, and what it says to the command that runs it."""

FINISHED = "The pages are finished."  # what the plugin says at the end of its part of a build
