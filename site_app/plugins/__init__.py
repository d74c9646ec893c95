"""Two plugins that know nothing of this site: pages that need no React to be read, and the guard of the socket."""
