"""The mutants of the RTL: how many of each module, and how one is judged."""
import pathlib
import random
import shutil
import threading

import rtl_detectors
import verilog_rules
from limited_program import new_folder
from rtl_detectors import HERE, ROOT

MUTANTS = 430
LEAST = 3  # of each module
QUICK = 4  # seconds: dearer detectors are left out of a quick run


class RtlPopulation:
    name = "rtl"

    def __init__(self, seed, wanted=MUTANTS, module="", quick=False):
        self.design = rtl_detectors.Design()
        self.quick = quick
        self.texts, self.candidates = {}, {}
        for name, path in self.design.files.items():
            if name.endswith("_pkg"):
                continue
            text = path.read_text()
            edits = verilog_rules.edits_of(str(path.relative_to(ROOT)), text)
            if edits:
                self.texts[name], self.candidates[name] = text, in_turn(edits, f"{seed}:{name}")
        quota = quotas({m: len(c) for m, c in self.candidates.items()}, wanted, seed)
        self.quota = {m: share for m, share in quota.items() if module in ("", m)}
        self.detectors = {}
        self.alone = threading.Lock()  # of mutants that are judged at once, one prepares what all share
        self.baseline = rtl_detectors.Baseline(self.design)

    def groups(self):
        """(module, its candidates in order, how many are wanted)"""
        return [(m, self.candidates[m], self.quota[m]) for m in sorted(self.quota)]

    def describe(self, edit):
        return edit.describe(self.texts[pathlib.Path(edit.path).stem])

    def is_quick(self, by):
        """Whether it is a detector that a sample can ask again."""
        return by.split(" ")[0] in ("icarus", "export", "proof")

    def expect(self, pairs):
        """Nothing needs to be prepared."""

    def judge(self, edit, by=""):
        """A row of the results: what noticed it, or that nothing did."""
        module = pathlib.Path(edit.path).stem
        with self.alone:
            if (module, by) not in self.detectors:
                self.detectors[module, by] = rtl_detectors.detectors_of(self.design, module, QUICK if self.quick else 0, by)
        if means_the_same(edit.new, self.texts[module][edit.start:edit.end]):
            return {"status": "invalid"}
        folder = new_folder(HERE)
        try:
            mutant = folder / pathlib.Path(edit.path).name
            mutant.write_text(edit.apply(self.texts[module]))
            tried, builds = [], None
            for detector in self.detectors[module, by]:
                if detector.name != rtl_detectors.LAST_RESORT:
                    with self.alone:
                        self.baseline.check(detector, self.design.files[module])
                work = folder / f"work{len(tried)}"
                work.mkdir()
                verdict = detector.judge(mutant, work)
                shutil.rmtree(work)
                tried.append(detector.name)
                if verdict == "does not build" and builds is None:
                    builds = rtl_detectors.builds(self.design, mutant, folder)
                    if not builds:
                        return {"status": "invalid"}
                if verdict == "killed":
                    return {"status": "killed", "by": detector.name, "tried": len(tried)}
            return {"status": "survived", "tried": len(tried)}
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def means_the_same(new, old):
    """One bit, written in two ways."""
    return {new.strip(), old.strip()} in ({"'0", "1'b0"}, {"'1", "1'b1"})


def in_turn(edits, seed):
    """Shuffled, then a rule after the other, so that common rules do not crowd out rare ones."""
    dice = random.Random(seed)
    by_rule = {}
    for edit in edits:
        by_rule.setdefault(edit.rule, []).append(edit)
    for of_rule in by_rule.values():
        dice.shuffle(of_rule)
    rules = sorted(by_rule)
    dice.shuffle(rules)
    order = []
    while any(by_rule.values()):
        order += [by_rule[rule].pop() for rule in rules if by_rule[rule]]
    return order


def quotas(sizes, wanted, seed):
    """Shares by the root of the size: large modules have more mutants, and small ones are not forgotten. A sample has one of
    each of some files."""
    if wanted < LEAST * len(sizes) and wanted < sum(sizes.values()):
        order = sorted(sizes)
        random.Random(seed).shuffle(order)
        return {m: wanted // len(order) + (number < wanted % len(order)) for number, m in enumerate(order)}
    weights = {m: size ** 0.5 for m, size in sizes.items()}
    total = sum(weights.values())
    return {m: min(sizes[m], max(min(LEAST, wanted), round(wanted * weights[m] / total))) for m in sizes}
