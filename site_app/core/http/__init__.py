"""HTTP code shared by the API and the site: addresses, languages, limits, bodies, refusals, and the layout of plain pages."""
