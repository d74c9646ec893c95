"""The agency's own pages at `/office`. They may touch the provider's rooms, `http` and `api`; they know nothing of the site."""
