"""Every mail: its text, the row of the outbox that it is made from, and the message that is sent."""
