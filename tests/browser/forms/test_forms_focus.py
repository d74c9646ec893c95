"""Where the focus goes in a dialog it is seen: the dialog's head does not lie over it."""

from collections.abc import Callable

from playwright.sync_api import Page

from tests.browser.forms.filling import QUOTE

Visit = Callable[..., Page]
# how far the head reaches below the upper edge of the label of what has the focus
COVERED = """form => {
  const focused = document.activeElement;
  const label = focused.labels?.[0] ?? focused;
  const head = form.closest('dialog').querySelector('.dialog-head').getBoundingClientRect();
  return form.contains(focused) ? Math.max(0, head.bottom - Math.min(label.getBoundingClientRect().top, focused.getBoundingClientRect().top)) : 0;
}"""


def test_going_back_with_the_keyboard_no_field_hides_under_the_head(visit: Visit) -> None:
    form = QUOTE  # the longest
    page = visit(form.path, width=360, height=640)
    form.button(page).focus()

    covered = []
    for _ in range(30):
        page.keyboard.press("Shift+Tab")
        covered.append(form.on(page).evaluate(COVERED))

    assert max(covered) == 0
