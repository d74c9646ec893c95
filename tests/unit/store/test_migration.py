"""Migrations and models say the same, both ways."""

from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import inspect, text

from alembic import command
from site_app.store import open_engine
from site_app.store.migration import configuration, upgrade
from site_app.store.tables import Row


def test_the_migrations_make_what_the_models_say(url: str) -> None:
    engine = open_engine(url)

    with engine.connect() as connection:
        differences = compare_metadata(MigrationContext.configure(connection), Row.metadata)
    engine.dispose()

    assert differences == []


def test_taking_every_migration_back_leaves_nothing(url: str) -> None:
    engine = open_engine(url)
    with engine.begin() as connection:
        command.downgrade(configuration(connection), "base")

    left = inspect(engine).get_table_names()
    engine.dispose()
    assert left == ["alembic_version"]


def test_a_release_that_is_put_back_starts_on_the_tables_of_the_newer_one(url: str) -> None:
    engine = open_engine(url)
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))

    upgrade(url)

    with engine.connect() as connection:
        left = MigrationContext.configure(connection).get_current_revision()
    engine.dispose()
    assert left == "9999"
