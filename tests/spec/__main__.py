"""make spec-check: check what the client's specification counts and names, and report changes."""

import sys

from tests.spec.states import SENTENCES


def main() -> None:
    changed = 0
    for sentence in SENTENCES:
        faults = list(sentence.faults())
        changed += bool(faults)
        print(f"{'CHANGED' if faults else 'ok     '}  {sentence.requirements}  {sentence.text}")
        print(*(f"             {fault}" for fault in faults), sep="\n", end="\n" if faults else "")
    print(f"{len(SENTENCES)} sentences of the specification, {changed} changed.")
    sys.exit(1 if changed else 0)


if __name__ == "__main__":
    main()
