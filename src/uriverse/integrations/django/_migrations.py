"""Write policies in migrations."""

from __future__ import annotations

from typing import Any

from django.db.migrations.serializer import BaseSerializer
from django.db.migrations.writer import MigrationWriter

from uriverse import Policy


class PolicySerializer(BaseSerializer):
    """Writes a policy as a call of `Policy.from_dict`."""

    def serialize(self) -> tuple[str, set[str]]:
        """Return an expression and the imports that it needs."""
        policy: Any = self.value
        name = f"{type(policy).__module__}.{type(policy).__qualname__}"
        return f"{name}.from_dict({policy.to_dict()})", {f"import {type(policy).__module__}"}


def register_policies() -> None:
    """Let Django write policies in migrations."""
    MigrationWriter.register_serializer(Policy, PolicySerializer)
