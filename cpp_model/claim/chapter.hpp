// chapter - what the files of the ledger's chapters share: how a claim is put together, lists of networks
// that a full run makes longer, and what outcomes are held against.
#pragma once

#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "cpp_model/claim/claim.hpp"

namespace safnet {

// Chapters name collectives, ports and findings all the time: here without their types.
using enum CollectiveKind;
using enum PortModel;
using enum Finding;

using Cases = std::vector<ClaimCase>;
using Checks = std::vector<ClaimCheck>;
using OnlineCases = std::vector<OnlineCase>;
using DynamicCases = std::vector<DynamicCase>;

/// Makes a function of `full` (few or all?) a part of a claim if it returns a list of that kind, or adds to
/// one.
template <class Kind, class Test>
void take(std::function<std::vector<Kind>(bool full)>& part, const Test& test) {
  if constexpr (std::is_invocable_v<Test, bool, std::vector<Kind>&>) {
    part = [test](bool full) {
      std::vector<Kind> list;
      test(full, list);
      return list;
    };
  } else if constexpr (std::is_invocable_r_v<std::vector<Kind>, Test, bool>) {
    part = test;
  }
}

/// A claim and what tests it: one function at most for each of Cases, Checks, OnlineCases and DynamicCases,
/// in any order.
template <class... Tests>
Claim claim(std::string id, std::string section, Finding finding, std::string statement, std::string sizes,
            Tests... tests) {
  Claim made{std::move(id), std::move(section), std::move(statement), finding, std::move(sizes)};
  (take(made.cases, tests), ...);
  (take(made.checks, tests), ...);
  (take(made.online, tests), ...);
  (take(made.dynamic, tests), ...);
  return made;
}

/// The words of a text: "mesh:3x3 ring:5" are two.
std::vector<std::string> listed(const std::string& text);

template <class T>
std::vector<T> joined(std::vector<T> list, const std::vector<T>& more) {
  list.insert(list.end(), more.begin(), more.end());
  return list;
}
/// `quick`; in a full run `more` behind it.
template <class T>
std::vector<T> with_more(bool full, std::vector<T> quick, const std::vector<T>& more) {
  return full ? joined(std::move(quick), more) : quick;
}
/// first, first + step, ... up to `last`.
std::vector<std::uint64_t> range(std::uint64_t first, std::uint64_t last, std::uint64_t step = 1);

std::uint64_t power(std::uint64_t base, std::uint32_t exponent);

/// A run with all ports, from node 0, in exactly so many steps.
ClaimCase all_port_case(const std::string& topology, CollectiveKind collective, const std::string& algorithm,
                        std::uint64_t steps);
/// A total exchange in exactly so many steps.
ClaimCase exchange_case(const std::string& topology, PortModel ports, const std::string& algorithm,
                        std::uint64_t steps);

/// The same case, contradicting what is printed, or of several messages.
ClaimCase printed(ClaimCase entry, std::string what);
ClaimCase messages(ClaimCase entry, std::uint32_t count);

/// So many packets crossed links.
Inspection transfers_are(std::uint64_t expected);
/// The run took no fewer and no more steps than these.
Inspection steps_between(std::uint64_t fewest, std::uint64_t most);

}  // namespace safnet
