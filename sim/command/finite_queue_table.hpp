// finite_queue_table - `safnet table finite-queues`: what shallow queues cost on fat trees, measured on the
// hardware.
#pragma once

#include <string>
#include <vector>

#include "sim/variant/variant_store.hpp"

namespace safnet {

struct FiniteQueueOptions {
  std::vector<std::string> topologies;  ///< fat trees; empty: a few
  std::vector<int> depths;              ///< packets per input and queue; empty: 1, 2, 3, 4, 8, 16
  std::string csv, html;                ///< files that are written as well; empty: none
};

/// "1,2,16". Throws std::invalid_argument naming the word.
std::vector<int> parse_depths(const std::string& text);

/// Runs multinode broadcasts and total exchanges with queues of each depth and with as much as they need, and
/// prints a table. Exit code 1 if a run lost a packet or got stuck. Throws std::invalid_argument.
int finite_queue_command(const FiniteQueueOptions& options, VariantStore& store);

}  // namespace safnet
