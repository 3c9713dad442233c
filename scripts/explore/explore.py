#!/usr/bin/env python3
"""`safnet explore`: a study of a design space, or a question about the results of one.

    safnet explore STUDY -o FOLDER [--jobs N] [--slurm] [--technology T]     runs it, or goes on with it
    safnet explore FOLDER --best EXPRESSION                                  prints the best point

Exit codes are those of safnet: 0 done, 1 a job failed, 2 one line on what was wrong with what was asked.
"""
import argparse
import contextlib
import ctypes
import errno
import fcntl
import hashlib
import importlib.util
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

SCRIPTS = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(SCRIPTS))
import jsonfile  # noqa: E402
import page  # noqa: E402
import study as studies  # noqa: E402


class BadUse(studies.BadStudy):
    """What is wrong with the command line, in one line."""


def missing(what, package):
    return BadUse(f"{what} is missing: expected Debian's package {package}; `make explore` installs what is missing")


def check_tools(technology, slurm):
    tools = {"snakemake": "snakemake", **technology.tools, **({"sbatch": "slurm-wlm"} if slurm else {})}
    for tool, package in tools.items():
        if shutil.which(tool) is None:
            raise missing(tool, package)
    for path, package in technology.files.items():
        if not path.exists():
            raise missing(path, package)
    if importlib.util.find_spec("scipy") is None:
        raise missing("scipy", "python3-scipy")


def program_of(safnet):
    """What makes the results: those of two versions do not belong into one folder."""
    digest = hashlib.sha256(pathlib.Path(safnet).read_bytes())
    root = SCRIPTS.parent.parent
    for path in sorted([*root.glob("rtl/*/*.sv"), *root.glob("rtl/*/*.svh"), *root.glob("scripts/synthesise_node*"),
                        *SCRIPTS.glob("*.py")]):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def folder_of_files(folder):
    """Files that a study names are those of the folder where it was begun."""
    path = folder / "jobs.json"
    try:
        return jsonfile.read(path)["started_in"] if path.exists() else os.getcwd()
    except (OSError, ValueError, KeyError, TypeError):
        raise BadUse(f"{studies.quoted(str(path))}: expected what safnet explore wrote") from None


def search_of(study):
    """What chooses the points, of a study that does not measure all of them; else None."""
    if not study.is_searched():
        return None
    try:
        import search  # Optuna is needed by such studies only, and takes a while to come
    except ModuleNotFoundError as error:
        raise missing(error.name, "python3-optuna") from None
    return search.Search(study)


def plan_of(study, document, safnet, started_in, search):
    """The plan; without points, if a search is to choose them."""
    points = {} if search else {studies.key_of(point): point for point in study.points()}
    files = {}
    for work in study.works:
        if "schedule" in work:
            try:
                files[work["schedule"]] = studies.digest_of_file(started_in, work["schedule"])
            except OSError as error:
                studies.refuse("work.schedule", work["schedule"], f"a file that can be read: {error.strerror}")
    return {"study": document, "program": program_of(safnet), "sampler": search.sampler if search else None, "files": files,
            "points": points}


def write_plan(folder, plan):
    """Makes the folder, or finds that the study there is the same."""
    path = folder / "plan.json"
    try:
        if path.exists():
            there = jsonfile.read(path)
            if there["study"] != plan["study"]:
                raise BadUse(f"-o {studies.quoted(str(folder))}: expected a new folder; this one holds another study")
            if there["program"] != plan["program"]:
                raise BadUse(f"-o {studies.quoted(str(folder))}: expected a new folder; this one was made by another version of safnet")
            if there["sampler"] != plan["sampler"]:
                raise BadUse(f"-o {studies.quoted(str(folder))}: expected a new folder; this one was made by {there['sampler']}, not by {plan['sampler']}")
            for name, digest in plan["files"].items():
                if there["files"][name] != digest:
                    raise BadUse(f"-o {studies.quoted(str(folder))}: expected a new folder; {studies.quoted(name)} has changed since this one was begun")
            return
        (folder / "points").mkdir(parents=True, exist_ok=True)
        jsonfile.write(path, plan)
    except OSError as error:
        raise BadUse(f"-o {studies.quoted(str(folder))}: {error.strerror}: expected a folder that can be written") from None
    except (ValueError, KeyError, TypeError, RecursionError):
        raise BadUse(f"{studies.quoted(str(path))}: expected the plan of a study") from None


