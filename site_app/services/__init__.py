"""What leads, calls and the API share: the clock, tokens, uploaded files, page views, reference lists.

It may touch store, contracts, i18n and settings; it knows neither HTTP nor the site.
"""
