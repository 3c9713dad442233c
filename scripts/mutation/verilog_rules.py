"""Mistakes that an engineer makes in SystemVerilog, as edits of the text.

Rules see words, not comments. Words of module headers, declarations, parameters of instances, parameter checks, assertions and
signals that exist for lint alone are barred.
"""
import re

from edits import Collector
from tokens import PRECEDENCE, is_binary, left_start, right_end, tokenize

BOUNDARY = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
OTHER = {"==": "!=", "!=": "==", "&&": "||", "||": "&&", "&": "|", "|": "&", "^": "|", "+": "-", "-": "+", "<<": ">>", ">>": "<<"}
RULE_OF = {"==": "equality", "!=": "equality", "&&": "logical_operator", "||": "logical_operator", "&": "bit_operator",
           "|": "bit_operator", "^": "bit_operator", "+": "plus_minus", "-": "plus_minus", "<<": "shift", ">>": "shift"}
DECLARES = ("localparam", "parameter", "logic", "int", "genvar", "typedef", "input", "output", "import", "integer", "bit", "wire", "reg")


def edits_of(path, text):
    tokens = tokenize(text, "verilog")
    words = Verilog(tokens, text)
    words.bar()
    collector = Collector(path, text, "verilog")
    for rule in (operators, negations, conditions, numbers, indices, choices, dropped_terms, swapped_operands, assignments,
                 loops, wrong_signals):
        rule(words, collector)
    return collector.edits


class Verilog:
    def __init__(self, tokens, text):
        self.tokens, self.text = tokens, text
        self.assigns = set()   # indices of operators that assign
        self.resets = set()    # indices of tokens in the branch that a reset takes
        self.find_assignments()

    def span(self, first, behind):
        return self.tokens[first].start, self.tokens[behind - 1].end

    def part(self, first, behind):
        start, end = self.span(first, behind)
        return self.text[start:end]

    def find_assignments(self):
        assigned, base = False, 0
        for i, token in enumerate(self.tokens):
            if token.text in (";", "begin", "end", "else", "endcase"):
                assigned = False
            elif token.text in ("if", "for", "case"):
                assigned = False
            elif token.text in ("=", "<=") and token.depth == base and not assigned:
                self.assigns.add(i)
                assigned = True

    def bar_range(self, first, behind):
        for token in self.tokens[first:behind]:
            token.barred = True

    def end_of_block(self, begin):
        level = 0
        for i in range(begin, len(self.tokens)):
            level += {"begin": 1, "case": 1, "end": -1, "endcase": -1}.get(self.tokens[i].text, 0)
            if level == 0:
                return i + 1
        return len(self.tokens)

    def end_of_statement(self, at):
        while at < len(self.tokens) and self.tokens[at].text != ";":
            at += 1
        return at + 1

    def bar(self):
        tokens = self.tokens
        texts = [t.text for t in tokens]
        body = False
        for i, token in enumerate(tokens):
            if token.text == "module":
                end = i
                while texts[end] != ";":
                    end += 1
                self.bar_range(i, end + 1)
                body = True
            elif not body:
                token.barred = True
            elif token.text in ("initial", "function") and not token.barred:
                if token.text == "initial":
                    begin = i + 1
                    end = self.end_of_block(begin) if texts[begin] == "begin" else self.end_of_statement(begin)
                else:
                    end = texts.index("endfunction", i)
                self.bar_range(i, end)
            elif token.text == "always" and "begin" in texts[i:i + 10]:
                begin = texts.index("begin", i)
                if texts[begin + 1] == ":" and texts[begin + 2].startswith("a_"):
                    self.bar_range(i, self.end_of_block(begin))
                else:
                    self.bar_range(i, begin)
            elif token.text in ("always_ff",):
                self.bar_range(i, i + 6)
            elif token.text in DECLARES and not token.barred and token.depth == 0:
                self.bar_range(i, self.end_of_statement(i))
            elif token.text == "for":
                self.bar_range(i, tokens[i + 1].partner + 1)
            elif token.text == "#" and i + 1 < len(tokens) and texts[i + 1] == "(":
                self.bar_range(i, tokens[i + 1].partner + 1)
            elif token.kind == "word" and token.text.startswith("unused") and i and texts[i - 1] == "assign":
                self.bar_range(i - 1, self.end_of_statement(i))
            elif token.text == "if" and texts[i + 1] == "(":
                self.mark_reset(i, tokens[i + 1].partner)
        self.bar_widths()

    def mark_reset(self, at, close):
        if "rst_ni" not in [t.text for t in self.tokens[at:close]]:
            # An `if` outside of a process chooses what is generated: parameters alone.
            names = [t.text for t in self.tokens[at + 2:close] if t.kind == "word"]
            if names and all(re.match(r"[A-Z]|safnet_pkg|\$clog2|tdm_pkg|scan_pkg|looks_up", n) for n in names):
                self.bar_range(at, close + 1)
            return
        self.bar_range(at, close + 1)
        first = close + 1
        end = self.end_of_block(first) if self.tokens[first].text == "begin" else self.end_of_statement(first)
        self.resets.update(range(first, end))

    def bar_widths(self):
        """`[a +: W]`: the width W; `W'(x)`: the width; `x[W-1:0]`: bounds."""
        for i, token in enumerate(self.tokens):
            if token.text in ("+:", "-:"):
                j = i
                while self.tokens[j].text != "]":
                    self.tokens[j].barred = True
                    j = self.tokens[j].partner + 1 if self.tokens[j].text in "([{" else j + 1
            elif token.text == "[" and token.partner > 0:
                inner = self.tokens[i + 1:token.partner]
                if any(t.text == ":" and t.depth == token.depth + 1 for t in inner):
                    self.bar_range(i, token.partner)

    def live(self):
        return [(i, t) for i, t in enumerate(self.tokens) if not t.barred]


