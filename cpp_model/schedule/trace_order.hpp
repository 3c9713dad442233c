// trace_order - the order that a trace is kept in.
#pragma once

#include <algorithm>
#include <tuple>

#include "cpp_model/schedule/trace.hpp"

namespace safnet {

/// Puts transfers and deliveries in order of cycle, node and port.
inline void sort_by_time(Trace& trace) {
  std::sort(trace.transfers.begin(), trace.transfers.end(), [](const Transfer& a, const Transfer& b) {
    return std::tie(a.cycle, a.from, a.port) < std::tie(b.cycle, b.from, b.port);
  });
  std::sort(trace.deliveries.begin(), trace.deliveries.end(), [](const Delivery& a, const Delivery& b) {
    return std::tie(a.cycle, a.node, a.port) < std::tie(b.cycle, b.node, b.port);
  });
}

}  // namespace safnet
