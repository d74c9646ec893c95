"""Migrations and models agree, upgrading and downgrading."""

from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import MetaData, column, inspect, text
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, select

from alembic import command
from site_app.provider.store import brief_engine, open_engine
from site_app.provider.store.columns import Row, mail_domain
from site_app.provider.store.migration import ForeignDatabase, configuration, upgrade
from site_app.provider.store.tables import BookingCell, CustomerPayment, Lead, Meeting, Referral
from tests.support.databases import empty_database

_SEARCHED = ("lead", "meeting", "attachment", "note")


# Neither can compare the indexes of an expression: `test_expressions_are_indexed` looks for them.
@pytest.mark.filterwarnings("ignore:Skipped unsupported reflection", "ignore:autogenerate skipping")
def test_migrations_create_the_tables_of_the_models(url: str) -> None:
    engine = open_engine(url)

    with engine.connect() as connection:
        differences = compare_metadata(MigrationContext.configure(connection), Row.metadata)
    engine.dispose()

    assert differences == []


def test_a_new_migration_sees_the_conditions_of_partial_indexes_for_postgresql_too(url: str) -> None:
    """`alembic revision --autogenerate` writes what the tables say, and only migrations add PostgreSQL's conditions to them."""
    indexes = {str(index.name): index for table in Row.metadata.tables.values() for index in table.indexes}

    conditions = {str(indexes[f"ix_{name}_unfolded"].dialect_options["postgresql"]["where"]) for name in _SEARCHED}

    assert conditions == {"folded = ''"}


@pytest.mark.parametrize(
    ("query", "index"),
    [
        ("SELECT id FROM lead WHERE lower(lead.email) = 'a@b.c'", "ix_lead_lower_email"),
        ("SELECT id FROM meeting WHERE lower(meeting.email) = 'a@b.c'", "ix_meeting_lower_email"),
        (f"SELECT id FROM lead WHERE {mail_domain(column('email'))} IN ('@b.c')", "ix_lead_mail_domain"),
        (f"SELECT id FROM meeting WHERE {mail_domain(column('email'))} IN ('@b.c')", "ix_meeting_mail_domain"),
        *((f"SELECT 1 FROM {table} WHERE folded = '' LIMIT 1", f"ix_{table}_unfolded") for table in _SEARCHED),
    ],
)
def test_expressions_are_indexed(tmp_path: Path, query: str, index: str) -> None:
    url = f"sqlite:///{tmp_path / 'site.db'}"
    upgrade(url)

    with brief_engine(url) as engine, engine.connect() as connection:
        plan = connection.execute(text(f"EXPLAIN QUERY PLAN {query}")).all()

    assert index in plan[0].detail


def test_indexes_for_many_leads_go_there_and_back(tmp_path: Path) -> None:
    with empty_database(tmp_path) as url:
        upgrade(url)
        with brief_engine(url) as engine:
            with engine.begin() as connection:
                command.downgrade(configuration(connection), "0013")
            with engine.connect() as connection:
                names = {index["name"] for index in inspect(connection).get_indexes("outbox")}
        upgrade(url)

    assert "ix_outbox_status_next_attempt_at" in names
    assert "ix_outbox_template_created_at" not in names


def test_referrals_of_a_release_without_decisions_about_contacts_go_there_and_back(tmp_path: Path) -> None:
    partner = (
        "INSERT INTO partner (code, application, name, email, paypal, language, state, terms_version, applied_at, approved_on) "
        "VALUES ('K7F3M29Q', 'A-1', 'Pat', 'p@b.c', 'p@b.c', 'en', 'active', '', '2026-01-01 00:00:00', '2026-01-05')"
    )
    # As the release before writes it: it does not name the column.
    referral = (
        "INSERT INTO referral (lead, partner_id, first_submission_on, state, prior_contact_on, resemblance) "
        "VALUES ('{}', 1, '2026-01-20', 'counted', '2026-01-02', '')"
    )
    with empty_database(tmp_path) as url:
        upgrade(url, "0014")
        with brief_engine(url) as engine, engine.begin() as connection:
            connection.execute(text(partner))
            connection.execute(text(referral.format("Q-1")))
        upgrade(url)
        with brief_engine(url) as engine:
            with engine.begin() as connection:
                connection.execute(text(referral.format("Q-2")))
                connection.execute(text("UPDATE referral SET no_project_until = '2026-01-02' WHERE lead = 'Q-2'"))
            with Session(engine) as session:
                referrals = session.exec(select(Referral).order_by(col(Referral.lead))).all()
                decisions = [(referral.lead, referral.no_project_until) for referral in referrals]
            with engine.begin() as connection:
                command.downgrade(configuration(connection), "0014")
            with engine.connect() as connection:
                contacts = connection.execute(
                    text("SELECT lead, CAST(prior_contact_on AS varchar) FROM referral ORDER BY lead")
                ).all()
        upgrade(url)

    assert decisions == [("Q-1", None), ("Q-2", date(2026, 1, 2))]
    assert [tuple(row) for row in contacts] == [("Q-1", "2026-01-02"), ("Q-2", "2026-01-02")]


