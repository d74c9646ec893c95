"""The site and the provider of one agency; docs/architecture.md names each folder and says what may import what."""
