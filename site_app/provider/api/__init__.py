"""The provider as one ASGI application: the table of calls, background tasks, readiness, the OpenAPI document."""
