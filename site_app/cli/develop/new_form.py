"""python -m site_app new-form: writes the two files of a form, its state, and its lines in the tables of kinds, forms and pages."""

import keyword
import re
import sys
from pathlib import Path
from typing import Annotated

import typer

from site_app.cli.develop.new_page import TABLE, insert, insert_imports, lay_out, new_page
from site_app.content.routes import BY_PATH
from site_app.contracts.kinds import BY_NAME, LEAD_KINDS
from site_app.provider.api.calls import CALLS
from site_app.serving.plain_leads import posted_kinds

KINDS, FORM = Path("site_app/contracts/kinds/__init__.py"), Path("site_app/forms/form.py")
_MEETING_PREFIX = "C"  # the prefix of meetings' references
_KIND = '''"""{title}: what is asked, and what its mails say."""

from typing import Annotated

from site_app.contracts.fields import Choices, Date, Field, FullName, ManyLines
from site_app.contracts.submission import ContactedSubmission, LeadKind, MailWords
from site_app.core.i18n import t

TOPICS = {{
    "first": lambda: t("A first choice"),
    "second": lambda: t("A second choice"),
}}


class {camel}Request(ContactedSubmission):
    full_name: FullName
    topic: Annotated[str, Choices(TOPICS)]
    starts_on: Date | None = None
    message: Annotated[ManyLines, Field(min_length=10, max_length=5000)]


def _mails(reference: str, name: str) -> MailWords:
    return MailWords(
        t("{title} {{reference}} from {{name}}", reference=reference, name=name),
        t("{title}: we’ve received it ({{reference}})", reference=reference),
        t("Your reference is {{reference}}.", reference=reference),
        (t("A real person will read it and reply within one working day."),),
    )


{constant} = LeadKind(
    "{name}",
    "submit{camel}",
    {camel}Request,
    prefix="{prefix}",
    summary="{title}",
    labels={{
        "topic": lambda: t("Topic"),
        "starts_on": lambda: t("Starting on"),
        "message": lambda: t("Your message"),
    }},
    mails=_mails,
)
'''
_VIEW = '''"""{title}: the fields in their order, and what is shown once they are sent."""

from site_app.forms.views import Result, View, ViewField
from site_app.core.i18n import t


def view() -> View:
    return View(
        title=t("{heading}"),
        page="{page}",
        fields=(
            ViewField("full_name", autocomplete="name"),
            ViewField("email", autocomplete="email"),
            ViewField("phone"),
            ViewField("topic"),
            ViewField("starts_on"),
            ViewField("message", rows=7),
        ),
        submit_label=t("Send"),
        result=Result(
            t("We’ve received your message"),
            t("Thank you. We’ll read it and reply within one working day."),
            (),
            t("Send another message"),
        ),
    )
'''
_STATE = """class {camel}State(FormState, rx.State):
    kind: ClassVar = {constant}


"""


def new_form(
    name: Annotated[str, typer.Argument(help="Its name, such as job-application.")],
    title: Annotated[str, typer.Argument(help="Its title, in English.")],
    page: Annotated[str, typer.Argument(help="The path of the page that shows it; one that is not there is written too.")],
) -> None:
    """Add a form: its fields, its view, its state, a line in the tables of kinds and forms, and its place on a page."""
    title = title.strip()
    module = name.replace("-", "_")
    pages = TABLE
    if problem := _refused(name, title, page, pages):
        sys.exit(problem)
    heading = title
    if page not in BY_PATH:
        new_page(page, title)
        heading = "Fill in the form"  # below the page's own title
    values = {
        "name": name,
        "title": title,
        "heading": heading,
        "page": page,
        "constant": module.upper(),
        "camel": _camel(name),
        "prefix": _free_prefix(name),
    }
    kind = KINDS.with_name(f"{module}.py")
    view = Path("site_app/forms/views") / f"{module}.py"
    kind.write_text(_KIND.format(**values))
    view.write_text(_VIEW.format(**values))
    insert(KINDS, anchor=")\nBY_NAME = ", text=f"    {values['constant']},\n")
    insert(FORM, anchor="class ConsultationState(", text=_STATE.format(**values))
    insert(FORM, anchor="    Form(consultation.view,", text=f"    Form({module}.view, {values['camel']}State),\n")
    _show(pages, page, values["constant"])
    imported_kind = f"site_app.contracts.kinds.{module} import {values['constant']}"
    for file in (KINDS, FORM, pages):
        insert_imports(file, imported_kind)
    insert_imports(FORM, f"site_app.forms.views import {module}")
    insert_imports(pages, "site_app.forms.markup import form_section")
    lay_out(kind, view, KINDS, FORM, pages)
    print(f"Written: {kind} and {view}, {values['camel']}State in {FORM}, and a line each in {KINDS}, {FORM} and {pages}.")
    print(
        "It is taken at once, with a select, a date and a long text: make run. Its fields are yours now: docs/guide/forms.md."
    )
    print("Then: make words, make check.")


def _camel(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("-"))


def _refused(name: str, title: str, page: str, pages: Path) -> str | None:
    """Returns a sentence that says why this form cannot be added, or None."""
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name) or len(name) > 30:
        return f"{name!r} is no name: it must be like job-application, with at most 30 small letters, digits and hyphens."
    if keyword.iskeyword(name) or _is_used(name) or Path(f"site_app/forms/views/{name.replace('-', '_')}.py").exists():
        return f"A form cannot be named {name}: that name is taken."
    if name in BY_NAME or f"submit{_camel(name)}" in {call.name for call in CALLS} or name in ("meeting", "consultation"):
        return f"There is a form or a call of the name {name} already."
    if not title or set(title) & set('"{}\\\n'):
        return "A title is needed, without quotation marks, braces or backslashes."
    if page in posted_kinds():
        return f"{page} has a form already: choose another page."
    if page in BY_PATH and not _line_of(page).search(pages.read_text()):
        return f"{page} is not one of the pages with a line of their own in {pages}: choose another page."
    return None


def _is_used(name: str) -> bool:
    """Returns True if a file that gets the form's kind, view or state contains their names already."""
    module = name.replace("-", "_")
    names = {module.upper(), f"{_camel(name)}State"}
    if module in re.findall(r"\w+", FORM.read_text()):  # which imports the view's module under its own name
        return True
    return any(names & {*re.findall(r"\w+", text)} for text in (_KIND, KINDS.read_text(), FORM.read_text(), TABLE.read_text()))


def _line_of(page: str) -> re.Pattern[str]:
    return re.compile(rf'^    "{re.escape(page)}": (.+),$', re.MULTILINE)


def _show(pages: Path, page: str, constant: str) -> None:
    """Adds the form to the page: in a page of text before its invitation, otherwise below the page's content."""
    text = pages.read_text()
    [built] = _line_of(page).findall(text)
    is_text_page = built.startswith("text_page(")
    sections = built.removesuffix(")") if is_text_page else f"followed_by({built}"
    pages.write_text(text.replace(f'"{page}": {built},', f'"{page}": {sections}, form_section({constant})),', 1))


def _free_prefix(name: str) -> str:
    """Returns an unused prefix for references: preferably a letter of the name, else another letter, else two letters."""
    used = {kind.prefix for kind in LEAD_KINDS} | {_MEETING_PREFIX}
    letters = [letter for letter in (*name.upper(), *"ABCDEFGHJKMNPQRTUVWXY") if letter.isalpha() and letter not in "ILOSZ"]
    return next(
        prefix for prefix in (*letters, *(first + second for first in letters for second in letters)) if prefix not in used
    )
