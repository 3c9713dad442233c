// chapter - what the files of the ledger's chapters share: putting a claim together, lists of networks that
// are longer in a full run, and common inspections of outcomes.
#pragma once

#include <fmt/format.h>

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "cpp_model/claim/claim.hpp"

namespace safnet {

// Chapters use the enumerators of these types everywhere.
using enum CollectiveKind;
using enum PortModel;
using enum Finding;
using enum Relation;

using Cases = std::vector<ClaimCase>;
using Checks = std::vector<ClaimCheck>;
using OnlineCases = std::vector<OnlineCase>;
using DynamicCases = std::vector<DynamicCase>;

template <class Kind, class Test>
inline constexpr bool adds_tests = std::is_invocable_v<Test, bool, std::vector<Kind>&>;
template <class Kind, class Test>
inline constexpr bool lists_tests = std::is_invocable_r_v<std::vector<Kind>, Test, bool>;
template <class Kind, class Test>
inline constexpr bool is_test_of =
    adds_tests<Kind, Test> || lists_tests<Kind, Test> || std::is_same_v<Kind, Test>;
/// Sets `part` of a claim from `test` if that is a function of `full` that returns a list of this kind, or
/// adds to one; or a single run or check of this kind, which is always made. Otherwise `part` stays as it is.
template <class Kind, class Test>
void take(std::function<std::vector<Kind>(bool full)>& part, const Test& test) {
  if constexpr (adds_tests<Kind, Test>) {
    part = [test](bool full) {
      std::vector<Kind> list;
      test(full, list);
      return list;
    };
  } else if constexpr (lists_tests<Kind, Test>) {
    part = test;
  } else if constexpr (std::is_same_v<Kind, Test>) {
    part = [test](bool) { return std::vector<Kind>{test}; };
  }
}

/// A claim and its tests: for each of Cases, Checks, OnlineCases and DynamicCases at most one function, or
/// one single run or check, in any order.
template <class... Tests>
requires((is_test_of<ClaimCase, Tests> || is_test_of<ClaimCheck, Tests> || is_test_of<OnlineCase, Tests> ||
          is_test_of<DynamicCase, Tests>)&&...) Claim
    claim(std::string id, std::string section, Finding finding, std::string statement, Tests... tests) {
  Claim made{std::move(id), std::move(section), std::move(statement), finding};
  (take(made.cases, tests), ...);
  (take(made.checks, tests), ...);
  (take(made.online, tests), ...);
  (take(made.dynamic, tests), ...);
  return made;
}

/// The words of a text: "mesh:3x3 ring:5" are two.
std::vector<std::string> listed(const std::string& text);
/// "linear:5", "ring:5", "torus:4x4", "torus:3x4x5".
std::string linear_word(std::uint64_t nodes);
std::string ring_word(std::uint64_t nodes);
std::string square(std::string_view family, std::uint64_t side);
template <class Sides>
std::string with_sides(std::string_view family, const Sides& sides) {
  return fmt::format("{}:{}", family, fmt::join(sides, "x"));
}

template <class T>
std::vector<T> joined(std::vector<T> list, const std::vector<T>& more) {
  list.insert(list.end(), more.begin(), more.end());
  return list;
}
/// `quick`, followed by `more` in a full run.
template <class T>
std::vector<T> with_more(bool full, std::vector<T> quick, const std::vector<T>& more) {
  return full ? joined(std::move(quick), more) : quick;
}
/// The same with the words of two texts.
std::vector<std::string> with_more(bool full, const std::string& quick, const std::string& more);
/// first, first + step, ... up to `last`.
template <class Number = std::uint64_t>
std::vector<Number> range(std::type_identity_t<Number> first, std::type_identity_t<Number> last,
                          std::type_identity_t<Number> step = 1) {
  std::vector<Number> numbers;
  for (Number n = first; n <= last; n += step) numbers.push_back(n);
  return numbers;
}

std::uint64_t power(std::uint64_t base, std::uint32_t exponent);

/// Empty if `holds`; otherwise what is wrong, formatted by fmt::format.
template <class... Args>
std::string unless(bool holds, fmt::format_string<Args...> wrong, Args&&... args) {
  return holds ? std::string() : fmt::format(wrong, std::forward<Args>(args)...);
}
/// The first non-empty fault_of(item), or empty.
template <class Items, class FaultOf>
std::string first_fault(const Items& items, const FaultOf& fault_of) {
  for (const auto& item : items) {
    if (std::string wrong = fault_of(item); !wrong.empty()) return wrong;
  }
  return {};
}
/// A check fault_of(item) for every item; its name is name(item), or `name` as a format text with the item.
template <class Items, class Name, class FaultOf>
Checks check_each(const Items& items, const Name& name, const FaultOf& fault_of) {
  Checks checks;
  for (const auto& item : items) {
    const auto check = [fault_of, item] { return fault_of(item); };
    if constexpr (std::is_convertible_v<Name, std::string_view>) {
      checks.push_back({fmt::format(fmt::runtime(name), item), check});
    } else {
      checks.push_back({std::invoke(name, item), check});
    }
  }
  return checks;
}

/// A run with all ports, from node 0, in exactly so many steps.
ClaimCase all_port_case(const std::string& topology, CollectiveKind collective, const std::string& algorithm,
                        std::uint64_t steps, Inspection inspect = {});
/// A total exchange in exactly so many steps.
ClaimCase exchange_case(const std::string& topology, PortModel ports, const std::string& algorithm,
                        std::uint64_t steps, Inspection inspect = {});

/// The same case, but contradicting `statement`, which is printed; of `count` messages; of so many steps or
/// more; of at most so many on routers that carry out its timetable.
ClaimCase printed(ClaimCase entry, Printed<RunOutcome> statement);
ClaimCase messages(ClaimCase entry, std::uint32_t count);
ClaimCase at_least(ClaimCase entry);
ClaimCase at_most_on_routers(ClaimCase entry);

/// Steps in which a node informs its children one after the other, the slowest first, if child i then takes
/// times_of_children[i] steps to inform its subtree: thesis (6.1).
std::uint64_t steps_to_inform_all(std::vector<std::uint64_t> times_of_children);

/// Packets that node 0 sends through each of its ports.
std::map<PortId, std::uint64_t> packets_per_root_port(const RunOutcome& outcome);
/// `expected` packets crossed links.
Inspection transfers_are(std::uint64_t expected);
/// The run took `fewest` to `most` steps.
Inspection steps_between(std::uint64_t fewest, std::uint64_t most);

}  // namespace safnet
