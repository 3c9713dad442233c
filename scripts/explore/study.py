"""A study: what varies, the work, the objectives, the constraints; read from JSON, checked, and spread out into points.

Everything that is wrong with a study raises BadStudy, whose text is one line that names the word and what was expected.
"""
import ast
import hashlib
import itertools
import json
import math
import pathlib
import re

import technology

STUDIES = pathlib.Path(__file__).resolve().parent / "studies"
MOST_POINTS = 5_000  # that are measured
LARGEST_SPACE = 10**12  # points among which some are chosen
HEADER_BYTES = 4  # of a packet: label, source, tag and length; a run whose header is longer is not counted so

# What may vary: (key, what a value must be, value if the study does not say). None: it must say.
AXES = {
    "topology": ("word", None),
    "ports": ("one of all, one, one-send", "all"),
    "node": ("word", "auto"),
    "algorithm": ("word", ""),
    "flits": (1, 1),
    "flit_width": (32, 64),
    "queue_depth": ("enough or a whole number from 1", "enough"),
    "host_depth": (1, 2),
    "link_latency": (0, 0),
}
# Where a collective's bytes are a buffer of each processor that is cut into one block per processor; else all is one block.
CUT = {"total-exchange", "alltoall", "scatter", "gather", "multinode-broadcast", "allgather", "multinode-accumulation",
       "reduce-scatter"}
WORKS = {  # what is run: the keys beside it
    "collective": {"messages", "bytes", "host_overhead", "combine_cycles"},
    "traffic": {"load", "measure", "warm_up"},
    "schedule": set(),
}
SCHEDULE_NAMES = (".json", ".json.gz", ".xml")
WHOLE = {"broadcast", "bcast", "reduction", "reduce", "allreduce"}
BY_SOFTWARE = "software-"  # an algorithm of this beginning is a tree of `safnet software`
UNITS = {"B": 1, "kB": 1000, "KiB": 1024, "MB": 1000**2, "MiB": 1024**2}

MORE_IS_BETTER = {"saturation_load", "mhz", "mhz_least"}
OF_COLLECTIVES = {"cycles", "ns", "peak_queue"}
OF_TRAFFIC = {"latency", "latency_ns", "saturation_load"}


class BadStudy(Exception):
    """What is wrong with a study, in one line."""


def quoted(word):
    """A word of the user's, in one line."""
    text = word if isinstance(word, str) else json.dumps(word)
    return "'" + re.sub(r"[^\x20-\x7e]", "?", text)[:80] + "'"


def refuse(where, word, expected):
    raise BadStudy(f"{where}: {quoted(word)}: expected {expected}")


