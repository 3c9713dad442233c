#include "sim/report/markup.hpp"

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

}  // namespace safnet
