"""Chinese words that several tables of wishes are written with: refusals, amounts, units."""

from __future__ import annotations

OUTSET = r"^(?:[ ，。、：:！!~…“”]|那|另外|还有|以后|对了|嗯|写|你写|请|就|要)*"
NO = r"(?:别|不要|不用|不必|甭|少|不许|不准|无需|勿)"
FEW = r"(?:[一二两三四五六七八九十几半\d]+(?:百|千|来|多)?)"
# Alternatives without a group: each table adds its own.
UNITS = (
    r"毫米|厘米|公分|公里|英里|英寸|英尺|尺|寸|亩|平米|平方米?|公顷|克|公斤|千克|斤|磅|盎司|毫升|升|摄氏度?|华氏度?"
    r"|人民币|美元|欧元|日元|港币"
)
