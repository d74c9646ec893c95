"""Icons and drawings, included in the page as SVG or rendered to pictures by the build."""