def run(arguments):
    study, document = studies.read_study(arguments.study, arguments.technology)
    if not arguments.output:
        raise BadUse("expected -o FOLDER for the results")
    check_tools(study.technology, arguments.slurm)
    folder = pathlib.Path(arguments.output).resolve()
    search = search_of(study)
    cache = pathlib.Path(arguments.cache or pathlib.Path(arguments.build) / "synthesis").resolve()
    started_in = folder_of_files(folder)
    write_plan(folder, plan_of(study, document, arguments.safnet, started_in, search))
    where = {"safnet": str(pathlib.Path(arguments.safnet).resolve()), "scripts": str(SCRIPTS), "cache": str(cache),
             "started_in": started_in}
    try:
        cache.mkdir(parents=True, exist_ok=True)
        if not os.access(cache, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(cache))
        jsonfile.write(folder / "jobs.json", where)
        if not (folder / "points.json").exists():
            (folder / "results.written").unlink(missing_ok=True)  # somebody has removed the results: they are written again
        if arguments.slurm:
            (folder / "slurm").mkdir(exist_ok=True)
    except OSError as error:
        raise BadUse(f"{studies.quoted(error.filename or str(cache))}: {error.strerror}: expected a folder that can be written") from None
    jobs = arguments.jobs or os.cpu_count() or 1
    words = ["snakemake", "--snakefile", str(SCRIPTS / "Snakefile"), "--directory", str(folder), "--nolock",
             "--rerun-incomplete", "--rerun-triggers", "mtime", "--log-handler-script", str(SCRIPTS / "progress.py"),
             "--scheduler", "greedy"]  # all jobs are alike: solving an integer program for each choice takes most of a short run
    if arguments.slurm:
        words += ["--jobs", str(jobs), "--cluster", "sbatch --parsable --cpus-per-task=1 --output=slurm/%j.out --job-name=safnet",
                  "--cluster-status", str(SCRIPTS / "slurm_status.sh"), "--cluster-cancel", "scancel"]
    else:
        words += ["--cores", str(jobs)]
    with locked(folder) as lock:
        code = run_generations(folder, search, words, lock) if search else run_jobs(words, lock)
    if code != 0:
        print(f"safnet: explore: a job failed; its words are above, all of them in {folder}/.snakemake/log", file=sys.stderr)
        return 1
    report(folder)
    return 0


def end_with_parent():
    """The jobs end as by Ctrl-C when this program is killed."""
    set_death_signal = 1  # of prctl()
    ctypes.CDLL(None).prctl(set_death_signal, signal.SIGINT)


@contextlib.contextmanager
def locked(folder):
    """One at a time in a folder: whoever comes second waits a moment, in case the first was killed and is ending."""
    with open(folder / "lock", "w", encoding="utf-8") as lock:
        for attempt in range(20):
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if attempt == 19:
                    raise BadUse(f"-o {studies.quoted(str(folder))}: another safnet explore is at work in it") from None
                time.sleep(0.5)
        yield lock


def run_jobs(words, lock, **environment):
    """The jobs hold the lock as well: it is free when the last of them has ended."""
    with subprocess.Popen(words, pass_fds=[lock.fileno()], preexec_fn=end_with_parent, env={**os.environ, **environment}) as jobs:
        while True:
            try:
                return jobs.wait()
            except KeyboardInterrupt:
                continue  # the jobs have got it as well, and are ending


