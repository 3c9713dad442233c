// folded_cube_address - addresses of folded cubes: which link changes which bits, and the hypercubes that are
// left if one dimension is taken out (Varvarigos, "Efficient routing algorithms for folded-cube networks",
// section 2).
#pragma once

#include <cstdint>
#include <optional>

#include "cpp_model/graph/graph.hpp"

namespace safnet {

/// d of a folded cube; nothing for other networks.
std::optional<std::uint32_t> folded_cube_dimensions(const Graph& graph);
/// The port of a dimension, 0 ... d: families.hpp numbers ports from the highest bit.
PortId folded_cube_port(std::uint32_t d, std::uint32_t dimension);
/// e^i: what dimension i changes.
NodeId folded_cube_generator(std::uint32_t d, std::uint32_t dimension);

/// Lemma 1: V_j(s) = E C^j (s_(d-1), ..., s_0)^T, E and C as in the paper. Without dimension j a folded cube
/// is a hypercube F_j, which V_j maps onto the one without dimension d: i goes to d + j - i modulo d + 1.
NodeId folded_cube_map(std::uint32_t d, std::uint32_t j, NodeId s);
/// The same with s_0 on top of the column vector.
NodeId folded_cube_map_upside_down(std::uint32_t d, std::uint32_t j, NodeId s);

}  // namespace safnet
