"""What the API and the site both need to speak HTTP: addresses, languages, limits, bodies, refusals, and the layout of plain pages.

It may touch contracts, i18n, settings and colors; it knows neither the API nor the site, and both may import it.
"""
