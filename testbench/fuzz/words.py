"""Random command lines of the program, and random studies of a design space: what libFuzzer cannot read for us.

Each function tries inputs until the time is up and yields of each what is wrong with how it was taken, or None. Inputs are made of
what users write, with one or several things changed; the same seed makes the same inputs.
"""
import json
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import time

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "scripts/explore")]
import command_pages  # noqa: E402
import study  # noqa: E402

PATIENCE = 60      # seconds for one command
MEMORY = 4 * 10**9  # bytes that it may take
CODES = (0, 1, 2, 3)
NO_FOLDER = "no_folder_for_hardware"
# Words that no option expects, or none but a few.
STRANGE = ("", "0", "-1", "1e9", "99999999999999999999", "0x10", "nan", "1/0", "a b", "ü", "\n", "\x01", "%s%n", "../..", "/", "/dev/null",
           "-", "--", "a" * 300, "1,2,3", "0-1:latency=99999999", "0>1", "[", "'", '"', "\\", "*", "{}", "0:0", "3:1", "random:9:9")
NETWORKS = ("ring:5", "mesh:3x3", "torus:3x2", "hypercube:3", "tree:7", "star:4", "fat-tree:2,2", "edges:0-1,1-2", "links:0-1,1-0", "ring:1",
            "routers(star:4;0)", "group(ring:6;0,2)", "timed(ring:4;0-1:latency=2)", "product(ring:3;linear:2)", "random:9,12,3",
            "complete:99999", "torus:70000x70000", "hypercube:40", "ring:-3", "graph:none.dot", "product(ring:3")
# Hardware cannot be built, as a file stands where its folder would be: commands that run it come as far as that. Those that have a
# model take it. `verify` would take minutes for what needs no hardware; studies of `explore` are a reader of their own.
BY_MODEL = ("run", "replay")
LEFT_OUT = ("verify", "explore")
SLOW = ("--seconds", "--try", "--threads", "--wave", "--whole-network", "--fitted", "--report", "--perfetto")


class Words:
    """Makes command lines of the program's own --help."""

    def __init__(self, program, dice):
        self.dice = dice
        listed = command_pages.sections(command_pages.printed(program, "--help"))["Subcommands"]
        names = [words.split()[0] for words, _ in command_pages.entries(listed)]
        self.options = {name: list(command_pages.Command(program, name, "").options()) for name in names if name not in LEFT_OUT}
        text = command_pages.printed(program, "list", "collectives") + command_pages.printed(program, "list", "algorithms")
        self.known = sorted(set(re.findall(r"^([a-z][a-z-]+)", text, re.M)))

    def value(self, choice):
        kind = self.dice.random()
        if choice and kind < 0.7:
            return self.dice.choice(choice)
        if kind < 0.5:
            return str(self.dice.choice((0, 1, 2, 3, 5, 64, 65, 4096, 65535, 65536, 2**31, 2**63)))
        if kind < 0.75:
            return self.dice.choice(self.known)
        return self.dice.choice(STRANGE + NETWORKS).replace("\0", "")

    def line(self):
        name = self.dice.choice(("run", "plan", "plan", *self.options))
        words = [name]
        words += [self.dice.choice(NETWORKS if self.dice.random() < 0.9 else STRANGE), self.dice.choice(self.known)][:self.dice.choice((0, 1, 2, 2, 2, 2))]
        for names, choice, has_value, _ in self.dice.sample(self.options[name], min(self.dice.choice((0, 0, 1, 1, 2, 3)), len(self.options[name]))):
            if names[-1] in (*SLOW, "--help", "--model"):
                continue
            words.append(self.dice.choice(names))
            if has_value:
                words.append(self.value(choice))
        if self.dice.random() < 0.1:
            words.insert(self.dice.randrange(len(words) + 1), self.dice.choice(STRANGE))
        return words + (["--model", "systemc"] if name in BY_MODEL else [])


