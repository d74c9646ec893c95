"""The provider's endpoints and plain pages: each reads a request, calls another package of the provider, and answers.

May import all packages of the provider, contracts and core, but nothing of the site.
"""
