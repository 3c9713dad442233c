"""induction_step - whether assertions hold in the cycle after one in which all of them hold, decided by CaDiCaL. For scripts/prove.

A circuit is the AIGER file that Yosys writes of a property module: latches, a bad signal for each assertion, and the
constraints that are assumed in every cycle. Two cycles of it become clauses: in the first, whatever the latches are, no signal is
bad; in the second the signal of one assertion is. If no values satisfy these clauses, for any assertion, the assertions are
inductive. Each assertion is a question of its own, since together they take the solver several times as long.
"""

import dataclasses
import subprocess

SATISFIABLE, UNSATISFIABLE = 10, 20  # exit codes of SAT solvers


@dataclasses.dataclass
class Circuit:
    """Literals as in AIGER: twice the number of a variable, and one more if it is inverted; 0 is false."""
    variables: int
    next_of: dict      # latch: the literal that it takes on
    bad: list
    constraints: list
    gates: list        # (variable as literal, literal, literal): the first is the conjunction of the other two


def read_circuit(path):
    data = path.read_bytes()
    header, at = data.split(b"\n", 1)[0], data.index(b"\n") + 1
    words = [int(word) for word in header.split()[1:]]
    variables, inputs, latches, outputs, ands, bad, constraints = (words + [0, 0])[:7]

    def lines(count):
        nonlocal at
        found = []
        for _ in range(count):
            end = data.index(b"\n", at)
            found.append(int(data[at:end].split()[0]))
            at = end + 1
        return found

    def difference():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value
    takes = lines(latches)
    lines(outputs)
    circuit = Circuit(variables, {inputs + 1 + k: literal for k, literal in enumerate(takes)}, lines(bad), lines(constraints), [])
    for k in range(ands):
        gate = 2 * (inputs + latches + 1 + k)
        left = gate - difference()
        circuit.gates.append((gate, left, left - difference()))
    return circuit


def clauses_of(circuit):
    """(clauses that are the same for every assertion, for each assertion the literal that says that it fails in the second cycle)"""
    def signed(variable, literal):
        return -variable if literal & 1 else variable

    def first(literal):  # variable 1 is false
        return signed(1 + (literal >> 1), literal)

    def second(literal):
        variable = literal >> 1
        if variable == 0:
            return first(literal)
        if variable in circuit.next_of:
            return signed(1, literal) * first(circuit.next_of[variable])
        return signed(1 + circuit.variables + variable, literal)
    clauses = [[-1]]
    for cycle in (first, second):
        for gate, left, right in circuit.gates:
            gate, left, right = cycle(gate), cycle(left), cycle(right)
            clauses += [[-gate, left], [-gate, right], [gate, -left, -right]]
        clauses += [[cycle(constraint)] for constraint in circuit.constraints]
    clauses += [[-first(bad)] for bad in circuit.bad]
    return clauses, [second(bad) for bad in circuit.bad]


def not_inductive(path, seconds):
    """{number of an assertion: why not}, of those that may fail in the second cycle, or of which that is not known after so many seconds."""
    circuit = read_circuit(path)
    clauses, goals = clauses_of(circuit)
    common = "".join(" ".join(map(str, clause)) + " 0\n" for clause in clauses)
    left = {}
    for number, goal in enumerate(goals):
        problem = path.with_name(f"step_{number}.cnf")
        problem.write_text(f"p cnf {1 + 2 * circuit.variables} {len(clauses) + 1}\n{common}{goal} 0\n", encoding="ascii")
        answer = subprocess.run(["cadical", "-q", "-n", "--unsat", "-t", str(seconds), problem], stdout=subprocess.DEVNULL, check=False).returncode
        if answer != UNSATISFIABLE:
            left[number] = "may fail after a cycle in which all hold" if answer == SATISFIABLE else f"no answer within {seconds} s"
        problem.unlink()
    return left
