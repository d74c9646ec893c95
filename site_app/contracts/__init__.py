"""The payloads between site and provider: the types of fields and their rules, which are defined only here. Also free times as both show them."""
