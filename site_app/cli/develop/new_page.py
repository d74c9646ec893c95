"""python -m site_app new-page: writes a page's content module, route, and line in the table of pages.

python -m site_app new-article and new-case: write a draft to fill in.
"""

import ast
import builtins
import keyword
import re
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from site_app.content.publications import ARTICLES, CASES, PublicationKind
from site_app.content.publications.files import path_in_project
from site_app.content.routes import BY_PATH, REDIRECTS, ROUTES
from site_app.contracts.publication import MAX_TITLE_LENGTH, RESERVED_SLUGS, slug_of_title
from site_app.serving.plain_leads import posted_kinds
from site_app.serving.site import NON_PAGE_PATH, RESERVED_PARTS

CONTENT, TABLE = Path("site_app/content"), Path("site_app/pages/table.py")
# Characters. Path and name must fit into one line of the table, because `make new KIND=form` expects one line.
_MAX_PATH_LENGTH = 70
_MAX_NAME_LENGTH = 40
_USED_THERE = ("text_page", "t")  # names that the generated module imports
_CONTENT = '''"""What the page {path} says."""

from components.records import Invitation
from site_app.content.records import Part, TextPage
from site_app.content.records import book_call, get_quote
from site_app.core.i18n import t


def {name}() -> TextPage:
    return TextPage(
        headline=t("{title}"),
        intro=t("One or two sentences: what this page is about, and for whom."),
        contents=t("On this page"),
        parts=(
            Part(
                "first",
                t("A first heading"),
                (t("A first paragraph. Each text is wrapped in t(), so that it can be translated."),),
                points=(t("A point of a list, which a part may do without."),),
            ),
            Part(
                "second",
                t("A second heading"),
                markdown=t("Or in Markdown: **bold**, [a link](/contact-us), lists, tables and pictures."),
            ),
        ),
        invitation=Invitation(
            t("Shall we talk about it?"),
            t("A few lines are enough. You get a written answer within one working day."),
            (get_quote(), book_call()),
        ),
    )
'''
_ROUTE = """    Route(
        "{path}",
        "{tag}",
        lambda: t("{title}"),
        lambda: t("{title}: a hundred and twenty to a hundred and fifty-five characters for search engines."),
    ),
"""


def new_page(
    path: Annotated[str, typer.Argument(help="Its address, such as /company/careers.")],
    title: Annotated[str, typer.Argument(help="Its title, in English.")],
) -> None:
    """Add a page: a content module to fill, a line among the routes, a line among the pages."""
    if problem := _refused(path, title):
        sys.exit(problem)
    tag = _free_tag(path)
    name = _name(tag)
    content = CONTENT / f"{name}.py"
    if content.exists():
        sys.exit(f"{content} exists already: choose another last part of the path.")
    routes = Path("site_app/content/routes.py")
    pages = TABLE
    title = title.strip()
    content.write_text(_CONTENT.format(path=path, name=name, title=title))
    insert(routes, anchor=")\nROUTES = ", text=_ROUTE.format(path=path, tag=tag, title=title))
    insert(pages, anchor="    **{path: legal(path)", text=f'    "{path}": text_page({name}),\n')
    insert_imports(pages, f"site_app.content.{name} import {name}", "site_app.pages.text_page import text_page")
    lay_out(content, routes, pages)
    print(f"Written: {content}, and a line each in {routes} and {pages}. Fill in the words there, the description too.")
    print(
        "Nothing links to it yet. In site_app/content/navigation.py, add to company_links in navigation_words() for the menu,"
    )
    print("and to the group company in footer_words() for the footer:")
    print(f'        PageLink(t("{title}"), "{path}"),')
    print("The words there are a label: they may be shorter than the title.")
    if (parent := path.rpartition("/")[0]) and parent not in {*BY_PATH, *REDIRECTS}:
        print(f'{parent} is no page: add one, or to REDIRECTS in {routes}: "{parent}": "{path}",')
    print("Then: make words, make check, make run.")


