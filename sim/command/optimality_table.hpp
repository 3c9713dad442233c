// optimality_table - `safnet table optimality`: every collective of MPI's on a row of networks, the best
// schedule that is known here against the lower bound, on the hardware.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cpp_model/schedule/problem.hpp"
#include "sim/variant/variant_store.hpp"

namespace safnet {

struct OptimalityOptions {
  std::vector<std::string> topologies;  ///< empty: optimality_topologies()
  std::optional<PortModel> ports;       ///< nothing: all-port and one-port
  std::uint32_t messages = 1;
  std::string csv = "optimality.csv";  ///< files that are written as well; empty: not
  std::string html = "optimality.html";
};

/// What the table is of unless others are named.
const std::vector<std::string>& optimality_topologies();

/// Plans, runs and prints the table: steps where they equal the bound, steps/bound elsewhere. What has a root
/// has node 0. Exit code 0 if every run ended as it must, 1 otherwise. Throws std::invalid_argument.
int optimality_command(const OptimalityOptions& options, VariantStore& store);

}  // namespace safnet
