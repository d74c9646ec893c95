"""The npm packages of the phone input, at the versions it was tried with."""

LIBPHONENUMBER = "libphonenumber-js@1.13.16"  # its metadata and the server's `phonenumbers` must be of about one age
COUNTRY_NAMES = "react-phone-number-input@3.4.14"  # only its country names are used
FLAGS = "country-flag-icons@1.6.20"  # copied into our own /flags by plugin.py
