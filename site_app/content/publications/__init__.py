"""Case studies and articles: files of Markdown with front matter become pages, lists and feeds.

Here is how the files are read, how Markdown becomes HTML, and which lists there are. The files themselves are in content/articles and
content/case_studies; their pages are drawn by pages/publications.py.
"""

from site_app.content.publications.listing import (
    Listing,
    all_listings,
    listing_description,
    listing_lead,
    listing_title,
    listings,
)
from site_app.content.publications.reading import (
    ARTICLES,
    CASES,
    KINDS,
    BrokenPublication,
    Kind,
    Publication,
    Text,
    all_publications,
    publications,
)
