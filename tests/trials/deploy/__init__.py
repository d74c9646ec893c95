"""The guide to deployment followed on a bare Debian system, command by command: `make trial NAME=deploy`."""
