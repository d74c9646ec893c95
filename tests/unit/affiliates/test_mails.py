"""The mails to partners."""

from site_app.core.settings import settings
from site_app.provider.affiliates.mails import ended_text


def test_the_mail_about_a_breach_names_a_ground_of_the_terms() -> None:
    fields = {"ends_on": "2030-02-14", "is_breach": True, "is_forfeited": False}

    opening = ended_text(fields, settings()).opening[0]
    assert "seriously" in opening  # a serious breach, or one that a warning did not end
    assert "warning" in opening


def test_only_a_partner_who_breached_the_agreement_may_ask_what_the_breach_was() -> None:
    closings = {}
    for is_breach in (False, True):
        fields = {"ends_on": "2030-02-14", "is_breach": is_breach, "is_forfeited": False}
        closings[is_breach] = " ".join(ended_text(fields, settings()).closing)

    assert "what the breach was" in closings[True]
    assert "breach" not in closings[False]
