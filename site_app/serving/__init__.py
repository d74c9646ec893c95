"""ASGI in front of pages, API and socket: pages from memory, redirects, languages, headers, plain forms, the relay to a remote provider.

May import the site's content, the client, `http` and `metrics`; reaches the provider only through the client.
"""
