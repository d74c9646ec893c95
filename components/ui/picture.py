"""A picture in the sizes and formats that browsers choose from."""

from pathlib import Path

import reflex as rx

from components.art.pictures import WHOLE_WIDTH, described

_ASSETS = Path(__file__).parents[2] / "assets"


def picture(
    file: str | Path, *, alt: str, sizes: str = WHOLE_WIDTH, above_fold: bool = False, class_name: str = ""
) -> rx.Component:
    """Shows a file of assets/, such as "images/office.webp", or any other by its whole path.

    `sizes` is how wide it is shown, as HTML says it; `above_fold` is for a picture of the first screen, which is fetched at once.
    """
    sized_picture = described(_ASSETS / file, alt)
    loading = {"fetchPriority": "high"} if above_fold else {"loading": "lazy"}
    return rx.el.picture(
        rx.el.source(type="image/avif", src_set=sized_picture.srcset("avif"), sizes=sizes),
        rx.el.img(
            src=sized_picture.address("webp", sized_picture.widths[-1]),
            src_set=sized_picture.srcset("webp"),
            sizes=sizes,
            alt=alt,
            class_name=f"picture {sized_picture.ground}",
            custom_attrs={"width": sized_picture.width, "height": sized_picture.height, "decoding": "async", **loading},
        ),
        class_name=class_name or None,
    )
