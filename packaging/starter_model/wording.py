"""Small changes of wording: dates in words, and the slips of people who type fast."""

from __future__ import annotations

import random
import re

_WEEKDAYS = "월화수목금토일"
_NUMBERS = {2: "이틀", 3: "사흘", 4: "나흘"}
_EN_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_EN_MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
_EN_NUMBERS = {2: "two", 3: "three", 4: "four", 5: "five"}


def korean_date(rng: random.Random) -> tuple[str, str]:
    """Return a day in Korean words, and the words that the coach writes for it."""
    kind = rng.choices(("today", "yesterday", "before", "ago", "weekday", "date"), (24, 27, 10, 10, 17, 12))[0]
    if kind == "today":
        return "오늘", "오늘"
    if kind == "yesterday":
        said = rng.choices(("어제", "어젯밤", "어제 저녁", "어제 아침", "어제 낮"), (10, 1, 1, 1, 1))[0]
        return said, "어제"
    if kind == "before":
        said = rng.choice(("그제", "그저께", "엊그제", "그끄제", "그그저께"))
        return said, {"그그저께": "그끄저께"}.get(said, said)
    if kind == "ago":
        days = rng.choices((2, 3, 4, 5, 6, 7), (3, 6, 3, 2, 2, 1))[0]
        said = _NUMBERS[days] if days in _NUMBERS and rng.random() < 0.3 else f"{days}일"
        space = " " if rng.random() < 0.75 else ""
        return f"{said}{space}전", f"{said} 전"
    if kind == "weekday":
        day = rng.choice(_WEEKDAYS)
        lead, written = rng.choices(
            (("", ""), ("지난 ", "지난 "), ("저번 ", "지난 "), ("지난주 ", "지난주 "), ("이번주 ", "")),
            (12, 4, 1, 1, 1),
        )[0]
        return f"{lead}{day}요일", f"{written}{day}요일"
    month, number = rng.randint(1, 12), rng.randint(1, 28)
    said = rng.choices(
        (f"{month}월 {number}일", f"{month}월{number}일", f"{month}/{number}", f"{number}일"), (6, 2, 4, 3)
    )[0]
    return said, (f"{month}월 {number}일" if "월" in said else said)


def english_date(rng: random.Random) -> tuple[str, str]:
    """Return a day in English words, and the words that the coach writes for it."""
    kind = rng.choices(("today", "yesterday", "before", "ago", "weekday", "date"), (24, 27, 6, 13, 18, 12))[0]
    if kind == "today":
        return "today", "today"
    if kind == "yesterday":
        return rng.choices(
            (("yesterday", "yesterday"), ("last night", "yesterday"), ("yesterday evening", "yesterday")), (8, 2, 1)
        )[0]
    if kind == "before":
        return "the day before yesterday", "the day before yesterday"
    if kind == "ago":
        days = rng.choice((2, 3, 4, 5, 6))
        said = _EN_NUMBERS[days] if days in _EN_NUMBERS and rng.random() < 0.6 else str(days)
        return f"{said} days ago", f"{said} days ago"
    if kind == "weekday":
        day = rng.choice(_EN_DAYS)
        said = rng.choices((f"on {day}", f"last {day}", day), (6, 4, 1))[0]
        return said, (f"last {day}" if said.startswith("last") else day)
    month, number = rng.choice(_EN_MONTHS), rng.randint(1, 28)
    ending = {1: "st", 2: "nd", 3: "rd", 21: "st", 22: "nd", 23: "rd"}.get(number, "th")
    short = month[:3]
    said = rng.choice(
        (f"{month} {number}", f"{short} {number}", f"{month} {number}{ending}", f"{rng.randint(1, 12)}/{number}")
    )
    return (said if "/" in said else f"on {said}"), said


_DATE_ENDS = re.compile(r"\{date\}(?= )(?! ?(?:치|자|꺼|거|것|분|의|날|까지|부터))")


def put_korean_date(rng: random.Random, template: str, said: str) -> str:
    """Return `template` with its `{date}`; days of the week and of the month often take 에."""
    takes = said.endswith(("요일", "일", "전")) or "/" in said
    if takes and rng.random() < 0.6:
        template = _DATE_ENDS.sub("{date}에", template)
    return template.replace("{date}", said)


_TYPOS = (
    ("했어", "햇어"),
    ("했음", "햇음"),
    ("됐", "됬"),
    ("었", "엇"),
    ("았", "앗"),
    ("해줘", "해죠"),
    ("주세요", "주세여"),
    ("해 줘", "해줘"),
    ("할게", "할께"),
    ("며칠", "몇일"),
    ("오늘", "오늘은"),
    ("습관", "습간"),
    ("기록", "기롞"),
    ("어떻게", "어떡해"),
    ("같아", "가타"),
    ("좋아", "조아"),
    ("괜찮", "괜찬"),
    ("많이", "마니"),
    ("추가", "추기"),
    ("알려", "알랴"),
    ("않", "안"),
    ("완료", "완뇨"),
)
_TAILS = ("ㅋㅋ", "ㅎㅎ", "ㅠㅠ", "!", "~", "!!", "..", "…", " 🙂", " 💪", " ㅋ", " ㅎ", " 👍", "요")
_HEADS = ("", "", "음 ", "아 ", "저기 ", "코치님 ", "야 ", "오 ", "근데 ", "나 ", "혹시 ")


def korean_noise(rng: random.Random, text: str) -> str:
    """Return `text` as somebody in a hurry types it; most of the time unchanged."""
    quoted = any(mark in text for mark in "‘’“”\"'")
    if rng.random() < 0.07:
        text = rng.choice(_HEADS) + text
    if rng.random() < 0.12 and not quoted:
        places = [index for index, char in enumerate(text) if char == " "]
        for place in rng.sample(places, min(len(places), rng.randint(1, 3))):
            text = text[:place] + "\0" + text[place + 1 :]
        text = text.replace("\0", "")
    if rng.random() < 0.06 and not quoted:
        fitting = [pair for pair in _TYPOS if pair[0] in text]
        if fitting:
            text = text.replace(*rng.choice(fitting), 1)
    if rng.random() < 0.1 and not text.endswith(("?", "!", "~", "ㅋ", "ㅎ", "ㅠ")):
        text = text.rstrip(".") + rng.choice(_TAILS[:-1])
    if rng.random() < 0.1:
        text = text.rstrip(".!~")
    return text.strip() or "음"


def english_noise(rng: random.Random, text: str) -> str:
    """Return `text` as somebody in a hurry types it; most of the time nearly unchanged."""
    if rng.random() < 0.3:
        text = text.lower()
    elif text and rng.random() < 0.8:
        text = text[0].upper() + text[1:]
    if rng.random() < 0.1:
        text = text.replace("'", "").replace("’", "")
    if rng.random() < 0.06:
        words = text.split(" ")
        index = rng.randrange(len(words))
        word = words[index]
        if len(word) > 4 and word.isalpha():
            place = rng.randrange(1, len(word) - 2)
            words[index] = word[:place] + word[place + 1] + word[place] + word[place + 2 :]
            text = " ".join(words)
    if rng.random() < 0.1:
        text = text.rstrip(".") + rng.choice(("!", "...", " :)", " lol", " please", " thx"))
    return text.strip()
