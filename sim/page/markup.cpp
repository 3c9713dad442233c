#include "sim/page/markup.hpp"

#include <fmt/format.h>

#include <string_view>

namespace safnet {

std::string markup_escaped(const std::string& text) {
  std::string result;
  for (const char c : text)
    result += c == '&'   ? "&amp;"
              : c == '<' ? "&lt;"
              : c == '>' ? "&gt;"
              : c == '"' ? "&quot;"
                         : std::string(1, c);
  return result;
}

std::string markdown_escaped(const std::string& text) {
  constexpr std::string_view kMeaningful = "\\`*_[]<|";
  std::string result;
  for (const char c : text) {
    if (kMeaningful.find(c) != std::string_view::npos) result += '\\';
    result += c;
  }
  return result;
}

std::string html_page(const std::string& title, const std::string& body, bool with_index) {
  static const std::string style = R"(
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 76rem; padding: 0 1rem; color: #1b1f24; background: #fff; }
h1 { font-size: 1.5rem; margin-bottom: .2rem; }
h2 { font-size: 1.15rem; margin: 2rem 0 .6rem; }
p, li { max-width: 60rem; }
table { border-collapse: separate; border-spacing: 2px; font-variant-numeric: tabular-nums; }
th { text-align: right; font-weight: 600; padding: .25rem .6rem; background: #fff; position: sticky; top: 0; }
th.name, td.name { text-align: left; position: sticky; left: 0; background: #fff; font-family: ui-monospace, monospace; font-size: .9em; white-space: nowrap; }
td { text-align: right; padding: .25rem .6rem; border-radius: 3px; min-width: 3.5rem; }
td.size { color: #57606a; min-width: 2rem; }
small { opacity: .8; }
.optimal { background: #b7e4c7; } .near { background: #fdf0b0; } .gap { background: #fbd38d; } .far { background: #f4a582; }
.none { background: #eceff1; color: #57606a; } .failed { background: #b00020; color: #fff; }
a { color: #1f5fa8; }
.legend { display: flex; flex-wrap: wrap; gap: .4rem; }
.legend span { padding: .15rem .6rem; border-radius: 3px; white-space: nowrap; }
@media (prefers-color-scheme: dark) {
  :root { color-scheme: dark; }
  body { color: #e6edf3; background: #0e1218; }
  th, th.name, td.name { background: #0e1218; }
  td.size { color: #9aa7b4; }
  a { color: #5ea3ef; }
  .optimal { background: #1d4d33; } .near { background: #5b4d10; } .gap { background: #6e4312; } .far { background: #7d3220; }
  .none { background: #20262e; color: #9aa7b4; } .failed { background: #ff7b72; color: #0e1218; }
}
)";
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{0}</title>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<style>{1}</style>\n</head>\n<body>\n<h1>{0}</h1>\n{2}{3}</body>\n</html>\n",
      markup_escaped(title), style, with_index ? "<p><a href=\"index.html\">All pages</a></p>\n" : "", body);
}

std::string html_table(const std::string& heading, const std::string& head, const std::string& rows) {
  return fmt::format("<h2>{}</h2>\n<table>\n<thead><tr>{}</tr></thead>\n<tbody>\n{}</tbody>\n</table>\n",
                     markup_escaped(heading), head, rows);
}

std::string html_legend(const std::vector<std::pair<std::string, std::string>>& classes) {
  std::string text = "<p class=\"legend\">";
  for (const auto& [name, words] : classes) text += fmt::format("<span class=\"{}\">{}</span>", name, words);
  return text + "</p>\n";
}

const char* gap_class(std::uint64_t value, std::uint64_t bound) {
  return value <= bound ? "optimal" : 5 * value <= 6 * bound ? "near" : value < 2 * bound ? "gap" : "far";
}

std::string html_cell(const std::string& css_class, const std::string& hint, const std::string& markup) {
  return fmt::format("<td class=\"{}\" title=\"{}\">{}</td>", css_class, markup_escaped(hint), markup);
}

}  // namespace safnet
