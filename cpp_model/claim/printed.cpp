#include "cpp_model/claim/printed.hpp"

#include <fmt/format.h>

namespace safnet {

bool holds(const Rational& found, Relation relation, const Rational& stated) {
  switch (relation) {
    case Relation::kExactly:
      return found == stated;
    case Relation::kAtLeast:
      return found >= stated;
    case Relation::kAtMost:
      return found <= stated;
    case Relation::kMoreThan:
      return found > stated;
    case Relation::kLessThan:
      return found < stated;
  }
  return false;
}

const std::string& to_words(Relation relation) {
  static const std::string words[] = {"", "at least ", "at most ", "more than ", "less than "};
  return words[static_cast<std::size_t>(relation)];
}

std::string PrintedValue::in_words(const std::string& unit) const {
  return fmt::format("{}{} {}{}{}", to_words(relation), value.str(), quantity.empty() ? unit : quantity,
                     source.empty() ? "" : ", by ", source);
}

}  // namespace safnet
