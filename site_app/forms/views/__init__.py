"""The content of each form as data: a module with a function `view` for each, which the table FORMS in site_app/forms/form.py names, and their records."""

from site_app.forms.views.records import NextDialog, Result, View, ViewField
