"""What the site knows of its readers without data about them: counts of page views, and the country of an IP address."""
