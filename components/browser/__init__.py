"""Reflex components and vars for the scripts of this folder: layouts per language, lazy content, changes of page and language, the path's
language.
"""

from components.browser.call_failures import CallFailures
from components.browser.layouts import InLayout, RegisterLayout, memo_itself
from components.browser.lazy_content import LazyContent, fetched
from components.browser.locale import by_locale, current_page, from_path, html_lang
from components.browser.open_state_sync import OpenStateSync
from components.browser.page_changes import LanguageChoice, NotFound, PageChange, PageLoader, ScrollMemory
from components.browser.start_reader_scripts import StartReaderScripts