class Expression:
    """Arithmetic over objectives, as in "um2 < 2e6" or "ns*um2"."""

    OPERATIONS = {ast.Add: lambda a, b: a + b, ast.Sub: lambda a, b: a - b, ast.Mult: lambda a, b: a * b,
                  ast.Div: lambda a, b: a / b, ast.Pow: lambda a, b: a**b}
    COMPARISONS = {ast.Lt: lambda a, b: a < b, ast.LtE: lambda a, b: a <= b, ast.Gt: lambda a, b: a > b,
                   ast.GtE: lambda a, b: a >= b, ast.Eq: lambda a, b: a == b, ast.NotEq: lambda a, b: a != b}

    def __init__(self, where, text, names, comparison):
        self.text = text
        if not isinstance(text, str) or len(text) > 200:
            refuse(where, text, "an expression such as " + ("um2 < 2e6" if comparison else "ns*um2"))
        try:
            self.tree = ast.parse(text, mode="eval").body
        except (SyntaxError, ValueError, MemoryError, RecursionError):
            refuse(where, text, "an expression such as " + ("um2 < 2e6" if comparison else "ns*um2"))
        if comparison != isinstance(self.tree, ast.Compare):
            refuse(where, text, "a comparison such as um2 < 2e6" if comparison else "arithmetic such as ns*um2")
        self.names = set()
        self.check(where, self.tree, names, comparison)

    def check(self, where, tree, names, comparison=False):
        if isinstance(tree, ast.Compare) and comparison:
            if any(type(operation) not in self.COMPARISONS for operation in tree.ops):
                refuse(where, self.text, "<, <=, >, >=, == or !=")
            for part in [tree.left, *tree.comparators]:
                self.check(where, part, names)
        elif isinstance(tree, ast.BinOp) and type(tree.op) in self.OPERATIONS:
            self.check(where, tree.left, names)
            self.check(where, tree.right, names)
        elif isinstance(tree, ast.UnaryOp) and isinstance(tree.op, ast.USub):
            self.check(where, tree.operand, names)
        elif isinstance(tree, ast.Name):
            if tree.id not in names:
                refuse(where, tree.id, f"one of {', '.join(names)}")
            self.names.add(tree.id)
        elif not (isinstance(tree, ast.Constant) and isinstance(tree.value, (int, float)) and tree.value is not True):
            refuse(where, self.text, "numbers, names of objectives, + - * / ** and parentheses")

    def value(self, values):
        """Of a point; None if it lacks one of the objectives, or the value is none."""
        if any(values.get(name) is None for name in self.names):
            return None
        try:
            found = self._value(self.tree, values)
        except (ArithmeticError, ValueError):
            return None
        return found if not isinstance(found, complex) and math.isfinite(found) else None

    def _value(self, tree, values):
        if isinstance(tree, ast.Compare):
            left = self._value(tree.left, values)
            for operation, right_tree in zip(tree.ops, tree.comparators):
                right = self._value(right_tree, values)
                if not self.COMPARISONS[type(operation)](left, right):
                    return False
                left = right
            return True
        if isinstance(tree, ast.BinOp):
            left, right = self._value(tree.left, values), self._value(tree.right, values)
            if isinstance(tree.op, ast.Pow) and (left < 0 or abs(right) > 16):
                raise ValueError  # the result is not real, or too large
            return self.OPERATIONS[type(tree.op)](left, right)
        if isinstance(tree, ast.UnaryOp):
            return -self._value(tree.operand, values)
        return values[tree.id] if isinstance(tree, ast.Name) else tree.value


def bytes_of(where, words):
    found = re.fullmatch(r"(\d{1,12}) ?([A-Za-z]+)", words) if isinstance(words, str) else None
    if not found or found[2] not in UNITS or int(found[1]) == 0:
        refuse(where, words, f"bytes with a unit, such as 64 kB; units are {', '.join(UNITS)}")
    return int(found[1]) * UNITS[found[2]]


def values_of(axis, given):
    """The values of an axis: one, a list, or a range."""
    where = f"vary.{axis}"
    kind, _ = AXES[axis]
    if isinstance(given, dict):
        if set(given) - {"min", "max", "step"} or not {"min", "max"} <= set(given) or isinstance(kind, str) and "number" not in kind:
            refuse(where, given, 'a range of whole numbers such as {"min": 1, "max": 8, "step": 1}')
        numbers = [given["min"], given["max"], given.get("step", 1)]
        if any(type(n) is not int for n in numbers) or numbers[2] < 1:
            refuse(where, given, 'a range of whole numbers such as {"min": 1, "max": 8, "step": 1}')
        if numbers[0] > numbers[1]:
            refuse(where, given, "a min that is not above max: this range is empty")
        if (numbers[1] - numbers[0]) // numbers[2] >= MOST_POINTS:
            refuse(where, given, f"at most {MOST_POINTS} values")
        given = list(range(numbers[0], numbers[1] + 1, numbers[2]))
    elif not isinstance(given, list):
        given = [given]
    if not given:
        refuse(where, given, "at least one value")
    for value in given:
        number = type(value) is int
        if isinstance(kind, int):
            if not number or value < kind or value > 10**6 or axis == "flit_width" and value % 32:
                refuse(where, value, f"whole numbers from {kind}" + (", multiples of 32" if axis == "flit_width" else ""))
        elif axis == "queue_depth":
            if value != "enough" and (not number or value < 1 or value > 10**6):
                refuse(where, value, kind)
        elif not isinstance(value, str) or not value and axis != "algorithm" or value.startswith("-"):
            refuse(where, value, "words")
        elif axis == "ports" and value not in ("all", "one", "one-send"):
            refuse(where, value, kind)
    return list(dict.fromkeys(given))


def kind_of(work):
    """Of WORKS."""
    return next(kind for kind in WORKS if kind in work)


def holds_no_network(work):
    """Whether it is a schedule in a file of MSCCL, which names neither its network nor its ports."""
    return work.get("schedule", "").endswith(".xml")


