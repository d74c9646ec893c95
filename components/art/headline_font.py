"""The fonts of headlines and of the brand's name, which a script loads."""

HEADLINE_FONT = ("Instrument Sans", "url(/fonts/instrument-sans-640.woff2)", {"weight": "500 800"})
HEADLINE_LANGUAGE = "en"  # the font only contains the letters of this language
# The brand's name looks the same in every language. Where the font of headlines is not loaded, this smaller one of its letters is.
BRAND_FONT = ("Brand", "url(/fonts/instrument-sans-letters.woff2)", {"weight": "500 800"})