def operators(words, out):
    for i, token in words.live():
        if i in words.assigns or token.kind != "operator" or not is_binary(words.tokens, i):
            continue
        if token.text in BOUNDARY:
            out.add("boundary", token.start, token.end, BOUNDARY[token.text])
        elif token.text in OTHER:
            out.add(RULE_OF[token.text], token.start, token.end, OTHER[token.text])


def negations(words, out):
    for i, token in words.live():
        if token.text in ("!", "~") and words.tokens[i + 1].text != "rst_ni":
            out.add("negation_dropped", token.start, token.end, "")


def conditions(words, out):
    for i, token in words.live():
        if token.text == "if" and words.tokens[i + 1].text == "(":
            first, last = i + 2, words.tokens[i + 1].partner
            start, end = words.span(first, last)
            out.add("condition_inverted", start, end, f"!({words.text[start:end]})")


def numbers(words, out):
    for i, token in words.live():
        if token.kind != "number" or words.tokens[i + 1].text == "'":
            continue
        sized = re.fullmatch(r"(\d+'d)(\d+)", token.text)
        if token.text in ("'0", "1'b0", "1'b1", "'1"):
            new = token.text[:-1] + ("1" if token.text[-1] == "0" else "0")
            out.add("stuck_value", token.start, token.end, new)
        elif sized:
            out.add("off_by_one", token.start, token.end, sized[1] + str(int(sized[2]) + 1))
        elif token.text.isdigit():
            out.add("off_by_one", token.start, token.end, str(int(token.text) + 1))
            if token.text == "1":
                out.add("off_by_one", token.start, token.end, "0")


def indices(words, out):
    """The index of a loop or of a copy is forgotten: the first element is taken for all."""
    for i, token in words.live():
        if token.kind == "word" and re.fullmatch(r"[a-z]", token.text) and token.depth > 0 and words.tokens[i - 1].text == "[":
            out.add("wrong_index", token.start, token.end, "0")


def choices(words, out):
    for i, token in words.live():
        if token.text != "?":
            continue
        level, j = 0, i + 1
        while j < len(words.tokens):
            text = words.tokens[j].text
            if text in "([{" and words.tokens[j].partner > j:
                j = words.tokens[j].partner
            elif text == "?":
                level += 1
            elif text == ":":
                if level == 0:
                    break
                level -= 1
            j += 1
        k, level = j + 1, 0
        while k < len(words.tokens):
            text = words.tokens[k].text
            if text in ")]};,":
                break
            if text in "([{" and words.tokens[k].partner > k:
                k = words.tokens[k].partner
            k += 1
        first, second = words.part(i + 1, j), words.part(j + 1, k)
        start, end = words.tokens[i + 1].start, words.tokens[k - 1].end
        out.add("choice_swapped", start, end, f"({second}) : ({first})")


