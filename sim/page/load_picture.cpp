#include "sim/page/load_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "cpp_model/graph/drawing/drawing.hpp"
#include "cpp_model/graph/text.hpp"
#include "sim/page/markup.hpp"

namespace safnet {
namespace {

// The colours of cividis, which are in the same order of brightness for all kinds of colour vision, from the
// one that is light but still seen on white. The page's palette.js has the whole scale.
struct Colour {
  int red, green, blue;
};
constexpr std::array kScale{Colour{225, 204, 85},  Colour{195, 179, 105}, Colour{165, 156, 116},
                            Colour{138, 134, 120}, Colour{112, 113, 115}, Colour{87, 93, 109},
                            Colour{59, 73, 108},   Colour{18, 53, 112},   Colour{0, 34, 78}};
constexpr const char* kUnusedColour = "#b8b8b8";

// Lengths in points.
constexpr double kNarrow = 1.2, kWide = 4.8, kUnusedWidth = 0.8;
constexpr double kAside = 3.6;      // of a link from the middle between both directions
constexpr double kArrow = 6;        // length of an arrow's head
constexpr double kGap = 2;          // between its tip and the node, since wide lines have wide heads
constexpr double kHalfHeight = 11;  // of a node
constexpr double kFreeLength = 46;  // of a link between neighbours, beside the nodes
constexpr double kStubPart = 0.42;  // of the way to where the far end would be

// How a link that carried so much is drawn.
struct Stroke {
  std::string colour;
  double width;
  bool used;
};

Stroke stroke_of(std::uint64_t flits, std::uint64_t most) {
  if (flits == 0) return {kUnusedColour, kUnusedWidth, false};
  const double part = static_cast<double>(flits) / static_cast<double>(most);
  const double place = part * static_cast<double>(kScale.size() - 1);
  const std::size_t low = std::min(kScale.size() - 2, static_cast<std::size_t>(place));
  const auto mixed = [&](int Colour::*channel) {
    const double from = kScale[low].*channel, to = kScale[low + 1].*channel;
    return static_cast<int>(std::lround(from + (to - from) * (place - static_cast<double>(low))));
  };
  return {
      fmt::format("#{:02x}{:02x}{:02x}", mixed(&Colour::red), mixed(&Colour::green), mixed(&Colour::blue)),
      kNarrow + (kWide - kNarrow) * part, true};
}

Point to_the_right(Point direction) {
  const Point along = unit_vector(direction);
  return {along.y * kAside, -along.x * kAside};
}

// Draws the ways of links between nodes, which are boxes of the same size.
class Ways {
 public:
  Ways(const Graph& graph, const Layout& layout, std::size_t longest_name)
      : graph_(graph),
        layout_(layout),
        half_width_(std::max(12.0, 6 + 3.3 * static_cast<double>(longest_name))),
        unit_(2 * half_width_ + kFreeLength) {}

  double half_width() const { return half_width_; }
  Point at(NodeId v) const { return unit_ * layout_.nodes[v]; }

  // Positions for Graphviz.
  std::string of(NodeId v, PortId p) const {
    const Point from = at(v), to = at(graph_.peer(v, p).node);
    const Line line = layout_.line(v, p);
    if (line.kind == Line::Kind::kStubs) {
      const Point half = kStubPart * unit_ * line.to_there, aside = to_the_right(half);
      return straight(leaving(from, half), from + half + aside) + ";" +
             straight(to - half + aside, leaving_backwards(to, half));
    }
    if (line.kind == Line::Kind::kStraight)
      return straight(leaving(from, to - from), leaving_backwards(to, to - from));
    // If the two inner points of a cubic curve move, its middle moves three quarters as far.
    const Point aside = 4.0 / 3 * unit_ * line.bow + to_the_right(to - from);
    const Point second = from + 0.2 * (to - from) + aside, third = from + 0.8 * (to - from) + aside;
    return with_arrow(leaving(from, second - from), second, third, leaving_backwards(to, to - third));
  }

