// printed - what a published statement says of one case, as a relation and a value that what came out is
// compared with.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "cpp_model/number/rational.hpp"

namespace safnet {

/// How a number that came out stands to the one that is stated.
enum class Relation : std::uint8_t { kExactly, kAtLeast, kAtMost, kMoreThan, kLessThan };
bool holds(const Rational& found, Relation relation, const Rational& stated);
/// "", "at least ", "at most ", "more than ", "less than ": what precedes the stated number.
const std::string& to_words(Relation relation);

/// "7 steps", "at least 27/4 steps", "less than 48 cycles after the first prefix, by (9)".
struct PrintedValue {
  Relation relation = Relation::kExactly;
  Rational value = 0;
  std::string quantity = {};  ///< what is counted; empty: steps of a run, or cycles of one on scan_nodes
  std::string source = {};    ///< where in the section, or by what reading, if that needs saying: "(6.5)"

  /// `unit` stands for an empty quantity.
  std::string in_words(const std::string& unit) const;
  bool is_contradicted_by(const Rational& found) const { return !holds(found, relation, value); }
};

/// The printed value of a case, and how to find the same quantity in what came out of it. A check has no
/// outcome: its `measure` has no arguments and must be there. For a run an empty `measure` takes its steps
/// or cycles; a run that is expected to go wrong counts as 0 complete runs, where the paper has 1.
template <class... Outcome>
struct Printed : PrintedValue {
  std::function<Rational(const Outcome&...)> measure = {};
};

}  // namespace safnet
