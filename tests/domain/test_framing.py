"""R7: labelled sentences, ways of writing, look-alikes, and what a text can do to the detector."""

from __future__ import annotations

import json
import time
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lifehelper_desktop.base.paths import resources_dir
from lifehelper_desktop.domain.framing import detect_avoidance_keywords

DATA = Path(__file__).parents[1] / "data"


def _cases(name: str) -> list[tuple[str, str]]:
    loaded = json.loads((DATA / name).read_text(encoding="utf-8"))
    rows = loaded["cases"] if isinstance(loaded, dict) else loaded
    return [(row["text"], row["label"]) for row in rows]


CASES = _cases("r7_cases.json") + _cases("r7_fresh.json")


@pytest.mark.parametrize(("text", "label"), CASES)
def test_labelled_sentence(text: str, label: str) -> None:
    words = detect_avoidance_keywords(text)
    assert ("refuse" if words else "pass") == label, words
    assert all(word in text for word in words)


@pytest.mark.parametrize(("text", "label"), CASES)
@pytest.mark.parametrize("form", ["NFC", "NFD", "NFKD"])
def test_the_unicode_form_changes_nothing(text: str, label: str, form: str) -> None:
    formed = unicodedata.normalize(form, text)  # type: ignore[arg-type]
    assert ("refuse" if detect_avoidance_keywords(formed) else "pass") == label


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("야식 안 먹기", ["안 먹기"]),
        ("커피안마시기", ["안마시기"]),
        ("저녁에 술을 마시지 않기", ["마시지 않기"]),
        ("담배 끊기", ["끊기"]),
        ("Don’t eat after 9 pm", ["Don’t"]),
        ("Ｎｏ phone", ["Ｎｏ"]),
        ("No phone, never a snack", ["No", "never"]),
        ("no phone and no TV", ["no"]),
        ("야식 금지, 군것질 줄이기", ["금지", "줄이기"]),
    ],
)
def test_the_words_come_back_as_written(text: str, words: list[str]) -> None:
    assert detect_avoidance_keywords(text) == words


def test_the_words_of_decomposed_hangul_come_back_as_written() -> None:
    text = unicodedata.normalize("NFD", "군것질 줄인다")
    assert detect_avoidance_keywords(text) == [unicodedata.normalize("NFD", "줄인다")]


VERB_ENDINGS = {
    "줄이": "줄이기|줄인다|줄이자|줄일래|줄임|줄입니다|줄여야지|줄였다|줄이겠다|줄일 것|줄여 보기",
    "피하": "피하기|피한다|피하자|피할래|피함|피합니다|피해야지|피하겠다|피할 것",
    "참": "참기|참는다|참자|참을래|참음|참습니다|참아야지|참겠다|참을 것",
    "끊": "끊기|끊는다|끊자|끊을래|끊음|끊습니다|끊어야지|끊었다|끊겠다|끊을 거야",
    "그만두": "그만두기|그만둔다|그만두자|그만둘래|그만둠|그만둡니다|그만둬야지|그만뒀다|그만 두기",
    "관두": "관두기|관둔다|관두자|관둘래|관둠|관둡니다|관둬야지|관뒀다",
    "멈추": "멈추기|멈춘다|멈추자|멈출래|멈춤|멈춥니다|멈춰야지|멈췄다",
    "삼가": "삼가기|삼간다|삼가자|삼갈래|삼감|삼갑니다|삼가야지",
    "절제하": "절제하기|절제한다|절제하자|절제할래|절제함|절제합니다|절제해야지|절제",
    "자제하": "자제하기|자제한다|자제하자|자제할래|자제함|자제합니다|자제해야지|자제",
    "않": (
        "하지 않기|하지 않는다|하지 않을래|하지 않겠다|하지 않음|하지 않습니다|하지 않아야지|하지않기"
        "|하질 않기|하지는 않는다|하지 않을 거야"
    ),
    "말": (
        "하지 말기|하지 말자|하지 말아야지|하지 말 것|하지말것|하지 마|하지 마!|하지 마세요|하지 맙시다"
        "|하지 말도록|하지말고 쉬기"
    ),
    "안": (
        "안 하기|안 한다|안 할래|안 하겠다|안 함|안 합니다|안 해야지|안 할 거야|안 할게요|안하기|안해|안 해"
        "|안 하 기|게임안하기"
    ),
    "못": "못 하게 막기|못 하게 하기|못하게 하기|못 하도록 잠그기",
}


@pytest.mark.parametrize("ending", [e for endings in VERB_ENDINGS.values() for e in endings.split("|")])
def test_every_inflection_is_refused(ending: str) -> None:
    assert detect_avoidance_keywords(f"저녁마다 게임 {ending}")


