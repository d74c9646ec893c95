"""The content of each form as data: a module with a function `view` for each, which the table FORMS in site_app/forms/form.py names."""

from site_app.forms.view import NextDialog, Result, View, ViewField
