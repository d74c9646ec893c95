"""The ground that every other package stands on: settings, languages, HTTP, addresses, colors, logs."""
