"""Fixtures: two servers on one database."""

from collections.abc import AsyncIterator

import pytest

from tests.server.cluster.members import LONG_LEASE, Member, members


@pytest.fixture
async def two(postgres_url: str) -> AsyncIterator[list[Member]]:
    async with members(postgres_url, 2, lease=LONG_LEASE) as both:
        yield both
