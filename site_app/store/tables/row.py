"""What every table shares: one registry, and names for constraints that migrations can rely on."""

import re
from datetime import datetime
from typing import Any

from sqlalchemy import MetaData
from sqlalchemy.orm import declared_attr
from sqlmodel import Field, SQLModel

from site_app.store.columns import UtcDateTime


class Row(SQLModel):
    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
            "pk": "pk_%(table_name)s",
        }
    )

    @declared_attr  # pyright: ignore[reportArgumentType]
    def __tablename__(cls) -> str:  # noqa: N805  # pyright: ignore[reportIncompatibleVariableOverride]
        return re.sub("(?<!^)(?=[A-Z])", "_", cls.__name__).lower()


def instant(*, default: Any = ..., index: bool = False, primary_key: bool = False) -> datetime | Any:
    """A column that holds an instant in UTC."""
    return Field(default, sa_type=UtcDateTime, index=index, primary_key=primary_key)  # pyright: ignore