def judge_command(program, words, folder):
    """Runs it; what is wrong with how it ends, or None."""
    try:
        done = subprocess.run(["prlimit", f"--as={MEMORY}", program, *words], cwd=folder, capture_output=True, timeout=PATIENCE,
                              env={**os.environ, "SAFNET_BUILD": str((folder / NO_FOLDER).resolve())})
    except subprocess.TimeoutExpired:
        return f"did not end within {PATIENCE} s"
    if done.returncode < 0:
        return f"ended by signal {signal.Signals(-done.returncode).name}"
    if done.returncode not in CODES:
        return f"ended with {done.returncode}"
    errors = done.stderr.decode(errors="replace")
    if done.returncode == 2 and (errors.count("\n") != 1 or not errors.startswith("safnet: ")):
        return f"refused in other than one line: {errors[:200]!r}"
    if "terminate called" in errors or "Assertion" in errors:
        return errors[:200]
    return None


def fuzz_command_lines(program, seconds, seed, folder):
    dice = random.Random(seed)
    maker, end = Words(program, dice), time.monotonic() + seconds
    folder.mkdir(parents=True, exist_ok=True)
    (folder / NO_FOLDER).touch()
    while time.monotonic() < end:
        words = maker.line()
        if any("\0" in word for word in words):
            continue
        wrong = judge_command(program, words, folder)
        yield wrong and f"safnet {' '.join(map(repr, words))}: {wrong}"


def changed(dice, value):
    """A copy of a document with something in it changed."""
    strange = (None, True, -1, 0, 1, 10**400, 1.5, "", "a" * 300, [], {}, [[]], "ring:4", "1:3", {"from": 1, "to": 10**9}, *STRANGE)
    if dice.random() < 0.15:
        return dice.choice(strange)
    if isinstance(value, dict) and value:
        copy = dict(value)
        key = dice.choice(list(copy))
        if dice.random() < 0.2:
            del copy[key]
        elif dice.random() < 0.2:
            copy[dice.choice(["vary", "work", "objectives", "where", "most_points", *STRANGE])] = dice.choice(strange)
        else:
            copy[key] = changed(dice, copy[key])
        return copy
    if isinstance(value, list) and value:
        copy = list(value)
        at = dice.randrange(len(copy))
        copy[at:at + dice.choice((0, 1, 1))] = [changed(dice, copy[at])]
        return copy
    return dice.choice(strange)


def judge_study(path):
    """Reads it; what is wrong with how it is refused, or None."""
    began = time.monotonic()
    try:
        study.read_study(str(path))
    except study.BadStudy as error:
        if "\n" in str(error):
            return f"{path}: an error of several lines: {error}"
    except Exception as error:  # whatever else comes is the finding
        return f"{path}: {type(error).__name__}: {error}"
    return f"{path}: took {time.monotonic() - began:.0f} s" if time.monotonic() - began > 10 else None


def fuzz_studies(seconds, seed, folder):
    """Reads studies that come with safnet, changed: each is taken, or refused in one line."""
    dice = random.Random(seed)
    originals = [json.loads(path.read_text()) for path in sorted(study.STUDIES.glob("*.json"))]
    folder.mkdir(parents=True, exist_ok=True)
    path, end = folder / "study.json", time.monotonic() + seconds
    while time.monotonic() < end:
        document = dice.choice(originals)
        for _ in range(dice.randint(1, 4)):
            document = changed(dice, document)
        text = json.dumps(document)
        if dice.random() < 0.1:
            at = dice.randrange(len(text) + 1)
            text = text[:at] + dice.choice(STRANGE) + text[at + dice.randint(0, 3):]
        path.write_text(text)
        yield judge_study(path)


def main(name, seconds, seed, folder, program):
    """Prints how many inputs were tried and what was found, as JSON, also if it is stopped. For scripts/fuzz, which does that by SIGTERM."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that the command that runs ends as well
    seconds, seed, folder = int(seconds), int(seed), pathlib.Path(folder)
    tried, found, code = 0, None, 0
    try:
        for found in fuzz_studies(seconds, seed, folder) if name == "studies" else fuzz_command_lines(program, seconds, seed, folder):
            tried += 1
            if found:
                break
    except KeyboardInterrupt:
        code = 130
    print(json.dumps([tried, found]))
    sys.exit(code)


if __name__ == "__main__":
    main(*sys.argv[1:])
