// clauses - a question to a SAT solver (CaDiCaL) while it is written down, and the answer.
#pragma once

#include <cadical.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace safnet {

enum class SearchAnswer : std::uint8_t { kFound, kImpossible, kUnknown };

/// Literals are v or -v of variables v = 1, 2, ...; kTrue and kFalse are those whose value is known
/// beforehand.
class Clauses {
 public:
  static constexpr int kTrue = 1'000'000'000, kFalse = -kTrue;

  Clauses() { solver_.set("quiet", 1); }

  int new_variable() { return ++variables_; }
  /// At least one of the literals is true.
  void add(const std::vector<int>& literals);
  /// At most one is: pairwise if they are few, otherwise with a variable after each (Sinz, 2005).
  void at_most_one(std::vector<int> literals);
  /// A literal that is true exactly if both are.
  int both(int a, int b);
  /// Where the solver must guess, it guesses that variables are false.
  void prefer_false() { solver_.set("phase", 0); }

  /// Tries until the solver has met `conflicts` conflicts. Deterministic.
  SearchAnswer solve(std::uint32_t conflicts);
  /// After kFound.
  bool holds(int literal);
  std::size_t size() const { return size_; }

 private:
  CaDiCaL::Solver solver_;
  int variables_ = 0;
  std::size_t size_ = 0;
  bool impossible_ = false;  // a clause has no literal that can be true
};

/// How many of some literals are true, up to a limit: a literal for each number, which says "so many or
/// more". A count is made with one of the two ways to add: it is never too small, or never too large. The
/// clauses go to Clauses, or to another class that has new_variable() and add() and knows the two literals
/// there.
template <class Writer>
class TrueCounter {
 public:
  TrueCounter(Writer& writer, std::uint32_t most) : writer_(writer), reached_(most + 1, Clauses::kFalse) {
    reached_[0] = Clauses::kTrue;
  }
  void add_at_least(int literal) {
    count(literal, [&](int now, int before, int below) {
      writer_.add({-before, now});
      writer_.add({-literal, -below, now});
    });
  }
  void add_at_most(int literal) {
    count(literal, [&](int now, int before, int below) {
      writer_.add({-now, before, literal});
      writer_.add({-now, before, below});
    });
  }
  /// A clause for each number: this count is no larger than the other one now is, nor than the other's limit.
  void is_at_most(const TrueCounter& other) const {
    for (std::size_t j = 1; j < reached_.size(); ++j)
      writer_.add({-reached_[j], j < other.reached_.size() ? other.reached_[j] : Clauses::kFalse});
  }

 private:
  // A new literal for every number that can be reached now.
  template <class Say>
  void count(int literal, Say say) {
    if (literal == Clauses::kFalse) return;
    for (std::size_t j = reached_.size(); --j > 0;) {
      const int before = reached_[j], below = reached_[j - 1];
      if (below == Clauses::kFalse) continue;
      reached_[j] = writer_.new_variable();
      say(reached_[j], before, below);
    }
  }

  Writer& writer_;
  std::vector<int> reached_;  // by number
};

}  // namespace safnet
