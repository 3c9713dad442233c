"""Turns Catch2's own XML reports of the unit tests into one of JUnit, and prints the failures and the totals.

Catch2 2 writes JUnit too, but then it keeps every passed assertion in memory until the end, and it prints
nothing on the console. Its own format is written test by test. If the test program crashed, its report ends in
the middle, or there is none; its last, unfinished test then counts as failed.
"""
import pathlib
import xml.etree.ElementTree as ElementTree


def read(path):
    """All <TestCase> elements of a report, the last one perhaps unfinished, and whether the report is complete."""
    cases = []
    try:
        for event, element in ElementTree.iterparse(path, events=("start", "end")):
            if event == "start" and element.tag == "TestCase":
                cases.append(element)
    except (ElementTree.ParseError, FileNotFoundError):
        return cases, False
    return cases, True


def text_of(element):
    return " ".join("".join(element.itertext()).split())


def failures_of(case):
    """A text for each failure of a test: its place, the expression, and the INFO and CAPTURE texts before it."""
    said = []
    for element in case.iter():
        place = f"{element.get('filename')}:{element.get('line')}"
        if element.tag == "Info":
            said.append(f"  with {text_of(element)}")
        elif element.tag == "Expression" and element.get("success") == "false":
            original, expanded = element.findtext("Original", "").strip(), element.findtext("Expanded", "").strip()
            yield "\n".join([f"{place}: {element.get('type')}( {original} )", f"  expanded: {expanded}", *said])
            said = []
        elif element.tag in ("Failure", "Exception", "FatalErrorCondition"):
            yield "\n".join([f"{place}: {element.tag}: {text_of(element)}", *said])
            said = []


def junit(cases, missing):
    suite = ElementTree.Element("testsuite", name="unit_tests", tests=str(len(cases)))
    failed = 0
    for case in cases:
        result = case.find("OverallResult")
        passed = result is not None and result.get("success") == "true"
        failed += not passed
        test = ElementTree.SubElement(
            suite, "testcase", classname=pathlib.Path(case.get("filename")).stem, name=case.get("name"),
            time=result.get("durationInSeconds", "0") if result is not None else "0")
        if not passed:
            texts = list(failures_of(case)) or ["the report ends in this test"]
            failure = ElementTree.SubElement(test, "failure", message=texts[0].split("\n")[0])
            failure.text = "\n".join(texts)
    if missing:
        failed += 1
        suite.set("tests", str(len(cases) + 1))
        test = ElementTree.SubElement(suite, "testcase", classname="unit_tests", name="all tests are reported")
        ElementTree.SubElement(test, "failure", message=missing)
    suite.set("failures", str(failed))
    suite.set("errors", "0")
    suite.set("time", f"{sum(float(test.get('time', 0)) for test in suite):.3f}")
    return suite


def report(sources, target, expected):
    """Writes `target` from the reports in `sources`, in which `expected` tests should be; returns how many failed."""
    cases, missing = [], ""
    for source in sources:
        some, complete = read(source)
        cases += some
        missing = missing or ("" if complete else "unit tests ended before their report did")
    if len(cases) != expected and not missing:
        missing = f"{len(cases)} tests are reported, expected {expected}"
    suite = junit(cases, missing)
    suites = ElementTree.Element("testsuites")
    suites.append(suite)
    ElementTree.ElementTree(suites).write(target, encoding="utf-8", xml_declaration=True)
    for test in suite:
        for failure in test.iter("failure"):
            print(f"FAILED: {test.get('classname')}: {test.get('name')}\n{failure.text or failure.get('message')}\n")
    print(f"unit tests: {suite.get('tests')} tests, {suite.get('failures')} failed, {suite.get('time')} s of all processes; {target}")
    return int(suite.get("failures"))
