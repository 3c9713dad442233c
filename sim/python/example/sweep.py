#!/usr/bin/env python3
"""Steps of a total exchange against processors, one-port, as a picture: sweep.py FILE.svg"""
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
import safnet  # noqa: E402

FAMILIES = {"ring": ["ring:4", "ring:8", "ring:16"], "torus": ["torus:2x2", "torus:3x3", "torus:4x4"],
            "hypercube": ["hypercube:2", "hypercube:3", "hypercube:4"]}


def main(path):
    figure, axes = plt.subplots(figsize=(5, 3.5))
    for family, spellings in FAMILIES.items():
        outcomes = [safnet.run(safnet.Topology(spelling), "alltoall", ports="one") for spelling in spellings]
        processors = [safnet.Topology(spelling).processors for spelling in spellings]
        axes.plot(processors, [outcome.steps for outcome in outcomes], "o-", label=family)
        axes.plot(processors, [outcome.lower_bound for outcome in outcomes], "k_", markersize=12)
    axes.set(xlabel="processors", ylabel="steps, as measured", title="total exchange, one-port; bars: lower bounds")
    axes.legend()
    figure.savefig(path, bbox_inches="tight")


if __name__ == "__main__":
    main(sys.argv[1])