@pytest.mark.parametrize(
    "text",
    [
        *["안경 닦기", "안전벨트 매기", "안부 묻기", "안마의자에 앉아 쉬기", "안주 대신 과일 먹기", "안대 쓰고 자기"],
        *["못지않게 걷기", "못 박기", "연못 돌기", "잘못한 일 적기", "못 본 영화 보기", "다 못 읽은 책 읽기"],
        *["금요일에 걷기", "현금으로 사기", "지금 지갑 정리하기", "금주 3회 달리기", "금연껌 씹기", "궁금한 것 묻기"],
        *["참기름 한 숟갈", "참치 샐러드", "참고서 10쪽", "참 고마운 일 적기", "참을성 기르기", "숨 참기 30초"],
        *["그만큼 걷기", "조그만 노트", "줄넘기 하기", "밑줄 긋기", "끈을 매기", "끈기 있게 하기", "덜어 놓기"],
        *[
            "덜 익은 바나나 먹기",
            "바지 말리기",
            "김밥 말기",
            "요가 매트 말고 정리",
            "주말 말고도 걷기",
            "물 두 잔까지 마시기",
        ],
        *["포기하고 싶을 때 5분 더", "배추 한 포기 심기", "중단한 운동 다시 하기", "피하 지방 재기", "삼각김밥 먹기"],
        *[
            "안 쓰는 앱 지우기",
            "비 안 오는 날 걷기",
            "잘 안 되는 마디 연습",
            "잠이 안 오면 책 읽기",
            "안 친한 동료에게 인사",
        ],
        *[
            "멈추지 않고 20분 걷기",
            "쉬지 않고 걷기",
            "늦지 않게 출발하기",
            "방 안 정리하기",
            "방 안 온도를 20도로 맞추기",
        ],
        *[
            "《담배 끊는 법》 10쪽 읽기",
            "‘멈추지 마’ 노래 부르기",
            "노를 젓기",
            "노을 보기",
            "10분동안보기",
            "초안 쓰기",
        ],
        *[
            "Notebook by the bed",
            "Nothing but water at lunch",
            "Jump rope",
            "Cut out paper stars",
            "Do nothing for a minute",
        ],
        *["If I can't sleep I read", "Donate clothes I don't wear", "When I want to quit, I do one more rep"],
        *["no more than two cups of coffee", "sugar-free gum", "Limit TV to 30 minutes", "Lower my screen brightness"],
    ],
)
def test_innocent_look_alikes_pass(text: str) -> None:
    assert detect_avoidance_keywords(text) == []


@pytest.mark.parametrize(
    "text",
    ["‘야식 끊기’", "“야식 안 먹기”를 지킨다", "'야식 끊기' 실천", "나는 화내지 않는 엄마다", "야식 안 먹는 연습하기"],
)
def test_a_habit_in_disguise_is_refused(text: str) -> None:
    assert detect_avoidance_keywords(text)


@pytest.mark.parametrize("hidden", ["\u200b", "\u200d", "\ufeff", "\u00ad", "\x00", "\ud800"])
def test_characters_that_cannot_be_seen_change_nothing(hidden: str) -> None:
    assert detect_avoidance_keywords(f"야식 안{hidden} 먹{hidden}기")
    assert detect_avoidance_keywords(f"안{hidden}경 닦기") == []


@pytest.mark.parametrize("space", ["\u00a0", "\u3000", "\t", "  ", "\n"])
def test_any_space_is_a_space(space: str) -> None:
    assert detect_avoidance_keywords(f"야식 안{space}먹기")


@given(st.text(st.characters(), max_size=80))
@settings(max_examples=200, deadline=None)
def test_any_text_is_answered(text: str) -> None:
    assert isinstance(detect_avoidance_keywords(text), list)


PIECES = st.sampled_from(
    [
        *["안 ", "않", "못 ", "지 ", "말고", "는 ", "쓰", "먹", "기", "담배", "끊", "줄이", "없", "참", "사람", "이다"],
        *["no ", "n't ", "if i ", "not ", "'", '"', "🚫", "\ud800", "\u1100", "\u1161", "\u11ab"],
    ]
)


@given(st.lists(PIECES, max_size=30).map("".join))
@settings(max_examples=200, deadline=None)
def test_any_mixture_of_the_detectors_own_words_is_answered(text: str) -> None:
    assert isinstance(detect_avoidance_keywords(text), list)


@pytest.mark.parametrize("piece", ["안 ", "안 쓰는 물건 ", "지 말", "않", "숨 ", "give a ", "if i ", "'", "가", "🚫"])
def test_a_very_long_text_takes_time_in_proportion(piece: str) -> None:
    def seconds(length: int) -> float:
        text = (piece * length)[:length]
        began = time.process_time()
        detect_avoidance_keywords(text)
        return time.process_time() - began

    detect_avoidance_keywords(piece)
    short = max(seconds(5_000), seconds(5_000), 0.01)
    # Twenty times the text: linear work stays near 20, quadratic work would reach 400.
    assert seconds(100_000) < short * 100


def test_a_frame_is_checked_within_a_millisecond_or_so() -> None:
    text = "나는 저녁 여덟 시 이후로는 절대로 야식을 안 먹고 대신 따뜻한 보리차를 천천히 마시는 사람이 되어 보려고 한다"
    detect_avoidance_keywords(text)
    best = 1.0
    for _round in range(20):
        began = time.process_time()
        detect_avoidance_keywords(text)
        best = min(best, time.process_time() - began)
    assert best < 0.003


def test_every_frame_of_the_catalogue_passes() -> None:
    frames = [
        frame
        for path in (resources_dir() / "catalogue").glob("*.json")
        for frame in _strings_below_frames(json.loads(path.read_text(encoding="utf-8")))
    ]
    assert [(frame, words) for frame in frames if (words := detect_avoidance_keywords(frame))] == []


def _strings_below_frames(node: object, inside: bool = False) -> list[str]:
    if isinstance(node, str):
        return [node] if inside else []
    if isinstance(node, list):
        return [text for item in node for text in _strings_below_frames(item, inside)]
    if isinstance(node, dict):
        return [t for key, item in node.items() for t in _strings_below_frames(item, inside or key == "frames")]
    return []
