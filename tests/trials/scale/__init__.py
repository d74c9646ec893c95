"""More than one machine, in small: real PostgreSQL, Redis and nginx, two app processes of two workers, and faults under load."""
