"""What speaks for one value replacing another, and what it amounts to."""

import json
from pathlib import Path

import pytest

from dcb.extract.around import Around
from dcb.extract.moves import Candidate, Move
from dcb.extract.rivalry import replaced_values, rivals, weigh
from dcb.extract.rules.rivalry import WEIGHTS
from dcb.extract.signs import cues, signs


def value(said: str, *, message: int, heard: str = "", reply: str = "") -> Move:
    """A value that a person sets in a message of its own."""
    candidate = Candidate(
        kind="parameter", message=message, start=0, end=len(said), rule="", group=message
    )
    around = Around(said, heard, "", reply)
    return Move(candidate, said, number=message, sentence=said, around=around)


def _signs(new: Move, old: Move) -> set[str]:
    return set(signs(new, old, [old], tuple(cues(new))))


BUDGET = value("9,000 all in", message=2, heard="Budget ceiling for the whole job?")
WARM_UP = value("热身八分钟。", message=2, heard="热身多久？")


@pytest.mark.parametrize(
    ("sign", "new", "old"),
    [
        ("named as asked", value("the ceiling is 9,500", message=6), BUDGET),
        ("far", value("make it 9,500", message=12), BUDGET),
        ("changes", value("make it 9,500 instead", message=4), BUDGET),
        ("told", value("9,500, not 9,000", message=4), BUDGET),
        ("replied", value("9,500", message=4, reply="9,500 instead of 9,000."), BUDGET),
        ("confirmed", value("9,500", message=4, reply="Updated."), BUDGET),
        ("another question", value("£40", message=4, heard="And the tiles?"), BUDGET),
        ("all its names", value("the budget is £90", message=4), value("budget £80", message=2)),
        (
            "names apart",
            value("logs of errors 9 days", message=4),
            value("logs of access 8 days", message=2),
        ),
        ("same moment", value("Friday", message=4), value("Tuesday", message=2)),
        ("relative", value("再加四分钟", message=6), WARM_UP),
        (
            "reply of its unit, derived",
            value("再加四分钟", message=6, reply="热身 12 分钟"),
            WARM_UP,
        ),
        ("same question", value("十分钟", message=6, heard="热身多久？"), WARM_UP),
    ],
)
def test_a_sign_is_told(sign: str, new: Move, old: Move) -> None:
    assert sign in _signs(new, old)


def test_what_the_signs_of_a_pair_are_worth_adds_up() -> None:
    assert weigh(["told", "told", "not a sign"]) == WEIGHTS["always"] + WEIGHTS["told"]


def test_values_of_things_that_both_have_a_name_do_not_compete() -> None:
    logs = value("Keep logs 30 days", message=2)
    assert rivals(value("Keep backups 90 days", message=4), [logs]) == []


def test_a_long_message_names_what_it_changes() -> None:
    pasted = value("90 days", message=4)
    pasted.around = Around("90 days" + " and so on" * 60, "", "")
    assert rivals(pasted, [value("30 days", message=2)]) == []


def test_a_value_that_is_told_again_replaces_nothing() -> None:
    assert rivals(value("the limit is 30 days", message=4), [value("30 days", message=2)]) == []


def test_of_many_alike_none_is_likely_enough() -> None:
    alike = [value("30 days", message=number) for number in range(2, 10)]
    assert replaced_values(value("90 days", message=12), alike) == []


def test_every_sign_that_is_weighed_is_told_somewhere() -> None:
    source = (Path(__file__).parents[1] / "src/dcb/extract/signs.py").read_text("utf-8")
    parts = {part for sign in WEIGHTS for part in sign.split(", ")} - {"always"}
    stems = {part.removesuffix(" 2") for part in parts}
    made = {"same unit", "same name", "same number", "same moment"}
    made |= {"named as asked", "said as asked", "named as recorded", "said as recorded"}
    assert [stem for stem in sorted(stems - made) if json.dumps(stem)[1:-1] not in source] == []
