"""ASGI in front of pages, API and socket: pages from memory, redirects, languages, headers, plain forms, relaying to a provider elsewhere.

It may touch what the site says and its client, `http` and `metrics`; of the provider it knows nothing but the client.
"""
