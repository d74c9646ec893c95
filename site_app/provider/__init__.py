"""What the agency does with what it is sent: leads, meetings, mails, and the office that answers."""
