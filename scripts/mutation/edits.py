"""What a mutant is: one edit of one source, and how it is numbered."""
from dataclasses import dataclass

import tokens


@dataclass(frozen=True)
class Edit:
    """The characters [start, end) of the text of `path` become `new`. `occurrence` counts the edits of `rule` in the file."""
    path: str
    rule: str
    occurrence: int
    start: int
    end: int
    new: str
    source_hash: str

    def key(self):
        return f"{self.path}:{self.rule}:{self.occurrence}:{self.source_hash}"

    def apply(self, text):
        return text[:self.start] + self.new + text[self.end:]

    def describe(self, text):
        """The line, what was there and what is there now."""
        line = text.count("\n", 0, self.start) + 1
        old = " ".join(text[self.start:self.end].split())
        return line, f"{old or '(nothing)'} -> {' '.join(self.new.split()) or '(nothing)'}"


class Collector:
    """Numbers the edits of a file, and leaves out what changes nothing."""

    def __init__(self, path, text, language):
        self.path, self.text, self.edits, self.seen = path, text, [], set()
        self.counts = {}
        self.hash = tokens.hash_of(text, language)

    def add(self, rule, start, end, new):
        if self.text[start:end] == new or (start, end, new) in self.seen:
            return
        self.seen.add((start, end, new))
        number = self.counts[rule] = self.counts.get(rule, 0) + 1
        self.edits.append(Edit(self.path, rule, number, start, end, new, self.hash))
