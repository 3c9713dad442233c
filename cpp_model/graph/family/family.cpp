#include "cpp_model/graph/family/family.hpp"

#include <utility>

#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/text.hpp"

namespace safnet {

Spelling::Spelling(std::string text, std::string arguments, Make make)
    : text_(std::move(text)), arguments_(std::move(arguments)), make_(std::move(make)) {}

std::invalid_argument Spelling::wrong(const std::string& word, const std::string& expected) const {
  return bad_input("{}: {}: expected {}", one_line(text_), in_quotes(word), expected);
}

std::invalid_argument Spelling::wrong_whole(const std::string& what, const std::string& form) const {
  return bad_input("{}: {}; expected {}", in_quotes(text_), what, form);
}

std::uint32_t Spelling::number(const std::string& word, std::uint32_t low, std::uint32_t high,
                               const char* what) const {
  const std::optional<std::uint64_t> value = parse_decimal(word);
  if (!value || *value < low || *value > high)
    throw wrong(word, fmt::format("{} from {} to {}", what, low, high));
  return static_cast<std::uint32_t>(*value);
}

std::vector<std::string> Spelling::words(std::size_t count, const std::string& form) const {
  std::vector<std::string> words = split(arguments_, ',');
  if (words.size() != count) throw wrong(arguments_, form);
  return words;
}

void Spelling::factors(const std::function<NodeId(const std::string&)>& nodes) const {
  std::uint64_t all = 1;
  for (const std::string& word : split(arguments_, 'x')) {
    all *= nodes(word);
    if (all > kMaxNodes)
      throw wrong(arguments_, fmt::format("sizes whose product is at most {} nodes", kMaxNodes));
  }
}

std::string Spelling::inside(const std::string& form) const {
  if (!arguments_.ends_with(')')) throw wrong_whole("no closing parenthesis", form);
  return arguments_.substr(0, arguments_.size() - 1);
}

}  // namespace safnet
