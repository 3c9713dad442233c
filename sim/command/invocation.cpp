#include "sim/command/invocation.hpp"

#include <algorithm>
#include <cctype>

namespace safnet {
namespace {

std::string& line() {
  static std::string words = "build/safnet";
  return words;
}

}  // namespace

std::string shell_word(std::string_view word) {
  const auto plain = [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("_./:,=+@%-").find(static_cast<char>(c)) != std::string_view::npos;
  };
  if (!word.empty() && std::ranges::all_of(word, plain)) return std::string(word);
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

void remember_invocation(int argc, const char* const* argv) {
  line() = "build/safnet";
  for (int i = 1; i < argc; ++i) line() += " " + shell_word(argv[i]);
}

const std::string& invocation() { return line(); }

}  // namespace safnet
