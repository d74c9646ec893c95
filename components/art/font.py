"""The typeface of headlines as a script fetches it; font.css has it for browsers without scripts."""

HEADLINE_FONT = ("Instrument Sans", "url(/fonts/instrument-sans-640.woff2)", {"weight": "500 800"})
HEADLINE_LANGUAGE = "en"  # it has the letters of this one alone
