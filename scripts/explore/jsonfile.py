"""JSON files that are there whole or not at all."""
import json
import os


def write(path, document):
    temporary = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    temporary.write_text(json.dumps(document) + "\n", encoding="utf-8")
    temporary.rename(path)


def read(path):
    return json.loads(path.read_text(encoding="utf-8"))
