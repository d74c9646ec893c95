"""The consultation call: rules, free slots, holds, the booked call, its calendar file, the host's busy times.

It may touch leads, services, store and contracts; it knows neither HTTP nor the site.
"""
