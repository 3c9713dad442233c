"""Files, most of them of JSON, that are there whole or not at all."""
import json
import os


def write_text(path, text):
    temporary = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    temporary.write_text(text, encoding="utf-8")
    temporary.rename(path)


def write(path, document):
    write_text(path, json.dumps(document) + "\n")


def read(path):
    return json.loads(path.read_text(encoding="utf-8"))
