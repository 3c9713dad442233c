// recognise - a network from a file, known by its name: what is planned for its family then holds for it.
#pragma once

#include <cstdint>

#include "cpp_model/graph/graph.hpp"
#include "cpp_model/graph/recognise/make_network.hpp"

namespace safnet {

/// Visits of links and nodes that recognising a network may take: about a second.
inline constexpr std::uint64_t kRecognitionVisits = 200'000'000;

/// The graph, known as the network of a family, or as the product of such networks, that it is with its nodes
/// and ports in any order (Graph::known_as()). A factor that is of no family is spelled as its edges. The
/// graph as it was if it has nodes that only route or links that differ, if it is no such network, or if
/// `visits` do not suffice to find it out. Deterministic; every link is verified.
Graph recognise(const Graph& graph, const MakeNetwork& make, std::uint64_t visits = kRecognitionVisits);

}  // namespace safnet
