"""Chooses the points of a study that are measured where its space has more of them than the study wants measured.

Optuna's NSGA-II proposes points a generation at a time, from the results of the generations before. All random numbers are
seeded from the study, and proposals are made and answered in a fixed order, so a study that was killed comes to the same
points again: the search is repeated from the results that are there. The space is never walked through.
"""
import math
import random
import warnings

import optuna

import study as studies

optuna.logging.set_verbosity(optuna.logging.ERROR)
warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)  # constraints_func

SMALLEST_GENERATION, LARGEST_GENERATION = 4, 50
GENERATIONS = 12  # as many as there are, if neither limit holds
TRIES = 20  # proposals for each point of a generation, most of which may be known; then any unknown points are taken
OF_NO_VALUE = 1e30  # a point that cannot be measured is worse than all others by its violations; its values do not matter


class Part:
    """The search among points that are compared with each other: those of one work, and of one value of each axis that the
    study compares within. `axes`: the values of each axis; `share`: how many points are measured."""

    def __init__(self, wanted, work, axes, share):
        self.work, self.axes, self.share = work, axes, share
        self.known = set()  # keys of all points that were chosen
        self.waiting = {}  # by key, the trial of each point of this generation
        self.distributions = {axis: self.distribution(values) for axis, values in axes.items() if len(values) > 1}
        self.size = min(LARGEST_GENERATION, max(SMALLEST_GENERATION, share // GENERATIONS))
        seed = int(studies.key_of([work, axes]), 16) % 2**32
        self.random = random.Random(seed)
        sampler = optuna.samplers.NSGAIISampler(population_size=self.size, seed=seed, constraints_func=lambda trial: trial.user_attrs["broken"])
        self.optuna = optuna.create_study(sampler=sampler, directions=["minimize"] * len(wanted.objectives))

    @staticmethod
    def distribution(values):
        """Of the places of an axis' values in the study."""
        if all(isinstance(value, int) for value in values) and values == sorted(values):
            return optuna.distributions.IntDistribution(0, len(values) - 1)
        return optuna.distributions.CategoricalDistribution(range(len(values)))

    def point_of(self, places):
        return {**{axis: values[places.get(axis, 0)] for axis, values in self.axes.items()}, "work": self.work}

    def generation(self):
        """The next points, by key; none if the share is spent."""
        wanted = min(self.size, self.share - len(self.known))
        chosen = {}
        for _ in range(TRIES * wanted):
            if len(chosen) == wanted:
                return chosen
            self.take(self.optuna.ask(self.distributions), chosen)
        while len(chosen) < wanted:
            self.optuna.enqueue_trial(self.unknown_places())
            self.take(self.optuna.ask(self.distributions), chosen)
        return chosen

    def take(self, trial, chosen):
        """Adds the point of a trial, unless it was chosen before."""
        point = self.point_of(trial.params)
        key = studies.key_of(point)
        if key in self.known:
            self.optuna.tell(trial, state=optuna.trial.TrialState.FAIL)
            return
        self.known.add(key)
        self.waiting[key] = trial
        chosen[key] = point

    def unknown_places(self):
        """Of the first point that was not chosen, from one at random on; fewer are chosen than there are."""
        number = self.random.randrange(math.prod(map(len, self.axes.values())))
        while True:
            places, rest = {}, number
            for axis, distribution in self.distributions.items():
                rest, places[axis] = divmod(rest, len(self.axes[axis]))
            if studies.key_of(self.point_of(places)) not in self.known:
                return places
            number = (number + 1) % math.prod(map(len, self.axes.values()))

    def learn(self, outcome):
        """`outcome`: by key, the costs of a point, or None if it has none, and how many constraints it breaks."""
        for key, trial in self.waiting.items():
            costs, broken = outcome(key)
            trial.set_user_attr("broken", [broken])
            self.optuna.tell(trial, costs or [OF_NO_VALUE] * len(self.optuna.directions))
        self.waiting = {}


class Search:
    """Of a whole study: all parts go on at once."""

    sampler = f"NSGA-II of Optuna {optuna.__version__}"

    def __init__(self, wanted):
        self.wanted = wanted
        parts = list(wanted.parts())
        shares = shares_of(wanted.most_points, [math.prod(map(len, axes.values())) for _, axes in parts])
        self.parts = [Part(wanted, work, axes, share) for (work, axes), share in zip(parts, shares)]

    def generation(self):
        """The next points to be measured, by key; none if there are as many as the study wants."""
        return {key: point for part in self.parts for key, point in part.generation().items()}

    def budget(self):
        return sum(part.share for part in self.parts)

    def learn(self, results):
        """`results`: the points as in points.json, by key."""
        for part in self.parts:
            part.learn(lambda key: self.outcome(results[key]))

    def outcome(self, result):
        """The costs of a point, which are to be small, and how many constraints it breaks, or one more if it failed."""
        values = result["values"]
        if result["status"] == "failed":
            return None, len(self.wanted.constraints) + 1
        broken = sum(constraint.value(values) is not True for constraint in self.wanted.constraints)
        costs = [values[name] for name in self.wanted.objectives]
        if None in costs:
            return None, len(self.wanted.constraints) + 1
        return [-cost if name in studies.MORE_IS_BETTER else cost for name, cost in zip(self.wanted.objectives, costs)], broken


def shares_of(budget, counts):
    """The budget, dealt evenly to parts of the space with so many points each; what a small one leaves goes to the others."""
    shares, left = [0] * len(counts), budget
    order = sorted(range(len(counts)), key=lambda k: (counts[k], k))
    for place, k in enumerate(order):
        shares[k] = min(counts[k], left // (len(order) - place))
        left -= shares[k]
    return shares
