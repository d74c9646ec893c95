"""The provider as one ASGI application: the table of calls, background tasks, readiness, the OpenAPI document.

May import all packages of the provider, contracts and core, but nothing of the site.
"""
