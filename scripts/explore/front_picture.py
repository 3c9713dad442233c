"""The front of a study as SVG, for papers: all points by the first two objectives, those of the front named."""
import html
import math

WIDE, HIGH, LEFT, BOTTOM, TOP = 760, 460, 84, 56, 24
MOST_GROUPS = 24  # that the legend has room for
LINE, LETTER = 13, 6.0  # of labels
# Okabe and Ito's colours, which readers of every colour vision can tell apart.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#8a7f00")


class Axis:
    """A logarithmic axis over positive values, from `begin` to `end` in the picture."""

    def __init__(self, values, begin, end):
        low, high = min(values), max(values)
        self.low, self.high = math.log10(low) - 0.05, math.log10(high) + 0.05
        self.begin, self.end = begin, end

    def place(self, value):
        return self.begin + (self.end - self.begin) * (math.log10(value) - self.low) / (self.high - self.low)

    def ticks(self):
        """As few as there can be, but at least two: of 1, 2, 5; of whole digits; of tenths of them; or the ends."""
        for digits in ((1, 2, 5), range(1, 10), [k / 10 for k in range(10, 100)]):
            found = [digit * 10**power for power in range(math.floor(self.low), math.ceil(self.high) + 1) for digit in digits
                     if self.low <= math.log10(digit) + power <= self.high]
            if len(found) > 1:
                return found
        return [10**self.low, 10**self.high]


class Labels:
    """Labels beside their points, to the left of those that have no room to the right, moved up or down so that none lies on
    another or on a point; a label that finds no place is left out."""

    def __init__(self, lowest, points):
        self.lowest = lowest
        self.taken = [(x - 4, x + 4, y - 4, y + 4) for x, y in points]  # left, right, top, bottom

    def place(self, x, y, text):
        """Of a point in the picture."""
        width = LETTER * len(text)
        point, x = x, x + 7 if x + 7 + width < WIDE else x - 7 - width
        if x < 0:
            return ""
        near = x if x > point else x + width  # the end beside the point
        for moved in (0, -LINE, LINE, -2 * LINE, 2 * LINE, -3 * LINE, 3 * LINE):
            top = y - LINE / 2 + moved
            free = all(x + width < left or right < x or top + LINE <= above or below <= top for left, right, above, below in self.taken)
            if free and TOP <= top <= self.lowest - LINE:
                self.taken.append((x, x + width, top, top + LINE))
                return (f'<text x="{x:.1f}" y="{top + LINE - 3:.1f}">{html.escape(text)}</text>' +
                        (f'<line x1="{point:.1f}" x2="{near:.1f}" y1="{y:.1f}" y2="{top + LINE / 2:.1f}" stroke="#999"/>' if moved else ""))
        return ""


def number(value):
    for size, letter in ((1e9, " G"), (1e6, " M"), (1e5, "00 k")):
        if value >= size:
            return f"{value / size:g}{letter}"
    return f"{value:,.0f}" if value >= 1 else f"{value:.6g}"


def with_unit(name, units):
    return name if units[name] == name else f"{name} ({units[name]})"


def grid(x, y, right):
    bottom = HIGH - BOTTOM
    for tick in x.ticks():
        yield (f'<line x1="{x.place(tick):.1f}" x2="{x.place(tick):.1f}" y1="{TOP}" y2="{bottom}" stroke="#ddd"/>'
               f'<text x="{x.place(tick):.1f}" y="{bottom + 16}" text-anchor="middle">{number(tick)}</text>')
    for tick in y.ticks():
        yield (f'<line x1="{LEFT}" x2="{right}" y1="{y.place(tick):.1f}" y2="{y.place(tick):.1f}" stroke="#ddd"/>'
               f'<text x="{LEFT - 6}" y="{y.place(tick) + 4:.1f}" text-anchor="end">{number(tick)}</text>')


def mark(group, x, y, look, title, estimated=False):
    """A circle, or a square for groups whose colour another one has already; a triangle for an estimate."""
    title = f"<title>{html.escape(title)}</title>"
    if estimated:
        return f'<path d="M{x:.1f} {y - 5:.1f}l5 8.5h-10z" {look}>{title}</path>'
    if group < len(COLOURS):
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" {look}>{title}</circle>'
    return f'<rect x="{x - 3.5:.1f}" y="{y - 3.5:.1f}" width="7" height="7" {look}>{title}</rect>'


def front_svg(results, units, shown):
    """`units`: of objectives; `shown`: a value of an axis in words. Points are coloured by what they are compared with: the
    work, and what the study says."""
    wanted = results.study
    across, up = wanted.objectives[0], wanted.objectives[min(1, len(wanted.objectives) - 1)]
    points = [p for p in results.points if p["status"] in ("front", "band", "dominated", "estimated") and (p["values"][across] or 0) > 0 and
              (p["values"][up] or 0) > 0]
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {HIGH}" font-family="sans-serif" font-size="11">',
           f"<title>{html.escape(wanted.name)}</title>", f'<rect width="{WIDE}" height="{HIGH}" fill="white"/>']
    if not points:
        return "\n".join([*out, "</svg>"]) + "\n"

    together = [axis for axis in results.axes() if axis in wanted.within] + (["work"] if len(wanted.works) > 1 else [])
    apart = [axis for axis in results.axes() if axis not in together]

    def name_of(p, axes):
        return ", ".join(f"{axis} {value}" if isinstance(value, int) else str(value) for axis in axes for value in [shown(p["point"][axis])])

    groups = list(dict.fromkeys(name_of(p, together) for p in points))
    right = WIDE - 150
    x = Axis([p["values"][across] for p in points], LEFT, right)
    y = Axis([p["values"][up] for p in points], HIGH - BOTTOM, TOP)
    out += grid(x, y, right)
    out.append(f'<text x="{(LEFT + right) / 2}" y="{HIGH - 12}" text-anchor="middle">{html.escape(with_unit(across, units))}</text>'
               f'<text transform="translate(16 {(TOP + HIGH - BOTTOM) / 2}) rotate(-90)" text-anchor="middle">'
               f'{html.escape(with_unit(up, units))}</text>')
    places = [(x.place(p["values"][across]), y.place(p["values"][up])) for p in points]
    labels = Labels(HIGH - BOTTOM, places)
    for p, (at_x, at_y) in zip(points, places):
        group = groups.index(name_of(p, together))
        colour = COLOURS[group % len(COLOURS)]
        fill = f'fill="{colour if p["status"] in ("front", "band") else "white"}" fill-opacity="{0.35 if p["status"] == "band" else 1}"'
        estimated = p["status"] == "estimated"
        out.append(mark(group, at_x, at_y, f'{fill} stroke="{colour}"', name_of(p, together + apart), estimated))
        if p["status"] == "front" or estimated:
            out.append(labels.place(at_x, at_y, name_of(p, apart) + (" (estimate)" if estimated else "")))
    if len(groups) > 1:
        for i, group in enumerate(groups[:MOST_GROUPS]):
            out.append(mark(i, right + 18, TOP + 8 + i * 16, f'fill="{COLOURS[i % len(COLOURS)]}"', group) +
                       f'<text x="{right + 26}" y="{TOP + 12 + i * 16}">{html.escape(group if len(group) < 25 else group[:23] + "...")}</text>')
    return "\n".join([*out, "</svg>"]) + "\n"
