"""Publishing: texts and pictures that were changed in the office become public pages, without git or with it."""
