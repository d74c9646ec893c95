"""The one stylesheet: Tailwind's utilities on our tokens, and the styles that stand beside the components."""

from pathlib import Path

from site_app.build.edit import replace

COMPONENTS = Path(__file__).parents[2] / "components"


def root_style(text: str) -> str:
    """styles/tailwind.css with our theme and every components/**/*.css imported."""
    sheets = sorted(sheet for sheet in COMPONENTS.rglob("*.css") if sheet.name != "theme.css")
    theme = '@import "../components/theme.css";\n@import "tailwindcss/preflight.css" layer(base);\n'
    ours = "".join(f'@import "../{sheet.relative_to(COMPONENTS.parent)}" layer(components);\n' for sheet in sheets)
    return replace(
        text,
        ('@import "tailwindcss/theme.css" layer(theme);\n', ""),
        ('@import "tailwindcss/preflight.css" layer(base);\n', theme),
        (
            '@import "tailwindcss/utilities.css" layer(utilities);\n',
            ours + '@import "tailwindcss/utilities.css" layer(utilities);\n',
        ),
    )
