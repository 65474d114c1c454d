"""Marks that a model leaves in the queries it writes."""

from __future__ import annotations

import re

_TEXT = r"(?:document|context|text|passage|excerpt|article|chunk|paragraph)"
_GIVEN = r"(?:given|provided|above|following|supplied)"
_AFTER = r"\b(?:according to|based on|as per) (?:the |this )?"
_SAID = r"\b(?:mentioned|described|discussed|provided|stated|given|outlined)"

_MARKS = (
    rf"{_AFTER}(?:{_GIVEN} )?(?:{_TEXT}|information {_GIVEN})\b",
    rf"{_AFTER}(?:{_GIVEN} information|documentation)\b",
    r"\b(?:given|provided|the) context information\b|\bcontext information provided\b",
    rf"{_SAID} in (?:the|this) {_TEXT}\b",
    r"\b(?:laut|gemäß) (?:dem|des) (?:dokument|text|kontext|abschnitt)",
    r"\bbasierend auf (?:dem|den) (?:dokument|text|kontext|abschnitt|informationen)",
    r"\b(?:selon|d['\u2019]après) l[ea] (?:document|texte|contexte|passage)\b",
    r"\bsegún el (?:documento|texto|contexto|pasaje)\b",
    r"\b(?:dựa (?:vào|trên|theo)|theo) (?:tài liệu|văn bản|ngữ cảnh|đoạn văn)\b",
    r"\b(?:وفقا|وفقًا|بحسب|بناء على|بناءً على) ?(?:للنص|للمستند|النص|المستند|السياق)",
    r"根据(?:上述|以上|所给|给定|提供的)?(?:文档|文本|上下文|段落|材料|文章)",
    r"(?:文書|テキスト|文脈|本文|文章|資料)(?:によると|によれば|に基づいて)",
    r"\A\s*(?:q(?:uestion)?\s*)?\d{1,3}[.)]\s+\D.*[?\uff1f\u061f]\s*\Z",
)
_ANY = "|".join(_MARKS)


_TRACES = (
    *("document", "context", "text", "passage", "excerpt", "article", "chunk", "paragraph"),
    *("information", "dokument", "kontext", "abschnitt", "pasaje"),
    *("tài liệu", "văn bản", "ngữ cảnh", "đoạn văn", "نص", "مستند", "سياق"),
    *("根据", "文書", "テキスト", "文脈", "本文", "文章", "資料"),
)
"""A query that does not begin with a number and has none of these has no mark; most have none."""


def reads_as_generated(query: str) -> bool:
    """Whether a query speaks of a text that its reader is thought to have, or carries its number.

    Who asks a retriever has no document at hand; who writes questions about one, has.
    """
    lowered = query.lower()
    if not any(trace in lowered for trace in _TRACES) and not re.match(r"\s*[q\d]", lowered):
        return False
    return re.search(_ANY, query, re.IGNORECASE) is not None