def works_of(given):
    works = given if isinstance(given, list) else [given]
    if not works:
        refuse("work", given, "at least one collective or pattern of traffic")
    for k, work in enumerate(works):
        if work in works[:k]:
            refuse("work", work, "each work once")
        if not isinstance(work, dict) or len(set(work) & set(WORKS)) != 1:
            refuse("work", work, 'an object with either "collective", "traffic" or "schedule"')
        allowed = WORKS[kind_of(work)] | {kind_of(work)}
        for key in work:
            if key not in allowed:
                refuse("work", key, f"one of {', '.join(sorted(allowed))}")
        kind = work[kind_of(work)]
        if not isinstance(kind, str) or not kind or kind.startswith("-"):
            refuse("work", kind, "a word")
        if "schedule" in work:
            if not kind.endswith(SCHEDULE_NAMES):
                refuse("work.schedule", kind, f"a file that safnet replay takes, whose name ends in {', '.join(SCHEDULE_NAMES)}")
        elif "collective" in work:
            if kind not in CUT | WHOLE:
                refuse("work.collective", kind, f"one of {', '.join(sorted(CUT | WHOLE))}")
            if "bytes" in work and "messages" in work:
                refuse("work", "messages", "no messages beside bytes")
            if "bytes" in work:
                bytes_of("work.bytes", work["bytes"])
            messages = work.get("messages", 1)
            if type(messages) is not int or not 1 <= messages <= 65535:
                refuse("work.messages", messages, "1 to 65535")
            for key, most in (("host_overhead", 10**6), ("combine_cycles", 10**4)):
                if type(work.get(key, 0)) is not int or not 0 <= work.get(key, 0) <= most:
                    refuse(f"work.{key}", work[key], f"0 to {most} cycles")
        else:
            load = work.get("load", 0.1)
            if isinstance(load, bool) or not isinstance(load, (int, float)) or not 0 < load <= 1:
                refuse("work.load", load, "flits per node and cycle, more than 0, at most 1")
            for key in ("measure", "warm_up"):
                if key in work and (type(work[key]) is not int or not 0 <= work[key] <= 10**7):
                    refuse(f"work.{key}", work[key], "cycles")
    return works


