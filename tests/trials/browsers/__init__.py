"""What visitors do on the site, done in three engines: Chromium, stock Firefox, and WebKitGTK, which is Safari's engine."""
