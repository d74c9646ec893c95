"""The consultation: rules, free slots, holds, the booked meeting, its calendar file, the host's busy times.

May import leads, endpoints, outbox and store of the provider, contracts and core.
"""