def dropped_terms(words, out):
    for i, token in words.live():
        if token.text in ("&&", "||", "&", "|", "+") and is_binary(words.tokens, i) and i not in words.assigns:
            left, right = left_start(words.tokens, i), right_end(words.tokens, i)
            out.add("term_dropped", token.start, words.tokens[right - 1].end, "")
            out.add("term_dropped", words.tokens[left].start, words.tokens[i + 1].start, "")


def swapped_operands(words, out):
    for i, token in words.live():
        if token.text in ("-", "<<") and is_binary(words.tokens, i) and i not in words.assigns:
            left, right = left_start(words.tokens, i), right_end(words.tokens, i)
            if left < i and not any(t.text in PRECEDENCE and t.depth == token.depth for t in words.tokens[left:i]):
                start, end = words.span(left, right)
                out.add("operands_swapped", start, end, f"{words.part(i + 1, right)} {token.text} {words.part(left, i)}")
        if token.text == "{" and token.partner > i:
            commas = [j for j in range(i + 1, token.partner)
                      if words.tokens[j].text == "," and words.tokens[j].depth == token.depth + 1]
            if len(commas) == 1:
                start, end = words.span(i + 1, token.partner)
                out.add("operands_swapped", start, end,
                        f"{words.part(commas[0] + 1, token.partner)}, {words.part(i + 1, commas[0])}")


def assignments(words, out):
    for i in sorted(words.assigns):
        token = words.tokens[i]
        if token.barred or i == 0:
            continue
        behind = words.end_of_statement(i)
        first = i - 1
        while words.tokens[first].text in ("]", "}"):
            first = words.tokens[first].partner - (1 if words.tokens[first].text == "]" else 0)
            if words.tokens[first].text == "{":
                break
        if words.tokens[first].barred and words.tokens[first].text != "[":
            continue
        if words.tokens[first - 1].text == "assign":
            start, end = words.span(i + 1, behind - 1)
            out.add("stuck_at_0", start, end, "'0")
            out.add("stuck_at_1", start, end, "'1")
        elif i in words.resets:
            out.add("reset_missing", words.tokens[first].start, words.tokens[behind - 1].end, ";")
        else:
            out.add("update_missing", words.tokens[first].start, words.tokens[behind - 1].end, ";")


def loops(words, out):
    """A loop of a process does not reach its last element."""
    for i, token in enumerate(words.tokens):
        if token.text != "for" or words.tokens[i + 2].text != "int":
            continue
        inside = range(i + 2, words.tokens[i + 1].partner)
        semicolons = [j for j in inside if words.tokens[j].text == ";"]
        for j in inside:
            if words.tokens[j].text == "<" and semicolons[0] < j < semicolons[1]:
                start, end = words.span(j + 1, semicolons[1])
                out.add("loop_too_short", start, end, f"({words.text[start:end]}) - 1")


def wrong_signals(words, out):
    """A signal is taken for another of the same kind: declared together, or a port of the same width and direction."""
    groups = {}
    for match in re.finditer(r"^ *(?:(input) +)?(logic(?: *\[[^\]]*\])?)[ \n]+([a-z][\w]*(?:,\s*[a-z]\w*)*)\s*[;,\n]",
                             re.sub(r"//[^\n]*", "", words.text), re.M):
        kind = (match[1] or "inner", " ".join(match[2].split()))
        groups.setdefault(kind, []).extend(n.strip() for n in match[3].split(","))
    other = {}
    for names in groups.values():
        names = [n for n in dict.fromkeys(names) if n not in ("clk_i", "rst_ni") and not n.startswith("unused")]
        for at, name in enumerate(names):
            if len(names) > 1:
                other[name] = names[(at + 1) % len(names)]
    first_of_statement = False
    for i, token in words.live():
        if token.kind != "word" or token.text not in other or words.tokens[i - 1].text in (".", "assign"):
            continue
        j = i + 1
        while words.tokens[j].text == "[":
            j = words.tokens[j].partner + 1
        if j in words.assigns or words.tokens[j].text == "<=" and j in words.assigns:
            continue
        out.add("wrong_signal", token.start, token.end, other[token.text])
