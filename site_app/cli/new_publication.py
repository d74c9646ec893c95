"""python -m site_app new-article and new-case: write a draft to fill in."""

import sys
from datetime import UTC, datetime
from typing import Annotated

import typer

from site_app.content.publications import ARTICLES, CASES, Kind
from site_app.content.publications.reading import path_in_project
from site_app.contracts.publication import RESERVED_SLUGS, TITLE_LENGTH, slug_of

_Title = Annotated[str, typer.Argument(help="Its title, in English.")]
_FRONT = """---
title: {title}
summary: Fifty to a hundred and sixty characters that say what a reader gets from it.
date: {day}
authors: [founder]
services: [web-development]
tags: [a subject]
{more}draft: true
---
"""
_CASE_FIELDS = """client: The client’s name
weeks: 12
price: 10-30
team: [2 engineers, 1 designer]
results:
  - value: 9 in 10
    text: what came of it, as a figure
"""
_ARTICLE_TEXT = """The first paragraph: what the reader’s question is, and the short answer.

## A first heading

Text, **bold**, [a link](/faq), lists, tables, quotes, code and notes. A picture stands beside this file:
write its name in round brackets behind ![what it shows].
"""
_CASE_TEXT = """## The problem

Who had it, and what it cost them.

## What we built

What it does, and what was left out.

## What went wrong

What was misjudged, what it cost, and what was changed.

## The result

What the figures above mean for the people who use it.
"""


def new_article(title: _Title) -> None:
    """Add an article: a draft in content/articles."""
    _write(ARTICLES, title, further_fields="", text=_ARTICLE_TEXT)


def new_case(title: _Title) -> None:
    """Add a case study: a draft in content/case_studies."""
    _write(CASES, title, further_fields=_CASE_FIELDS, text=_CASE_TEXT)


def _write(kind: Kind, title: str, *, further_fields: str, text: str) -> None:
    title, slug = " ".join(title.split()), slug_of(title)
    if not slug or slug in RESERVED_SLUGS or len(title) > TITLE_LENGTH:
        sys.exit(
            f"A title of at most {TITLE_LENGTH} characters is needed, with a letter or a digit, and not {', '.join(sorted(RESERVED_SLUGS))}."
        )
    file = kind.folder / f"{slug}.md"
    if file.exists():
        sys.exit(f"{file} is there already: choose another title.")
    quoted = '"' + title.replace("\\", "\\\\").replace('"', '\\"') + '"'
    day = datetime.now(UTC).date().isoformat()
    file.write_text(_FRONT.format(title=quoted, day=day, more=further_fields) + text, encoding="utf-8")
    print(
        f"Written: {path_in_project(file)}. It is a draft: make dev shows it at {kind.path}/{slug}, a build leaves it out until"
    )
    print("the line draft: true is gone. A translation is a file beside it that ends in .th.md or .cn.md.")
    print("How to write one: docs/guide/articles.md.")
