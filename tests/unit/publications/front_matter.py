"""The front matter of an article."""

FRONT = """---
title: How we estimate
summary: What an estimate is made of, and why it is a range before it is a number.
date: 2026-05-01
authors: [priya-nair]
services: [web-development]
{more_fields}---
"""
