// row_column_classes - partial exchange and partial gather on p x p arrays, on-line (Varvarigos and
// Bertsekas, section 4).
//
// Rows and columns count their active nodes. A node whose row has no more of them than its column is of class
// R: its packets cross the row first, then a column; those of the others, class C, the column first. On links
// of rows packets of R have priority, on links of columns those of C. No node knows the active set.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cpp_model/algorithm/algorithm.hpp"

namespace safnet {

/// p, if the graph is a p x p array or torus, p >= 2; of a torus only the links of the array are used.
std::optional<NodeId> square_side(const Graph& graph);

/// floor(sqrt(M)).
std::uint64_t whole_root(std::uint64_t active);

/// Steps that phase 2 takes at most, by section 4: 2 floor(sqrt M)(N - p) + 2(p - 1) for M active nodes.
std::uint64_t row_column_classes_bound(NodeId side, std::uint64_t active);

/// The whole exchange in cycles, by section 4: that, and p t_p for the scan, whose hops are one flit. In
/// lockstep; `slot_cycles`: cycles of a packet's step, `hop_cycles`: of a scan's hop.
std::uint64_t row_column_classes_bound_cycles(NodeId side, std::uint64_t active, std::uint32_t slot_cycles,
                                              std::uint32_t hop_cycles);

/// The active nodes of class C, ascending: those whose row has more active nodes than their column.
std::vector<NodeId> column_first_nodes(NodeId side, const std::vector<NodeId>& active);

/// Partial exchange first in, first out, furthest first and closest first within a class, on exchange_nodes;
/// partial gather as a timetable: the exchange backwards.
std::vector<Algorithm> row_column_classes_algorithms();

}  // namespace safnet
