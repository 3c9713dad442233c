#include "cpp_model/optimum/clauses.hpp"

#include <algorithm>
#include <limits>

namespace safnet {

void Clauses::add(const std::vector<int>& literals) {
  if (std::ranges::find(literals, kTrue) != literals.end()) return;
  bool empty = true;
  for (const int literal : literals) {
    if (literal == kFalse) continue;
    solver_.add(literal);
    empty = false;
  }
  if (empty) {
    impossible_ = true;
  } else {
    solver_.add(0);
    ++size_;
  }
}

void Clauses::at_most_one(std::vector<int> literals) {
  std::erase(literals, kFalse);
  if (literals.size() <= 5) {
    for (std::size_t i = 0; i < literals.size(); ++i) {
      for (std::size_t j = i + 1; j < literals.size(); ++j) add({-literals[i], -literals[j]});
    }
    return;
  }
  int before = kFalse;  // one of the literals so far is true
  for (const int literal : literals) {
    add({-literal, -before});
    const int now = new_variable();
    add({-literal, now});
    add({-before, now});
    before = now;
  }
}

int Clauses::both(int a, int b) {
  if (a == kFalse || b == kFalse) return kFalse;
  if (a == kTrue) return b;
  if (b == kTrue) return a;
  const int result = new_variable();
  add({-result, a});
  add({-result, b});
  add({-a, -b, result});
  return result;
}

SearchAnswer Clauses::solve(std::uint32_t conflicts) {
  if (impossible_) return SearchAnswer::kImpossible;
  constexpr std::uint32_t kMost = std::numeric_limits<int>::max();
  solver_.limit("conflicts", static_cast<int>(std::min(conflicts, kMost)));
  const int status = solver_.solve();
  return status == 10   ? SearchAnswer::kFound
         : status == 20 ? SearchAnswer::kImpossible
                        : SearchAnswer::kUnknown;
}

bool Clauses::holds(int literal) {
  return literal == kTrue || (literal != kFalse && solver_.val(literal) > 0);
}

}  // namespace safnet
