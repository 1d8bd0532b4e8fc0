"""What a table may choose in pietjesbak: every open point of the rules, its readings and where they come from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scorer.dice import WIPES, ThrowClass, Value
from scorer.errors import IllegalEvent
from scorer.options import Option


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The chosen readings, one field an option of `OPTIONS`."""

    strokes: int
    stroke_cap: int | None
    counting: str
    followers: str
    zand_order: str
    three_aces_needs: str
    three_aces_early: str
    three_aces_early_when: str
    early_aces_pay: bool
    opener_lost: str
    seven_when: str
    seven_penalty: str
    die_outside: str
    die_outside_strokes: int
    die_outside_in: str
    die_outside_pays: bool
    die_on_rim: str
    tie: str
    barrage_again: str
    barrage_wipes: int | str
    stoef: str
    stoef_lost: int
    next_opener: str
    start_tie: str
    next_game: str
    finish: str

    @classmethod
    def chosen(cls, options: Mapping[str, Any]) -> Rules:
        """The rules with these options; raises `IllegalEvent` where two options contradict each other."""
        rules = cls(**options)
        if rules.stroke_cap is not None and rules.stroke_cap < rules.strokes:
            raise IllegalEvent(
                "bad_option", f"stroke_cap must be at least {rules.strokes}, the strokes one begins with"
            )
        return rules

    def standing(self, value: Value) -> int:
        """What two throws are compared by, the smaller the better (PJ-10, A4)."""
        return _ANY_ZAND if value.kind is ThrowClass.ZAND and self.zand_order == "all_equal" else value.rank

    def wipes(self, value: Value, *, barrage: bool, stoef: bool) -> int | None:
        """How many strokes this throw wipes when it wins the round; None is all of them (PJ-12)."""
        if barrage and self.barrage_wipes == 1:
            return 1  # PJ-16
        if value.kind is ThrowClass.THREE_ACES:
            return None
        wipes = WIPES[value.kind]
        if barrage or not stoef:
            return wipes
        return max(2, wipes) if self.stoef == "two_strokes" else 2 * wipes  # A28


_ANY_ZAND = 3  # the rank of the highest zand

OPTIONS = (
    Option(name="strokes", default=9, least=1, most=50, rule="PJ-02", source="A27; 5, 7 and 12 are played too"),
    Option(name="stroke_cap", default=None, values=(None,), least=1, most=99, rule="PJ-17", source="A12: no cap"),
    Option(
        name="counting",
        default="last",
        values=("last", "best"),
        rule="PJ-06",
        source="A1; last: rulebook, nl.wikipedia; best: Flemish text, Buffalo, Mort Subite",
    ),
    Option(
        name="followers", default="at_most", values=("at_most", "exactly"), rule="PJ-07", source="A3; at most: rulebook"
    ),
    Option(
        name="zand_order",
        default="by_face",
        values=("by_face", "all_equal"),
        rule="PJ-10",
        source="A4; by face: Flemish text; all equal: nl.wikipedia",
    ),
    Option(
        name="three_aces_needs",
        default="ever_wiped",
        values=("ever_wiped", "below_start"),
        rule="PJ-12",
        source="A6; ever wiped: rulebook, Buffalo; below the start: Flemish text",
    ),
    Option(
        name="three_aces_early",
        default="eliminated",
        values=("eliminated", "ends_game", "sits_out_round"),
        rule="PJ-13",
        source="A7; public programs play all three",
    ),
    Option(
        name="three_aces_early_when",
        default="any_throw",
        values=("any_throw", "counting_throw"),
        rule="PJ-13",
        source='A8; "immediately": rulebook',
    ),
    Option(
        name="early_aces_pay",
        default=False,
        values=(False, True),
        rule="PJ-13",
        source='A33; "een rondje betalen": Flemish text',
    ),
    Option(name="opener_lost", default="next_opens", values=("next_opens", "count_stands"), rule="PJ-07", source="A9"),
    Option(
        name="seven_when",
        default="every_throw",
        values=("every_throw", "counting_throw"),
        rule="PJ-17",
        source='A10; "the player who throws": rulebook',
    ),
    Option(
        name="seven_penalty",
        default="thrower",
        values=("thrower", "everyone", "none"),
        rule="PJ-17",
        source="A11; thrower: rulebook, Flemish text; everyone: Buffalo",
    ),
    Option(
        name="die_outside",
        default="rethrow",
        values=("rethrow", "throw_lost"),
        rule="PJ-18",
        source="A13; texts silent",
    ),
    Option(
        name="die_outside_strokes",
        default=1,
        least=0,
        most=1,
        rule="PJ-18",
        source="A14; one: rulebook, Flemish text; none: Mort Subite",
    ),
    Option(
        name="die_outside_in",
        default="turn_and_barrage",
        values=("turn_and_barrage", "all_throws", "turn_only"),
        rule="PJ-18",
        source="A15; said right after the barrage",
    ),
    Option(
        name="die_outside_pays",
        default=False,
        values=(False, True),
        rule="PJ-18",
        source="A14; a round of drinks instead: Mort Subite",
    ),
    Option(name="die_on_rim", default="rethrow", values=("rethrow", "outside"), rule="A32", source="A32"),
    Option(name="tie", default="barrage", values=("barrage", "replay_round"), rule="PJ-15", source="A22"),
    Option(
        name="barrage_again",
        default="tied_only",
        values=("tied_only", "all_tied"),
        rule="PJ-15",
        source="A19; Le Pastis: losers drop out",
    ),
    Option(
        name="barrage_wipes",
        default=1,
        values=(1, "by_throw"),
        rule="PJ-16",
        source="A21; one: rulebook, Flemish text",
    ),
    Option(
        name="stoef",
        default="off",
        values=("off", "two_strokes", "double"),
        rule="A28",
        source="A28; two strokes: Mort Subite, Buffalo",
    ),
    Option(name="stoef_lost", default=0, least=0, most=2, rule="A28", source="A28; two: Buffalo"),
    Option(
        name="next_opener",
        default="round_winner",
        values=("round_winner", "clockwise", "round_loser"),
        rule="PJ-05",
        source="A23; public programs and zanzi: the winner",
    ),
    Option(
        name="start_tie",
        default="everyone",
        values=("everyone", "tied_only"),
        rule="PJ-03",
        source="A25; everyone: rulebook; tied only: Le Pastis",
    ),
    Option(
        name="next_game",
        default="roll_off",
        values=("roll_off", "loser", "winner"),
        rule="PJ-03",
        source="A24; loser: Le Pastis",
    ),
    Option(
        name="finish",
        default="last_player_loses",
        values=("last_player_loses", "first_out_wins"),
        rule="A26",
        source="A26; first out wins: Buffalo",
    ),
)
