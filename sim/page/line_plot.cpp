#include "sim/page/line_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/page/markup.hpp"

namespace safnet {
namespace {

constexpr double kWidth = 760, kHeight = 480;
constexpr double kLeft = 72, kRight = 24, kTop = 48, kBottom = 60;
constexpr double kLineHeight = 18;
// Of about the same lightness, told apart with any colour vision (Okabe and Ito), and by shape.
constexpr std::array kColours{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00"};

std::string number(double value) {
  std::string text = fmt::format("{:.2f}", value);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

// As many digits as a tick needs.
std::string tick_label(double value) { return fmt::format("{:.6g}", value); }

struct Scale {
  double low = 0, high = 1, from = 0, to = 1;
  bool logarithmic = false;
  double at(double value) const {
    const double part = logarithmic
                            ? (std::log10(value) - std::log10(low)) / (std::log10(high) - std::log10(low))
                            : (value - low) / (high - low);
    return from + part * (to - from);
  }
};

std::vector<double> logarithmic_ticks(double low, double high) {
  std::vector<double> ticks;
  for (double decade = std::pow(10, std::floor(std::log10(low))); decade <= high * 1.0001; decade *= 10) {
    for (const double digit : {1, 2, 5}) {
      const double tick = decade * digit;
      if (tick >= low * 0.9999 && tick <= high * 1.0001) ticks.push_back(tick);
    }
  }
  return ticks;
}

std::string marker(std::size_t shape, double x, double y, const char* colour, bool hollow) {
  const std::string fill = hollow ? "#fff" : colour;
  switch (shape % 3) {
    case 0:
      return fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"3.5\" fill=\"{}\" stroke=\"{}\"/>\n", number(x),
                         number(y), fill, colour);
    case 1:
      return fmt::format("<rect x=\"{}\" y=\"{}\" width=\"6.4\" height=\"6.4\" fill=\"{}\" stroke=\"{}\"/>\n",
                         number(x - 3.2), number(y - 3.2), fill, colour);
    default:
      return fmt::format("<path d=\"M{} {}l4.2 7h-8.4z\" fill=\"{}\" stroke=\"{}\"/>\n", number(x),
                         number(y - 4.4), fill, colour);
  }
}

std::string text_at(double x, double y, const std::string& text, const char* more) {
  return fmt::format("<text x=\"{}\" y=\"{}\" {}>{}</text>\n", number(x), number(y), more,
                     markup_escaped(text));
}

std::string axes(const LinePlot& plot, const Scale& x, const Scale& y) {
  std::string svg;
  for (const double tick : round_ticks(x.low, x.high, 8)) {
    const double at = x.at(tick);
    svg += fmt::format("<path class=\"grid\" d=\"M{} {}V{}\"/>\n", number(at), number(y.from), number(y.to));
    svg += text_at(at, y.from + 18, tick_label(tick), "text-anchor=\"middle\"");
  }
  const std::vector<double> ticks =
      plot.logarithmic ? logarithmic_ticks(y.low, y.high) : round_ticks(y.low, y.high, 7);
  for (const double tick : ticks) {
    const double at = y.at(tick);
    svg += fmt::format("<path class=\"grid\" d=\"M{} {}H{}\"/>\n", number(x.from), number(at), number(x.to));
    svg += text_at(x.from - 8, at + 4, tick_label(tick), "text-anchor=\"end\"");
  }
  svg += fmt::format("<path class=\"axis\" d=\"M{0} {3}V{1}H{2}\"/>\n", number(x.from), number(y.from),
                     number(x.to), number(y.to));
  svg += text_at((x.from + x.to) / 2, y.from + 42, plot.x_label, "text-anchor=\"middle\"");
  const double middle = (y.from + y.to) / 2;
  svg +=
      text_at(18, middle, plot.y_label,
              fmt::format("text-anchor=\"middle\" transform=\"rotate(-90 18 {})\"", number(middle)).c_str());
  return svg;
}

// One curve, in pieces: lines between points that are shown, dashed to hollow ones.
std::string curve(const PlotSeries& series, std::size_t index, const Scale& x, const Scale& y) {
  const char* colour = kColours[index % kColours.size()];
  std::string lines, markers;
  const auto place = [&](const PlotPoint& point) { return std::pair(x.at(point.x), y.at(point.y)); };
  for (std::size_t i = 0; i < series.points.size(); ++i) {
    const PlotPoint& point = series.points[i];
    const auto [px, py] = place(point);
    if (i > 0) {
      const auto [qx, qy] = place(series.points[i - 1]);
      lines += fmt::format("<path class=\"curve\" stroke=\"{}\"{} d=\"M{} {}L{} {}\"/>\n", colour,
                           point.hollow ? " stroke-dasharray=\"4 3\"" : "", number(qx), number(qy),
                           number(px), number(py));
    }
    if (series.marked) markers += marker(index, px, py, colour, point.hollow);
  }
  return lines + markers;
}

// The dash pattern of vertical line number `line`.
const char* dashes(std::size_t line) {
  constexpr std::array kDashes{"7 4", "2 3", "9 3 2 3"};
  return kDashes[line % kDashes.size()];
}

std::string legend(const LinePlot& plot, double x, double y) {
  std::string entries;
  std::size_t longest = 0;
  double at = y;
  const auto add = [&](const std::string& symbol, const std::string& text) {
    entries += symbol + text_at(x + 30, at + 4, text, "");
    longest = std::max(longest, text.size());
    at += kLineHeight;
  };
  const auto line = [&](const std::string& style) {
    return fmt::format("<path {} d=\"M{} {}h22\"/>\n", style, number(x), number(at));
  };
  for (std::size_t i = 0; i < plot.series.size(); ++i) {
    const char* colour = kColours[i % kColours.size()];
    add(line(fmt::format("class=\"curve\" stroke=\"{}\"", colour)) +
            (plot.series[i].marked ? marker(i, x + 11, at, colour, false) : ""),
        plot.series[i].name);
  }
  if (!plot.hollow_means.empty()) add(marker(0, x + 11, at, "#444", true), plot.hollow_means);
  for (std::size_t i = 0; i < plot.limits.size(); ++i)
    add(line(fmt::format("class=\"limit\" stroke-dasharray=\"{}\"", dashes(i))), plot.limits[i].label);
  return fmt::format(
             "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"#fff\" fill-opacity=\"0.85\" "
             "stroke=\"#ccc\"/>\n",
             number(x - 8), number(y - 12), number(44 + 6.6 * static_cast<double>(longest)),
             number(at - y + 6)) +
         entries;
}

}  // namespace

PlotExtent extent_of(const LinePlot& plot) {
  PlotExtent extent{0, plot.logarithmic ? 1e300 : 0, 0};
  for (const PlotSeries& series : plot.series) {
    for (const PlotPoint& point : series.points) {
      extent.x_most = std::max(extent.x_most, point.x);
      extent.low = std::min(extent.low, point.y);
      extent.high = std::max(extent.high, point.y);
    }
  }
  for (const PlotLimit& limit : plot.limits) extent.x_most = std::max(extent.x_most, limit.x);
  const double x_most = extent.x_most > 0 ? extent.x_most * 1.04 : 1;
  if (plot.y_most > 0) extent.high = std::min(extent.high, plot.y_most);
  if (extent.high <= 0) extent.high = 1;
  if (!plot.logarithmic) return {x_most, extent.low, extent.high * 1.05};
  return {x_most, std::min(extent.low, extent.high) / 1.3, extent.high * 1.3};
}

std::vector<double> round_ticks(double low, double high, int count) {
  const double wanted = (high - low) / count;
  const double power = std::pow(10, std::floor(std::log10(wanted)));
  double step = 10 * power;
  for (const double digit : {5, 2, 1}) {
    if (digit * power >= wanted) step = digit * power;
  }
  std::vector<double> ticks;
  const double first = std::ceil(low / step - 1e-9);
  for (double i = first; i * step <= high + 1e-9 * step; i += 1) ticks.push_back(i == 0 ? 0 : i * step);
  return ticks;
}

std::string to_svg(const LinePlot& plot) {
  const PlotExtent extent = extent_of(plot);
  const Scale x{0, extent.x_most, kLeft, kWidth - kRight, false};
  const Scale y{extent.low, extent.high, kHeight - kBottom, kTop, plot.logarithmic};
  std::string svg = fmt::format(
      R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {0} {1}" width="{0}" height="{1}" font-family="system-ui, sans-serif" font-size="12">
<style>.grid {{ stroke: #e3e3e3; fill: none; }} .axis {{ stroke: #222; fill: none; }} .curve {{ fill: none; stroke-width: 1.6; }} .limit {{ stroke: #555; fill: none; }}</style>
<rect width="{0}" height="{1}" fill="#fff"/>
)",
      kWidth, kHeight);
  svg += text_at(kLeft, 26, plot.title, "font-size=\"14\" font-weight=\"600\"");
  svg += axes(plot, x, y);
  svg += fmt::format(
      "<clipPath id=\"inside\"><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/></clipPath>\n",
      number(kLeft), number(kTop - 6), number(kWidth - kLeft - kRight), number(kHeight - kTop - kBottom + 6));
  for (std::size_t i = 0; i < plot.limits.size(); ++i) {
    svg += fmt::format("<path class=\"limit\" stroke-dasharray=\"{}\" d=\"M{} {}V{}\"/>\n", dashes(i),
                       number(x.at(plot.limits[i].x)), number(y.from), number(kTop));
  }
  svg += "<g clip-path=\"url(#inside)\">\n";
  for (std::size_t i = 0; i < plot.series.size(); ++i) svg += curve(plot.series[i], i, x, y);
  svg += "</g>\n";
  svg += legend(plot, kLeft + 24, kTop + 20);
  return svg + "</svg>\n";
}

}  // namespace safnet
