"""The reference's six cases of the envelope, and the cap in UTF-8 bytes."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from lifehelper_desktop.tools.envelope import (
    TOOL_RESULT_MAX_BYTES,
    ToolCancelled,
    ToolErr,
    ToolOk,
    cap_result,
    encode_tool_result,
)


def test_ok_to_json_has_status_and_data() -> None:
    assert ToolOk({"count": 1}).to_json() == {"status": "ok", "data": {"count": 1}}


def test_error_to_json_has_code_and_reason() -> None:
    assert ToolErr("r3_quota", "자리가 없어요").to_json() == {
        "status": "error",
        "code": "r3_quota",
        "reason": "자리가 없어요",
    }


def test_cancelled_to_json_says_user_did_not_confirm() -> None:
    expected = {"status": "cancelled", "reason": "user did not confirm"}
    assert ToolCancelled().to_json() == expected
    assert ToolCancelled(declined=False).to_json() == expected


def test_small_result_is_encoded_unchanged() -> None:
    result = ToolOk({"title": "하루 걷기"})
    assert json.loads(encode_tool_result(result)) == result.to_json()


def test_long_ok_result_becomes_truncation_hint() -> None:
    envelope = cap_result(ToolOk({"text": "가" * 3000}))
    assert envelope["data"]["_truncated"] is True
    assert "query_protocol" in envelope["data"]["_hint"]


def test_long_error_stays_valid_json_within_the_cap() -> None:
    text = encode_tool_result(ToolErr("handler_error", "끝" * 5000))
    assert len(text.encode()) <= TOOL_RESULT_MAX_BYTES
    assert json.loads(text)["code"] == "handler_error"


def test_the_cap_counts_utf8_bytes_not_characters() -> None:
    # 1,000 syllables are 1,000 UTF-16 units but 3,000 bytes.
    assert "_truncated" in cap_result(ToolOk({"text": "가" * 1000}))["data"]
    assert "_truncated" not in cap_result(ToolOk({"text": "a" * 1000}))["data"]


def test_a_long_list_loses_whole_items_and_says_how_many() -> None:
    items = [{"id": f"entry-{number}", "summary": "한 줄 요약이에요 " * 5} for number in range(40)]
    envelope = cap_result(ToolOk({"count": 40, "items": items}))
    kept = envelope["data"]["items"]
    assert 0 < len(kept) < 40
    assert kept == items[: len(kept)]
    assert envelope["data"]["_omitted"] == 40 - len(kept)
    assert envelope["data"]["_hint"]


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=20) | st.dictionaries(st.text(), inner, max_size=10),
    max_leaves=60,
)


@given(st.dictionaries(st.text(max_size=20), _JSON, max_size=12), st.integers(300, 3000))
def test_every_result_fits_the_cap_and_stays_json(data: dict[str, Any], cap: int) -> None:
    text = json.dumps(cap_result(ToolOk(data), cap), ensure_ascii=False, separators=(",", ":"))
    assert len(text.encode("utf-8", "surrogatepass")) <= cap
    assert json.loads(text)["status"] == "ok"