class Study:
    """A study that was found right. `derived`: further objectives, as expressions."""

    KEYS = {"name", "question", "vary", "work", "objectives", "constraints", "derived", "most_points", "most_syntheses", "technology",
            "within"}

    def __init__(self, document, name):
        if not isinstance(document, dict):
            refuse("study", document, "an object")
        for key in document:
            if key not in self.KEYS:
                refuse("study", key, f"one of {', '.join(sorted(self.KEYS))}")
        for key in ("vary", "work"):
            if key not in document:
                refuse("study", key, f'a study has "{key}"')
        self.name = document.get("name", name)
        self.question = document.get("question", "")
        for key, text in (("name", self.name), ("question", self.question)):
            if not isinstance(text, str) or len(text) > 1000:
                refuse(f"study.{key}", text, "a text")
        word = document.get("technology", technology.DEFAULT)
        if not isinstance(word, str) or word not in technology.ALL:
            refuse("technology", word, f"one of {', '.join(technology.ALL)}")
        self.technology = technology.ALL[word]
        self.measured = self.technology.objectives
        vary = document["vary"]
        if not isinstance(vary, dict):
            refuse("vary", vary, "an object")
        for key in vary:
            if key not in AXES:
                refuse("vary", key, f"one of {', '.join(AXES)}")
        self.works = works_of(document["work"])
        if "topology" not in vary and any("schedule" not in work or holds_no_network(work) for work in self.works):
            refuse("vary", "topology", 'at least "topology"')
        self.axes = {axis: values_of(axis, vary.get(axis, AXES[axis][1])) if axis in vary or axis != "topology" else [None] for axis in AXES}
        self.vary = vary
        if any("schedule" in work for work in self.works):
            self.check_axes_of_schedules()
        self.derived = self.derived_of(document.get("derived", {}))
        names = [*self.measured, *self.derived]
        self.objectives = document.get("objectives", self.technology.first_objectives)
        if not isinstance(self.objectives, list) or not self.objectives:
            refuse("objectives", self.objectives, f"a list such as {json.dumps(self.technology.first_objectives)}")
        for objective in self.objectives:
            if objective not in names:
                refuse("objectives", objective, f"one of {', '.join(names)}")
            for work in self.works:
                lacking = self.base_of(objective) & (OF_COLLECTIVES if "traffic" in work else OF_TRAFFIC)
                if lacking:
                    refuse("objectives", objective, f"one that {work[kind_of(work)]} has; it has no {', '.join(sorted(lacking))}")
        constraints = document.get("constraints", [])
        if not isinstance(constraints, list):
            refuse("constraints", constraints, "a list such as [\"um2 < 2e6\"]")
        self.constraints = [Expression("constraints", text, names, True) for text in constraints]
        self.within = document.get("within", [])
        if not isinstance(self.within, list) or any(not isinstance(axis, str) or axis not in AXES for axis in self.within):
            refuse("within", self.within, f"a list of {', '.join(AXES)}")
        most = document.get("most_syntheses", 1)
        if type(most) is not int or most < 1:
            refuse("most_syntheses", most, "a whole number from 1")
        self.space = sum(math.prod(map(len, self.axes_of(work).values())) for work in self.works)  # how many points it has
        self.most_points = document.get("most_points", MOST_POINTS)
        if type(self.most_points) is not int or not 1 <= self.most_points <= MOST_POINTS:
            refuse("most_points", self.most_points, f"a whole number from 1 to {MOST_POINTS}")
        if self.space > (LARGEST_SPACE if "most_points" in document else MOST_POINTS):
            raise BadStudy(f"vary: {self.space} points: expected at most " + (str(LARGEST_SPACE) if "most_points" in document else
                           f"{MOST_POINTS}, or most_points, which says how many of them are measured"))
        if self.is_searched():
            self.check_search(document)

    def axes_of(self, work):
        """The values of each axis for a work. Where the file of a schedule decides there is one, None."""
        if "schedule" not in work:
            return self.axes
        decided = {"algorithm"} | ({"flits", "link_latency"} - set(self.vary))
        if not holds_no_network(work):
            decided |= {"topology", "ports"}
        return {axis: [None] if axis in decided else values for axis, values in self.axes.items()}

    def check_axes_of_schedules(self):
        """Refuses axes that would have no effect on any work."""
        if "link_latency" in self.vary and "flits" not in self.vary:
            refuse("vary.link_latency", self.vary["link_latency"], "flits beside it: a schedule keeps packets and links of its file, or gets both")
        if any("schedule" not in work for work in self.works):
            return
        for axis in ("topology", "ports", "algorithm"):
            if axis in self.vary and self.axes[axis] != [AXES[axis][1]] and all(self.axes_of(work)[axis] == [None] for work in self.works):
                refuse(f"vary.{axis}", self.vary[axis], "none: it is that of the schedule's file")
        if set(self.axes["node"]) <= {"auto", "tdm"}:
            for axis in ("queue_depth", "host_depth"):
                if self.axes[axis] != [AXES[axis][1]]:
                    refuse(f"vary.{axis}", self.vary[axis], "a node beside it that has queues, such as pifo; schedules run on tdm")

    def derived_of(self, given):
        if not isinstance(given, dict):
            refuse("derived", given, 'an object such as {"cost": "ns*um2"}')
        names = [*self.measured, *given]
        derived = {}
        for name, text in given.items():
            if not re.fullmatch(r"[a-z][a-z0-9_]{0,40}", name) or name in self.measured:
                refuse("derived", name, "a new name of small letters, digits and _")
            derived[name] = Expression(f"derived.{name}", text, names, False)
        ordered, left = {}, dict(derived)
        while left:  # those first that need no other one
            ready = [name for name, expression in left.items() if not expression.names & set(left)]
            if not ready:
                refuse("derived", next(iter(left)), "no circle: " + ", ".join(sorted(left)) + " are made of each other")
            for name in ready:
                ordered[name] = left.pop(name)
        return ordered

    def base_of(self, name):
        """The measured objectives that an objective is made of."""
        if name in self.measured:
            return {name}
        return set().union(*(self.base_of(part) for part in self.derived[name].names))

    def is_searched(self):
        """Whether only some of the points are measured."""
        return self.space > self.most_points

    def check_search(self, document):
        if "most_syntheses" in document:
            refuse("most_syntheses", document["most_syntheses"], "none beside most_points: all nodes of the points measured are synthesised")
        count = sum(math.prod(len(self.axes_of(work)[axis]) for axis in set(self.within)) for work in self.works)
        if count > self.most_points:
            refuse("most_points", self.most_points, f"at least {count}: a point for each work and each value of the axes in within")

    def has_software(self):
        """Whether hosts do some of the collectives."""
        return any(str(algorithm).startswith(BY_SOFTWARE) for algorithm in self.axes["algorithm"])

    def parts(self):
        """The parts of the space within which points are compared: (work, the values of each axis)."""
        for work in self.works:
            axes = self.axes_of(work)
            for values in itertools.product(*(axes[axis] for axis in dict.fromkeys(self.within))):
                yield work, {**axes, **{axis: [value] for axis, value in zip(dict.fromkeys(self.within), values)}}

    def compared_with(self, point):
        """Points are compared with those for which this is the same: the work, and what the study says."""
        return key_of([point["work"], *(point[axis] for axis in self.within)])

    def points(self):
        """Every point: a value of each axis, and the work."""
        for work in self.works:
            for values in itertools.product(*self.axes_of(work).values()):
                yield {**dict(zip(self.axes, values)), "work": work}

    def varying(self):
        """The axes that have more than one value."""
        axes = [axis for axis, values in self.axes.items() if len(values) > 1]
        return axes + (["work"] if len(self.works) > 1 else [])


