"""Two plugins that do not depend on this site: pages that can be read without React, and a guard for Reflex's socket."""
