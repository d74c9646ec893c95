"""ASGI in front of pages, API and socket: pages from memory, redirects, languages, headers, plain forms, the relay to a remote provider.

May import forms, content, the client and contracts; reaches the provider only through the client.
"""