def key_of(value):
    """A short name for a value, the same for equal ones."""
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:16]


def digest_of_file(folder, name):
    """Of a file that the study names, found from a folder. Raises OSError if it cannot be read."""
    with open(pathlib.Path(folder) / name, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def unrepeated(pairs):
    """An object of JSON, none of whose keys stands there twice."""
    made = {}
    for key, value in pairs:
        if key in made:
            refuse("study", key, "each key once")
        made[key] = value
    return made


def check_texts(value):
    """Refuses texts that files and command lines cannot hold."""
    if isinstance(value, str) and re.search(r"[\x00-\x1f\x7f\ud800-\udfff]", value):
        refuse("study", value, "a text without control characters")
    for part in [*value, *value.values()] if isinstance(value, dict) else value if isinstance(value, list) else ():
        check_texts(part)


def read_study(word, technology_word=None):
    """From a file, or one that comes with safnet, by name; in another technology than it says if one is given."""
    path = pathlib.Path(word)
    if not path.suffix and "/" not in word and (STUDIES / f"{word}.json").exists():
        path = STUDIES / f"{word}.json"
    try:
        if not path.is_file():
            known = ", ".join(sorted(p.stem for p in STUDIES.glob("*.json")))
            raise BadStudy(f"{quoted(word)}: expected a file with a study, or one of {known}")
        if path.stat().st_size > 10**6:
            raise BadStudy(f"{quoted(word)}: expected a study of at most 1 MB")
        text = path.read_text(encoding="utf-8")
        document = json.loads(text, object_pairs_hook=unrepeated)
        check_texts(document)
        if technology_word is not None and isinstance(document, dict):
            document["technology"] = technology_word
    except (OSError, UnicodeDecodeError) as error:
        raise BadStudy(f"{quoted(word)}: cannot be read: {getattr(error, 'strerror', None) or 'it is no UTF-8 text'}") from None
    except (ValueError, RecursionError) as error:
        line = getattr(error, "lineno", 1)
        raise BadStudy(f"{quoted(word)}: line {line}: expected JSON") from None
    return Study(document, path.stem), document


def messages_of(point, processors):
    """M of a collective: packets of this point's length that hold a block. Throws BadStudy if there are too many."""
    work = point["work"]
    if "bytes" not in work:
        return work.get("messages", 1)
    data = point["flits"] * point["flit_width"] // 8 - HEADER_BYTES
    if data < 1:
        raise BadStudy(f"packets of {point['flits']} flits of {point['flit_width']} bits hold no data: expected longer ones")
    block = bytes_of("work.bytes", work["bytes"])
    if work["collective"] in CUT:
        block = -(-block // processors)
    messages = -(-block // data)
    if messages > 65535:
        raise BadStudy(f"{messages} packets for a block: expected at most 65535, as longer packets lead to")
    return messages
