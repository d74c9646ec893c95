"""ASGI in front of pages, API and socket: pages from memory, redirects, languages, headers, plain forms, the relay to a remote provider."""
