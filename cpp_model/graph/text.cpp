#include "cpp_model/graph/text.hpp"

#include <charconv>

namespace safnet {
namespace {

constexpr std::size_t kLongestShown = 80;

}  // namespace

std::optional<std::uint64_t> parse_decimal(std::string_view word) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return value;
}

std::string printable(std::string_view text) {
  std::string shown;
  for (const char c : text) shown += (c >= ' ' && c <= '~') ? c : '?';
  return shown;
}

std::string one_line(std::string_view word) {
  std::string shown = printable(word.substr(0, kLongestShown));
  if (word.size() > kLongestShown) shown += "...";
  return shown;
}

std::string in_quotes(std::string_view word) { return "'" + one_line(word) + "'"; }

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

}  // namespace safnet
