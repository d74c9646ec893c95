"""A Reflex plugin that makes pages static first: HTML with the styles it needs; React starts when a visitor interacts with the page."""

FINISHED = "The pages are finished."  # printed at the end of the plugin's part of a build
NOT_BUILT = "The pages are not built:"  # printed before the sentences that say why
NOTE = "Note: "  # prefix of each line of advice for the developer

# folders of the finished site
ASSETS = "assets"  # files whose names change with their content: a browser may cache them for ever
# scripts that name the modules of each page; their names stay the same, so a browser must ask whether they have changed
MANIFESTS = "manifests"
