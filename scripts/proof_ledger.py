"""What scripts/prove has proved, of which text: a line of a file for each job that came out as promised."""
import datetime
import hashlib
import json
import pathlib
import re
import sys
import threading

INCLUDED = re.compile(r'^\s*`include\s+"([^"]+)"', re.M)
DIRECTIVE = r"(?!\s*(?:synopsys|synthesis|pragma)\b)"  # Yosys reads these, though they stand in comments
COMMENT = re.compile(rf"//{DIRECTIVE}[^\n]*|/\*{DIRECTIVE}.*?\*/", re.S)
WORDS = ("job", "of", "says", "on")  # of a line


def without_comments(text):
    """SystemVerilog without its comments and without blanks that mean nothing. Lines stay lines, as a macro ends with its line."""
    lines = (" ".join(line.split()) for line in COMMENT.sub(" ", text).splitlines())
    return "\n".join(line for line in lines if line)


def digest_of_text(words, files, include_folders):
    """A digest of words and files, and of what these include, but for comments of SystemVerilog."""
    digest, left, seen = hashlib.sha256(repr(words).encode()), list(files), set()
    while left:
        path = pathlib.Path(left.pop(0))
        if path in seen:
            continue
        seen.add(path)
        text = path.read_text(encoding="utf-8")
        left += [folder / name for name in INCLUDED.findall(text) for folder in include_folders if (folder / name).is_file()]
        text = without_comments(text) if path.suffix in (".sv", ".svh") else text
        digest.update(f"\n{path.name}\n{text}".encode())
    return digest.hexdigest()[:20]


class ProofLedger:
    """The jobs of a file, by their names. The last line of a job counts; a line that a kill cut short is left out and told."""

    def __init__(self, path):
        self.path, self.adding, self.rows = path, threading.Lock(), {}
        text = path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
        for line in text.splitlines():
            try:
                row = json.loads(line)
            except json.JSONDecodeError:
                row = None
            if isinstance(row, dict) and all(isinstance(row.get(word), str) for word in WORDS):
                self.rows[row["job"]] = row
            else:
                print(f"prove: {path}: left out, as it is no job: {line[:60]}", file=sys.stderr)
        with path.open("a", encoding="utf-8") as file:  # the next line is not to become part of what is left of one
            file.write("\n" if text and not text.endswith("\n") else "")

    def has(self, job, digest):
        """Whether a job came out as promised with this text."""
        return job in self.rows and self.rows[job]["of"] == digest

    def add(self, job, digest, says):
        row = dict(zip(WORDS, (job, digest, says, datetime.date.today().isoformat())))
        with self.adding, self.path.open("a", encoding="utf-8") as file:
            self.rows[job] = row
            file.write(json.dumps(row) + "\n")

    def keep_only(self, jobs):
        """Leaves one line for each of these jobs, sorted, and none for what is no job any more."""
        rows = ProofLedger(self.path).rows  # with what somebody else may have added meanwhile
        rows = [rows[job] for job in sorted(rows) if job in jobs]
        new = self.path.with_name(self.path.name + ".new")
        new.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        new.replace(self.path)
