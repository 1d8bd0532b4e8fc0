"""What moved, followed from picture to picture: a die that rolled is no die that trembles."""

from __future__ import annotations

from collections.abc import Sequence

from vision.movement import Movement
from vision.scene import Box, Thing, Zone

DIE = 16.0
LYING = ((100.0, 100.0), (140.0, 110.0), (120.0, 150.0))


def seen(places: Sequence[Sequence[tuple[float, float]]]) -> Movement:
    """Movement of which each picture shows moving dice at these places."""
    movement = Movement()
    for index, shown in enumerate(places):
        boxes: list[Box] = [(x - 8, y - 8, x + 8, y + 8) for x, y in shown]
        things = tuple(Thing(box, DIE**2, Zone.FELT, moving=True, at_edge=False) for box in boxes)
        movement.add(index / 30, tuple(boxes), things)
    return movement


def test_dice_that_tremble_were_not_followed_anywhere() -> None:
    trembling = seen([LYING[:2], LYING[1:], [LYING[2]], [(101.0, 98.0), LYING[2]]])
    assert trembling.rolled(DIE), "places alone look like a roll"
    assert not trembling.followed(DIE, LYING)


def test_a_die_that_came_from_where_none_lies_was_followed() -> None:
    rolling = seen([[(40.0 + 10 * step, 60.0 + 7 * step)] for step in range(6)])
    assert rolling.followed(DIE, ((90.0, 95.0), *LYING[1:]))
    assert not seen([[(40.0, 60.0)], [(44.0, 62.0)]]).followed(DIE, LYING), "it hardly moved"
