// occupancy - what a packet keeps busy for a step when it crosses a link.
#pragma once

#include <cstdint>
#include <vector>

#include "cpp_model/graph/graph.hpp"
#include "cpp_model/schedule/schedule.hpp"

namespace safnet {

/// What a hop over each link keeps busy: resources 0 ... count-1.
struct Occupancy {
  std::uint32_t count = 0;
  std::vector<std::uint32_t> sending;    ///< by link
  std::vector<std::uint32_t> receiving;  ///< by link, numbered after those of `sending`; empty: nothing more

  /// Calls visit(resource) for the one or two that a hop over the link keeps busy.
  template <class Visit>
  void for_each(LinkId link, Visit visit) const {
    visit(sending[link]);
    if (!receiving.empty()) visit(receiving[link]);
  }
};
/// The port model's rules.
Occupancy port_occupancy(const Graph& graph, PortModel ports);
/// The same if every node does at the same time what node 0 does, translated: a port of all nodes is one
/// resource, or with one port all ports are. The graph must have translations.
Occupancy translated_occupancy(const Graph& graph, PortModel ports);

}  // namespace safnet
