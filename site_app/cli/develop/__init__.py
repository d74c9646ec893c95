"""The developers' commands: they write files of the checkout, and no server needs them."""
