"""The plain page of free times, where visitors choose one: to book a meeting on the site, to move it at the provider."""

from site_app.times_page.page import TIMES_SCRIPT_ROUTE, TimesPage, keep_choice, redirect_with_choice
