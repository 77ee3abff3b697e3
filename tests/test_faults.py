"""A short run of every fault; `python -m tests.faults --full` runs them at length."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.faults import (
    backends,
    crowded_server,
    crowding,
    damaging,
    filling,
    killing,
    powering,
    sweeping,
)
from tests.faults.harness import Tally, shim
from tests.postgres_server import Server

needs_shim = pytest.mark.skipif(shim() is None, reason="needs Linux and a C compiler")


def unharmed(tally: Tally) -> None:
    assert tally.bad == [], str(tally)
    assert tally.figures["lost"] == 0


def test_a_kill_loses_nothing_acknowledged(tmp_path: Path) -> None:
    unharmed(killing.kill(tmp_path / "store", 12))


@needs_shim
def test_a_write_that_fails_is_reported_or_made_good(tmp_path: Path) -> None:
    unharmed(sweeping.sweep(tmp_path / "store", every=100))


@needs_shim
def test_power_loss_loses_nothing_acknowledged(tmp_path: Path) -> None:
    unharmed(powering.power(tmp_path / "store", plans=0, saves=1))


def test_damage_is_noticed_before_anything_is_served(tmp_path: Path) -> None:
    unharmed(damaging.damage(tmp_path / "store", 5))


def test_a_crowd_of_writers_waits_its_turn(tmp_path: Path) -> None:
    unharmed(crowding.crowd(tmp_path / "store", writers=4, saves=4))


def test_a_limit_is_a_sentence_and_loses_nothing(tmp_path: Path) -> None:
    unharmed(filling.limited(tmp_path / "store", limit=500_000))


def test_a_server_whose_sessions_are_killed_loses_nothing_acknowledged(postgres: Server) -> None:
    unharmed(backends.kill_on(postgres, 20))


def test_a_full_disk_of_a_server_is_a_sentence_and_loses_nothing(postgres: Server) -> None:
    tally = crowded_server.tables_on(postgres, refusals=2)
    if crowded_server.SKIPPED in tally.figures:
        pytest.skip("needs the right to mount a small disk")
    unharmed(tally)
    assert tally.figures["of a full disk"] == tally.figures["refusals"] == 2
    assert tally.figures["saved when there was room again"] == 3
