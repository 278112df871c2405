"""What the tests with the real verl share: one world, and one model trained in it."""

from __future__ import annotations

import pytest
import small_world


@pytest.fixture(scope="session")
def sft_world(tmp_path_factory: pytest.TempPathFactory) -> small_world.SftWorld:
    return small_world.SftWorld(tmp_path_factory.mktemp("sft"))


@pytest.fixture(scope="session")
def trained_mini(sft_world: small_world.SftWorld) -> small_world.Trained:
    return small_world.train_mini(sft_world)
