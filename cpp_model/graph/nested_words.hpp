// nested_words - words between semicolons, some of which are spellings with parentheses and semicolons
// inside.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace safnet {

/// "timed(A;x);0:1;4" as "timed(A;x)", "0:1" and "4": semicolons inside of parentheses do not count.
inline std::vector<std::string> nested_words(std::string_view text) {
  std::vector<std::string> words(1);
  int depth = 0;
  for (const char c : text) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (c == ';' && depth == 0)
      words.emplace_back();
    else
      words.back() += c;
  }
  return words;
}

}  // namespace safnet
