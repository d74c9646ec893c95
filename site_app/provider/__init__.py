"""The provider: stores and handles what visitors send (leads, meetings, files), sends mails, and serves API and office."""
