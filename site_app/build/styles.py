"""The one stylesheet: Tailwind's utilities on our tokens, and the styles that stand beside the components."""

from pathlib import Path

from site_app.build.edit import replace

COMPONENTS = Path(__file__).parents[2] / "components"


_TOKENS = '@import "../components/theme.css" layer(theme);\n'
_RESET = '@import "../components/reset.css" layer(base);\n'
_UTILITIES = '@import "tailwindcss/utilities.css" layer(utilities)'


def root_style(text: str) -> str:
    """styles/tailwind.css with our tokens, our reset and every components/**/*.css, and no source but rxconfig's."""
    sheets = sorted(sheet for sheet in COMPONENTS.rglob("*.css") if sheet.parent != COMPONENTS)
    ours = "".join(f'@import "../{sheet.relative_to(COMPONENTS.parent)}" layer(components);\n' for sheet in sheets)
    return replace(
        text,
        ('@import "tailwindcss/theme.css" layer(theme);\n', f"{_TOKENS}{_RESET}"),
        ('@import "tailwindcss/preflight.css" layer(base);\n', '@import "../components/base.css";\n'),
        (f"{_UTILITIES};\n", f"{ours}{_UTILITIES} source(none);\n"),
    )
