"""The provider's endpoints and its plain pages: each reads a request, calls a service, answers.

It may touch all packages of the provider and `http`; it knows nothing of the site.
"""
