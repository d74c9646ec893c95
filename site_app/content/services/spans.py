"""Durations in words."""

from site_app.i18n import t

Range = tuple[int, int]


def months(span: Range) -> str:
    least, most = span
    return t("{least} to {most} months", least=least, most=most)


def weeks(span: Range) -> str:
    least, most = span
    return t("{least} to {most} weeks", least=least, most=most)


def months_or_more(least: int) -> str:
    return t("{least} months or more", least=least)
