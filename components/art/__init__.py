"""Icons and drawings, written into the page or drawn as pictures while the site is built."""