def run_generations(folder, search, words, lock):
    """Adds the points of a generation to the plan, has the jobs measure them and write the results of all points so far,
    and so on with what the search has learnt. What has been measured already is only learnt, so that a study that was killed
    comes to where it was."""
    plan, chosen = jsonfile.read(folder / "plan.json"), 0
    results = results_by_key(folder)
    while points := search.generation():
        if not points.keys() <= plan["points"].keys():
            plan["points"].update(points)
            jsonfile.write(folder / "plan.json", plan)
        first, chosen = chosen + 1, chosen + len(points)
        if not points.keys() <= results.keys():
            code = run_jobs(words, lock, SAFNET_POINTS=f"points {first} to {chosen} of {search.budget()}: ")
            if code != 0:
                return code
            results = results_by_key(folder)
        search.learn(results)
    return 0


def results_by_key(folder):
    """The points that have been measured; none if there are no results yet."""
    return {point["key"]: point for point in results_in(folder)["points"]} if (folder / "points.json").exists() else {}


def results_in(folder):
    path = pathlib.Path(folder) / "points.json"
    try:
        document = jsonfile.read(path)
        if document["format"] != "safnet-points":
            raise ValueError
        studies.Study(document["study"], "study")
        for point in document["points"]:
            if not all(value is None or isinstance(value, (int, float)) for value in point["values"].values()):
                raise ValueError
            _ = point["status"], point["commands"], point["point"]
        return document
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise BadUse(f"{studies.quoted(str(folder))}: expected a folder with the results of a study") from None


def in_words(document, point):
    study = studies.Study(document["study"], "study")
    axes = study.varying() or ["topology"]
    what = ", ".join(f"{axis} {page.shown(point['point'][axis])}" for axis in axes)
    measures = ", ".join(f"{name} {point['values'][name]:,.10g}" for name in study.objectives)
    return f"{what}: {measures}"


def report(folder):
    document = results_in(folder)
    counts = {}
    for point in document["points"]:
        counts[point["status"]] = counts.get(point["status"], 0) + 1
    space = document.get("space", 0)
    of = f" of {space:,}" if space > len(document["points"]) else ""
    print(f"{len(document['points'])} points{of}: " + ", ".join(f"{count} {status}" for status, count in sorted(counts.items())))
    for point in document["points"]:
        if point["status"] == "front":
            print("  " + in_words(document, point))
    print(f"pages: {folder}/index.html")


def best(arguments):
    document = results_in(arguments.study)
    study = studies.Study(document["study"], "study")
    names = [*study.measured, *study.derived]
    expression = studies.Expression("--best", arguments.best, names, False)
    found = [(expression.value(point["values"]), point) for point in document["points"]
             if point["status"] in ("front", "band", "dominated")]
    found = [(value, point) for value, point in found if value is not None]
    if not found:
        raise BadUse(f"--best {studies.quoted(arguments.best)}: no point has this value")
    value, point = min(found, key=lambda pair: pair[0])
    print(in_words(document, point))
    print(f"  {arguments.best}: {value:,.6g}")
    print(f"  {(point['commands'] or [''])[-1]}")
    return 0


def main():
    parser = argparse.ArgumentParser(prog="safnet explore", allow_abbrev=False)
    parser.add_argument("--safnet", required=True)
    parser.add_argument("--build", required=True)
    parser.add_argument("study")
    parser.add_argument("--output")
    parser.add_argument("--best")
    parser.add_argument("--cache")
    parser.add_argument("--technology")
    parser.add_argument("--jobs", type=int, default=0)
    parser.add_argument("--slurm", action="store_true")
    arguments = parser.parse_args()
    try:
        if arguments.best and arguments.technology:
            raise BadUse(f"--technology {studies.quoted(arguments.technology)}: expected no --best beside it; results are of one technology")
        return best(arguments) if arguments.best else run(arguments)
    except studies.BadStudy as error:
        print(f"safnet: explore: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        return 2
    except KeyboardInterrupt:
        return 128 + signal.SIGINT


if __name__ == "__main__":
    sys.exit(main())
