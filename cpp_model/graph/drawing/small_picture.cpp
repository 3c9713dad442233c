#include "cpp_model/graph/drawing/small_picture.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <string_view>
#include <vector>

#include "cpp_model/graph/drawing/layout.hpp"
#include "cpp_model/graph/input.hpp"

namespace safnet {
namespace {

constexpr double kWidth = 160, kHeight = 120, kMargin = 7, kMostPerPoint = 1.7;

std::invalid_argument wrong(const char* what) {
  return bad_input("the SVG that Graphviz wrote: expected {}", what);
}

// The value of an attribute within a tag.
std::string_view attribute(std::string_view tag, std::string_view name) {
  const std::string opening = fmt::format(" {}=\"", name);
  const std::size_t at = tag.find(opening);
  if (at == std::string_view::npos) throw wrong("an attribute that is missing");
  tag.remove_prefix(at + opening.size());
  return tag.substr(0, tag.find('"'));
}

// All numbers in a text such as "M22.1,-79C28,-79 37,-79 43,-79".
std::vector<double> numbers(std::string_view text) {
  std::vector<double> values;
  while (!text.empty()) {
    const std::size_t begin = text.find_first_of("-.0123456789");
    if (begin == std::string_view::npos) break;
    text.remove_prefix(begin);
    const std::string word(text.substr(0, text.find_first_not_of("-.0123456789", 1)));
    values.push_back(std::strtod(word.c_str(), nullptr));
    text.remove_prefix(word.size());
  }
  return values;
}

// The same as points; none if a number is left over.
std::vector<Point> points(std::string_view text) {
  const std::vector<double> values = numbers(text);
  std::vector<Point> result;
  for (std::size_t i = 0; values.size() % 2 == 0 && i < values.size(); i += 2)
    result.push_back({values[i], values[i + 1]});
  return result;
}

// At most one decimal, none where it is 0.
std::string decimal(double value) {
  std::string text = fmt::format("{:.1f}", value);
  if (text.ends_with(".0")) text.erase(text.size() - 2);
  return text == "-0" ? "0" : text;
}

// Curves of one colour, each of 1 + 3 k points; a node is a single point.
using Strokes = std::map<std::string, std::vector<std::vector<Point>>>;

bool is_straight(const std::vector<Point>& curve) {
  const Point a = curve.front(), d = curve.back();
  return std::all_of(curve.begin(), curve.end(), [&](Point p) {
    const double across = (d.x - a.x) * (p.y - a.y) - (d.y - a.y) * (p.x - a.x);
    return std::abs(across) <= 0.25 * std::hypot(d.x - a.x, d.y - a.y);
  });
}

}  // namespace

std::string small_picture(const std::string& svg, const std::string& description) {
  Strokes links, nodes, arrows;
  Point low{std::numeric_limits<double>::max(), std::numeric_limits<double>::max()};
  Point high{-low.x, -low.y};
  for (std::size_t at = svg.find('<'); at != std::string::npos; at = svg.find('<', at + 1)) {
    const std::string_view tag = std::string_view(svg).substr(at, svg.find('>', at) - at);
    const bool is_link = tag.starts_with("<path "), is_polygon = tag.starts_with("<polygon ");
    if (!is_link && !is_polygon && !tag.starts_with("<ellipse ")) continue;
    std::vector<Point> curve;
    if (is_polygon) {
      const std::string_view colour = attribute(tag, "fill");
      if (!colour.starts_with('#') || attribute(tag, "stroke") != colour) continue;  // no head of an arrow
      curve = points(attribute(tag, "points"));
      if (curve.size() < 3) throw wrong("arrows of three points or more");
      arrows[std::string(attribute(tag, "stroke"))].push_back(std::move(curve));
      continue;
    }
    if (is_link) {
      curve = points(attribute(tag, "d"));
      if (curve.size() < 4 || curve.size() % 3 != 1) throw wrong("cubic curves");
    } else {
      const std::vector<double> x = numbers(attribute(tag, "cx")), y = numbers(attribute(tag, "cy"));
      if (x.size() != 1 || y.size() != 1) throw wrong("a centre for each node");
      curve.push_back({x[0], y[0]});
    }
    // A curve that goes out to its inner points comes only three quarters of the way.
    for (std::size_t i = 0; i < curve.size(); ++i) {
      const bool inner = i % 3 != 0;
      const Point end = curve[std::min(i - i % 3 + (i % 3 == 2 ? 3 : 0), curve.size() - 1)];
      const Point p = inner ? 0.25 * end + 0.75 * curve[i] : curve[i];
      low = {std::min(low.x, p.x), std::min(low.y, p.y)};
      high = {std::max(high.x, p.x), std::max(high.y, p.y)};
    }
    (is_link ? links : nodes)[std::string(attribute(tag, "stroke"))].push_back(std::move(curve));
  }
  if (nodes.empty()) throw wrong("nodes");

  const double scale = std::min({kMostPerPoint, (kWidth - 2 * kMargin) / std::max(high.x - low.x, 1.0),
                                 (kHeight - 2 * kMargin) / std::max(high.y - low.y, 1.0)});
  const auto shown = [&](Point p) {
    const std::string y = decimal(kHeight / 2 + scale * (p.y - (low.y + high.y) / 2));
    return decimal(kWidth / 2 + scale * (p.x - (low.x + high.x) / 2)) + (y.front() == '-' ? "" : " ") + y;
  };
  std::string picture = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\">\n"
      "<desc>{2}</desc>\n<g fill=\"none\" stroke-linecap=\"round\">\n",
      kWidth, kHeight, description);
  for (const auto& [colour, curves] : links) {
    picture += fmt::format("<path stroke=\"{}\" stroke-width=\"1.3\" d=\"", colour);
    for (const std::vector<Point>& curve : curves) {
      picture += "M" + shown(curve.front());
      if (is_straight(curve)) {
        picture += "L" + shown(curve.back());
      } else {
        for (std::size_t i = 1; i < curve.size(); ++i) picture += (i == 1 ? "C" : " ") + shown(curve[i]);
      }
    }
    picture += "\"/>\n";
  }
  for (const auto& [colour, corners] : arrows) {
    picture += fmt::format("<path fill=\"{}\" d=\"", colour);
    for (const std::vector<Point>& polygon : corners) {
      for (std::size_t i = 0; i < polygon.size(); ++i) picture += (i == 0 ? "M" : "L") + shown(polygon[i]);
      picture += "Z";
    }
    picture += "\"/>\n";
  }
  const double dot = std::clamp(0.2 * 36 * scale * 1.15, 4.5, 7.5);
  for (const auto& [colour, dots] : nodes) {
    picture += fmt::format("<path stroke=\"{}\" stroke-width=\"{}\" d=\"", colour, decimal(dot));
    for (const std::vector<Point>& one : dots) picture += "M" + shown(one.front()) + "h.01";
    picture += "\"/>\n";
  }
  return picture + "</g>\n</svg>\n";
}

std::string without_comments(std::string svg) {
  for (std::size_t begin = svg.find("<!--"); begin != std::string::npos; begin = svg.find("<!--", begin)) {
    const std::size_t end = svg.find("-->", begin);
    if (end == std::string::npos) break;
    svg.erase(begin, end + 3 - begin + (svg.compare(end + 3, 1, "\n") == 0 ? 1 : 0));
  }
  return svg;
}

}  // namespace safnet
