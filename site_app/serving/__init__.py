"""ASGI around pages, API and socket: pages from memory, redirects, languages, headers, plain forms, another provider's answers.

It may touch what the site says and its client, `http` and `metrics`; of the provider it knows nothing but the client.
"""
