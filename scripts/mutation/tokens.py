"""Words of SystemVerilog or C++ with their places, and what rules need to know of them: brackets that belong together and how
far an operand reaches."""
import hashlib
import re
from dataclasses import dataclass

PATTERNS = {
    "verilog": re.compile(r"""
        (?P<comment>//[^\n]*|/\*.*?\*/) | (?P<string>"(?:\\.|[^"\\])*") | (?P<directive>`[^\n]*)
      | (?P<number>\d*'[sS]?[bdhoBDHO][0-9a-fA-FxzXZ_?]+|'[01xz]|\d[\d_]*)
      | (?P<word>[\$A-Za-z_][\w\$]*)
      | (?P<operator>===|!==|<<<|>>>|<<=|>>=|&&|\|\||<=|>=|==|!=|<<|>>|\+:|-:|::|\+\+|--|\+=|-=|~&|~\||~\^|->|[-+*/%<>=!~&|^?:;,.()\[\]{}'#@])
      """, re.X | re.S),
    "cpp": re.compile(r"""
        (?P<comment>//[^\n]*|/\*.*?\*/) | (?P<string>R"\((?:.|\n)*?\)"|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+')
      | (?P<directive>^[ \t]*\#[^\n]*)
      | (?P<number>0[xX][0-9a-fA-F']+[uUlLzZ]*|\d[\d']*(?:\.\d+)?(?:[eE][-+]?\d+)?[uUlLzZfF]*)
      | (?P<word>[A-Za-z_]\w*)
      | (?P<operator><=>|<<=|>>=|->|::|&&|\|\||<=|>=|==|!=|<<|>>|\+\+|--|\+=|-=|\*=|/=|%=|&=|\|=|\^=|\.\.\.|[-+*/%<>=!~&|^?:;,.()\[\]{}\#])
      """, re.X | re.S | re.M),
}
OPENS, CLOSES = "([{", ")]}"
# Tighter operators have larger numbers.
PRECEDENCE = {"?": 1, "||": 2, "&&": 3, "|": 4, "^": 5, "&": 6, "==": 7, "!=": 7, "<": 8, "<=": 8, ">": 8, ">=": 8,
              "<<": 9, ">>": 9, "+": 10, "-": 10, "*": 11, "/": 11, "%": 11}


@dataclass
class Token:
    kind: str
    text: str
    start: int
    end: int
    depth: int = 0
    partner: int = -1   # the bracket that belongs to this one
    barred: bool = False  # no rule may touch it


def tokenize(text, language):
    tokens, open_at = [], []
    for match in PATTERNS[language].finditer(text):
        kind = match.lastgroup
        if kind in ("comment", "directive"):
            continue
        token = Token(kind, match[0], match.start(), match.end(), len(open_at))
        if token.text in OPENS and kind == "operator":
            open_at.append(len(tokens))
        elif token.text in CLOSES and kind == "operator" and open_at:
            token.partner = open_at.pop()
            token.depth = len(open_at)
            tokens[token.partner].partner = len(tokens)
        tokens.append(token)
    return tokens


def hash_of(text, language):
    """Tells one text from another by its words, without comments and white space."""
    words = (" ".join(match[0].split()) for match in PATTERNS[language].finditer(text) if match.lastgroup != "comment")
    return hashlib.sha256("\n".join(words).encode()).hexdigest()[:12]


def is_binary(tokens, at):
    """Whether the operator has an operand on its left."""
    before = tokens[at - 1] if at else None
    return before is not None and (before.kind in ("number", "string") or before.text in (")", "]", "}") or
                                   (before.kind == "word" and before.text not in ("return", "assign", "case", "begin", "else")))


def right_end(tokens, at):
    """Index behind the right operand of the binary operator at `at`."""
    level, i = PRECEDENCE[tokens[at].text], at + 1
    while i < len(tokens):
        token = tokens[i]
        if token.text in CLOSES or token.text in (";", ",", "?", ":", "=", "begin"):
            break
        if token.text in PRECEDENCE and PRECEDENCE[token.text] <= level and is_binary(tokens, i):
            break
        i = token.partner + 1 if token.text in OPENS and token.partner > i else i + 1
    return i


def left_start(tokens, at):
    """Index of the first token of the left operand of the binary operator at `at`."""
    level, i = PRECEDENCE[tokens[at].text], at - 1
    while i >= 0:
        token = tokens[i]
        if token.text in OPENS or token.text in (";", ",", "?", ":", "=", "return", "assign", "+=", "-=", "&=", "|=", "begin", "else"):
            break
        if token.text in PRECEDENCE and PRECEDENCE[token.text] < level and is_binary(tokens, i):
            break
        i = token.partner - 1 if token.text in CLOSES and 0 <= token.partner < i else i - 1
    return i + 1
