"""make spec-check: go through what the client's specification counts and names, and say what has changed."""

import sys

from tests.spec.states import SENTENCES


def main() -> None:
    changed = 0
    for one in SENTENCES:
        found = list(one.faults())
        changed += bool(found)
        print(f"{'CHANGED' if found else 'ok     '}  §{one.section}  {one.text}")
        print(*(f"             {fault}" for fault in found), sep="\n", end="\n" if found else "")
    print(f"{len(SENTENCES)} sentences of the specification, {changed} changed.")
    sys.exit(1 if changed else 0)


if __name__ == "__main__":
    main()
