"""The agency's own pages at `/office`. They may touch the provider's packages, `http` and `api`; they know nothing of the site."""
