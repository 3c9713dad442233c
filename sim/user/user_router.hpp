// user_router - a router from a folder outside of the repository: `--node DIR`.
//
// DIR/node.json says what is in the folder, see rtl/fifo/README.md. The router's module must have the ports
// of a fifo_node. Everything is checked before anything is built.
#pragma once

#include <memory>
#include <string>

#include "sim/pifo/pifo_parameters.hpp"

namespace safnet {

class VariantStore;

/// Whether what follows --node is meant to be a folder: it has a '/' or is the name of one.
bool names_folder(const std::string& word);

/// The router in this folder. Throws std::invalid_argument, which begins with "--node WORD", if there is no
/// such folder or its node.json is not valid. RouterKind::hardware of the result throws it if the RTL does
/// not compile or lacks ports or parameters that are needed.
std::shared_ptr<const RouterKind> user_router(const std::string& folder, const VariantStore& store);

}  // namespace safnet
