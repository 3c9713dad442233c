// scan_kind - scan_nodes as a kind of node.
#pragma once

#include "sim/scan/scan_parameters.hpp"
#include "sim/variant/node_kind.hpp"

namespace safnet {

/// The kind "scan".
Hardware scan_hardware(const ScanParameters& parameters);

}  // namespace safnet
