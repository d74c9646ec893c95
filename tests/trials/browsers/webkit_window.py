"""A window of WebKitGTK that WebKitWebDriver drives, run by Debian's own Python, which has the bindings for it.

The engine's MiniBrowser cannot be narrower than 447 px, cannot print without a dialog and takes no picture of a whole page.
Here `page.pdf.wanted` or `page.png.wanted` in the folder given asks for that file; `page.pdf.done` or `page.png.done` follows.
"""

# pyright: reportMissingImports=false
import sys
from pathlib import Path

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("WebKit2", "4.1")
from gi.repository import GLib, Gtk, WebKit2  # noqa: E402

EVERY_MS = 50
folder, javascript, font_px = Path(sys.argv[1]), sys.argv[2] == "1", int(sys.argv[3])
context = WebKit2.WebContext.new_ephemeral()


def started(_context, session):
    session.connect("create-web-view", open_window)


def open_window(_session):
    settings = WebKit2.Settings(enable_javascript=javascript, default_font_size=font_px)
    view = WebKit2.WebView(web_context=context, is_controlled_by_automation=True, settings=settings)
    window = Gtk.Window(default_width=1280, default_height=900)
    window.add(view)
    window.show_all()
    GLib.timeout_add(EVERY_MS, write_status, view)
    return view


def write_status(view):
    for name, make in (("page.pdf", write_pdf), ("page.png", write_png)):
        request = folder / f"{name}.wanted"
        if request.exists():
            request.unlink()
            make(view, folder / name)
    return True


def write_pdf(view, file):
    settings = Gtk.PrintSettings()
    settings.set_printer("Print to File")
    settings.set(Gtk.PRINT_SETTINGS_OUTPUT_FILE_FORMAT, "pdf")
    settings.set(Gtk.PRINT_SETTINGS_OUTPUT_URI, file.as_uri())
    operation = WebKit2.PrintOperation(web_view=view, print_settings=settings)
    operation.connect("finished", lambda _operation: mark_done(file))
    operation.print_()


def write_png(view, file):
    def on_snapshot(_view, result):
        view.get_snapshot_finish(result).write_to_png(str(file))
        mark_done(file)

    view.get_snapshot(WebKit2.SnapshotRegion.FULL_DOCUMENT, WebKit2.SnapshotOptions.NONE, None, on_snapshot)


def mark_done(file):
    file.with_name(f"{file.name}.done").touch()


Gtk.Settings.get_default().set_property("gtk-enable-animations", False)  # reduced motion
context.connect("automation-started", started)
context.set_automation_allowed(True)
Gtk.main()