 private:
  // Where a link in this direction, right of the node's centre, comes out of the node.
  Point leaving(Point centre, Point direction) const {
    const Point along = unit_vector(direction), aside = to_the_right(direction);
    return centre + aside + distance_to_border(aside, along) * along;
  }
  // Where a link in this direction meets the node that it leads to.
  Point leaving_backwards(Point centre, Point direction) const {
    const Point back = -1 * unit_vector(direction), aside = to_the_right(direction);
    return centre + aside + (distance_to_border(aside, back) + kGap) * back;
  }
  // From a point inside a node, given from its centre.
  double distance_to_border(Point inside, Point along) const {
    const auto on_axis = [](double half, double place, double direction) {
      if (std::abs(direction) < 1e-6) return 1e6;
      return (std::copysign(half, direction) - place) / direction;
    };
    return std::min(on_axis(half_width_, inside.x, along.x), on_axis(kHalfHeight, inside.y, along.y));
  }
  static std::string straight(Point from, Point to) {
    return with_arrow(from, from + (1.0 / 3) * (to - from), from + (2.0 / 3) * (to - from), to);
  }
  // The curve ends where the arrow's head begins.
  static std::string with_arrow(Point from, Point second, Point third, Point tip) {
    return "e," + dot_point(tip) + " " +
           dot_curve(from, second, third, tip - kArrow * unit_vector(tip - third));
  }

  const Graph& graph_;
  const Layout& layout_;
  double half_width_, unit_;
};

// A line for nothing, a quarter, a half, three quarters and all of the most that a link carried.
std::string legend(const std::string& caption, std::uint64_t most) {
  std::vector<std::uint64_t> values{0};
  for (std::uint64_t quarter = 1; quarter <= 4; ++quarter) {
    const std::uint64_t value = most / 4 * quarter + most % 4 * quarter / 4;
    if (value > values.back()) values.push_back(value);
  }
  std::string bars, words;
  for (const std::uint64_t value : values) {
    const Stroke stroke = stroke_of(value, most);
    bars += fmt::format(
        "<TD><TABLE BORDER=\"0\" CELLBORDER=\"0\" CELLPADDING=\"0\"><TR><TD FIXEDSIZE=\"TRUE\" WIDTH=\"44\" "
        "HEIGHT=\"{}\" BGCOLOR=\"{}\"></TD></TR></TABLE></TD>",
        std::max(1L, std::lround(stroke.width)), stroke.colour);
    words += fmt::format("<TD>{}</TD>", value);
  }
  return fmt::format(
      "<<TABLE BORDER=\"0\" CELLSPACING=\"2\"><TR><TD COLSPAN=\"{}\">{}</TD></TR><TR>{}</TR><TR>{}</TR>"
      "<TR><TD COLSPAN=\"{}\">flits over each link</TD></TR></TABLE>>",
      values.size(), markup_escaped(one_line(caption)), bars, words, values.size());
}

}  // namespace

std::string load_to_dot(const Graph& graph, const Layout& layout, std::span<const std::uint64_t> load,
                        const std::string& caption) {
  require_drawable(graph);
  std::size_t longest = 1;
  for (NodeId v = 0; v < graph.node_count(); ++v) longest = std::max(longest, graph.node_name(v).size());
  const Ways ways(graph, layout, longest);
  const std::uint64_t most = load.empty() ? 0 : std::ranges::max(load);

  std::string dot = "// neato -n2 -Tsvg\ndigraph {\n";
  dot += "  graph [bgcolor=white, outputorder=edgesfirst, pad=0.1, splines=line, fontname=\"Helvetica\", ";
  dot += fmt::format("fontsize=11, labelloc=b,\n    label={}];\n", legend(caption, most));
  dot += fmt::format(
      "  node [shape=box, style=\"filled,rounded\", fixedsize=true, width={:.3f}, height={:.3f}, "
      "color=\"#4a4a4a\", fillcolor=\"#f2f2f2\", fontname=\"Helvetica\", fontsize=11];\n",
      2 * ways.half_width() / 72, 2 * kHalfHeight / 72);
  dot += fmt::format("  edge [arrowsize={:.1f}];\n", kArrow / 10);
  for (NodeId v = 0; v < graph.node_count(); ++v) {
    const bool processor = graph.has_routers() && v < graph.processor_count();
    dot += fmt::format("  \"{}\" [pos=\"{}!\"{}];\n", graph.node_name(v), dot_point(ways.at(v)),
                       processor ? ", style=filled" : "");
  }
  for (LinkId link = 0; link < graph.link_count(); ++link) {
    const NodeId v = graph.link_source(link);
    const Stroke stroke = stroke_of(load[link], most);
    const std::string from = graph.node_name(v), to = graph.node_name(graph.link_target(link));
    dot += fmt::format(
        "  \"{}\" -> \"{}\" [pos=\"{}\", color=\"{}\", penwidth={:.1f}{}, tooltip=\"{} to {}, port {}: {} "
        "flits\"];\n",
        from, to, ways.of(v, graph.link_port(link)), stroke.colour, stroke.width,
        stroke.used ? "" : ", style=dashed", from, to, graph.link_port(link), load[link]);
  }
  return dot + "}\n";
}

}  // namespace safnet
