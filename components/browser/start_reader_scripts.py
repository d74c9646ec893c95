"""The reader scripts in development."""

import reflex as rx


class StartReaderScripts(rx.Component):
    """Starts the reader scripts in development, where Reflex's document does not include them."""

    library = "$/components/browser/start_reader_scripts"
    tag = "StartReaderScripts"
