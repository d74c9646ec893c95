"""Sections of pages, of a few dozen lines each: words go in, a section comes out."""
