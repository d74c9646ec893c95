"""The seven services: one module and one function each."""
