"""Check that a page is complete on paper and in a full-page picture, where nobody scrolls."""

from PIL import Image

from tests.trials.browsers.tab import Tab

# Each section's headline and its place on the page.
_SECTIONS = """
const flat = (text) => text.replace(/\\s+/g, ' ').trim();
return [...document.querySelectorAll('main > *, footer')].filter((one) => one.getBoundingClientRect().height > 0).map((one) => {
  const { top, left, width, height } = one.getBoundingClientRect();
  return {
    words: flat(one.querySelector('h1, h2, h3, p')?.textContent ?? ''),
    box: [left, top + scrollY, left + width, top + scrollY + height],
    page: document.documentElement.scrollWidth,
  };
});
"""
_LEAST_COLOURS = 8  # text has a dozen shades at its edges; a section that was not drawn has one or two


def whole_on_paper(tab: Tab) -> None:
    printed = _letters(tab.printed())
    # the footer and the bar are left out on paper
    missing = [
        section["words"] for section in tab.run(_SECTIONS.replace(", footer", "")) if _letters(section["words"]) not in printed
    ]
    assert not missing, f"not on paper at {tab.path}: {missing}"


def whole_picture(tab: Tab) -> None:
    picture = tab.picture()
    sections = tab.run(_SECTIONS)
    scale = picture.width / sections[0]["page"]
    bottom = max(section["box"][3] for section in sections)
    assert picture.height >= (bottom - 2) * scale, f"the picture ends at {picture.height} of {bottom * scale:.0f} px"
    blank = [section["words"] for section in sections if _is_blank(picture, [edge * scale for edge in section["box"]])]
    assert not blank, f"not in the picture of {tab.path}: {blank}"


def _is_blank(picture: Image.Image, box: list[float]) -> bool:
    left, top, right, bottom = map(round, box)
    colours = picture.crop((left, top, right, bottom)).getcolors(maxcolors=1 << 24) or []
    return len(colours) < _LEAST_COLOURS


def _letters(text: str) -> str:
    """Keep only letters and digits, as lines break at spaces and hyphens."""
    return "".join(filter(str.isalnum, text)).casefold()
