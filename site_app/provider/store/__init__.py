"""The database: tables, sessions off the event loop, migrations. Of this project it imports only `core`.

Import migrations from their own module: only the start of the site needs Alembic.
"""

from site_app.provider.store.connections import Store, StoreUnavailable, in_transaction
from site_app.provider.store.dialects import advisory_lock, insert_if_new, insert_new_rows, insert_rows, insert_statement
from site_app.provider.store.engine import brief_engine, database_url, open_engine
