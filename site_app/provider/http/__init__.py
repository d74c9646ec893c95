"""Shared by the endpoints of several packages: the class of a call and its context, tokens, refusals, uploads."""
