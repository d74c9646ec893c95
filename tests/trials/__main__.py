"""python -m tests.trials NAME [ARGS]: run one trial; `make trial NAME=… ARGS=…` sets everything up first.

NAME is attacks, scale, deploy, publish, browsers, canary, bench (all measurements) or one measurement. ARGS=--help lists what a trial takes.
"""

import sys

from tests.trials import canary
from tests.trials.attacks import command as attacks
from tests.trials.bench import command as bench
from tests.trials.browsers import command as browsers
from tests.trials.deploy import command as deploy
from tests.trials.publish import command as publish
from tests.trials.scale import command as scale

TRIALS = {
    "attacks": attacks.main,
    "scale": scale.main,
    "deploy": deploy.main,
    "publish": publish.main,
    "browsers": browsers.main,
    "canary": canary.main,
    "bench": bench.main,
}
MEASUREMENTS = {part.name for part in bench.PARTS}


def main(arguments: list[str]) -> int:
    name, *options = arguments or [""]
    if name in MEASUREMENTS:
        return bench.main(arguments)
    if name in TRIALS:
        return TRIALS[name](options)
    print(f"NAME is one of {', '.join([*TRIALS, *sorted(MEASUREMENTS)])}.", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
