"""Words that stand for several habits or for a category, wishes that the rules refuse, and days to come."""

from __future__ import annotations

SHARED_NAMES: dict[str, dict[str, tuple[str, ...]]] = {
    "ko": {
        "걷기": ("daily-steps", "post-meal-walk"),
        "산책": ("daily-steps", "post-meal-walk", "nature-dose"),
        "운동": ("strength-training", "moderate-cardio"),
        "채소": ("vegetables-first", "fruit-veg-five"),
        "휴대폰": ("break-bedtime-phone", "phone-out-of-sight", "break-phubbing"),
        "폰": ("break-bedtime-phone", "phone-out-of-sight", "break-doomscrolling", "break-phubbing"),
        "글쓰기": ("expressive-writing", "three-good-things", "bedtime-todo-list", "if-then-planning"),
        "적기": ("bedtime-todo-list", "three-good-things", "if-then-planning", "retrieval-practice"),
        "샤워": ("warm-bath-before-bed", "cold-finish-shower"),
        "쉬기": ("micro-break", "eye-20-20-20"),
        "호흡": ("cyclic-sighing", "mindfulness-meditation"),
        "물": ("break-sugary-drinks", "break-energy-drinks"),
        "사람 챙기기": ("reach-out-message", "small-kindness"),
        "식단": ("mediterranean-plate", "fruit-veg-five", "whole-grain-fiber", "vegetables-first"),
        "일어나기": ("regular-wake-time", "break-prolonged-sitting"),
        "계획": ("if-then-planning", "bedtime-todo-list"),
    },
    "en": {
        "walk": ("daily-steps", "post-meal-walk"),
        "walking": ("daily-steps", "post-meal-walk", "nature-dose"),
        "workout": ("strength-training", "moderate-cardio"),
        "veggies": ("vegetables-first", "fruit-veg-five"),
        "phone habit": ("break-bedtime-phone", "phone-out-of-sight", "break-phubbing"),
        "writing": ("expressive-writing", "three-good-things", "bedtime-todo-list"),
        "shower": ("warm-bath-before-bed", "cold-finish-shower"),
        "break": ("micro-break", "eye-20-20-20", "break-prolonged-sitting"),
        "breathing": ("cyclic-sighing", "mindfulness-meditation"),
        "water": ("break-sugary-drinks", "break-energy-drinks"),
        "planning": ("if-then-planning", "bedtime-todo-list"),
    },
}
"""What may mean more than one habit: with one of them active it is that one, with several the coach asks."""

TOPICS: dict[str, dict[str, tuple[str, ...]]] = {
    "ko": {
        "수면": ("수면", "잠", "꿀잠", "숙면"),
        "움직임": ("운동", "움직임", "몸 쓰는 거", "체력"),
        "식사·영양": ("식사", "영양", "식단", "먹는 거", "음식"),
        "마음": ("마음", "스트레스", "멘탈", "정신 건강", "불안"),
        "집중": ("집중", "집중력", "공부", "업무 집중"),
        "디지털": ("디지털", "스마트폰", "디지털 디톡스"),
        "관계": ("관계", "인간관계", "사람 사이", "대인 관계"),
        "몸 돌봄": ("몸 관리", "몸 돌보기", "몸 돌봄"),
        "기호품": ("술 담배", "기호품", "술이나 담배"),
    },
    "en": {
        "Sleep": ("sleep", "sleeping"),
        "Movement": ("movement", "exercise", "fitness"),
        "Nutrition": ("nutrition", "food", "eating", "diet"),
        "Mind": ("stress", "mind", "mental health", "mood"),
        "Focus": ("focus", "concentration", "studying"),
        "Digital": ("digital", "screen time"),
        "Connection": ("connection", "relationships", "people"),
        "Body care": ("body care", "self-care"),
        "Substances": ("substances", "smoking and drinking"),
    },
}
AVOIDED = {
    "ko": (
        "야식 끊기",
        "담배 안 피우기",
        "술 줄이기",
        "폰 그만 보기",
        "커피 금지",
        "SNS 하지 않기",
        "단것 안 먹기",
        "게임 끊기",
        "미루지 않기",
        "손톱 안 뜯기",
    ),
    "en": (
        "no more smoking",
        "stop snacking",
        "quit social media",
        "don't drink",
        "never scroll in bed",
        "avoid sugar",
        "no phone",
        "less coffee",
    ),
}
FUTURE = {
    "ko": ("내일", "모레", "내일모레", "다음 주 월요일"),
    "en": ("tomorrow", "the day after tomorrow", "next Monday"),
}
WRITTEN_FUTURE = {"내일모레": "모레"}
