"""An estimate of the area and the delays of nodes that were not synthesised, fitted to those that were.

A size is a sum of what grows with a node: ports, pairs of ports, bits of packets, those times ports (the multiplexers that read
them), bits of tables, and ports that combine. A delay is a sum of what its paths grow with: the logarithms of ports, of bits, of
tables and of ports that combine. The factors are those with the least squares of relative errors among those that are not
negative, and no estimate is below what was synthesised of a node that has no more of anything: a larger node is never estimated
as smaller or faster, though a synthesis may find the larger one of two small nodes a bit faster.
"""
import math

LEAST_SAMPLES = 4


def bits_of(number):
    return max(1, (number - 1).bit_length())


def features_of(node, stored_bits):
    """Two lists: what sizes are sums of, and what delays are."""
    p = node["parameters"]
    ports = p["Radix"]
    table = p.get("LabelDepth", 0) * (ports + bits_of(p.get("RankLevels", 1)))
    combining = p.get("Combining", 0) * (ports + p.get("Loopbacks", 0))
    sizes = [1.0, ports, ports * ports, stored_bits / 1000, stored_bits * ports / 1000, table / 100, combining]
    return sizes, [1.0, *(math.log2(1 + number) for number in (ports, stored_bits, table, combining))]


def fit(features, values):
    """Factors, none negative, with the least squares of relative errors; a small penalty keeps those that the samples do not tell
    at 0."""
    from scipy.optimize import nnls  # takes longer to load than most jobs that need this file take otherwise

    scales = [max(abs(row[k]) for row in features) or 1.0 for k in range(len(features[0]))]
    rows = [[x / scale / value for x, scale in zip(row, scales)] for row, value in zip(features, values)]
    penalty = 1e-3 * max(x for row in rows for x in row)
    rows += [[penalty if i == k else 0.0 for i in range(len(scales))] for k in range(len(scales))]
    factors, _ = nnls(rows, [1.0] * len(values) + [0.0] * len(scales))
    return [float(factor) / scale for factor, scale in zip(factors, scales)]


class AreaModel:
    """Of one module. `samples`: [(features, synthesis)]; `fitted`: names of sizes and delays; `sizes`: those that are sizes."""

    def __init__(self, samples, fitted, sizes):
        self.samples, self.factors, self.error, self.sizes = samples, {}, {}, sizes
        for name in fitted:
            having = [(self.row(features, name), synthesis[name]) for features, synthesis in samples if name in synthesis]
            rows, values = [row for row, _ in having], [value for _, value in having]
            if len(values) < LEAST_SAMPLES or min(values) <= 0:
                continue
            self.factors[name] = fit(rows, values)
            # How far it is off for a node that it was not fitted to: each is left out once.
            self.error[name] = max((abs(self.value(fit([*rows[:i], *rows[i + 1:]], [*values[:i], *values[i + 1:]]), row) / value - 1)
                                    for i, (row, value) in enumerate(zip(rows, values))), default=0.0)

    def row(self, features, name):
        of_sizes, of_delays = features
        return of_sizes if name in self.sizes else of_delays

    @staticmethod
    def value(factors, row):
        return sum(factor * x for factor, x in zip(factors, row))

    def estimate(self, features):
        """By name; what comes out as nothing is left out."""
        found = {}
        for name, factors in self.factors.items():
            row = self.row(features, name)
            of_smaller = [synthesis[name] for other, synthesis in self.samples
                          if name in synthesis and all(a <= b for a, b in zip(self.row(other, name), row))]
            found[name] = max([round(self.value(factors, row), 2), *of_smaller])
        return {name: value for name, value in found.items() if value > 0}


def models_of(nodes, synthesised, stored_bits, technology):
    """By module, for those with enough samples. `synthesised`: by key; a node that is too large for its device lacks some
    quantities."""
    samples = {}
    for key, node in nodes.items():
        if key in synthesised and "error" not in synthesised[key]:
            samples.setdefault(node["module"], []).append((features_of(node, stored_bits(node)), synthesised[key]))
    return {module: AreaModel(rows, technology.fitted, technology.whole) for module, rows in samples.items() if len(rows) >= LEAST_SAMPLES}
