"""python -m site_app new-page: write the three places a page stands in."""

import re
import sys
from pathlib import Path
from typing import Annotated

import typer

_CONTENT = '''"""What the page {path} says."""

from site_app.content.article import Article, Part
from site_app.content.invitations import book_call, get_quote
from site_app.content.records import Invitation
from site_app.i18n import t


def {name}() -> Article:
    return Article(
        claim=t("{title}"),
        lead=t("One or two sentences: what this page is about, and for whom."),
        contents=t("On this page"),
        parts=(
            Part(
                "first",
                t("A first heading"),
                (t("A first paragraph. Each text stands in t(), so that it can be translated."),),
                points=(t("A point of a list, which a part may do without."),),
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
        lambda: t("{title}: fifty to a hundred and sixty characters for search engines."),
    ),
"""


def new_page(
    path: Annotated[str, typer.Argument(help="Its address, such as /company/careers.")],
    title: Annotated[str, typer.Argument(help="Its title, in English.")],
) -> None:
    """Add a page: a content module to fill, a line among the routes, a line among the pages."""
    if not re.fullmatch(r"(/[a-z][a-z0-9-]*)+", path):
        sys.exit(f"{path!r} is no path: it must be like /company/careers, in small letters, digits and hyphens.")
    if not title.strip() or '"' in title:
        sys.exit("A title is needed, without quotation marks.")
    tag = path.rpartition("/")[2]
    name = tag.replace("-", "_")
    content = Path("site_app/content") / f"{name}.py"
    routes, pages = Path("site_app/routes.py"), Path("site_app/pages/__init__.py")
    if content.exists() or f'"{path}"' in routes.read_text():
        sys.exit(f"There is a page {path} already, or a content module {content}.")
    content.write_text(_CONTENT.format(path=path, name=name, title=title))
    _insert(routes, before=")\nBY_PATH = ", text=_ROUTE.format(path=path, tag=tag, title=title))
    _insert(pages, before="    **{path: legal(path)", text=f'    "{path}": article({name}),\n')
    _import(pages, f"from site_app.content.{name} import {name}\n")
    _import(pages, "from site_app.pages.article import article\n")
    print(f"Written: {content}, and a line each in {routes} and {pages}. Fill in the words there, the description too.")
    print("Nothing links to it yet: menu and footer are in site_app/content/frame.py. Then: make words, make check, make run.")


def _import(file: Path, line: str) -> None:
    """Add an import where ruff wants it; one that is there already is left alone."""
    lines = file.read_text().splitlines(keepends=True)
    ours = [number for number, one in enumerate(lines) if one.startswith("from site_app.")]
    if line in lines:
        return
    after = [number for number in ours if lines[number] < line]
    lines.insert(after[-1] + 1 if after else ours[0], line)
    file.write_text("".join(lines))


def _insert(file: Path, *, before: str, text: str) -> None:
    old = file.read_text()
    if before not in old:
        sys.exit(f"{file} has changed: {before!r} is not in it, so the line must be written by hand.")
    file.write_text(old.replace(before, text + before, 1))
