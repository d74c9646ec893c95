"""HTTP code shared by the API and the site: addresses, languages, limits, bodies, refusals, and the layout of plain pages.

May import contracts, i18n, settings and colors; imports neither the API nor the site, and both may import it.
"""
