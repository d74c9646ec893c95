"""The agency's own pages at `/office`."""
