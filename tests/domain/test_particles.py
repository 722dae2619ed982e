"""Korean particles by the sound before them."""

from __future__ import annotations

import pytest

from lifehelper_desktop.domain.particles import with_particles


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("걷기을(를) 했어요", "걷기를 했어요"),
        ("명상을(를) 했어요", "명상을 했어요"),
        ("‘명상’이(가) 있어요", "‘명상’이 있어요"),
        ("‘하루 걷기’은(는) 3일째", "‘하루 걷기’는 3일째"),
        ("물(으)로", "물로"),
        ("책(으)로", "책으로"),
        ("1(으)로", "1로"),
        ("3(으)로", "3으로"),
        ("식후 10분 걷기과(와) 치실", "식후 10분 걷기와 치실"),
        ("숨 열 번예요(이에요)", "숨 열 번이에요"),
        ("물 한 모금 마시기예요(이에요)", "물 한 모금 마시기예요"),
        ("SNS을(를)", "SNS를"),
        ("Walk을(를)", "Walk를"),
        ("그대로", "그대로"),
    ],
)
def test_particles(text: str, said: str) -> None:
    assert with_particles(text) == said
