// policy_algorithm - the algorithm of a policy that a test has made: no closed form, nothing to choose it by.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cpp_model/algorithm/algorithm.hpp"

namespace safnet::testbench {

inline Algorithm policy_algorithm(const std::string& name, CollectiveKind collective) {
  return {.name = name,
          .collective = collective,
          .source = "",
          .description = "",
          .domain = "",
          .why_not = {},
          .policy = {},
          .closed_form = [](const Problem&) { return std::optional<std::uint64_t>(); }};
}

}  // namespace safnet::testbench
