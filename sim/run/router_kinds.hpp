// router_kinds - the kinds of nodes that `--node` can name for a policy.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sim/pifo/pifo_parameters.hpp"

namespace safnet {

using SharedRouterKind = std::shared_ptr<const RouterKind>;

/// The kind that is used unless --node names another: pifo_nodes; for a policy that scans, exchange_nodes.
const SharedRouterKind& pifo_router();

/// What follows --node for a router: the names in the list, in its order.
std::vector<std::string> router_kind_names();

/// The kind of this name, or the user's router in this folder (sim/user/user_router.hpp). Throws
/// std::invalid_argument, which begins with "--node WORD", if there is none; `others`: what else may stand
/// there.
SharedRouterKind find_router_kind(const std::string& word, const std::string& others = "");

}  // namespace safnet
