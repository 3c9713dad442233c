"""Mistakes that an engineer makes in C++, each as two versions of one expression or statement.

`old` and `new` stand in the same source, and the environment chooses: so all mutants of a file are compiled at once. The sources
are formatted by clang-format, which sets operators with two operands apart by spaces, and brackets of templates not.
"""
from edits import Collector
from tokens import OPENS, CLOSES, left_start, right_end, tokenize

BOUNDARY = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
OTHER = {"==": "!=", "!=": "==", "&&": "||", "||": "&&", "+": "-", "-": "+", "&": "|", "|": "&"}
RULE_OF = {"==": "equality", "!=": "equality", "&&": "logical_operator", "||": "logical_operator", "+": "plus_minus", "-": "plus_minus",
           "&": "bit_operator", "|": "bit_operator"}
# Both versions of these are converted to bool, as the place where they stand does.
OF_BOOL = ("boundary", "equality", "logical_operator", "condition_dropped", "negation_dropped", "condition_inverted")
NO_STATEMENT = ("return", "using", "const", "auto", "for", "while", "if", "else", "switch", "case", "break", "continue", "throw", "static",
                "struct", "class", "enum", "template", "namespace", "constexpr", "typename", "delete", "public", "private", "default", "do", "assert")


def edits_of(path, text):
    tokens = tokenize(text, "cpp")
    for token in tokens:
        if token.text in ("<", ">", ">>", "<<", "*", "&", "&&", "-", "+", "|") and not spaced(text, token):
            token.kind, token.text = "template", "tight " + token.text
    bar(tokens)
    out = Collector(path, text, "cpp")
    for rule in (operators, dropped_terms, swapped_operands, negations, constants, conditions, limits, statements):
        rule(tokens, text, out)
    return out.edits


def spaced(text, token):
    return text[token.start - 1] in " \n" and text[token.end] in " \n"


def bar(tokens):
    """Only what is in a function, and no assertions."""
    for i, token in enumerate(tokens):
        if token.depth < 2:
            token.barred = True
        if token.text in ("assert", "static_assert") and i + 1 < len(tokens) and tokens[i + 1].partner > i:
            for inner in tokens[i:tokens[i + 1].partner + 1]:
                inner.barred = True


def span(tokens, first, behind):
    return tokens[first].start, tokens[behind - 1].end


def both(tokens, text, at):
    left, right = left_start(tokens, at), right_end(tokens, at)
    return (left, right) if left < at < right - 0 else None


def operators(tokens, text, out):
    for i, token in enumerate(tokens):
        new = BOUNDARY.get(token.text) or OTHER.get(token.text)
        if token.barred or token.kind != "operator" or new is None or not (ends := both(tokens, text, i)):
            continue
        start, end = span(tokens, *ends)
        rule = "boundary" if token.text in BOUNDARY else RULE_OF[token.text]
        out.add(rule, start, end, text[start:token.start] + new + text[token.end:end])


def dropped_terms(tokens, text, out):
    for i, token in enumerate(tokens):
        if token.barred or token.kind != "operator" or token.text not in ("&&", "||", "+", "-") or not (ends := both(tokens, text, i)):
            continue
        start, end = span(tokens, *ends)
        rule = "condition_dropped" if token.text in ("&&", "||") else "term_dropped"
        out.add(rule, start, end, text[start:token.start].rstrip())
        if token.text != "-":
            out.add(rule, start, end, text[token.end:end].lstrip())


def swapped_operands(tokens, text, out):
    for i, token in enumerate(tokens):
        if not token.barred and token.kind == "operator" and token.text == "-" and (ends := both(tokens, text, i)):
            start, end = span(tokens, *ends)
            out.add("operands_swapped", start, end, f"({text[token.end:end].strip()}) - ({text[start:token.start].strip()})")


def unary_end(tokens, at):
    """Index behind the operand of `!`."""
    i = at + 1
    while i < len(tokens):
        if tokens[i].text in OPENS and tokens[i].partner > i:
            i = tokens[i].partner + 1
        elif tokens[i].kind in ("word", "number") or tokens[i].text in (".", "->", "::", "!", "tight *"):
            i += 1
        else:
            break
    return i


def negations(tokens, text, out):
    for i, token in enumerate(tokens):
        if token.text == "!" and not token.barred:
            start, end = span(tokens, i, unary_end(tokens, i))
            out.add("negation_dropped", start, end, text[start + 1:end])


def constants(tokens, text, out):
    for token in tokens:
        if token.barred:
            continue
        if token.text in ("true", "false"):
            out.add("flag_inverted", token.start, token.end, "false" if token.text == "true" else "true")
        elif token.kind == "number" and token.text.isdigit():
            out.add("off_by_one", token.start, token.end, str(int(token.text) + 1))


def conditions(tokens, text, out):
    for i, token in enumerate(tokens):
        if token.text == "if" and not token.barred and tokens[i + 1].text == "(":
            inner = tokens[i + 2:tokens[i + 1].partner]
            if inner and not any(t.text in (";", "=") for t in inner):
                start, end = inner[0].start, inner[-1].end
                out.add("condition_inverted", start, end, f"!({text[start:end]})")


def limits(tokens, text, out):
    for i, token in enumerate(tokens):
        if token.text in ("min", "max") and not token.barred and tokens[i - 1].text == "::" and tokens[i - 2].text == "std":
            j = i + 1
            while tokens[j].text != "(" and j < i + 8:
                j += 1
            if tokens[j].text == "(":
                start, end = span(tokens, i - 2, tokens[j].partner + 1)
                other = "max" if token.text == "min" else "min"
                out.add("limit_swapped", start, end, text[start:token.start] + other + text[token.end:end])


def statements(tokens, text, out):
    """An assignment or a call is forgotten."""
    enclosing, open_at = [], []  # the bracket around each token
    for i, token in enumerate(tokens):
        if token.text in CLOSES and open_at:
            open_at.pop()
        enclosing.append(tokens[open_at[-1]].text if open_at else "")
        if token.text in OPENS:
            open_at.append(i)
    for i, token in enumerate(tokens):
        if token.barred or token.kind != "word" or token.text in NO_STATEMENT or enclosing[i] != "{":
            continue
        before = tokens[i - 1].text
        closes_if = before == ")" and tokens[i - 1].partner > 0 and tokens[tokens[i - 1].partner - 1].text in ("if", "for", "while")
        if (before in (";", "{", "}", "else") or closes_if) and (end := end_of_action(tokens, i)):
            out.add("statement_missing", token.start, tokens[end].end, "")


def end_of_action(tokens, at):
    """Index of the semicolon behind an assignment or a call that begins at `at`; None if it is a declaration or something else."""
    i = at
    while i < len(tokens):
        token, following = tokens[i], tokens[i + 1]
        if token.kind == "template" or token.kind == "word" and following.kind == "word" or token.text in CLOSES or token.text in "{;":
            return None
        if token.text in ("=", "+=", "-=", "|=", "++", "--"):
            while tokens[i].text != ";":
                i = tokens[i].partner + 1 if tokens[i].text in OPENS and tokens[i].partner > i else i + 1
            return i
        if token.text in OPENS:
            i = token.partner
            if token.text == "(" and tokens[i + 1].text == ";":
                return i + 1
        i += 1
    return None
