"""Case studies and articles: the lists in which they stand, and the words around them.

files.py reads their Markdown from content/articles and content/case_studies, prose.py writes it as HTML, listings.py makes the lists,
pages/publications.py draws the pages.
"""

from site_app.content.publications.files import (
    ARTICLES,
    CASES,
    PUBLICATION_KINDS,
    Publication,
    PublicationKind,
    PublicationMistake,
    Text,
    all_publications,
    publications,
)
from site_app.content.publications.listings import (
    ListPage,
    all_listings,
    invitation,
    listing_description,
    listing_intro,
    listing_links,
    listing_title,
    listings,
    price_words,
)