def test_payments_of_a_release_without_keys_go_there_and_back(tmp_path: Path) -> None:
    """Also two spellings of one number, which that release stored as two payments."""
    rows = (
        "INSERT INTO partner (code, application, name, email, paypal, language, state, terms_version, applied_at, approved_on) "
        "VALUES ('K7F3M29Q', 'A-1', 'Pat', 'p@b.c', 'p@b.c', 'en', 'active', '', '2026-01-01 00:00:00', '2026-01-05')",
        "INSERT INTO referral (lead, partner_id, first_submission_on, state, resemblance) "
        "VALUES ('Q-1', 1, '2026-01-20', 'counted', '')",
    )
    payment = (
        "INSERT INTO customer_payment (reference, lead, net, currency, billing, due_on, contract_on, repaid) "
        "VALUES ('{}', 'Q-1', '1000.00', 'GBP', 'monthly', '2026-02-01', '2026-02-01', '0')"
    )
    with empty_database(tmp_path) as url:
        upgrade(url, "0015")
        with brief_engine(url) as engine, engine.begin() as connection:
            for statement in (*rows, *(payment.format(reference) for reference in ("INV-7a", "INV-7A", "Ä/１"))):
                connection.execute(text(statement))
        upgrade(url)
        with brief_engine(url) as engine:
            with engine.begin() as connection:
                connection.execute(text(payment.format("INV-8")))
            with Session(engine) as session:
                payments = session.exec(select(CustomerPayment).order_by(col(CustomerPayment.id))).all()
                keys = [(payment.reference, payment.reference_key) for payment in payments]
            with engine.begin() as connection:
                command.downgrade(configuration(connection), "0015")
            with engine.connect() as connection:
                references = connection.execute(text("SELECT reference FROM customer_payment ORDER BY id")).scalars().all()
        upgrade(url)

    assert keys == [("INV-7a", "inv-7a"), ("INV-7A", "inv-7a"), ("Ä/１", "ä/1"), ("INV-8", "")]
    assert references == ["INV-7a", "INV-7A", "Ä/１", "INV-8"]


def test_leads_of_the_first_release_are_kept_there_and_back(tmp_path: Path) -> None:
    texts = (
        "status_reason",
        "language",
        "source_page",
        "phone",
        "phone_e164",
        "phone_extension",
        "company",
        "additional_notes",
    )
    empty = dict.fromkeys(texts, "") | {
        "status": "new",
        "created_at": datetime(2026, 1, 2, tzinfo=UTC),
        "country": "",
        "currency": "",
    }
    quote = {"kind": "quote", "full_name": "Ada", "subject": "", "message": "", "services": ["x"], "project_description": "P"}
    affiliate = {"first_name": "Bo", "last_name": "B", "company_website": "", "agreed_terms_version": "1"}
    with empty_database(tmp_path) as url:
        upgrade(url, "0001")
        engine = open_engine(url)
        first = MetaData()
        first.reflect(engine, only=["inquiry", "affiliate"])
        tables = {
            "inquiry": quote | {"reference": "Q-1", "email": "a@b.c"},
            "affiliate": affiliate | {"reference": "A-1", "email": "b@b.c"},
        }
        with engine.begin() as connection:
            for name, row in tables.items():
                connection.execute(first.tables[name].insert(), empty | row)
            rows_before = [connection.execute(first.tables[name].select()).all() for name in tables]

        upgrade(url)

        with Session(engine) as session:
            leads = session.exec(select(Lead).order_by(Lead.reference)).all()
        with engine.begin() as connection:
            command.downgrade(configuration(connection), "0001")
            rows_after = [connection.execute(first.tables[name].select()).all() for name in tables]
        upgrade(url)
        engine.dispose()
    assert [(lead.kind, lead.reference) for lead in leads] == [("affiliate", "A-1"), ("quote", "Q-1")]
    assert leads[1].own_fields == {"full_name": "Ada", "services": ["x"], "project_description": "P"}
    assert rows_after == rows_before


def test_an_older_release_starts_on_the_tables_of_a_newer_one(url: str) -> None:
    engine = open_engine(url)
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))

    upgrade(url)

    with engine.connect() as connection:
        revision = MigrationContext.configure(connection).get_current_revision()
    engine.dispose()
    assert revision == "9999"


@pytest.mark.parametrize("revision", ["0002", "0004"])
def test_a_database_between_two_releases_is_refused_and_left_as_it_is(url: str, revision: str) -> None:
    upgrade(url)
    with brief_engine(url) as engine, engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = :revision"), {"revision": revision})

    with pytest.raises(ForeignDatabase, match="between two releases"):
        upgrade(url)


def test_quarter_hours_of_several_hosts_go_there_and_back(tmp_path: Path) -> None:
    at = datetime(2026, 6, 2, 9, tzinfo=UTC)
    copy_cells = "INSERT INTO booking_cell (starts_at, meeting_id) SELECT starts_at, meeting_id FROM booking_cell"
    meeting = Meeting(
        reference="C-1",
        email="a@b.c",
        full_name="Ada",
        starts_at=at,
        ends_at=at,
        time_zone="UTC",
        conferencing_url="x",
        uid="x",
        changed_at=at,
        created_at=at,
    )
    with empty_database(tmp_path) as url:
        upgrade(url)
        engine = open_engine(url)
        with Session(engine) as session:
            session.add(meeting)
            session.flush()
            session.add_all(BookingCell(starts_at=at, host=host, meeting_id=1) for host in ("", "Ada"))
            session.add(BookingCell(starts_at=at + timedelta(minutes=15), host="Ada", meeting_id=1, network="n"))
            session.commit()
        with engine.begin() as connection:
            command.downgrade(configuration(connection), "0012")
        with engine.begin() as connection:
            networks = connection.execute(text("SELECT network FROM booking_cell ORDER BY starts_at")).scalars().all()
            with pytest.raises(IntegrityError), connection.begin_nested():
                connection.execute(text(copy_cells))
        upgrade(url)

        with Session(engine) as session:
            cells = session.exec(select(BookingCell).order_by(col(BookingCell.starts_at))).all()
            assert [(cell.host, cell.network) for cell in cells] == [("", ""), ("", "n")]
            session.add(BookingCell(starts_at=at, host="Ada", meeting_id=1))
            session.commit()
        engine.dispose()
    assert networks == ["", "n"]