def _refused(path: str, title: str) -> str | None:
    """Returns a sentence that says why this page cannot be added, or None."""
    if not re.fullmatch(r"(/[a-z0-9][a-z0-9-]*)+", path) or len(path) > _MAX_PATH_LENGTH:
        return f"{path!r} is no path: it must be like /company/careers, at most {_MAX_PATH_LENGTH} small letters, digits and hyphens."
    if not title.strip() or set(title) & set('"{}\\\n'):
        return "A title is needed, without quotation marks, braces or backslashes."
    if path in BY_PATH or path in REDIRECTS:
        return f"There is a page {path} already."
    first = path.split("/")[1]
    if first in RESERVED_PARTS or NON_PAGE_PATH.search(path):
        return f"{path} cannot be a page: the site has something else at /{first}. Reserved are {_reserved()}."
    if path.endswith("/sent") and path.removesuffix("/sent") in posted_kinds():
        return f"{path} cannot be a page: it is where the form of {path.removesuffix('/sent')} says that it was sent."
    return None


def _reserved() -> str:
    return ", ".join(f"/{part}" for part in RESERVED_PARTS) + " and /v with a digit"


def _free_tag(path: str) -> str:
    """Returns an unused tag: the last part of the path, or as many of its last parts as needed to be unique."""
    parts = path.strip("/").split("/")
    used = {route.tag for route in ROUTES}
    tags = ["-".join(parts[-count:]) for count in range(1, len(parts) + 1)]
    tags = [tag for tag in tags if tag[0].isalpha()] or [f"page-{tags[-1]}"]  # also names a module, so it begins with a letter
    free = [tag for tag in tags if tag not in used and not (CONTENT / f"{_name(tag)}.py").exists()]
    return free[0] if free else f"{tags[-1]}-page"


def _name(tag: str) -> str:
    """Returns the tag as the name of a module and its function: truncated, and neither a name of Python’s nor taken."""
    name = tag.replace("-", "_")[:_MAX_NAME_LENGTH].rstrip("_")
    is_python = keyword.iskeyword(name) or keyword.issoftkeyword(name) or hasattr(builtins, name)
    return f"{name}_page" if is_python or name in {*_USED_THERE, *_imported(TABLE)} else name


def _imported(file: Path) -> set[str]:
    """Returns the names that a module imports."""
    imports = (node for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, ast.Import | ast.ImportFrom))
    return {alias.asname or alias.name for node in imports for alias in node.names}


def insert_imports(file: Path, *imports: str) -> None:
    """Adds imports in any order: `lay_out` sorts them and removes duplicates."""
    insert(file, anchor="from site_app.", text="".join(f"from {statement}\n" for statement in imports))


def insert(file: Path, *, anchor: str, text: str) -> None:
    """Inserts `text` before the first occurrence of `anchor`. Exits if the file does not contain it."""
    old = file.read_text()
    if anchor not in old:
        sys.exit(f"{file} has changed: {anchor!r} is not in it, so the line must be written by hand.")
    file.write_text(old.replace(anchor, text + anchor, 1))


def lay_out(*files: Path) -> None:
    """Sorts imports and formats the files as `make check` requires."""
    for rule in (["check", "--select", "I", "--fix"], ["format"]):
        subprocess.run([sys.executable, "-m", "ruff", *rule, "--quiet", *files], check=False)


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

Text, **bold**, [a link](/faq), lists, tables, quotes, code and notes. A picture is a file in the same folder:
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


def _write(kind: PublicationKind, title: str, *, further_fields: str, text: str) -> None:
    title, slug = " ".join(title.split()), slug_of_title(title)
    if not slug or slug in RESERVED_SLUGS or len(title) > MAX_TITLE_LENGTH:
        sys.exit(
            f"A title of at most {MAX_TITLE_LENGTH} characters is needed, with a letter or a digit, and not {', '.join(sorted(RESERVED_SLUGS))}."
        )
    file = kind.folder / f"{slug}.md"
    if file.exists():
        sys.exit(f"{file} exists already: choose another title.")
    quoted = '"' + title.replace("\\", "\\\\").replace('"', '\\"') + '"'
    day = datetime.now(UTC).date().isoformat()
    file.write_text(_FRONT.format(title=quoted, day=day, more=further_fields) + text, encoding="utf-8")
    print(
        f"Written: {path_in_project(file)}. It is a draft: make dev shows it at {kind.path}/{slug}, a build leaves it out until"
    )
    print("the line draft: true is gone. A translation is a file beside it that ends in .th.md or .cn.md.")
    print("How to write one: docs/guide/articles.md.")
