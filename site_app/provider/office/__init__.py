"""The agency's own pages at `/office`. May import all packages of the provider except `api`, contracts and core; nothing of the site."""
