"""The database: tables, sessions off the event loop, migrations. It touches nothing else of this project.

Migrations are imported from their module, for only a start needs Alembic.
"""

from site_app.provider.store.engine import brief_engine, database_url, open_engine
from site_app.provider.store.session import (
    Store,
    StoreUnavailable,
    advisory_lock,
    in_transaction,
    insert_if_new,
    insert_new_rows,
    insert_rows,
    insert_statement,
)
