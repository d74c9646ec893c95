"""Parts of the layout: bar, footer, language menu, theme switch, messages."""
